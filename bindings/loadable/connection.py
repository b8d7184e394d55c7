"""Speak to the host's database over a channel as if it were an `apsw.Connection` of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import apsw
from askwhere.bindings.loadable import channel as channel_
from askwhere.bindings.loadable.channel import Channel
from askwhere.errors import DatabaseError

# Rows in the first message of a query's rows, and in each later one: often the first few are all that is wanted.
FIRST, MORE = 1_001, 1 << 20


_Decide = Callable[..., int]


class HostConnection:
    """The part of `apsw.Connection` that `SQLiteEngine` and its storage use, over a channel."""

    row_trace = exec_trace = None

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.decide: _Decide | None = None  # authorizes the query that is being prepared
        self.seconds = 0.0  # for which a statement may run; 0 for no limit
        self.length = 0  # bytes that a value of a statement may have; 0 for the host's own limit
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
        """Return whether a transaction is open."""
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
        """Run statements, and fetch the first rows of the last. Raise APSW's errors.

        Raise `DatabaseError` for one that alters a table while a virtual table is created: ALTER makes SQLite read the
        schema again, and SQLite 3.40 then loses the table that is being created.
        """
        if self._connection.making and sql.lstrip()[:5].upper() == "ALTER":
            raise DatabaseError(
                "askwhere's own tables are brought up to date the next time, not by CREATE VIRTUAL TABLE"
            )
        length = self._connection.length
        limits = [(apsw.SQLITE_LIMIT_LENGTH, length)] if length else []
        return self.run("read", sql, parameters, seconds=self._connection.seconds, limits=limits)

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
        values = self._values(reply)
        if next(values) == "failed":
            raise _error(*values)
        self._id, readonly, explain, more, self.parameters, width = (next(values) for _ in range(6))
        self.is_readonly, self.is_explain, self.has_more = bool(readonly), bool(explain), bool(more)
        names, types = [[next(values) for _ in range(width)] for _ in range(2)]
        self.description = tuple((str(name), str(kind or "")) for name, kind in zip(names, types, strict=True))
        self._take(list(values))
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
            values = self._values(self._connection.channel.request("more", self._id, MORE))
            if next(values) == "failed":
                self._id = None
                raise _error(*values)
            self._take(list(values))

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


class Stopped(apsw.InterruptError):
    """The host stopped a statement at a limit; `why` is 'time' or 'memory'."""

    why = ""


def _error(code: int, why: str, message: str) -> Exception:
    """Return the exception that APSW raises for SQLite's error."""
    if why:
        stopped = Stopped(message)
        stopped.why = why
        return stopped
    error = apsw.exception_for(code)
    error.args = (message,)
    return error
