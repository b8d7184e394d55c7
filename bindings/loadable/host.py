"""An `Engine` over a connection of another program's, which loaded the extension: the worker's side of a channel.

The same code as for APSW connections reads the catalog, and reads and writes the value index and askwhere's own tables.
What differs: statements go over the channel, and the host guards and limits a query.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import apsw
from askwhere import guard
from askwhere.bindings.loadable import channel as channel_
from askwhere.bindings.loadable.channel import Channel
from askwhere.bindings.sqlite.decoding import decoding
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.bindings.sqlite.guard import one_select, translated, within
from askwhere.bindings.sqlite.limits import LIMITS, Stop, fetch
from askwhere.bindings.sqlite.schema import redefined, schema_of
from askwhere.bindings.sqlite.storage import plain_cursor
from askwhere.columns import renamed, unique_names
from askwhere.engine import Checked, Grant, Limits, Result
from askwhere.errors import DatabaseError
from askwhere.sql import literals
from askwhere.sql.identifiers import quote
from askwhere.sql.lexer import names_alone

# Rows in the first message of a query's rows, and in each later one: often the first few are all that is wanted.
FIRST, MORE = 1_001, 1 << 20
_UNREAD = Limits(seconds=0, rows=0, bytes=0)  # for a query that is only prepared here

_Decide = Callable[..., int]


class HostConnection:
    """The part of `apsw.Connection` that `SQLiteEngine` and its storage use, over a channel."""

    row_trace = exec_trace = None

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.decide: _Decide | None = None  # authorizes the query that is being prepared
        self.seconds = 0.0  # for which a statement may run; 0 for no limit
        self.making = False  # while a virtual table is being created, see HostCursor.execute

    def cursor(self) -> HostCursor:
        """Return a new cursor."""
        return HostCursor(self)

    def db_names(self) -> list[str]:
        """Return the names of main, temp, and attached databases, as `apsw.Connection.db_names`."""
        attached = [str(name) for _, name, _ in self._databases() if name not in ("main", "temp")]
        return ["main", "temp", *attached]

    def db_filename(self, schema: str) -> str:
        """Return the file of a database, '' where there is none."""
        return next((str(file or "") for _, name, file in self._databases() if name == schema), "")

    def _databases(self) -> list[tuple[Any, ...]]:
        """Return the rows of PRAGMA database_list."""
        return self.cursor().execute("PRAGMA database_list").fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return bool(self._state("main")[0])

    def txn_state(self, schema: str) -> int:
        """Return the transaction's state, as `apsw.Connection.txn_state`."""
        return self._state(schema)[1]

    def total_changes(self) -> int:
        """Return the number of rows that this connection has changed."""
        return self._state("main")[2]

    def readonly(self, schema: str) -> bool:
        """Return whether a database cannot be written."""
        return bool(self._state(schema)[3])

    def _state(self, schema: str) -> list[int]:
        return list(channel_.values(self.channel.request("state", schema)))


class HostCursor:
    """A cursor over a host's connection; rows are fetched many at a time."""

    def __init__(self, connection: HostConnection) -> None:
        self._connection = connection
        self._id: int | None = None
        self._rows: list[tuple[Any, ...]] = []
        self._place = 0
        self.description: tuple[tuple[str, str], ...] = ()
        self.is_readonly = self.is_explain = self.has_more = False
        self.parameters = 0
        self.undecodable: bool | None = None  # whether such text was met; None where it is an error

    def execute(self, sql: str, parameters: Sequence[Any] = (), **_: Any) -> HostCursor:
        """Run statements, and fetch the first rows of the last. Raises APSW's errors.

        Raises `DatabaseError` for one that alters a table while a virtual table is created: ALTER makes SQLite read the
        schema again, and SQLite 3.40 then loses the table that is being created.
        """
        if self._connection.making and sql.lstrip()[:5].upper() == "ALTER":
            raise DatabaseError(
                "askwhere's own tables are brought up to date the next time, not by CREATE VIRTUAL TABLE"
            )
        return self.run("read", sql, parameters, seconds=self._connection.seconds)

    def executemany(self, sql: str, sequence: Iterable[Sequence[Any]]) -> HostCursor:
        """Run a statement for each set of parameters."""
        for parameters in sequence:
            self.execute(sql, parameters).fetchall()
        return self

    def run(
        self,
        how: str,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        seconds: float = 0.0,
        memory: int = 0,
        rows: int = FIRST,
        limits: Sequence[tuple[int, int]] = (),
    ) -> HostCursor:
        """Run statements by the request `exec`, which extension/native/query.c describes."""
        self.close()
        flat = [number for pair in limits for number in pair]
        reply = self._connection.channel.request(
            "exec", how, seconds, memory, rows, len(limits), *flat, sql, len(parameters), *parameters
        )
        found = self._values(reply)
        if next(found) == "failed":
            raise _error(*found)
        self._id, readonly, explain, more, self.parameters, width = (next(found) for _ in range(6))
        self.is_readonly, self.is_explain, self.has_more = bool(readonly), bool(explain), bool(more)
        names, types = [[next(found) for _ in range(width)] for _ in range(2)]
        self.description = tuple((str(name), str(kind or "")) for name, kind in zip(names, types, strict=True))
        self._take(list(found))
        return self

    def _take(self, cells: list[Any]) -> None:
        """Keep the rows of a message, whose last value says whether more will follow."""
        width = len(self.description)
        if cells.pop() == "end":
            self._id = None
        self._rows = [tuple(cells[i : i + width]) for i in range(0, len(cells), width)] if width else []
        self._place = 0

    def _values(self, reply: bytes) -> Iterator[Any]:
        """Decode a reply, with invalid bytes replaced where that is allowed."""
        if self.undecodable is None:
            return channel_.values(reply)
        try:
            return iter(list(channel_.values(reply)))
        except UnicodeDecodeError:
            self.undecodable = True
            return channel_.values(reply, "replace")

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while True:
            while self._place < len(self._rows):
                self._place += 1
                yield self._rows[self._place - 1]
            if self._id is None:
                return
            found = self._values(self._connection.channel.request("more", self._id, MORE))
            if next(found) == "failed":
                self._id = None
                raise _error(*found)
            self._take(list(found))

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows that are left."""
        return list(self)

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, None at the end."""
        return next(iter(self), None)

    def close(self) -> None:
        """End the statement in the host."""
        if self._id is not None:
            self._connection.channel.request("stop", self._id)
            self._id = None


class _Stopped(apsw.InterruptError):
    """The host stopped a statement at a limit; `why` is 'time' or 'memory'."""

    why = ""


def _error(code: int, why: str, message: str) -> Exception:
    """Return the exception that APSW raises for SQLite's error."""
    if why:
        stopped = _Stopped(message)
        stopped.why = why
        return stopped
    error = apsw.exception_for(code)
    error.args = (message,)
    return error


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

    def _columns_read(self, sql: str) -> set[tuple[str, str, str]]:
        """See `SQLiteEngine._columns_read`."""
        found: set[tuple[str, str, str]] = set()

        def record(action: int, *names: Any) -> int:
            if action == apsw.SQLITE_READ:
                found.add((names[2] or "main", names[0] or "", names[1] or ""))
            return apsw.SQLITE_OK

        before, self._host.decide = self._host.decide, record
        try:
            self._host.cursor().run("guarded", sql, rows=0).close()
        finally:
            self._host.decide = before
        return found

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        started = time.monotonic()
        length = self.longest(checked.sql, grant)
        cursor = self._guarded("guarded", checked.sql, grant, limits, length=length)
        with self._as_ours(checked.sql, limits, length):
            rows, complete = fetch(cursor, limits)
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started, bool(cursor.undecodable))

    def longest(self, sql: str, grant: Grant) -> int:
        """Return the bytes that a value of a query may have.

        There is one bound, not several to try: an old SQLite returns NULL for a longer value instead of an error.
        """
        return within(plain_cursor(self.connection), sql, grant.functions)[-1].length

    def deliver(
        self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]], undecodable: bool = False
    ) -> None:
        """Check a query again, and give it to the host's waiting cursor: the rows whose columns equal the values."""
        sql, values = self.streaming(checked, grant, equal)
        if undecodable:
            sql = decoding(sql, checked.columns)
            grant = Grant(grant.tables, grant.hidden, grant.functions | {"askwhere_text"})  # our own function
        self._guarded("deliver", sql, grant, _UNREAD, values)

    def deliver_rows(self, result: Result, equal: Sequence[tuple[str, Any]]) -> None:
        """Give rows that another process has read to the host's waiting cursor, as a query of literals."""
        where = " WHERE " + " AND ".join(f"{quote(name)} = ?" for name, _ in equal) if equal else ""
        sql = f"SELECT * FROM ({literals.query(result.columns, result.rows, None)}\n){where}"
        self._host.decide = lambda *_: apsw.SQLITE_OK  # the query reads no table
        try:
            self._host.cursor().run("deliver", sql, [value for _, value in equal], rows=0)
        finally:
            self._host.decide = None

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
        decide = guard.sqlite_authorizer(grant, views, existing, redefined(self.connection))
        cursor = self._host.cursor()
        cursor.undecodable = False
        rows = min(limits.rows + 1, FIRST) if limits.rows else 0
        before, self._host.decide = self._host.decide, decide
        try:
            with self._as_ours(original or sql, limits, length, lambda: decide.reason):
                return cursor.run(
                    how,
                    sql,
                    parameters,
                    seconds=limits.seconds,
                    memory=limits.bytes,
                    rows=rows,
                    limits=tuple((LIMITS | {apsw.SQLITE_LIMIT_LENGTH: length}).items()),
                )
        finally:
            self._host.decide = before

    @contextlib.contextmanager
    def _as_ours(self, sql: str, limits: Limits, length: int, reason: Callable[[], str] = lambda: "") -> Iterator[None]:
        """Raise SQLite's errors as askwhere's."""
        try:
            yield
        except apsw.Error as exc:
            stop = Stop(limits, length)
            if isinstance(exc, _Stopped):
                stop.because(exc.why)
            raise translated(exc, sql, stop, reason()) from exc

    @contextlib.contextmanager
    def _timed(self, seconds: float) -> Iterator[None]:
        self._host.seconds = seconds
        try:
            yield
        finally:
            self._host.seconds = 0.0
