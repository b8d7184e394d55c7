"""Keep an answer's query within the limits of its trial while the user's connection delivers its rows.

The length of values is limited as in the trial, so that one row takes a bounded amount of memory. Total memory is
checked only until the first row, when all sorting and grouping is done. The limits are set before each step of the
statement and reset after it, since the connection may run other statements between two steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import apsw
from askwhere.bindings.sqlite.guard import translated
from askwhere.bindings.sqlite.limits import CHECKS, Stop, insist
from askwhere.engine import Limits

_LENGTH = apsw.SQLITE_LIMIT_LENGTH


@contextlib.contextmanager
def within_limits(connection: apsw.Connection, sql: str, length: int) -> Iterator[None]:
    """Limit the length of values, and the memory used beyond what is in use now, as in a trial.

    The page cache is not counted: its size is the user's choice. Raise `TooMuch`, which names `sql`.
    """
    before = connection.limit(_LENGTH)
    stop = Stop(Limits(), min(length, before))
    most = _memory_used(connection) + Limits().bytes

    def over() -> bool:
        if _memory_used(connection) > most:
            stop.because("memory")
        return bool(stop.reason)

    connection.limit(_LENGTH, stop.length)
    connection.set_progress_handler(over, CHECKS, id=stop)
    try:
        yield
    except (apsw.TooBigError, apsw.NoMemError, apsw.InterruptError) as exc:
        if isinstance(exc, apsw.InterruptError) and not stop.reason:
            raise  # an interrupt of the user's own
        raise translated(exc, sql, stop) from exc
    finally:
        insist(lambda: connection.set_progress_handler(None, id=stop))
        insist(lambda: connection.limit(_LENGTH, before))


def _memory_used(connection: apsw.Connection) -> int:
    """Return the bytes of memory that SQLite uses, without the connection's page cache."""
    return apsw.memory_used() - connection.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]


@contextlib.contextmanager
def _short_values(connection: apsw.Connection, sql: str, length: int) -> Iterator[None]:
    """Limit the length of values alone, for a step after the first row."""
    before = connection.limit(_LENGTH)
    connection.limit(_LENGTH, min(length, before))
    try:
        yield
    except (apsw.TooBigError, apsw.NoMemError) as exc:
        raise translated(exc, sql, Stop(Limits(), min(length, before))) from exc
    finally:
        insist(lambda: connection.limit(_LENGTH, before))


def rows_within_limits(
    connection: apsw.Connection, sql: str, length: int, begin: Callable[[], Any]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the cursor that `begin` returns, each made within the limits."""
    with within_limits(connection, sql, length):
        cursor = begin()
    yield from _rows(connection, sql, length, cursor.fetchone)


def _rows(connection: apsw.Connection, sql: str, length: int, step: Callable[[], Any]) -> Iterator[Any]:
    """Yield what `step` returns until it returns None.

    It runs for every row, so that the limit is set here directly: `_short_values` takes microseconds more.
    """
    limit = connection.limit
    while True:
        before = limit(_LENGTH)
        limit(_LENGTH, min(length, before))
        try:
            row = step()
        except (apsw.TooBigError, apsw.NoMemError) as exc:
            raise translated(exc, sql, Stop(Limits(), min(length, before))) from exc
        finally:
            limit(_LENGTH, before)
        if row is None:
            return
        yield row


class LimitedCursor(apsw.Cursor):
    """A cursor whose statement asks and may make long values: it takes each step within the limits.

    An `AskCursor` changes its class to this one while such a statement lasts, and back for the next.
    """

    plain: Any  # the class to go back to
    asked: str
    length: int  # bytes that a value may have

    def execute(self, *arguments: Any, **options: Any) -> Any:
        """See `AskCursor.execute`."""
        self.__class__ = self.plain
        return self.execute(*arguments, **options)

    def executemany(self, *arguments: Any, **options: Any) -> Any:
        """See `AskCursor.executemany`."""
        self.__class__ = self.plain
        return self.executemany(*arguments, **options)

    def __iter__(self) -> Any:
        return _rows(self.connection, self.asked, self.length, super().fetchone)

    def __next__(self) -> Any:
        with _short_values(self.connection, self.asked, self.length):
            return super().__next__()

    def fetchone(self) -> Any:
        """See `apsw.Cursor.fetchone`."""
        with _short_values(self.connection, self.asked, self.length):
            return super().fetchone()

    def fetchall(self) -> Any:
        """See `apsw.Cursor.fetchall`."""
        with _short_values(self.connection, self.asked, self.length):
            return list(iter(super().fetchone, None))

    @property
    def get(self) -> Any:
        """See `apsw.Cursor.get`."""
        with _short_values(self.connection, self.asked, self.length):
            return super().get
