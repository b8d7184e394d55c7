"""SQLite through APSW, as an `Engine`: the catalog, value scans, and generated SQL run where it cannot write."""

from __future__ import annotations

import contextlib
import time
import weakref
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw
from askwhere import guard
from askwhere.bindings import bounded_texts
from askwhere.bindings.sqlite import scanning
from askwhere.bindings.sqlite import schema as sqlite_schema
from askwhere.bindings.sqlite import sources as sqlite_sources
from askwhere.bindings.sqlite import storage as sqlite_storage
from askwhere.bindings.sqlite.decoding import decoded, decoding
from askwhere.bindings.sqlite.delivery import rows_within_limits
from askwhere.bindings.sqlite.guard import (
    authorized,
    bounds_of,
    columns_read,
    guarded_cursor,
    in_bounds,
    prepare,
    translated,
    without_queries,
)
from askwhere.bindings.sqlite.limits import bounded_length, fetch, stopping
from askwhere.bindings.sqlite.reading import Tables
from askwhere.bindings.sqlite.sandbox import Sandboxes
from askwhere.bindings.sqlite.schema import databases, schema_of
from askwhere.engine import Checked, Column, Engine, Grant, Isolated, Limits, Reading, Result, Source, Table
from askwhere.errors import DatabaseError, Refused
from askwhere.sql.identifiers import fold, quote, renamed, unique_names
from askwhere.sql.lexer import names, names_alone
from askwhere.storage import Storage, of_index

if TYPE_CHECKING:
    from askwhere.bindings.isolation.engine import Spool


# Seconds to scan a column for its values; one that takes longer is found only by the index kept in the file.
VALUES_SECONDS = 2.0


class SQLiteEngine:
    """The engine over one APSW connection, which it references weakly.

    Functions registered on the connection hold the engine, so that a strong reference would keep both alive. Between
    calls nothing stays open on the database's file, so that no other connection is ever blocked.
    """

    dialect = "sqlite"
    static_types = False
    _apart = True  # whether generated SQL runs on a connection apart from the user's, where that is possible

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = weakref.ref(connection)
        self._sandboxes = Sandboxes()
        self._side: Storage | None = None
        self._tables = Tables()

    @property
    def connection(self) -> apsw.Connection:
        """Return the APSW connection. Raise `DatabaseError` once it is gone."""
        connection = self._connection()
        if connection is None:
            raise DatabaseError("the connection was closed; register() the one that is in use")
        return connection

    def tables(self) -> tuple[Table, ...]:
        """See `Engine.tables`."""
        return sqlite_schema.tables(self.connection, self._without_queries("PRAGMA table_list"))

    def _without_queries(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of one of askwhere's own statements, for which SQLite may prepare no query."""
        return without_queries(self.connection, sql)

    def tables_named(self, name: str) -> tuple[Table, ...]:
        """See `Engine.tables_named`."""
        return sqlite_schema.tables_named(self.connection, name)

    def home(self) -> tuple[str, ...]:
        """See `Engine.home`."""
        return ("main",)

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """See `Engine.texts`."""
        encoding = scanning.encoding_of(self.connection)
        texts = [f"coalesce(CAST(CAST({quote(name)} AS TEXT) AS BLOB), x'')" for name in columns]
        sizes = [scanning.size_of(self.connection, quote(name)) for name in columns]
        rows = bounded_texts.rows(self.read, table, sizes, texts)
        return [tuple(cell.decode(encoding, "replace") for cell in row) for row in rows]

    def functions(self) -> frozenset[str]:
        """See `Engine.functions`."""
        return frozenset(str(name).lower() for name, *_ in self.read("PRAGMA function_list"))

    def user_functions(self) -> Mapping[str, str]:
        """See `Engine.user_functions`. None has a text: SQLite has no macros."""
        return dict.fromkeys(sqlite_schema.redefined(self.connection), "")

    def taken(self) -> frozenset[str]:
        """See `Engine.taken`: none, as SQLite has no macros."""
        return frozenset()

    def macros(self) -> Mapping[str, str]:
        """See `Engine.macros`: none, as SQLite has no macros."""
        return {}

    def sources(
        self, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
    ) -> list[frozenset[Source] | None]:
        """See `Engine.sources`: SQLite's authorizer reports the columns that a view reads."""
        return sqlite_sources.sources(self.connection, self._columns_read, reads, tables)

    def _columns_read(self, sql: str) -> set[tuple[str, str, str]]:
        """Return the columns that the authorizer reports while one of askwhere's own queries is prepared.

        Each is its schema, table and column.
        """
        return columns_read(self.connection, sql)

    def notes(self) -> tuple[str, ...]:
        """See `Engine.notes`: none."""
        return ()

    def unreadable(self, tables: Iterable[Table]) -> frozenset[Source]:
        """See `Engine.unreadable`: none, as SQLite's columns may hold any value."""
        return frozenset()

    def schema_version(self) -> Hashable:
        """See `Engine.schema_version`."""
        return sqlite_schema.version(self.connection)

    def data_version(self) -> Hashable:
        """See `Engine.data_version`: this connection's changes, and others' by `PRAGMA data_version`."""
        others = tuple(self.read(f"PRAGMA {quote(name)}.data_version")[0][0] for name in databases(self.connection))
        own = sqlite_storage.own_changes(self.connection)
        return (self.connection.total_changes() - own, others)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Engine.read`."""
        return scanning.read(self.connection, sql, parameters)

    def values(self, columns: Sequence[tuple[Table, Column]], limit: int) -> Iterator[list[str]]:
        """See `Engine.values`; texts of more than 1,000 characters are taken for prose and left out."""
        encoding = scanning.encoding_of(self.connection)
        for table, column in columns:
            with self._bounded_values(table):
                values = scanning.few_values(
                    self.connection, table, column, limit, encoding, self._timed(VALUES_SECONDS)
                )
            yield values

    def _timed(self, seconds: float) -> contextlib.AbstractContextManager[object]:
        """Return a context that stops a statement after `seconds`; `HostEngine` overrides it."""
        return stopping(self.connection, Limits(seconds=seconds), users=True)

    def scan(
        self, table: Table, column: Column, longest: int, numbers: bool, most: int
    ) -> Iterator[tuple[int, Sequence[str]]]:
        """See `Engine.scan`."""
        return scanning.scan(self.connection, table, column, longest, numbers, lambda: self._bounded_values(table))

    def _bounded_values(self, table: Table) -> contextlib.AbstractContextManager[object]:
        """Return a context that bounds the length of the values that a table computes.

        A stored value may be longer, and another column of the same row.
        """
        computes = table.kind != "table" or any(column.computed for column in table.columns)
        return self._bounded_length() if computes else contextlib.nullcontext()

    def _bounded_length(self) -> contextlib.AbstractContextManager[object]:
        """Return a context that bounds the length of values; `HostEngine` overrides it."""
        return bounded_length(self.connection)

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """See `Engine.stamps`."""
        return scanning.stamps(self.connection)

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
        return of_index(self.storages())

    def writing(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.writing`."""
        self._side = None
        if self.connection.readonly("main"):
            return sqlite_storage.writing_side(self.connection.db_filename("main"))
        return sqlite_storage.writing(self.connection)

    def building(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.building`: as `writing`, since SQLite has one writer at a time."""
        return self.writing()

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`: the query is prepared, not run, under an authorizer that allows only granted reads."""
        qualified = self._qualified(sql, grant)
        with self._sandbox(grant) as sandbox:
            columns, types = prepare(sandbox, qualified, sql)
        # Prepared on the user's connection too, which delivers the rows and may have functions and tables of its own.
        with authorized(self.connection, grant, self.connection.authorizer):
            prepare(self.connection, names_alone(qualified), sql)
        return Checked(renamed(qualified, columns), unique_names(columns), types)

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        started = time.monotonic()
        with self._sandbox(grant) as sandbox, stopping(sandbox, limits, sandbox is self.connection) as stop:

            def read() -> tuple[tuple[list[tuple[Any, ...]], bool], bool]:
                return decoded(sandbox, checked, lambda cursor: fetch(cursor, limits))

            try:
                (rows, complete), undecodable = in_bounds(sandbox, checked, grant, limits, stop, read)
            except (apsw.Error, MemoryError) as exc:
                raise translated(exc, checked.sql, stop) from exc
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started, undecodable)

    def delivery(self, checked: Checked, trial: Result) -> str:
        """See `Engine.delivery`; where the trial met text that is not UTF-8, invalid bytes are replaced."""
        if not trial.undecodable:
            return checked.sql
        return decoding(checked.sql, checked.columns, scanning.encoding_of(self.connection))

    def definitions(self) -> Mapping[str, str]:
        """See `isolation.Inner.definitions`."""
        return sqlite_schema.definitions(self.connection)

    def isolated(self) -> Isolated:
        """See `Engine.isolated`."""
        main, *attached = [(name, self.connection.db_filename(name)) for name in databases(self.connection)]
        from askwhere.bindings.isolation.engine import IsolatedEngine, QueryProcess, database_spec  # takes time to load

        spec = database_spec(self.dialect, main[1], tuple(attached))
        return IsolatedEngine(self, QueryProcess(spec, self.definitions))

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """See `isolation.Inner.reading`."""
        return self._tables.reading(self.connection, checked, read)

    def stream(self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]]) -> Iterator[tuple[Any, ...]]:
        """Yield a query's rows whose columns equal the values given, from the user's connection.

        The query may come from a file, so that it runs under the guard again, and within a trial's limits.
        """
        sql, values = self.streaming(checked, grant, equal)

        def begin() -> apsw.Cursor:
            with authorized(self.connection, grant, self.connection.authorizer):
                return guarded_cursor(self.connection).execute(sql, values, can_cache=False)

        if not guard.needs_limits(sql, grant.functions):
            return iter(begin())
        length = bounds_of(scanning.plain_cursor(self.connection), checked.sql, grant)[-1].length
        return rows_within_limits(self.connection, sql, length, begin)

    def streaming(self, checked: Checked, grant: Grant, equal: Sequence[tuple[str, Any]]) -> tuple[str, list[Any]]:
        """Return the query for the rows whose columns equal the values given, and its parameters."""
        sql = f"SELECT * FROM ({self._qualified(checked.sql, grant)}\n)"
        sql += " WHERE " + " AND ".join(f"{quote(name)} = ?" for name, _ in equal) if equal else ""
        return sql, [value for _, value in equal]

    def _qualified(self, sql: str, grant: Grant) -> str:
        """Return the query with its tables qualified. Raise `Refused` where `true` or `false` is a column's name."""
        truths = names(sql, self.dialect) & {"true", "false"}
        for table, column in ((t, c) for t in grant.tables for c in t.columns if truths and fold(c.name) in truths):
            raise Refused(f"{column.name} is also a column, of {table.name!r}: write 1 for true and 0 for false", sql)
        qualified = guard.qualify(sql, self.dialect, grant, [view.name for view in schema_of(self.connection)[0]])
        guard.check_searches(qualified, grant)
        return guard.with_sorted_percentiles(qualified, grant.functions)

    def _sandbox(self, grant: Grant) -> contextlib.AbstractContextManager[apsw.Connection]:
        """Return a context of a connection on which nothing but granted reads can be prepared.

        Where functions of the user are allowed, it is the user's own connection, which alone has them.
        """
        apart = self._apart and not grant.functions & self.user_functions().keys()
        return self._sandboxes.entered(
            self.connection, grant, apart, lambda: (self.schema_version(), self.data_version())
        )


def _is_engine(engine: SQLiteEngine) -> Engine:
    return engine  # the type checker holds the class to the protocol
