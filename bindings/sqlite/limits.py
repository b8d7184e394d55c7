"""The limits of generated SQL in SQLite: the library's own, and those on time, memory, rows and bytes."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import isqrt
from typing import Any

import apsw
from askwhere.bindings.engine_errors import too_large, too_late, too_much_memory
from askwhere.engine import Limits
from askwhere.errors import TooMuch
from askwhere.frozen import frozen
from askwhere.guard.functions import Slow
from askwhere.sql.identifiers import fold
from askwhere.sql.lexer import MAX_SQL_BYTES

# Enough for ordinary generated SQL, too little for a query made to exhaust the parser or the machine.
LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 16 * 1024 * 1024,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 2 * MAX_SQL_BYTES,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 200,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 64,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    apsw.SQLITE_LIMIT_VDBE_OP: 200_000,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}

# Bytes that the values of one row may take together, and that a query may add between two checks of its memory.
ROOM = 64 * 1024 * 1024
# Bounds on the bytes of a value, tried one after the other: the shorter values are, the fewer checks are needed.
USUAL = (32 * 1024, 512 * 1024)
# Operations of SQLite's program between two checks: at most, and on the user's own connection.
RAREST_CHECKS, CHECKS = 2_000, 64
# Seconds after a query's time until it is interrupted, if the checks have not ended it: on a connection of ours, and on
# the user's own. A check ends the query alone; an interrupt there also ends the user's statements that are under way,
# and those that begin before they are done. So on the user's connection only a query that counts a table is
# interrupted, as SQLite counts without calling the progress handler, which checks.
LATE, LATE_ON_USERS = 0.05, 1.0
UNDO_TRIES = 200  # 10 ms apart


@frozen
class Bounds:
    """How long a value of a query may be, in bytes, and the operations between two checks of time and memory.

    `counts` says whether it counts the rows of a table in one operation.
    """

    length: int
    operations: int
    counts: bool = False


def bounds(program: Iterable[tuple[Any, ...]], slow: Slow | None, functions: Iterable[str] = ()) -> tuple[Bounds, ...]:
    """Return the bounds to run a query within, in the order to try them: short values first, then longer ones.

    `program` are the rows of EXPLAIN. SQLite calls its progress handler only where a program jumps back, so between two
    checks a query may compute all values of a row, each as long as the bound. `slow` is the slowest of the query's
    functions and searches; several calls share a second. If there is one, or one of the user's `functions` is called,
    each row is checked.
    """
    program = [row[1:6] for row in program]
    most = min(LIMITS[apsw.SQLITE_LIMIT_LENGTH], ROOM // max(1, _values(program)))
    if slow:
        calls = max(1, sum(operation in _CALLS for operation, *_ in program))
        most = min(most, slow.bytes // (calls if slow.linear else isqrt(calls)))
    lengths = (*(length for length in USUAL if length < most), most)
    called = {fold(str(fourth).partition("(")[0]) for *_, fourth in program}
    rarest = RAREST_CHECKS if slow is None and called.isdisjoint(map(fold, functions)) else 1
    counts = any(operation == "Count" for operation, *_ in program)
    return tuple(Bounds(length, max(1, min(ROOM // length, rarest)), counts) for length in lengths)


# Operations that call a function, or search a virtual table.
_CALLS = frozenset("Function PureFunc VFilter".split())
# Operations that make or copy a value. The columns read of one row count once, as together they are as long as the row.
_MAKERS = frozenset("Function PureFunc Concat Copy AggFinal AggValue Cast VColumn MakeRecord".split())


def _values(program: Iterable[tuple[Any, ...]]) -> int:
    """Return how many values of the greatest length a program may have in memory at once.

    The program is given as rows of an operation and its operands.
    """
    made, read = 0, Counter[tuple[int, int]]()
    for operation, first, second, *_ in program:
        made += operation in _MAKERS
        if operation == "Column":
            read[first, second] += 1
    copies: dict[int, int] = {}
    for (cursor, _), times in read.items():
        copies[cursor] = max(copies.get(cursor, 0), times)
    return made + sum(copies.values())


def too_long(length: int) -> str:
    """Return the error's text for a value of more than `length` bytes."""
    most = f"{length / 2**20:.0f} MB" if length >= 2**20 else f"{length / 1024:.0f} kB"
    return f"the query makes a value that is too large; it may have {most}"


class Stop:
    """Why a query was stopped, set by the code that stops it; `ended` is set when it may no longer be stopped.

    `users` says that the query runs on the user's own connection.
    """

    def __init__(self, limits: Limits, length: int = LIMITS[apsw.SQLITE_LIMIT_LENGTH], users: bool = True) -> None:
        self.reason = ""
        self.ended = False
        self.length = length  # bytes that a value may have
        self.users = users
        self.checks = CHECKS if users else RAREST_CHECKS  # operations between two checks at most
        self._limits = limits

    def because(self, why: str) -> None:
        """Note that the query was stopped for its 'time' or its 'memory'."""
        if why == "time":
            self.reason = too_late(self._limits)
        else:
            self.reason = too_much_memory(self._limits.bytes)


# The connection on which each thread runs a query now, which need not be the user's own.
_at_work: dict[int, apsw.Connection] = {}


def interrupt(thread: int) -> None:
    """Stop the query that a thread runs within `stopping`, if it runs one."""
    if (busy := _at_work.get(thread)) is not None:
        with contextlib.suppress(apsw.ConnectionClosedError):
            busy.interrupt()


@contextlib.contextmanager
def stopping(connection: apsw.Connection, limits: Limits, users: bool = False) -> Iterator[Stop]:
    """Stop the statement of `connection` when its time or memory is used up; the `Stop` says why.

    The progress handler ends this statement alone. On the user's own connection, `users`, it is called more often, as
    others may be under way there.
    """
    stop = Stop(limits, users=users)
    connection.set_progress_handler(_limit_checker(limits, stop), stop.checks, id=stop)
    _at_work[threading.get_ident()] = connection
    try:
        with contextlib.nullcontext() if users else _interrupting(connection, limits, stop, LATE):
            yield stop
    finally:
        stop.ended = True
        _at_work.pop(threading.get_ident(), None)
        insist(lambda: connection.set_progress_handler(None, id=stop))


@contextlib.contextmanager
def _interrupting(connection: apsw.Connection, limits: Limits, stop: Stop, late: float) -> Iterator[None]:
    """Interrupt the connection `late` seconds after the query's time: for an operation without checks."""
    timer = threading.Timer(limits.seconds + late, _interrupter(connection, stop))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def bounded(connection: apsw.Connection, limits: Limits, stop: Stop, bounds: Bounds) -> Iterator[None]:
    """Apply `bounds`: bound the length of values, and check time and memory at its interval."""
    handler = object()  # identifies the progress handler
    may_be_late = stop.users and bounds.counts
    with bounded_length(connection, bounds.length) as stop.length:
        connection.set_progress_handler(_limit_checker(limits, stop), min(bounds.operations, stop.checks), id=handler)
        try:
            with _interrupting(connection, limits, stop, LATE_ON_USERS) if may_be_late else contextlib.nullcontext():
                yield
        finally:
            insist(lambda: connection.set_progress_handler(None, id=handler))


@contextlib.contextmanager
def bounded_length(connection: apsw.Connection, most: int = LIMITS[apsw.SQLITE_LIMIT_LENGTH]) -> Iterator[int]:
    """Bound the length of values in bytes, by default for statements of ours that compute values; yield the bound."""
    before = connection.limit(apsw.SQLITE_LIMIT_LENGTH)
    bound = min(before, most)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, bound)
    try:
        yield bound
    finally:
        insist(lambda: connection.limit(apsw.SQLITE_LIMIT_LENGTH, before))


def _limit_checker(limits: Limits, stop: Stop) -> Callable[[], bool]:
    """Return a function that says whether the time or the memory, counted from now, is used up."""
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

    return over


def _interrupter(connection: apsw.Connection, stop: Stop) -> Callable[[], None]:
    """Return a function for the timer, which interrupts the connection unless the query has ended."""

    def interrupt() -> None:
        if stop.ended:
            return
        stop.because("time")
        with contextlib.suppress(apsw.ConnectionClosedError):
            connection.interrupt()

    return interrupt


def insist(undo: Callable[[], object]) -> None:
    """Call `undo`, which resets a setting of a connection; retry for two seconds while another thread uses it."""
    for _ in range(UNDO_TRIES):
        with contextlib.suppress(apsw.ThreadingViolationError):
            undo()
            return
        time.sleep(0.01)


def fetch(cursor: Any, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows of a cursor within the limits, and whether they are all. Raise `TooMuch` for too many bytes."""
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
