"""An `Engine` over a connection of another program's, which loaded the extension: the worker's side of a channel.

The same code as for APSW connections reads the catalog, and reads and writes the value index and askwhere's own tables.
What differs: statements go over the channel, and the host guards and limits a query.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import apsw
from askwhere import guard
from askwhere.bindings.loadable.connection import FIRST, HostConnection, HostCursor, Stopped
from askwhere.bindings.sqlite.decoding import decoding
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.bindings.sqlite.guard import bounds_of, one_select, recording, refuse_queries, translated
from askwhere.bindings.sqlite.limits import LIMITS, Stop, fetch
from askwhere.bindings.sqlite.scanning import encoding_of, plain_cursor
from askwhere.bindings.sqlite.schema import redefined, schema_of
from askwhere.engine import Checked, Grant, Limits, Result
from askwhere.sql import literals
from askwhere.sql.identifiers import quote, renamed, unique_names
from askwhere.sql.lexer import names_alone

_UNREAD = Limits(seconds=0, rows=0, bytes=0)  # for a query that is only prepared here


class HostEngine(SQLiteEngine):
    """The engine over a host's connection: all queries run on that connection, under the host's guard."""

    def __init__(self, connection: HostConnection) -> None:
        super().__init__(cast(apsw.Connection, connection))
        self._host = connection

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        qualified = self._qualified(sql, grant)
        self._guarded("guarded", names_alone(qualified), grant, _UNREAD, original=sql).close()
        cursor = self._guarded("guarded", qualified, grant, _UNREAD, original=sql)
        if cursor.parameters:
            cursor.is_readonly = False
        one_select(sql, cursor.has_more, cursor.is_readonly, cursor.is_explain, cursor.description)
        columns = tuple(name for name, _ in cursor.description)
        return Checked(
            renamed(qualified, columns), unique_names(columns), tuple(declared for _, declared in cursor.description)
        )

    def _without_queries(self, sql: str) -> list[tuple[Any, ...]]:
        """See `SQLiteEngine._without_queries`."""
        with self._deciding(refuse_queries):
            return self._host.cursor().run("guarded", sql).fetchall()

    def _columns_read(self, sql: str) -> set[tuple[str, str, str]]:
        """See `SQLiteEngine._columns_read`."""
        columns: set[tuple[str, str, str]] = set()
        with self._deciding(recording(columns)):
            self._host.cursor().run("guarded", sql, rows=0).close()
        return columns

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        started = time.monotonic()
        length = self.longest_value(checked.sql, grant)
        cursor = self._guarded("guarded", checked.sql, grant, limits, length=length)
        with self._as_ours(checked.sql, limits, length):
            rows, complete = fetch(cursor, limits)
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started, bool(cursor.undecodable))

    def longest_value(self, sql: str, grant: Grant) -> int:
        """Return the bytes that a value of a query may have.

        There is one bound, not several to try: an old SQLite returns NULL for a longer value instead of an error.
        """
        return bounds_of(plain_cursor(self.connection), sql, grant)[-1].length

    def deliver(self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]], undecodable: bool) -> None:
        """Check a query again, and give it to the host's waiting cursor: the rows whose columns equal the values."""
        sql, values = self.streaming(checked, grant, equal)
        if undecodable:
            sql = decoding(sql, checked.columns, encoding_of(self.connection))
            grant = Grant(grant.tables, grant.hidden, grant.functions | {"askwhere_text"})  # our own function
        self._guarded("deliver", sql, grant, _UNREAD, values)

    def deliver_rows(self, result: Result, equal: Sequence[tuple[str, Any]]) -> None:
        """Send the host's waiting cursor rows that another process has read, as a query of literals."""
        where = " WHERE " + " AND ".join(f"{quote(name)} = ?" for name, _ in equal) if equal else ""
        sql = f"SELECT * FROM ({literals.query(result.columns, result.rows, None)}\n){where}"
        with self._deciding(lambda *_: apsw.SQLITE_OK):  # the query reads no table
            self._host.cursor().run("deliver", sql, [value for _, value in equal], rows=0)

    def _guarded(
        self,
        how: str,
        sql: str,
        grant: Grant,
        limits: Limits,
        parameters: Sequence[Any] = (),
        original: str = "",
        length: int = LIMITS[apsw.SQLITE_LIMIT_LENGTH],
    ) -> HostCursor:
        """Run a query in the host under its guard: `how` is 'guarded', or 'deliver' for the waiting cursor."""
        views, existing = schema_of(self.connection)
        guard.refuse_changed(grant.tables, {view.path: view.definition for view in views})
        decide = guard.Authorizer(grant, views, existing, redefined(self.connection))
        cursor = self._host.cursor()
        cursor.undecodable = False
        rows = min(limits.rows + 1, FIRST) if limits.rows else 0
        with self._deciding(decide), self._as_ours(original or sql, limits, length, lambda: decide.reason):
            cursor.run(
                how,
                sql,
                parameters,
                seconds=limits.seconds,
                memory=limits.bytes,
                rows=rows,
                limits=tuple((LIMITS | {apsw.SQLITE_LIMIT_LENGTH: length}).items()),
            )
            guard.refuse_rank(decide, sql, original or sql)  # each query is only prepared at first
            return cursor

    @contextlib.contextmanager
    def _deciding(self, decide: Callable[..., int]) -> Iterator[None]:
        """Let `decide` authorize the statements that the host prepares within the context."""
        before, self._host.decide = self._host.decide, decide
        try:
            yield
        finally:
            self._host.decide = before

    @contextlib.contextmanager
    def _as_ours(self, sql: str, limits: Limits, length: int, reason: Callable[[], str] = lambda: "") -> Iterator[None]:
        """Raise SQLite's errors as askwhere's."""
        try:
            yield
        except apsw.Error as exc:
            stop = Stop(limits, length)
            if isinstance(exc, Stopped):
                stop.because(exc.why)
            raise translated(exc, sql, stop, reason()) from exc

    @contextlib.contextmanager
    def _bounded_length(self) -> Iterator[None]:
        """See `SQLiteEngine._bounded_length`: the host bounds the values of each statement."""
        self._host.length = LIMITS[apsw.SQLITE_LIMIT_LENGTH]
        try:
            yield
        finally:
            self._host.length = 0

    @contextlib.contextmanager
    def _timed(self, seconds: float) -> Iterator[None]:
        """See `SQLiteEngine._timed`: the host stops the statement."""
        self._host.seconds = seconds
        try:
            yield
        finally:
            self._host.seconds = 0.0
