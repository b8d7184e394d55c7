"""Python's database API (PEP 249) over APSW, with `ask`: the base of SQLAlchemy's SQLite dialect.

APSW follows SQLite, not PEP 249, and libraries that bridge the two, such as Shillelagh, bring tables of their own.
Exceptions and types are those of Python's `sqlite3`, so that code which catches those works here. A transaction begins
with the first statement that writes, or with a SAVEPOINT, and ends with commit or rollback; reading takes no lock that
lasts.
"""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from sqlite3 import (
    Binary,
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Warning,
)
from typing import Any

import apsw
import askwhere
from askwhere.bindings import database_files
from askwhere.errors import AskError

__all__ = [
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "sqlite_version",
    "sqlite_version_info",
    "threadsafety",
]

apilevel = "2.0"
threadsafety = 1  # threads may share the module; a connection serves one thread at a time
paramstyle = "qmark"
sqlite_version = apsw.sqlite_lib_version()
sqlite_version_info = tuple(int(part) for part in sqlite_version.split("."))

# Statements that begin no transaction: SQLite runs them only outside of one, or they do not write to the database.
# The groups are atomic: to backtrack into many comments would take exponential time.
_OUTSIDE = re.compile(
    r"(?>\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*+(?:VACUUM|PRAGMA|ATTACH|DETACH)\b", re.IGNORECASE | re.DOTALL
)
_SAVEPOINT = re.compile(r"\s*SAVEPOINT\b", re.IGNORECASE)

_LEAST, _MOST = -(2**63), 2**63 - 1  # SQLite's integers

# The classes that `sqlite3` raises for SQLite's errors; for any other it is OperationalError.
_KINDS: dict[type[Exception], type[Exception]] = {
    apsw.ConstraintError: IntegrityError,
    apsw.MismatchError: IntegrityError,
    apsw.TooBigError: DataError,
    apsw.CorruptError: DatabaseError,
    apsw.NotADBError: DatabaseError,
    apsw.InternalError: InternalError,
    apsw.MisuseError: InterfaceError,
    apsw.RangeError: InterfaceError,
    apsw.BindingsError: ProgrammingError,
    apsw.CursorClosedError: ProgrammingError,
    apsw.ConnectionClosedError: ProgrammingError,
    apsw.ThreadingViolationError: ProgrammingError,
}


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Raise PEP 249's exceptions in place of APSW's and askwhere's."""
    try:
        yield
    except apsw.Error as exc:
        raise _KINDS.get(type(exc), OperationalError)(str(exc)) from exc
    except AskError as exc:
        raise OperationalError(str(exc)) from exc


def connect(database: str = ":memory:", *, read_only: bool = False, **settings: Any) -> Connection:
    """Open a SQLite file with `ask`; settings are given by name. Raise `OperationalError`."""
    with _translated():
        if database != ":memory:" and database_files.kind_of_file(Path(database)) == "duckdb":
            raise OperationalError(f"{database} is a DuckDB database; its URL is askwhere+duckdb:///{database}")
        return Connection(askwhere.connect(database, read_only=read_only, **settings))


class Connection:
    """A connection; `raw` is APSW's. Where `isolation_level` is None instead of '', each statement commits."""

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.isolation_level: str | None = ""

    @property
    def in_transaction(self) -> bool:
        """Return whether a transaction is open."""
        return self.raw.in_transaction

    @property
    def total_changes(self) -> int:
        """Return the number of rows changed since the connection was opened."""
        return self.raw.total_changes()

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        with _translated():
            return Cursor(self)

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Cursor:
        """Run a statement on a new cursor, and return it."""
        return self.cursor().execute(sql, parameters)

    def commit(self) -> None:
        """Commit the transaction, if one is open."""
        self._end("COMMIT")

    def rollback(self) -> None:
        """Roll the transaction back, if one is open."""
        self._end("ROLLBACK")

    def _end(self, how: str) -> None:
        with _translated():
            if self.raw.in_transaction:
                self.raw.execute(how)

    def create_function(
        self, name: str, narg: int, func: Callable[..., Any] | None, *, deterministic: bool = False
    ) -> None:
        """Register a Python function, as `sqlite3.Connection.create_function`."""
        with _translated():
            self.raw.create_scalar_function(name, func, narg, deterministic=deterministic)

    def close(self) -> None:
        """Close the connection; what was not committed is rolled back."""
        with _translated():
            self.raw.close()


class Cursor:
    """Runs statements on a connection, and reads their rows."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.description: tuple[tuple[Any, ...], ...] | None = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self._raw = connection.raw.cursor()
        self._raw.exec_trace = self._begin
        self._writes = False

    def _begin(self, cursor: apsw.Cursor, sql: str, bindings: Any) -> bool:
        """Begin a transaction if the prepared statement needs one; APSW calls this before it runs."""
        self._describe(cursor)
        self._writes = not (cursor.is_readonly or cursor.is_explain or _OUTSIDE.match(sql))
        connection = self.connection
        begins = (self._writes or _SAVEPOINT.match(sql)) and connection.isolation_level is not None
        if begins and not connection.in_transaction:
            apsw.Cursor(connection.raw).execute("BEGIN")
        return True

    def _describe(self, cursor: apsw.Cursor) -> None:
        description = cursor.get_description()
        self.description = tuple((name, None, None, None, None, None, None) for name, _ in description) or None

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Cursor:
        """Run a statement, and return this cursor."""
        self.description, self.rowcount, self._writes = None, -1, False
        with _translated():
            self._raw.execute(_without_surrogates(sql, "the statement"), _adapted(parameters))
            # A statement that was prepared before the schema changed has its new columns only now.
            with contextlib.suppress(apsw.ExecutionCompleteError):
                self._describe(self._raw)
            if self._writes and self.description is None:
                self.rowcount = self.connection.raw.changes()
                self.lastrowid = self.connection.raw.last_insert_rowid()
        return self

    def executemany(self, sql: str, many: Iterable[Sequence[Any] | Mapping[str, Any]]) -> Cursor:
        """Run a statement with each set of parameters; `rowcount` is the sum."""
        rows = 0
        for parameters in many:
            self.execute(sql, parameters)
            rows += self.rowcount
        self.rowcount = max(rows, -1)
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, None after the last."""
        with _translated():
            return self._raw.fetchone()

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """Return the next `size` rows, by default `arraysize`."""
        rows = (self.fetchone() for _ in range(self.arraysize if size is None else size))
        return [row for row in rows if row is not None]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows that are left."""
        with _translated():
            return self._raw.fetchall()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row

    def setinputsizes(self, sizes: Any) -> None:
        """Do nothing, as PEP 249 allows."""

    def setoutputsize(self, size: Any, column: Any = None) -> None:
        """Do nothing, as PEP 249 allows."""

    def close(self) -> None:
        """End the statement."""
        with _translated():
            self._raw.close(True)


def _adapted(parameters: Sequence[Any] | Mapping[str, Any]) -> Any:
    """Return the parameters with values that SQLite can hold."""
    if isinstance(parameters, Mapping):
        return {name: _value(value) for name, value in parameters.items()}
    return tuple(map(_value, parameters)) or None


def _value(value: Any) -> Any:
    """Return a date or time as the text that SQLite's own functions read, any other value as it is.

    Raise `DataError` for a text or a number that no SQLite database holds, and `ProgrammingError` for other types.
    """
    if isinstance(value, str):
        return _without_surrogates(value, "a parameter")
    if isinstance(value, int) and not _LEAST <= value <= _MOST:
        raise DataError(f"SQLite's integers have 64 bits, found one of {value.bit_length()}: give it as a text")
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if not (value is None or isinstance(value, str | int | float | apsw.zeroblob) or _is_bytes(value)):
        raise ProgrammingError(
            f"a parameter is a {type(value).__name__}, found {str(value)[:50]!r}, of which SQLite has no values: give"
            " it as a text or a number, or with its SQLAlchemy type, as in bindparam('x', type_=Numeric)"
        )
    return value


def _is_bytes(value: Any) -> bool:
    """Return whether a value has bytes that Python can read, as `bytes` and arrays have."""
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def _without_surrogates(text: str, what: str) -> str:
    """Return a text. Raise `DataError` where it has half of a character (a lone surrogate)."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError as exc:
        half = f"{text[exc.start]!a} at place {exc.start}"
        raise DataError(f"{what} has half of a character ({half}), which no database holds: replace it") from None
    return text
