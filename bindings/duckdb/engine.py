"""DuckDB as an `Engine`: the catalog, value scans, and generated SQL run in a cursor's read-only transaction."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import duckdb
from askwhere import guard
from askwhere.bindings.duckdb import own as duckdb_own
from askwhere.bindings.duckdb import sources as duckdb_sources
from askwhere.bindings.duckdb import storage as duckdb_storage
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.bindings.duckdb.running import Connection, at_work, describe, run, stopping
from askwhere.bindings.isolation.engine import IsolatedEngine, Spool
from askwhere.columns import renamed, unique_names
from askwhere.engine import (
    Checked,
    Column,
    Engine,
    ForeignKey,
    Grant,
    Isolated,
    Limits,
    Reading,
    Result,
    Source,
    Storage,
    Table,
)
from askwhere.errors import DatabaseError, QueryError
from askwhere.indexer import comments
from askwhere.indexer.formats import beside
from askwhere.sql.identifiers import quote, quote_path

# Seconds to scan a column for its values; one that takes longer is found only by the index kept in the file.
VALUES_SECONDS = 2.0

T = TypeVar("T")

_TABLES = """
SELECT database_name, schema_name, table_name, 'table', estimated_size, coalesce(comment, ''), '' FROM duckdb_tables()
WHERE NOT internal
UNION ALL
SELECT database_name, schema_name, view_name, 'view', NULL, coalesce(comment, ''), sql FROM duckdb_views()
WHERE NOT internal
"""
_COLUMNS = """
SELECT database_name, schema_name, table_name, column_name, data_type, coalesce(comment, ''),
  CASE WHEN (database_name, schema_name, table_name) IN (
    SELECT (database_name, schema_name, table_name) FROM duckdb_tables() WHERE contains(sql, 'GENERATED ALWAYS AS'))
  THEN coalesce(column_default, '') ELSE '' END
FROM duckdb_columns() WHERE NOT internal ORDER BY database_name, schema_name, table_name, column_index
"""
_CONSTRAINTS = """
SELECT database_name, schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
  referenced_column_names
FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') ORDER BY constraint_index
"""
# A sum of hashes does not depend on the order in which the catalog lists things. Views that call our functions are left
# out: no question is about them, and creating one must not change the version that its own question was answered for.
_ASKS = r"regexp_matches(sql, '(?i)\bask(_\w+)?\s*\(')"
_SCHEMA_VERSION = f"""
WITH asking AS (SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal AND {_ASKS})
SELECT tables.commented, current_database(), current_schema(), tables.hashed,
  (SELECT sum(hash(database_name, schema_name, table_name, column_name, data_type, comment)::HUGEINT)
   FROM duckdb_columns() WHERE NOT internal AND (database_name, schema_name, table_name) NOT IN (FROM asking)),
  (SELECT sum(hash(database_name, schema_name, view_name, comment, sql)::HUGEINT)
   FROM duckdb_views() WHERE NOT internal AND NOT {_ASKS}),
  (SELECT sum(hash(database_name, schema_name, table_name, constraint_text)::HUGEINT) FROM duckdb_constraints())
FROM (
  SELECT sum(hash(database_name, schema_name, table_name, comment)::HUGEINT) AS hashed,
    list([database_name, schema_name, table_name]) FILTER (lower(table_name) = '{comments.TABLE}') AS commented
  FROM duckdb_tables() WHERE NOT internal) AS tables
"""
_COMMENT_TABLES = f"""
SELECT database_name, schema_name, table_name, list(column_name ORDER BY column_index), EXISTS (
  SELECT 1 FROM duckdb_tables() t WHERE (t.database_name, t.schema_name, t.table_name)
  = (c.database_name, c.schema_name, c.table_name))
FROM duckdb_columns() c WHERE lower(table_name) = '{comments.TABLE}' GROUP BY ALL ORDER BY ALL
"""
_TEMPORARY = """
SELECT 1 FROM duckdb_tables() WHERE temporary UNION ALL SELECT 1 FROM duckdb_views() WHERE temporary AND NOT internal
"""
# The files of all databases, in which macros may be; none where one of the databases is in memory.
_FILES = """
SELECT path FROM duckdb_databases() WHERE NOT internal
AND NOT EXISTS (SELECT 1 FROM duckdb_databases() WHERE NOT internal AND path IS NULL)
"""
_DATA_VERSION = """
SELECT sum(hash(database_name, schema_name, table_name, estimated_size)::HUGEINT) FROM duckdb_tables()
WHERE NOT internal AND NOT starts_with(table_name, 'askwhere_')
"""


# The names of functions that users made, by registration, with the state of its files when they were listed.
_functions: WeakKeyDictionary[Deliveries, tuple[Hashable, frozenset[str]]] = WeakKeyDictionary()


def _state(file: str) -> tuple[int, int]:
    """Return a file's size and time of change, which differ after it was written; zeros where there is no file."""
    try:
        found = os.stat(file)
    except OSError:
        return (0, 0)
    return (found.st_size, found.st_mtime_ns)


class DuckDBEngine:
    """The engine over one DuckDB connection, which must not be running a statement.

    SQL functions make one over a cursor of its own. askwhere's tables are looked for in `database`, an attached one,
    else in the one that the connection was opened on. `deliveries` belong to the registration, if there is one.
    """

    dialect = "duckdb"
    static_types = True

    def __init__(
        self, connection: Connection, database: str | None = None, deliveries: Deliveries | None = None
    ) -> None:
        self.connection = connection
        self._deliveries = deliveries
        self._database = database

    def tables(self) -> tuple[Table, ...]:
        """See `Engine.tables`. Temporary tables come first, as they shadow others; then the current schema's."""
        here = self.read("SELECT current_database(), current_schema()")[0]
        columns: dict[tuple[str, ...], list[Column]] = {}
        for *path, name, declared, comment, computed in self.read(_COLUMNS):
            columns.setdefault(tuple(path), []).append(Column(name, declared, comment, computed=computed))
        constraints: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
        for database, schema, name, *constraint in self.read(_CONSTRAINTS):
            constraints.setdefault((database, schema, name), []).append(tuple(constraint))
        found = [
            _table((database, schema, name), kind, rows, comment, sql, columns, constraints)
            for database, schema, name, kind, rows, comment, sql in self.read(_TABLES)
            if not name.lower().startswith("askwhere_")
        ]
        return tuple(sorted(found, key=lambda t: (t.path[0] != "temp", t.path[:2] != here, t.path)))

    def comment_tables(self) -> tuple[Table, ...]:
        """See `Engine.comment_tables`."""
        return tuple(
            Table(tuple(path), tuple(map(Column, columns)), kind="table" if is_table else "view")
            for *path, columns, is_table in self.read(_COMMENT_TABLES)
        )

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """See `Engine.texts`."""
        listed = ", ".join(f"coalesce({quote(name)}::VARCHAR, '')" for name in columns)
        return self.read(f"SELECT {listed} FROM {quote_path(table.path)}")

    def functions(self) -> frozenset[str]:
        """See `Engine.functions`."""
        return frozenset(name for (name,) in self.read("SELECT DISTINCT lower(function_name) FROM duckdb_functions()"))

    def user_functions(self) -> Mapping[str, str]:
        """See `Engine.user_functions`."""
        return duckdb_own.own(self.connection)

    def macros(self) -> Mapping[str, str]:
        """See `Engine.macros`."""
        return duckdb_sources.macros(self.connection)

    def sources(
        self, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
    ) -> list[frozenset[Source] | None]:
        """See `Engine.sources`."""
        return duckdb_sources.sources(self.connection, reads, tables, opaque)

    def schema_version(self) -> Hashable:
        """See `Engine.schema_version`: hashes of names, types, comments, keys and views' texts."""
        commented, *version = self.read(_SCHEMA_VERSION)[0]
        hashes = {
            tuple(path): self.read(f"SELECT sum(hash(t)::HUGEINT) FROM {quote_path(path)} AS t")[0][0]
            for path in commented or ()
        }
        return (*version, frozenset(hashes.items()), self.taken())

    def data_version(self) -> Hashable:
        """See `Engine.data_version`: it changes with numbers of rows; DuckDB reports no other changes."""
        return self.read(_DATA_VERSION)[0]

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Engine.read`."""
        return self.connection.execute(sql, list(parameters)).fetchall()

    def values(self, table: Table, column: Column, limit: int) -> list[str]:
        """See `Engine.values`; texts of more than 1,000 characters are taken for prose and left out."""
        if not column.type.upper().startswith(("VARCHAR", "ENUM")):
            return []
        name = quote(column.name)
        sql = (
            f"SELECT DISTINCT {name}::VARCHAR FROM {quote_path(table.path)}"
            f" WHERE length({name}::VARCHAR) BETWEEN 1 AND 1000 LIMIT {int(limit)}"
        )
        try:
            with stopping(self.connection, Limits(seconds=VALUES_SECONDS)) as stop:
                found = self.read(sql)
        except duckdb.Error as exc:
            if isinstance(exc, duckdb.InterruptException) and not stop.reason:
                raise
            return []  # too slow to scan, or a view over a table that is gone
        return sorted(value for (value,) in found)

    def scan(self, table: Table, column: Column, longest: int, numbers: bool) -> Iterator[tuple[int, Sequence[str]]]:
        """See `Engine.scan`."""
        return duckdb_storage.scan(self.connection, table, column, longest, numbers)

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """See `Engine.stamps`."""
        return duckdb_storage.stamps(self.connection)

    @property
    def read_only(self) -> bool:
        """See `Engine.read_only`."""
        return self._home()[2]

    def storages(self) -> tuple[Storage, ...]:
        """See `Engine.storages`."""
        name, path, _ = self._home()
        own = duckdb_storage.DuckDBStorage(self.connection, name)
        if not path or not beside(path).exists():
            return (own,)
        from askwhere.bindings.sqlite import storage as sqlite_storage  # imports apsw, needed only for the file beside

        side = sqlite_storage.open_side(path)
        return (own, side) if side else (own,)

    def storage(self) -> Storage:
        """See `Engine.storage`: in the database itself, or in the file beside it."""
        name, path, _ = self._home()
        own = duckdb_storage.DuckDBStorage(self.connection, name)
        if not path or "askwhere_index" in own.tables():
            return own
        from askwhere.bindings.sqlite import storage as sqlite_storage  # imports apsw, needed only for the file beside

        return sqlite_storage.open_side(path) or own

    def writing(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.writing`."""
        _, path, readonly = self._home()
        if not readonly:
            return duckdb_storage.writing(self.connection)
        from askwhere.bindings.sqlite import storage as sqlite_storage  # imports apsw, needed only for the file beside

        return sqlite_storage.writing_side(path)

    def building(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.building`."""
        return self.writing() if self.read_only else duckdb_storage.building(self.connection)

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`: the guard reads the parse tree that DuckDB makes of the very text that will run."""
        qualified = guard.qualify(sql, self.dialect, grant)
        own = self._own_functions
        described = self._attempt(lambda connection: describe(connection, qualified, sql, grant, own))
        columns = tuple(name for name, _ in described)
        return Checked(renamed(qualified, columns), unique_names(columns), tuple(kind for _, kind in described))

    def taken(self) -> frozenset[str]:
        """See `Engine.taken`."""
        return self._own_functions & guard.DUCKDB_FUNCTIONS

    @cached_property
    def _own_functions(self) -> frozenset[str]:
        """The names of all functions and macros that users made, listed when first needed.

        Listing takes 30 ms of processor time in DuckDB 2.0, and an engine lives for one call. So a registration keeps
        the list as long as its files are not written.
        """
        files = [f"{path}{end}" for (path,) in self.read(_FILES) for end in ("", ".wal")]
        state = tuple((file, *_state(file)) for file in files)
        if self._deliveries is not None and state and (known := _functions.get(self._deliveries)) and known[0] == state:
            return known[1]
        found = frozenset(self.user_functions())
        if self._deliveries is not None:
            _functions[self._deliveries] = (state, found)
        return found

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`. The query runs again on this connection where only that one sees all of its tables."""
        started = time.monotonic()
        rows, complete = self._attempt(lambda connection: run(connection, checked.sql, limits))
        if self._sees_more():
            rows, complete = run(self.connection, checked.sql, limits)
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started)

    def delivery(self, checked: Checked, trial: Result) -> str:
        """See `Engine.delivery`."""
        return checked.sql

    def isolated(self) -> Isolated:
        """See `Engine.isolated`."""
        files = dict(self.read("SELECT database_name, path FROM duckdb_databases() WHERE NOT internal"))
        main = self._database or self.read("SELECT current_database()")[0][0]
        other = {name: path or "" for name, path in files.items() if name != main}
        attached = tuple((name, path) for name, path in other.items() if path or not self._database)
        return IsolatedEngine(self, files.get(main) or "", attached, at_work)

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """See `isolation.Inner.reading`. Raises `DatabaseError` where no function of ours is registered."""
        if self._deliveries is None:
            raise DatabaseError("ask() is not registered on this connection; register() it first")
        return self._deliveries.reading(checked, read)

    def _home(self) -> tuple[str, str, bool]:
        """Return name, file and whether it is read-only of the database with askwhere's tables."""
        return duckdb_storage.home(self.connection, self._database)

    def _attempt(self, work: Callable[[Connection], T]) -> T:
        """Do `work` on a cursor in a read-only transaction; on the connection itself if only that sees the tables.

        A statement that fails aborts its transaction, which must not be the user's.
        """
        try:
            with self.connection.cursor() as cursor:
                cursor.execute("BEGIN TRANSACTION READ ONLY")
                try:
                    return work(cursor)
                finally:
                    with contextlib.suppress(duckdb.Error):
                        cursor.execute("ROLLBACK")
        except QueryError as exc:
            if isinstance(exc.__cause__, duckdb.CatalogException) and self._sees_more():
                return work(self.connection)
            raise

    def _sees_more(self) -> bool:
        """Return whether temporary tables or uncommitted changes are visible on this connection alone."""
        transactions = {self.read("SELECT txid_current()")[0][0] for _ in range(2)}
        return len(transactions) == 1 or bool(self.read(_TEMPORARY))


def _table(
    path: tuple[str, ...],
    kind: str,
    rows: int | None,
    comment: str,
    sql: str,
    columns: dict[tuple[str, ...], list[Column]],
    constraints: dict[tuple[str, ...], list[tuple[Any, ...]]],
) -> Table:
    """Return a table or view, given what the catalog lists of it."""
    keys = constraints.get(path, [])
    return Table(
        path=path,
        columns=tuple(columns.get(path, ())),
        kind=kind,
        primary_key=next((tuple(names) for kind_, names, *_ in keys if kind_ == "PRIMARY KEY"), ()),
        unique=tuple(tuple(names) for kind_, names, *_ in keys if kind_ == "UNIQUE"),
        foreign_keys=tuple(
            ForeignKey(tuple(names), (*path[:2], target), tuple(target_names))
            for kind_, names, target, target_names in keys
            if kind_ == "FOREIGN KEY"
        ),
        rows=rows,
        comment=comment,
        definition=sql,
    )


def _is_engine(engine: DuckDBEngine) -> Engine:
    return engine  # the type checker holds the class to the protocol
