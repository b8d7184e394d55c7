"""How far generated SQL may go in SQLite: the library's own limits, time, memory, rows and bytes."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import apsw
from askwhere import guard
from askwhere.bindings.limits import too_large, too_late
from askwhere.engine import Limits
from askwhere.errors import TooMuch

# Room for ordinary generated SQL, none for a query made to exhaust the parser or the machine.
LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 16 * 1024 * 1024,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 2 * guard.MAX_SQL_BYTES,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 200,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 64,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    apsw.SQLITE_LIMIT_VDBE_OP: 200_000,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}

TOO_LONG = f"the query makes a value that is too large; it may have {LIMITS[apsw.SQLITE_LIMIT_LENGTH] // 2**20} MB"
UNDO_TRIES = 200  # a hundredth of a second apart


class Stop:
    """Why a query was stopped, said by whoever stopped it; `ended` when nothing is to be stopped any more."""

    def __init__(self, limits: Limits) -> None:
        self.reason = ""
        self.ended = False
        self._limits = limits

    def because(self, why: str) -> None:
        """The query was stopped for its 'time' or its 'memory'."""
        if why == "time":
            self.reason = too_late(self._limits)
        else:
            self.reason = f"the query was stopped: it needed more than {self._limits.bytes // 2**20} MB of memory"


@contextlib.contextmanager
def stopping(connection: apsw.Connection, limits: Limits) -> Iterator[Stop]:
    """Stop what runs on `connection` when its time or memory is used up."""
    stop = Stop(limits)
    deadline = time.monotonic() + limits.seconds
    most = apsw.memory_used() + limits.bytes

    def over() -> bool:
        if stop.ended:
            return False
        if time.monotonic() > deadline:
            stop.because("time")
        elif apsw.memory_used() > most:
            stop.because("memory")
        return bool(stop.reason)

    def interrupt() -> None:
        if stop.ended:
            return
        stop.because("time")
        with contextlib.suppress(apsw.ConnectionClosedError):
            connection.interrupt()

    # The timer is for single operations that run long: the handler is called only between operations.
    timer = threading.Timer(limits.seconds + 0.05, interrupt)
    timer.daemon = True
    connection.set_progress_handler(over, 2_000, id=stop)
    timer.start()
    try:
        yield stop
    finally:
        stop.ended = True
        timer.cancel()
        insist(lambda: connection.set_progress_handler(None, id=stop))


def insist(undo: Callable[[], object]) -> None:
    """Take something back, also where another thread happens to use the connection."""
    for _ in range(UNDO_TRIES):
        with contextlib.suppress(apsw.ThreadingViolationError):
            undo()
            return
        time.sleep(0.01)


def fetch(cursor: Any, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a cursor within the limits, and whether they are all. Raises `TooMuch` for too many bytes."""
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in cursor:
        if len(rows) == limits.rows:
            cursor.close()
            return rows, False
        rows.append(row)
        size += sum(sys.getsizeof(cell) for cell in row)
        if size > limits.bytes:
            cursor.close()
            raise TooMuch(too_large(limits))
    return rows, True
