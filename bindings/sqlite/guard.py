"""Authorize generated SQL in SQLite: only one statement can be prepared, and it reads only granted columns."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import apsw
from askwhere import guard
from askwhere.bindings.sqlite.limits import LIMITS, Bounds, Stop, bounded, bounds, insist, too_long
from askwhere.bindings.sqlite.scanning import plain_cursor
from askwhere.bindings.sqlite.schema import redefined, schema_of
from askwhere.engine import Checked, Grant, Limits
from askwhere.errors import AskError, DatabaseError, QueryError, Refused, TooMuch

T = TypeVar("T")


class _Decision:
    """The authorizer of a connection: the user's decides first, then ours.

    Ours allows only granted reads while a statement is prepared. While the statement runs it allows all reads, as
    full-text tables then prepare statements of their own, on their shadow tables.
    """

    def __init__(self, connection: apsw.Connection, grant: Grant, users: apsw.Authorizer | None) -> None:
        self.running = False
        self.ended = False  # whether only the user's decides, should SQLite still call this one
        self._users = users
        views, existing = schema_of(connection)
        guard.refuse_changed(grant.tables, {view.path: view.definition for view in views})
        self.ours = guard.Authorizer(grant, views, existing, redefined(connection))

    def __call__(self, action: int, *names: Any) -> int:
        if self._users and self._users(action, *names) != apsw.SQLITE_OK:
            return apsw.SQLITE_DENY
        if self.ended:
            return apsw.SQLITE_OK
        if not self.running:
            return self.ours(action, *names)
        reads = action in (apsw.SQLITE_READ, apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE)
        asks_version = action == apsw.SQLITE_PRAGMA and names[0] == "data_version"
        return apsw.SQLITE_OK if reads or asks_version else apsw.SQLITE_DENY


def guarded_cursor(connection: apsw.Connection) -> apsw.Cursor:
    """Return a cursor for one query on an `authorized` connection; it tells the authorizer when the query runs."""
    decision = connection.authorizer
    assert isinstance(decision, _Decision)
    decision.running = False

    def prepared(*_: Any) -> bool:
        decision.running = True
        return True

    cursor = plain_cursor(connection)
    cursor.exec_trace = prepared
    return cursor


@contextlib.contextmanager
def authorized(connection: apsw.Connection, grant: Grant, users: apsw.Authorizer | None) -> Iterator[None]:
    """Enter a block in which `connection` has our limits, and our authorizer after the user's own."""
    decision = _Decision(connection, grant, users)
    before = {key: connection.limit(key) for key in LIMITS}
    try:
        connection.authorizer = decision
        for key, value in LIMITS.items():
            connection.limit(key, min(value, before[key]))
        yield
    finally:
        decision.ended = True
        insist(lambda: setattr(connection, "authorizer", users))
        for key, value in before.items():
            insist(functools.partial(connection.limit, key, value))


def columns_read(connection: apsw.Connection, sql: str) -> set[tuple[str, str, str]]:
    """Return the columns that the authorizer reports while a query is prepared, without running it.

    Each is its schema, table and column.
    """
    columns: set[tuple[str, str, str]] = set()
    with _deciding(connection, recording(columns)) as cursor, contextlib.suppress(apsw.ExecTraceAbort):
        cursor.exec_trace = lambda *_: False
        cursor.execute(sql, can_cache=False)
    return columns


def recording(read: set[tuple[str, str, str]]) -> apsw.Authorizer:
    """Return an authorizer that allows everything and adds each column that is read to `read`."""

    def record(action: int, *names: Any) -> int:
        if action == apsw.SQLITE_READ:
            read.add(("main" if names[2] is None else names[2], names[0] or "", names[1] or ""))
        return apsw.SQLITE_OK

    return record


def refuse_queries(action: int, *_: Any) -> int:
    """Decide as an authorizer that refuses every query."""
    return apsw.SQLITE_DENY if action == apsw.SQLITE_SELECT else apsw.SQLITE_OK


def without_queries(connection: apsw.Connection, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that is prepared under `refuse_queries`."""
    with _deciding(connection, refuse_queries) as cursor:
        return cursor.execute(sql, can_cache=False).fetchall()


@contextlib.contextmanager
def _deciding(connection: apsw.Connection, decide: apsw.Authorizer) -> Iterator[apsw.Cursor]:
    """Yield a cursor for statements that are prepared under `decide`, and under the user's authorizer after it."""
    users = connection.authorizer

    def both(action: int, *names: Any) -> int:
        decided = decide(action, *names)
        return users(action, *names) if users and decided == apsw.SQLITE_OK else decided

    cursor = plain_cursor(connection)
    try:
        connection.authorizer = both
        yield cursor
    finally:
        insist(lambda: setattr(connection, "authorizer", users))


def prepare(connection: apsw.Connection, sql: str, original: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and declared types of a query's columns, without running it.

    Raise `Refused` for anything but one SELECT without parameters, and where the authorizer refuses a part of it; the
    errors name the query `original`.
    """
    seen: list[tuple[str, bool, bool, Any]] = []
    decision = connection.authorizer
    ours = decision.ours if isinstance(decision, _Decision) else None

    def trace(cursor: apsw.Cursor, statement: str, _: Any) -> bool:
        seen.append((statement, cursor.is_readonly, bool(cursor.is_explain), cursor.get_description()))
        return False

    cursor = apsw.Cursor(connection)
    cursor.exec_trace = trace
    try:
        # Not from the statement cache: SQLite calls the authorizer only while it prepares a statement.
        cursor.execute(sql, can_cache=False)
    except apsw.ExecTraceAbort:
        pass
    except apsw.BindingsError as exc:
        raise Refused(f"a generated query may not have parameters: {original}", original) from exc
    except apsw.Error as exc:
        raise translated(exc, original, reason=ours.reason if ours else "") from exc
    finally:
        cursor.close(True)  # an error below would keep its statement, and so the connection could not be closed
    if ours:
        guard.refuse_rank(ours, sql, original)
    statement, readonly, explain, description = seen[0] if seen else ("", True, False, ())
    one_select(original, bool(sql[len(statement) :].strip(" \t\r\n;")), readonly, explain, description)
    return tuple(name for name, _ in description), tuple(declared or "" for _, declared in description)


def bounds_of(cursor: apsw.Cursor, sql: str, grant: Grant) -> tuple[Bounds, ...]:
    """Return the bounds that a checked query may run within, in the order to try them.

    `cursor` lists the query's program by EXPLAIN.
    """
    # A query that is itself an EXPLAIN cannot be explained, and reads no row.
    program: Any = () if sql.startswith("EXPLAIN ") else cursor.execute(f"EXPLAIN {sql}", can_cache=False)
    return bounds(_decodable(iter(program)), guard.slowest(sql, grant), grant.functions)


def _decodable(rows: Iterator[T]) -> Iterator[T]:
    """Yield the rows without those with a text that is not UTF-8: EXPLAIN lists a blob literal `x'ff'` as text."""
    while True:
        try:
            yield next(rows)
        except UnicodeDecodeError:
            continue
        except StopIteration:
            return


def one_select(sql: str, has_more: bool, readonly: bool, explain: bool, description: Any) -> None:
    """Raise `Refused` for anything but one statement that reads and returns rows."""
    if has_more:
        raise Refused("a generated query must be one statement, found several", sql)
    if not readonly or explain or not description:
        raise Refused("a generated query must be a SELECT that returns rows", sql)


def translated(exc: apsw.Error | MemoryError, sql: str, stop: Stop | None = None, reason: str = "") -> AskError:
    """Return askwhere's error for SQLite's error about a query; `reason` is our authorizer's refusal."""
    if isinstance(exc, apsw.AuthError) or str(exc).startswith("not authorized"):
        return Refused(reason or f"the query does more than read the tables it was granted ({exc})", sql)
    if isinstance(exc, apsw.InterruptError) and stop is not None and stop.reason:
        return TooMuch(stop.reason, sql)
    if isinstance(exc, apsw.TooBigError):
        return TooMuch(f"{too_long((stop or Stop(Limits())).length)} ({exc})", sql)
    if isinstance(exc, apsw.NoMemError | MemoryError):
        return TooMuch(f"the query was stopped: there was no more memory ({exc})", sql)
    if isinstance(exc, apsw.BusyError | apsw.LockedError):
        return DatabaseError(f"the database is locked by another connection; ask again when it is free ({exc})")
    return QueryError(str(exc), sql)


def in_bounds(
    sandbox: apsw.Connection, checked: Checked, grant: Grant, limits: Limits, stop: Stop, read: Callable[[], T]
) -> T:
    """Call `read`, which runs the query, under growing bounds on the length of values; return its first result.

    It is called again, under the next bound, each time that a value is too long.
    """
    *usual, longest = bounds_of(guarded_cursor(sandbox), checked.sql, grant)
    for bound in usual:
        with contextlib.suppress(apsw.TooBigError), bounded(sandbox, limits, stop, bound):
            return read()
    with bounded(sandbox, limits, stop, longest):
        return read()
