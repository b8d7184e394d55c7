"""Running a query in DuckDB: described under the guard, within limits, and stopped by Ctrl-C; its errors as ours."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

import duckdb
from askwhere import guard
from askwhere.bindings.limits import too_large, too_late
from askwhere.engine import Grant, Limits
from askwhere.errors import AskError, DatabaseError, QueryError, Refused, TooMuch

T = TypeVar("T")
Connection = duckdb.DuckDBPyConnection


class Interruptible(Protocol):
    """A cursor, or another process that works for one."""

    def interrupt(self) -> None:
        """Stop what it does."""


# Binding is instant, except where a query has constants that are made to be slow.
CHECK_SECONDS = 5.0

# What is at work, each with the connection whose statement called: interrupting that one does not reach it.
_at_work: list[tuple[Connection | None, Interruptible]] = []
_calling = threading.local()


def describe(
    connection: Connection, sql: str, original: str, grant: Grant, macros: Iterable[str]
) -> list[tuple[str, str]]:
    """Names and types of the columns of a query that the guard lets through.

    A macro hides the built-in function of its name, so the guard has to know `macros`.
    """
    tree = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    guard.check_duckdb(tree[0] if tree else "", grant, macros, original)
    with stopping(connection, Limits(seconds=CHECK_SECONDS)) as stopped:
        try:
            return [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {sql}").fetchall()]
        except duckdb.Error as exc:
            if stopped.is_set():
                raise TooMuch("the query was stopped before it ran: its constants take too long", original) from exc
            raise translated(exc, original, None) from exc


def run(connection: Connection, sql: str, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a query within the limits, and whether they are all. Raises `TooMuch`, `Refused` and `QueryError`."""
    with stopping(connection, limits) as stopped:
        try:
            return interruptible(connection, lambda: fetch(connection.execute(sql), limits))
        except duckdb.Error as exc:
            if isinstance(exc, duckdb.InterruptException) and not stopped.is_set():
                raise  # not the query's fault: somebody interrupted
            raise translated(exc, sql, limits if stopped.is_set() else None) from exc
        except OverflowError as exc:
            raise beyond_python(connection, exc, sql) from exc


def beyond_python(connection: Connection, exc: OverflowError, sql: str) -> QueryError:
    """What to say of a value that the connection's last query has, and Python does not."""
    found = [name for name, kind, *_ in connection.description or () if "INTERVAL" in str(kind)]
    return QueryError(
        f"a value of {', '.join(map(repr, found)) or 'the result'} is too large for Python ({exc});"
        " cast it to text, as CAST(... AS VARCHAR)",
        sql,
    )


def fetch(cursor: Connection, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a cursor within the limits, and whether they are all. Raises `TooMuch` for too many bytes."""
    rows: list[tuple[Any, ...]] = []
    size, step = 0, 1
    while batch := cursor.fetchmany(min(step, limits.rows + 1 - len(rows))):
        rows += batch
        size += sum(_bytes(cell) for row in batch for cell in row)
        # Rows may be huge: no more at once than, being like those before, there is room for.
        step = min(2 * step, 10_000, max(1, (limits.bytes - size) * len(rows) // max(size, 1)))
        if len(rows) > limits.rows or size > limits.bytes:
            # A result that is left half read goes on being made, and the next statement may wait for that (2.0.0).
            cursor.interrupt()
        if len(rows) > limits.rows:
            return rows[: limits.rows], False
        if size > limits.bytes:
            raise TooMuch(too_large(limits))
    return rows, True


def _bytes(value: Any) -> int:
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(_bytes(key) + _bytes(item) for key, item in value.items())
    return size + sum(map(_bytes, value)) if isinstance(value, list | tuple) else size


def interruptible(connection: Connection, work: Callable[[], T]) -> T:
    """What `work` returns, done so that Ctrl-C stops it at once, whatever the engine is doing for it.

    DuckDB looks for signals only between its tasks, and some run for ever: the main thread must be free to hear them.
    """
    if threading.current_thread() is not threading.main_thread():
        with at_work(connection):
            return work()
    outcome: Future[T] = Future()

    def working() -> None:
        try:
            outcome.set_result(work())
        except BaseException as exc:
            outcome.set_exception(exc)

    thread = threading.Thread(target=working, daemon=True)
    thread.start()
    try:
        return outcome.result()
    except KeyboardInterrupt:
        while thread.is_alive():  # what is stopped may begin something else
            for busy in (connection, *(other for caller, other in list(_at_work) if caller is connection)):
                with contextlib.suppress(duckdb.Error):
                    busy.interrupt()
            thread.join(0.05)
        raise


@contextlib.contextmanager
def at_work(busy: Interruptible) -> Iterator[None]:
    """Meanwhile, something works for the statement that has called this thread, and is stopped with that."""
    entry = (getattr(_calling, "connection", None), busy)
    _at_work.append(entry)
    try:
        yield
    finally:
        _at_work.remove(entry)


@contextlib.contextmanager
def called_by(connection: Connection | None) -> Iterator[None]:
    """What this thread runs meanwhile, it runs for a statement of `connection`, and is stopped with that."""
    _calling.connection = connection
    try:
        yield
    finally:
        _calling.connection = None


@contextlib.contextmanager
def stopping(connection: Connection, limits: Limits) -> Iterator[threading.Event]:
    """Interrupt what runs on `connection` when its time is used up."""
    stopped = threading.Event()

    def interrupt() -> None:
        stopped.set()
        with contextlib.suppress(duckdb.Error):
            connection.interrupt()

    timer = threading.Timer(limits.seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield stopped
    finally:
        timer.cancel()


def translated(exc: duckdb.Error, sql: str, late: Limits | None) -> AskError:
    """DuckDB's error with a query as ours; `late` are the limits if it was stopped at its time."""
    if late is not None:
        return TooMuch(too_late(late), sql)
    if isinstance(exc, duckdb.OutOfMemoryException):
        return TooMuch(f"the query needed more memory than the database may use ({exc})", sql)
    if isinstance(exc, duckdb.TransactionException):
        return Refused("the query writes, or the connection's transaction is aborted", sql)
    if isinstance(exc, duckdb.IOException):
        return DatabaseError(f"the database could not be read: {exc}")
    return QueryError(str(exc), sql)
