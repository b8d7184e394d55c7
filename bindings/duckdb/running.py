"""Run a query in DuckDB: described under the guard, within limits, stopped by Ctrl-C; translate its errors."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import duckdb
from askwhere.bindings import engine_errors
from askwhere.bindings.duckdb import nested
from askwhere.bindings.duckdb.lengths import StoredLengths
from askwhere.bindings.duckdb.unreadable import is_of_file, not_allowed, unreadable
from askwhere.bindings.engine_errors import too_large, too_late, too_much_memory
from askwhere.engine import Checked, Grant, Limits
from askwhere.errors import AskError, DatabaseError, QueryError, Refused, TooMuch
from askwhere.guard.duckdb import check_duckdb
from askwhere.guard.macro_sizes import Definitions
from askwhere.models.threads import put_outcome, received
from askwhere.sql.identifiers import fold

T = TypeVar("T")
Connection = duckdb.DuckDBPyConnection


class Interruptible(Protocol):
    """Something that can be interrupted: a cursor, or another process that works for one."""

    def interrupt(self) -> None:
        """Interrupt the statement that is running."""


# Seconds to bind a query. That is instant, unless the query has constants that are made to be slow.
CHECK_SECONDS = 5.0

CHECK_EVERY_SECONDS = 0.02  # between two checks of a query's time and memory
ENGINE_BYTES = 256 * 2**20  # allowed for DuckDB itself, which reserves up to twice what it fills
# The bytes of tables and files that DuckDB keeps in memory for later queries; they do not count as a query's own.
_CACHED = """
SELECT coalesce(system.main.sum(memory_usage_bytes), 0)::BIGINT FROM system.main.duckdb_memory()
WHERE tag IN ('BASE_TABLE', 'IN_MEMORY_TABLE', 'ART_INDEX', 'METADATA', 'OVERFLOW_STRINGS', 'EXTERNAL_FILE_CACHE')
"""
_MACROS = """
SELECT function_name, parameters, system.main.json_serialize_sql(
  CASE function_type WHEN 'macro' THEN 'SELECT (' || macro_definition || ')' ELSE macro_definition END)
FROM system.main.duckdb_functions() WHERE NOT internal AND function_type IN ('macro', 'table_macro')
"""
_PATHS = "SELECT path FROM system.main.duckdb_databases() WHERE NOT internal AND path IS NOT NULL"

# Work under way, each with the connection whose statement started it: interrupting the connection alone does not stop
# the work.
_at_work: list[tuple[Connection | None, Interruptible]] = []
_calling = threading.local()
# How DuckDB quotes a query that is described, with a sign below the place of the error.
_DESCRIBED = re.compile(r"(LINE 1: )DESCRIBE (.*\n) {9}")


def describe(
    connection: Connection, sql: str, original: str, grant: Grant, macros: Iterable[str]
) -> list[tuple[str, str]]:
    """Return names and types of the columns of a query that the guard accepts. Raise `Refused` for any other.

    A macro hides the built-in function of its name, so the guard must know the names of `macros`.
    """
    tree = connection.execute("SELECT system.main.json_serialize_sql(?)", [sql]).fetchone()
    with stopping(connection, Limits(seconds=CHECK_SECONDS)) as stop:
        try:
            lengths, definitions = StoredLengths(connection), lambda: _definitions(connection)
            check_duckdb(tree[0] if tree else "", grant, macros, original, lengths, definitions)
            return [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {sql}").fetchall()]
        except duckdb.Error as exc:
            if stop.reason:
                message = (
                    "the query was stopped before it ran: its constants, or long values, take too much time or memory"
                )
                raise TooMuch(message, original) from exc
            raise translated(exc, original) from exc


def _definitions(connection: Connection) -> Definitions:
    """Return the parameters and the syntax tree of each definition of each macro, by folded name."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for name, parameters, tree in connection.execute(_MACROS).fetchall():
        found.setdefault(fold(name), []).append((parameters or [], tree))
    return found


def run(connection: Connection, checked: Checked, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows of a query within the limits, and whether they are all.

    Raise `TooMuch`, `Refused` and `QueryError`.
    """
    sql = checked.sql
    bounded = nested.bounded(sql, checked.columns, checked.types)
    with stopping(connection, limits) as stop:
        try:
            return interruptible(connection, lambda: fetch(connection.execute(bounded), limits, stop, bounded != sql))
        except duckdb.Error as exc:
            if nested.TOO_MANY in str(exc):
                raise TooMuch(nested.TOO_MANY, sql) from exc
            if isinstance(exc, duckdb.InterruptException) and not stop.reason:
                raise  # not a limit: the user interrupted
            raise translated(exc, sql, stop.reason) from exc
        except UnicodeDecodeError as exc:
            raise QueryError("a text that the query reads is not UTF-8", sql) from exc
        except RecursionError as exc:
            raise TooMuch("a value has more lists in each other than are shown; select parts of it", sql) from exc
        except OverflowError as exc:
            raise beyond_python(connection, exc, sql) from exc


def beyond_python(connection: Connection, exc: OverflowError, sql: str) -> QueryError:
    """Return the error for a value of the connection's last query that no Python type can hold."""
    intervals = [name for name, kind, *_ in connection.description or () if "INTERVAL" in str(kind)]
    return QueryError(
        f"a value of {', '.join(map(repr, intervals)) or 'the result'} is too large for Python ({exc});"
        " cast it to text, as CAST(... AS VARCHAR)",
        sql,
    )


def fetch(
    cursor: Connection, limits: Limits, stop: Stop | None = None, one_by_one: bool = False
) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows of a cursor within the limits, and whether they are all.

    With `one_by_one` no two rows are fetched in one step, which cannot be interrupted. Raise `TooMuch` for too many
    bytes, and where `stop` says so.
    """
    rows: list[tuple[Any, ...]] = []
    size, step = 0, 1
    while batch := cursor.fetchmany(min(step, limits.rows + 1 - len(rows))):
        rows += batch
        size += sum(_bytes(cell) for row in batch for cell in row)
        # Rows may be huge: at most as many at once as would fit if they are like those before.
        step = min(2 * step, 10_000, max(1, (limits.bytes - size) * len(rows) // max(size, 1)))
        step = 1 if one_by_one else step
        if stop is not None and stop.reason:
            raise TooMuch(stop.reason)
        if len(rows) > limits.rows or size > limits.bytes:
            # DuckDB goes on computing a result that is not read to its end, and the next statement may wait (2.0.0).
            cursor.interrupt()
        if len(rows) > limits.rows:
            return rows[: limits.rows], False
        if size > limits.bytes:
            raise TooMuch(too_large(limits))
    return rows, True


def _bytes(value: Any) -> int:
    """Return the size of a value in memory, with all that it contains."""
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(_bytes(key) + _bytes(item) for key, item in value.items())
    return size + sum(map(_bytes, value)) if isinstance(value, list | tuple) else size


def interruptible(connection: Connection, work: Callable[[], T]) -> T:
    """Return the result of `work`, which Ctrl-C stops at once.

    DuckDB checks for signals only between its tasks, and some tasks never end. So a thread works, and the main thread
    waits for signals.
    """
    if threading.current_thread() is not threading.main_thread():
        with at_work(connection):
            return work()
    done: SimpleQueue[Future[T]] = SimpleQueue()
    thread = threading.Thread(target=put_outcome, args=(work, done), daemon=True)
    thread.start()
    try:
        outcome = received(done)
    except KeyboardInterrupt:
        while thread.is_alive():  # stopped work may start another statement
            interrupt(connection)
            thread.join(0.05)
        raise
    try:
        return outcome.result()
    finally:
        del outcome  # as in `put_outcome`


def interrupt(connection: Connection) -> None:
    """Stop the statement of a connection, and all work registered for it by `at_work`."""
    for busy in (connection, *(other for caller, other in list(_at_work) if caller is connection)):
        with contextlib.suppress(duckdb.Error):
            busy.interrupt()


@contextlib.contextmanager
def at_work(busy: Interruptible) -> Iterator[None]:
    """Register work for the statement that has called this thread: Ctrl-C stops it with the statement."""
    entry = (getattr(_calling, "connection", None), busy)
    _at_work.append(entry)
    try:
        yield
    finally:
        _at_work.remove(entry)


@contextlib.contextmanager
def called_by(connection: Connection | None) -> Iterator[None]:
    """Enter a block whose work in this thread belongs to a statement of `connection`, see `at_work`."""
    _calling.connection = connection
    try:
        yield
    finally:
        _calling.connection = None


class Stop:
    """The state of a query under limits: `reason` says why it was stopped; `ended` is set once it must not be."""

    def __init__(self) -> None:
        self.reason = ""
        self.ended = threading.Event()


@contextlib.contextmanager
def stopping(connection: Connection, limits: Limits) -> Iterator[Stop]:
    """Interrupt the statement of `connection` when its time or memory is used up; the `Stop` says why."""
    stop = Stop()
    # A busy connection may refuse to make a cursor: make the one that reads memory before.
    with connection.cursor() as reader:
        watch = threading.Thread(target=_watch, args=(connection, reader, limits, stop, resident()), daemon=True)
        watch.start()
        try:
            yield stop
        finally:
            stop.ended.set()
            watch.join()


def _watch(connection: Connection, reader: Connection, limits: Limits, stop: Stop, before: int | None) -> None:
    """Interrupt `connection` at its limits, unless `stop` ends before.

    `before` is this process's memory, in bytes, when the query began; where it is None, only time is limited.
    """
    until = time.monotonic() + limits.seconds
    pause = CHECK_EVERY_SECONDS if before else limits.seconds
    most = ENGINE_BYTES + limits.bytes
    while not stop.ended.wait(max(0.0, min(until - time.monotonic(), pause))):
        grown = (resident() or 0) - before if before else 0
        if grown > most:
            most = room(reader, limits)
        if grown > most:
            stop.reason = too_much_memory(most)
        elif time.monotonic() >= until:
            stop.reason = too_late(limits)
        if stop.reason:
            break
    while stop.reason:  # repeatedly, since an interrupt before the query begins is lost
        with contextlib.suppress(duckdb.Error):
            connection.interrupt()
        if stop.ended.wait(CHECK_EVERY_SECONDS):
            return


def resident() -> int | None:
    """Return the bytes of memory that this process occupies; None where the system does not say (Linux does)."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def room(connection: Connection, limits: Limits) -> int:
    """Return how many bytes this process may grow by for a query: more in a large database.

    It is the fixed allowance, or the size of the database's files if that is larger, plus the bytes of tables and files
    that the engine keeps in memory.
    """
    cached = connection.execute(_CACHED).fetchall()[0][0]
    files = [path for (path,) in connection.execute(_PATHS).fetchall()]
    size = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
    return int(max(ENGINE_BYTES + limits.bytes, size) + cached)


def translated(exc: duckdb.Error, sql: str, stopped: str = "") -> AskError:
    """Return askwhere's error for one of DuckDB's about a query; `stopped` is why we stopped it, if we did."""
    if stopped:
        return TooMuch(stopped, sql)
    if isinstance(exc, duckdb.OutOfMemoryException):
        return TooMuch(f"the query needed more memory than the database may use ({exc})", sql)
    if isinstance(exc, duckdb.TransactionException):
        return Refused("the query writes, or the connection's transaction is aborted", sql)
    if is_of_file(exc):
        return unreadable(exc, "a file")
    if isinstance(exc, duckdb.PermissionException) and (why := not_allowed(str(exc))):
        return DatabaseError(why)
    if isinstance(exc, duckdb.IOException):
        return DatabaseError(f"the database could not be read: {engine_errors.hidden(str(exc))}")
    return QueryError(engine_errors.hidden(_DESCRIBED.sub(r"\1\2", str(exc))), sql)
