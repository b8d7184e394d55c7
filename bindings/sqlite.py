"""SQLite, through APSW, as an `Engine`: the catalog, value scans, and generated SQL run where it cannot write."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import apsw
from askwhere import guard
from askwhere.bindings import sqlite_storage
from askwhere.bindings.isolation import IsolatedEngine
from askwhere.bindings.sqlite_storage import plain_cursor as _cursor
from askwhere.bindings.sqlite_storage import without_hooks as _without_hooks
from askwhere.columns import renamed, unique_names
from askwhere.engine import (
    Checked,
    Column,
    Engine,
    ForeignKey,
    Grant,
    Limits,
    Result,
    Storage,
    Table,
    quote,
    quote_path,
)
from askwhere.errors import AskError, DatabaseError, QueryError, Refused, TooMuch
from askwhere.indexer import comments

# Copying an in-memory database costs about 6 ms a megabyte, so larger ones are read in place.
COPY_AT_MOST = 16 * 1024 * 1024

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

# A column that takes longer than this to scan is left to the index that is kept in the file.
VALUES_SECONDS = 2.0
UNDO_TRIES = 200  # a hundredth of a second apart


class SQLiteEngine:
    """One APSW connection, held weakly: functions registered on a connection hold its engine.

    Between calls it keeps nothing open on the database's file, so it never blocks anyone's work.
    """

    dialect = "sqlite"
    static_types = False

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = weakref.ref(connection)
        self._copy: tuple[Hashable, apsw.Connection] | None = None
        self._side: Storage | None = None

    @property
    def connection(self) -> apsw.Connection:
        """The connection. Raises `DatabaseError` once it is gone."""
        connection = self._connection()
        if connection is None:
            raise DatabaseError("the connection is gone; register() the one that is in use")
        return connection

    def tables(self) -> tuple[Table, ...]:
        """See `Engine.tables`. The connection's own order: main first, then temp, then attached databases."""
        listed = self.read("SELECT schema, name, type FROM pragma_table_list ORDER BY rowid")
        order = {name: place for place, name in enumerate(self.connection.db_names())}
        found = [self._table(schema, name, kind) for schema, name, kind in listed if _askable(name, kind)]
        return tuple(sorted((t for t in found if t), key=lambda t: (order.get(t.path[0], 99), t.name.lower())))

    def _table(self, schema: str, name: str, kind: str) -> Table | None:
        try:
            info = self.read("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)", (name, schema))
        except apsw.Error:
            return None  # a view over something that is gone, or a module that is not loaded: it cannot be asked
        definition = self._definition(schema, name) if kind in ("view", "virtual") else ""
        if kind == "virtual" and _is_ours(definition):
            return None
        keys = sorted((pk, column) for column, _, pk, _ in info if pk)
        path = (schema, name)
        return Table(
            path=path,
            columns=tuple(Column(column, declared or "") for column, declared, _, hidden in info if hidden != 1),
            kind=kind,
            primary_key=tuple(column for _, column in keys),
            unique=self._unique(schema, name),
            foreign_keys=self._foreign_keys(schema, name),
            rows=self._rows(path) if kind == "table" else None,
            definition=definition,
        )

    def _definition(self, schema: str, name: str) -> str:
        found = self.read(f"SELECT sql FROM {quote(schema)}.sqlite_schema WHERE name = ?", (name,))
        return str(found[0][0]) if found and found[0][0] else ""

    def _unique(self, schema: str, name: str) -> tuple[tuple[str, ...], ...]:
        found = self.read(
            "SELECT i.name, c.name FROM pragma_index_list(?, ?) i JOIN pragma_index_info(i.name, ?) c"
            " WHERE i.\"unique\" AND i.partial = 0 AND i.origin <> 'pk' ORDER BY i.seq, c.seqno",
            (name, schema, schema),
        )
        groups: dict[str, list[str]] = {}
        for index, column in found:
            groups.setdefault(index, []).append(column)
        return tuple(tuple(columns) for columns in groups.values() if all(columns))

    def _foreign_keys(self, schema: str, name: str) -> tuple[ForeignKey, ...]:
        found = self.read('SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?, ?)', (name, schema))
        keys: dict[int, tuple[str, list[str], list[str | None]]] = {}
        for number, target, column, target_column in found:
            _, columns, target_columns = keys.setdefault(number, (target, [], []))
            columns.append(column)
            target_columns.append(target_column)
        resolved = (self._foreign_key(schema, *keys[number]) for number in sorted(keys))
        return tuple(key for key in resolved if key)

    def _foreign_key(
        self, schema: str, target: str, columns: list[str], target_columns: list[str | None]
    ) -> ForeignKey | None:
        """The key with names as the target spells them; without named columns it means the target's primary key."""
        real = self.read(f"SELECT name FROM {quote(schema)}.sqlite_schema WHERE lower(name) = lower(?)", (target,))
        if not real:
            return None
        info = self.read("SELECT name, pk FROM pragma_table_xinfo(?, ?)", (real[0][0], schema))
        spelled = {name.lower(): name for name, _ in info}
        primary = [name for _, name in sorted((pk, name) for name, pk in info if pk)]
        named = [spelled.get(c.lower(), "") for c in target_columns if c] or primary
        if len(named) != len(columns) or not all(named):
            return None
        return ForeignKey(tuple(columns), (schema, real[0][0]), tuple(named))

    def _rows(self, path: tuple[str, ...]) -> int | None:
        """The highest rowid: what counting would say in most tables, without reading them."""
        try:
            return int(self.read(f"SELECT max(rowid) FROM {quote_path(path)}")[0][0] or 0)
        except (apsw.Error, ValueError, TypeError):
            return None  # WITHOUT ROWID

    def comment_tables(self) -> tuple[Table, ...]:
        """See `Engine.comment_tables`."""
        found = (self._comment_table(schema) for schema in self.connection.db_names())
        return tuple(table for table in found if table)

    def _comment_table(self, schema: str) -> Table | None:
        kinds = self.read(
            f"SELECT type, coalesce(rootpage, 0) FROM {quote(schema)}.sqlite_schema"
            " WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
            (comments.TABLE,),
        )
        if not kinds:
            return None
        (kind, root), path = kinds[0], (schema, comments.TABLE)
        if kind == "view" or not root:
            return Table(path, (), kind="view" if kind == "view" else "virtual")
        info = self.read("SELECT name FROM pragma_table_info(?, ?)", (comments.TABLE, schema))
        return Table(path, tuple(Column(name) for (name,) in info))

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """See `Engine.texts`."""
        encoding = str(self.read("PRAGMA main.encoding")[0][0])
        listed = ", ".join(f"coalesce(CAST(CAST({quote(name)} AS TEXT) AS BLOB), x'')" for name in columns)
        found = self.read(f"SELECT {listed} FROM {quote_path(table.path)}")
        return [tuple(cell.decode(encoding, "replace") for cell in row) for row in found]

    def functions(self) -> frozenset[str]:
        """See `Engine.functions`."""
        return frozenset(name for (name,) in self.read("SELECT DISTINCT lower(name) FROM pragma_function_list"))

    def schema_version(self) -> Hashable:
        """See `Engine.schema_version`: every database's schema cookie, and what the temporary schema holds."""
        return (
            tuple(
                (name, self.connection.db_filename(name), self.read(f"PRAGMA {quote(name)}.schema_version")[0][0])
                for name in self._databases()
            ),
            tuple(self.read("SELECT name, sql FROM temp.sqlite_schema ORDER BY name")),
            tuple((t.path, self._said(t)) for t in self.comment_tables() if t.kind == "table"),
        )

    def _said(self, table: Table) -> int:
        """A number that differs when a comment table has other rows."""
        cells = " || ',' || ".join(f"quote({quote(column.name)})" for column in table.columns)
        return hash(self.read(f"SELECT CAST(group_concat({cells}) AS BLOB) FROM {quote_path(table.path)}")[0][0])

    def _databases(self) -> list[str]:
        """Main and attached databases; the temporary one comes and goes by itself."""
        return [name for name in self.connection.db_names() if name != "temp"]

    def data_version(self) -> Hashable:
        """See `Engine.data_version`: changes by this connection and, through `data_version`, by others."""
        others = tuple(self.read(f"PRAGMA {quote(name)}.data_version")[0][0] for name in self._databases())
        own = sqlite_storage.own_changes(self.connection)
        return (self.connection.total_changes() - own, others)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Engine.read`."""
        return _cursor(self.connection).execute(sql, tuple(parameters)).fetchall()

    def values(self, table: Table, column: Column, limit: int) -> list[str]:
        """See `Engine.values`; texts of more than 1,000 characters are prose and are left out."""
        if "INT" in column.type.upper():
            return []
        name = quote(column.name)
        sql = (
            f"SELECT DISTINCT CAST({name} AS BLOB) FROM {quote_path(table.path)}"
            f" WHERE typeof({name}) = 'text' AND length({name}) BETWEEN 1 AND 1000 LIMIT ?"
        )
        try:
            with self._timed(VALUES_SECONDS):
                found = self.read(sql, (limit,))
        except apsw.Error:
            return []  # too slow to scan, or a view over something that is gone
        return [bytes(value).decode("utf-8", "replace") for (value,) in found]

    def _timed(self, seconds: float) -> contextlib.AbstractContextManager[object]:
        """What runs inside is stopped after so many seconds."""
        return _stopping(self.connection, Limits(seconds=seconds))

    def scan(self, table: Table, column: Column, longest: int, numbers: bool) -> Iterator[tuple[int, Sequence[str]]]:
        """See `Engine.scan`."""
        return sqlite_storage.scan(self.connection, table, column, longest, numbers)

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """See `Engine.stamps`."""
        return sqlite_storage.stamps(self.connection)

    @property
    def read_only(self) -> bool:
        """See `Engine.read_only`."""
        return self.connection.readonly("main")

    def storages(self) -> tuple[Storage, ...]:
        """See `Engine.storages`."""
        path = self.connection.db_filename("main")
        if self._side is None and path:
            self._side = sqlite_storage.open_side(path)
        own = sqlite_storage.SQLiteStorage(self.connection)
        return (own, self._side) if self._side else (own,)

    def storage(self) -> Storage:
        """See `Engine.storage`: in the database itself, or in the file beside it."""
        own = sqlite_storage.SQLiteStorage(self.connection)
        if "askwhere_index" in own.tables() or not self.connection.db_filename("main"):
            return own
        if self._side is None:
            self._side = sqlite_storage.open_side(self.connection.db_filename("main"))
        return self._side or own

    def writing(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.writing`."""
        self._side = None
        if self.connection.readonly("main"):
            return sqlite_storage.writing_side(self.connection.db_filename("main"))
        return sqlite_storage.writing(self.connection)

    def building(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.building`: who writes is alone."""
        return self.writing()

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`: prepared, not run, under an authorizer that lets nothing but granted reads pass."""
        qualified = self._qualified(sql, grant)
        with self._sandbox(grant) as sandbox:
            columns, types = _prepare(sandbox, qualified, sql)
        # The rows will come from the user's connection, which may have functions and tables of its own.
        with _authorized(self.connection, grant, self.connection.authorizer):
            _prepare(self.connection, qualified, sql)
        return Checked(renamed(qualified, columns), unique_names(columns), types)

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        started = time.monotonic()
        undecodable = False
        with self._sandbox(grant) as sandbox, _stopping(sandbox, limits) as stop:
            try:
                rows, complete = fetch(_guarded_cursor(sandbox).execute(checked.sql, can_cache=False), limits)
            except UnicodeDecodeError:
                undecodable = True
                rows, complete = _fetch_undecodable(sandbox, checked, limits)
            except apsw.Error as exc:
                raise translated(exc, checked.sql, stop) from exc
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started, undecodable)

    def delivery(self, checked: Checked, trial: Result) -> str:
        """See `Engine.delivery`; where the trial met text that is not UTF-8, it is decoded with replacement."""
        return decoding(checked.sql, checked.columns) if trial.undecodable else checked.sql

    def isolated(self) -> Engine:
        """See `Engine.isolated`."""
        main, *attached = [(name, self.connection.db_filename(name)) for name in self._databases()]
        return IsolatedEngine(self, main[1], tuple(attached))

    def stream(self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]]) -> Iterator[tuple[Any, ...]]:
        """Rows of a query whose columns equal those values, from the user's connection, prepared under the guard.

        The query is checked again, as it may come from a file.
        """
        sql, values = self.streaming(checked, grant, equal)
        with _authorized(self.connection, grant, self.connection.authorizer):
            return iter(_guarded_cursor(self.connection).execute(sql, values, can_cache=False))

    def streaming(self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]]) -> tuple[str, list[Any]]:
        """The query for the rows whose columns equal those values, and its parameters."""
        sql = f"SELECT * FROM ({self._qualified(checked.sql, grant)}\n)"
        sql += " WHERE " + " AND ".join(f"{quote(name)} = ?" for name, _ in equal) if equal else ""
        return sql, [value for _, value in equal]

    def _qualified(self, sql: str, grant: Grant) -> str:
        return guard.qualify(sql, self.dialect, grant, [view.name for view in schema_of(self.connection)[0]])

    @contextlib.contextmanager
    def _sandbox(self, grant: Grant) -> Iterator[apsw.Connection]:
        """A connection on which nothing but granted reads can be prepared.

        A private read-only handle for a file, a copy for a small in-memory database; the user's own connection
        where only that sees what the user sees (an open transaction, temporary tables, user functions).
        """
        private = self._private_handle()
        connection = private or self.connection
        try:
            with _authorized(connection, grant, None if private else connection.authorizer):
                yield connection
        finally:
            if private is not None and private is not (self._copy and self._copy[1]):
                private.close()

    def _private_handle(self) -> apsw.Connection | None:
        user = self.connection
        if user.in_transaction or not self._is_plain():
            return None
        attached = tuple((name, user.db_filename(name)) for name in self._databases())
        try:
            if all(file for _, file in attached):
                return _open_again([(name, file, self._mode(name)) for name, file in attached])
            return self._memory_copy() if len(attached) == 1 and self._size() <= COPY_AT_MOST else None
        except (apsw.Error, OSError):
            return None  # locked, no permission for a second handle, another VFS: read in place

    def _mode(self, schema: str) -> str:
        """How to open a database's file a second time: 'ro', where that leaves the file as it is.

        In WAL mode it would not: after a read-only connection has read, the user's own no longer clears the log away
        as it closes. There the second connection may write, and `query_only` and the authorizer see that it doesn't.
        """
        journal = self.read(f"PRAGMA {quote(schema)}.journal_mode")[0][0]
        return "rw" if journal == "wal" and not self.connection.readonly(schema) else "ro"

    def _is_plain(self) -> bool:
        """Whether a second handle would see and understand all that this connection does."""
        temporary = self.read("SELECT 1 FROM temp.sqlite_schema LIMIT 1")
        collations = {name for (name,) in self.read("SELECT name FROM pragma_collation_list")}
        return not temporary and collations <= _plain_names("collation")

    def _size(self) -> int:
        return int(self.read("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[0][0])

    def _memory_copy(self) -> apsw.Connection:
        key = (self.schema_version(), self.data_version())
        if self._copy is None or self._copy[0] != key:
            self._copy = (key, _copy(self.connection))
        return self._copy[1]


class _Decision:
    """Our authorizer, after the user's own: strict while a statement is prepared, wider while it runs.

    Full-text tables prepare statements of their own, on their shadow tables, while they are read.
    """

    def __init__(self, connection: apsw.Connection, grant: Grant, users: apsw.Authorizer | None) -> None:
        self.running = False
        self.ended = False  # then only the user's own decides, should this one still be asked
        self._users = users
        views, existing = schema_of(connection)
        self._ours = guard.sqlite_authorizer(grant, views, existing, redefined(connection))

    @property
    def reason(self) -> str:
        """What was refused first, `''` when nothing was."""
        return self._ours.reason

    def __call__(self, action: int, *names: Any) -> int:
        if self._users and self._users(action, *names) != apsw.SQLITE_OK:
            return apsw.SQLITE_DENY
        if self.ended:
            return apsw.SQLITE_OK
        if not self.running:
            return self._ours(action, *names)
        reads = action in (apsw.SQLITE_READ, apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE)
        asks_version = action == apsw.SQLITE_PRAGMA and names[0] == "data_version"
        return apsw.SQLITE_OK if reads or asks_version else apsw.SQLITE_DENY


def schema_of(connection: apsw.Connection) -> tuple[list[Table], list[str]]:
    """The views of a connection, and the names of everything in its schemas."""
    views, names = [], []
    for schema in connection.db_names():
        listed = _cursor(connection).execute(f"SELECT name, type, sql FROM {quote(schema)}.sqlite_schema").fetchall()
        names += [str(name) for name, _, _ in listed]
        views += [Table((schema, str(n)), (), "view", definition=str(sql)) for n, kind, sql in listed if kind == "view"]
    return views, names


def _guarded_cursor(connection: apsw.Connection) -> apsw.Cursor:
    """A cursor for one query on an authorized connection: the authorizer knows when preparing is over."""
    decision = connection.authorizer
    assert isinstance(decision, _Decision)
    decision.running = False

    def prepared(*_: Any) -> bool:
        decision.running = True
        return True

    cursor = _cursor(connection)
    cursor.exec_trace = prepared
    return cursor


@contextlib.contextmanager
def _authorized(connection: apsw.Connection, grant: Grant, users: apsw.Authorizer | None) -> Iterator[None]:
    """`connection` with our authorizer (after the user's own) and our limits, as it was afterwards."""
    decision = _Decision(connection, grant, users)
    before = {key: connection.limit(key) for key in LIMITS}
    try:
        connection.authorizer = decision
        for key, value in LIMITS.items():
            connection.limit(key, min(value, before[key]))
        yield
    finally:
        decision.ended = True
        _insist(lambda: setattr(connection, "authorizer", users))
        for key, value in before.items():
            _insist(functools.partial(connection.limit, key, value))


def _insist(undo: Callable[[], object]) -> None:
    """Take something back, also where another thread happens to use the connection."""
    for _ in range(UNDO_TRIES):
        with contextlib.suppress(apsw.ThreadingViolationError):
            undo()
            return
        time.sleep(0.01)


def redefined(connection: apsw.Connection) -> set[str]:
    """Functions of the user's own on this connection: one that is named like a built-in is still the user's."""
    listed = _cursor(connection).execute("SELECT lower(name) FROM pragma_function_list WHERE NOT builtin").fetchall()
    return {str(name) for (name,) in listed} - _plain_names("function")


@functools.cache
def _plain_names(kind: str) -> frozenset[str]:
    """The collations, or the functions not built in, that every connection of this library has."""
    what = "pragma_collation_list" if kind == "collation" else "pragma_function_list WHERE NOT builtin"
    with _without_hooks():
        plain = apsw.Connection(":memory:")
    try:
        names = plain.execute(f"SELECT name FROM {what}").fetchall()
    finally:
        plain.close()
    return frozenset(str(name) if kind == "collation" else str(name).lower() for (name,) in names)


def _askable(name: str, kind: str) -> bool:
    lowered = name.lower()
    return kind in ("table", "view", "virtual") and not lowered.startswith(("sqlite_", "askwhere_"))


def _is_ours(definition: str) -> bool:
    """Whether a virtual table is a stored answer: answers are not asked about."""
    return " using ask(" in " ".join(definition.lower().split()).replace("using ask (", "using ask(")


def _prepare(connection: apsw.Connection, sql: str, original: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and declared types of a query's columns, without running it."""
    seen: list[tuple[str, bool, bool, Any]] = []

    def trace(cursor: apsw.Cursor, statement: str, _: Any) -> bool:
        seen.append((statement, cursor.is_readonly, bool(cursor.is_explain), cursor.get_description()))
        return False

    cursor = apsw.Cursor(connection)
    cursor.exec_trace = trace
    try:
        # Not from the statement cache: the authorizer is asked only while a statement is prepared.
        cursor.execute(sql, can_cache=False)
    except apsw.ExecTraceAbort:
        pass
    except apsw.BindingsError as exc:
        raise Refused(f"a generated query may not have parameters: {original}", original) from exc
    except apsw.Error as exc:
        raise translated(exc, original, reason=_refusal(connection)) from exc
    statement, readonly, explain, description = seen[0] if seen else ("", True, False, ())
    one_select(original, bool(sql[len(statement) :].strip(" \t\r\n;")), readonly, explain, description)
    return tuple(name for name, _ in description), tuple(declared or "" for _, declared in description)


def one_select(sql: str, has_more: bool, readonly: bool, explain: bool, description: Any) -> None:
    """Raises `Refused` for anything but one statement that reads and returns rows."""
    if has_more:
        raise Refused("a generated query must be one statement, found several", sql)
    if not readonly or explain or not description:
        raise Refused("a generated query must be a SELECT that returns rows", sql)


def _refusal(connection: apsw.Connection) -> str:
    """What our authorizer refused of the statement that is being prepared."""
    decision = connection.authorizer
    return decision.reason if isinstance(decision, _Decision) else ""


def translated(exc: apsw.Error, sql: str, stop: Stop | None = None, reason: str = "") -> AskError:
    """SQLite's error with a query as ours; `reason` is what our authorizer refused of it."""
    if isinstance(exc, apsw.AuthError) or str(exc).startswith("not authorized"):
        return Refused(reason or f"the query does more than read the tables it was granted ({exc})", sql)
    if isinstance(exc, apsw.InterruptError) and stop is not None and stop.reason:
        return TooMuch(stop.reason, sql)
    if isinstance(exc, apsw.TooBigError | apsw.NoMemError):
        return TooMuch(f"the query makes a value that is too large ({exc})", sql)
    if isinstance(exc, apsw.BusyError | apsw.LockedError):
        return DatabaseError(f"the database is locked by another connection; ask again when it is free ({exc})")
    return QueryError(str(exc), sql)


class Stop:
    """Why a query was stopped, said by whoever stopped it; `ended` when nothing is to be stopped any more."""

    def __init__(self, limits: Limits) -> None:
        self.reason = ""
        self.ended = False
        self._limits = limits

    def because(self, why: str) -> None:
        """The query was stopped for its 'time' or its 'memory'."""
        if why == "time":
            self.reason = (
                f"the query was stopped after {self._limits.seconds:g} seconds; ask something narrower or raise the"
                " setting query_timeout"
            )
        else:
            self.reason = f"the query was stopped: it needed more than {self._limits.bytes // 2**20} MB of memory"


@contextlib.contextmanager
def _stopping(connection: apsw.Connection, limits: Limits) -> Iterator[Stop]:
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
        _insist(lambda: connection.set_progress_handler(None, id=stop))


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
            raise TooMuch(f"the result is larger than {limits.bytes // 2**20} MB; ask for less of it")
    return rows, True


def _fetch_undecodable(
    connection: apsw.Connection, checked: Checked, limits: Limits
) -> tuple[list[tuple[Any, ...]], bool]:
    """The same rows where some text is not UTF-8: read as bytes, decoded with replacement."""
    names = [quote(name) for name in checked.columns]
    listed = ", ".join(f"typeof({n}), CASE typeof({n}) WHEN 'text' THEN CAST({n} AS BLOB) ELSE {n} END" for n in names)
    cursor = _guarded_cursor(connection).execute(f"SELECT {listed} FROM ({checked.sql})", can_cache=False)
    rows, complete = fetch(cursor, limits)
    return [tuple(_decoded(*row[i : i + 2]) for i in range(0, len(row), 2)) for row in rows], complete


def _decoded(kind: str, cell: Any) -> Any:
    return bytes(cell).decode("utf-8", "replace") if kind == "text" else cell


def decoding(sql: str, columns: Sequence[str]) -> str:
    """The query with its texts passed through `askwhere_text`, for results in which some are not UTF-8."""
    listed = (
        f"CASE typeof({n}) WHEN 'text' THEN askwhere_text(CAST({n} AS BLOB)) ELSE {n} END AS {n}"
        for n in map(quote, columns)
    )
    return f"SELECT {', '.join(listed)} FROM ({sql}\n)"


def askwhere_text(*arguments: Any) -> str | None:
    """A text's bytes, the one argument, as text, what is not UTF-8 replaced."""
    (content,) = arguments
    return None if content is None else content.decode("utf-8", "replace")


def _open_again(databases: Sequence[tuple[str, str, str]]) -> apsw.Connection:
    """A connection of our own to the files, given as name, path and mode."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    (_, file, mode), *attached = databases
    with _without_hooks():
        handle = apsw.Connection(_uri(file, mode), flags=flags)
    for name, file, mode in attached:
        handle.execute(f"ATTACH ? AS {quote(name)}", (_uri(file, mode),))
    return _harden(handle)


def _uri(file: str, mode: str) -> str:
    return f"file:{url_quote(str(Path(file).absolute()))}?mode={mode}"


def _copy(user: apsw.Connection) -> apsw.Connection:
    with _without_hooks():
        handle = apsw.Connection(":memory:")
    content = user.serialize("main")
    if content:
        handle.deserialize("main", content)
    return _harden(handle)


def _harden(handle: apsw.Connection) -> apsw.Connection:
    handle.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    handle.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    handle.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    handle.enable_load_extension(False)
    handle.set_busy_timeout(2_000)
    handle.execute("PRAGMA query_only = 1; PRAGMA temp_store = memory; PRAGMA cell_size_check = 1")
    for name in handle.db_names():
        _connect_virtual_tables(handle, name)
    handle.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    return handle


def _connect_virtual_tables(handle: apsw.Connection, schema: str) -> None:
    """Full-text tables read their shadow tables as they connect, which the authorizer would refuse later."""
    listed = handle.execute("SELECT name FROM pragma_table_list WHERE type = 'virtual' AND schema = ?", (schema,))
    for (name,) in listed.fetchall():
        with contextlib.suppress(apsw.Error):
            handle.execute(f"SELECT 1 FROM {quote(schema)}.{quote(str(name))} LIMIT 0").fetchall()


def _is_engine(engine: SQLiteEngine) -> Engine:
    return engine  # the type checker holds the class to the protocol
