"""The limits of a trial on the answer's own rows, which a connection of the user's delivers.

A value is as long as in the trial at most: all values of a row fit into the memory that there is for them. The limits
hold while a statement that asks takes a step, not in between: the same connection may run others meanwhile. Memory
is looked at until the first row is there: what is sorted or put into groups has been then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import apsw
from askwhere.bindings.sqlite.guard import translated
from askwhere.bindings.sqlite.limits import LOOKS, Stop, insist
from askwhere.engine import Limits

_LENGTH = apsw.SQLITE_LIMIT_LENGTH


@contextlib.contextmanager
def within_limits(connection: apsw.Connection, sql: str, length: int) -> Iterator[None]:
    """A connection that makes no longer value than that, and takes no more memory than a trial may.

    The pages that it keeps are not counted: how many those may be, the user says. Raises `TooMuch`, which names `sql`.
    """
    before = connection.limit(_LENGTH)
    stop = Stop(Limits(), min(length, before))
    most = _used(connection) + Limits().bytes

    def over() -> bool:
        if _used(connection) > most:
            stop.because("memory")
        return bool(stop.reason)

    connection.limit(_LENGTH, stop.length)
    connection.set_progress_handler(over, LOOKS, id=stop)
    try:
        yield
    except (apsw.TooBigError, apsw.NoMemError, apsw.InterruptError) as exc:
        if isinstance(exc, apsw.InterruptError) and not stop.reason:
            raise  # somebody else interrupted
        raise translated(exc, sql, stop) from exc
    finally:
        insist(lambda: connection.set_progress_handler(None, id=stop))
        insist(lambda: connection.limit(_LENGTH, before))


def _used(connection: apsw.Connection) -> int:
    return apsw.memory_used() - connection.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]


@contextlib.contextmanager
def _short(connection: apsw.Connection, sql: str, length: int) -> Iterator[None]:
    """As `within_limits`, but for the length of values alone, which bounds what a row after the first can need."""
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
    """The rows of the cursor that `begin` gives, each made within the limits."""
    with within_limits(connection, sql, length):
        cursor = begin()
    yield from _rows(connection, sql, length, cursor.fetchone)


def _rows(connection: apsw.Connection, sql: str, length: int, step: Callable[[], Any]) -> Iterator[Any]:
    """What `step` gives until it gives None. Here each microsecond is one of every row's: `_short` takes several."""
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
    """A cursor whose statement asks, and may make long values: it takes each step within the limits.

    It is an `AskCursor` that has taken this class for as long as the statement lasts.
    """

    plain: Any  # the class that it had
    asked: str
    length: int  # that a value may have

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
        with _short(self.connection, self.asked, self.length):
            return super().__next__()

    def fetchone(self) -> Any:
        """See `apsw.Cursor.fetchone`."""
        with _short(self.connection, self.asked, self.length):
            return super().fetchone()

    def fetchall(self) -> Any:
        """See `apsw.Cursor.fetchall`."""
        with _short(self.connection, self.asked, self.length):
            return list(iter(super().fetchone, None))

    @property
    def get(self) -> Any:
        """See `apsw.Cursor.get`."""
        with _short(self.connection, self.asked, self.length):
            return super().get
