"""DuckDB as an `Engine`: the catalog, value scans, and generated SQL run in a cursor's read-only transaction."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb
from askwhere import guard
from askwhere.bindings import bounded_texts
from askwhere.bindings.duckdb import attached, delivering, escaping, pushing, scanning, schema, view_files, wrong_types
from askwhere.bindings.duckdb import sources as duckdb_sources
from askwhere.bindings.duckdb import storage as duckdb_storage
from askwhere.bindings.duckdb import user_functions as duckdb_own
from askwhere.bindings.duckdb.attaching import Attachments
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.bindings.duckdb.running import Connection, at_work, describe, run
from askwhere.bindings.duckdb.shielding import shielded
from askwhere.engine import (
    Checked,
    Column,
    Engine,
    Grant,
    Isolated,
    Limits,
    Pushed,
    Reading,
    Result,
    Scanned,
    Source,
    Table,
    Unreadable,
)
from askwhere.errors import Busy, DatabaseError, QueryError, TooMuch
from askwhere.indexer.formats import side_file
from askwhere.sql.identifiers import quote, quote_path, renamed, unique_names
from askwhere.storage import Storage, of_index

if TYPE_CHECKING:
    from askwhere.bindings.isolation.engine import Spool

T = TypeVar("T")


class DuckDBEngine:
    """The engine over one DuckDB connection, which must not be running a statement.

    SQL functions make one over a cursor of its own. askwhere's tables are in the attached database `database`, or if
    that is None, in the connection's own. `deliveries` belong to the registration, if there is one, and `attachments`
    to the connection, if we opened it. `settings` are those of the statement that asks (`delivering`). With `alone`, no
    other program has used the connection (`user_functions`).
    """

    dialect = "duckdb"
    static_types = True

    def __init__(
        self,
        connection: Connection,
        database: str | None = None,
        deliveries: Deliveries | None = None,
        attachments: Attachments | None = None,
        settings: Sequence[Any] | None = None,
        alone: bool = False,
    ) -> None:
        self.connection = connection
        self._own = shielded(connection, lambda: self._own_functions)  # for our own statements
        self._alone = alone
        self._settings = settings
        self._attachments = attachments
        self._deliveries = deliveries
        self._database = database

    def tables(self) -> tuple[Table, ...]:
        """See `Engine.tables`. Temporary tables come first, as they shadow others; then the current schema's."""
        return schema.tables(self._own, self.macros)

    def tables_named(self, name: str) -> tuple[Table, ...]:
        """See `Engine.tables_named`."""
        listed = self.read(schema.COLUMNS_NAMED, (name,))
        tables = set(self.read(schema.TABLES_NAMED, (name,))) if listed else set()
        return tuple(
            Table(path, tuple(map(Column, columns)), kind="table" if path in tables else "view")
            for *parts, columns in listed
            for path in [tuple(parts)]
        )

    def home(self) -> tuple[str, ...]:
        """See `Engine.home`."""
        return (self._home[0], "main")

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """See `Engine.texts`."""
        if duckdb_storage.inflates(self._own, table.path):
            raise bounded_texts.too_large(table)
        texts = [f"{quote(name)}::VARCHAR" for name in columns]
        sizes = [f"strlen({text})" for text in texts]
        return bounded_texts.rows(self.read, table, sizes, [f"coalesce({text}, '')" for text in texts])

    def functions(self) -> frozenset[str]:
        """See `Engine.functions`."""
        return frozenset(name for (name,) in self.read("SELECT DISTINCT lower(function_name) FROM duckdb_functions()"))

    def user_functions(self) -> Mapping[str, str]:
        """See `Engine.user_functions`."""
        return duckdb_own.own(self.connection, self._alone)

    def macros(self) -> Mapping[str, str]:
        """See `Engine.macros`."""
        return duckdb_sources.macros(self._own)

    def sources(
        self, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
    ) -> list[frozenset[Source] | None]:
        """See `Engine.sources`."""
        return duckdb_sources.sources(self._own, reads, tables, opaque)

    def notes(self) -> tuple[str, ...]:
        """See `Engine.notes`."""
        return attached.notes(self._own)

    def unreadable(self, tables: Iterable[Table]) -> frozenset[Source]:
        """See `Engine.unreadable`: of attached databases whose columns may hold values of other types."""
        return wrong_types.unreadable(self._own, tables)

    def schema_version(self) -> Hashable:
        """See `Engine.schema_version`: hashes of names, types, comments, keys, definitions, and users' tables."""
        declaring, asking, *version = attached.read(self._own, schema.SCHEMA_VERSION)[0]
        if asking:
            _, _, *version = attached.read(self._own, schema.WITHOUT_ASKING, (asking,))[0]
        hashes = {
            tuple(path): self.read(f"SELECT sum(hash(t)::HUGEINT) FROM {quote_path(path)} AS t")[0][0]
            for path in declaring or ()
        }
        sources = attached.sources(self._own)
        shapes = tuple((source.name, attached.shape(self._own, source)) for source in sources)
        return (*version, frozenset(hashes.items()), self.taken(), shapes)

    def data_version(self) -> Hashable:
        """See `Engine.data_version`: it changes with numbers of rows, and with files that views read.

        DuckDB reports no other changes.
        """
        sources = attached.sources(self._own)
        contents = tuple((source.name, attached.content(self._own, source)) for source in sources)
        return (*self.read(schema.DATA_VERSION)[0], contents, *view_files.states(self._own).items())

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Engine.read`."""
        try:
            return self._own.execute(sql, list(parameters)).fetchall()
        except (duckdb.CatalogException, duckdb.BinderException) as exc:  # another connection has changed the table
            raise Unreadable(f"what was there to be read is gone: {exc}") from exc

    def values(self, columns: Sequence[tuple[Table, Column]], limit: int) -> Iterator[list[str]]:
        """See `Engine.values`; texts of more than 1,000 characters are taken for prose and left out."""
        return scanning.values(self._own, columns, limit)

    def scan(self, table: Table, column: Column, longest: int, numbers: bool, most: int) -> Scanned:
        """See `Engine.scan`."""
        return scanning.scan(self._own, table, column, longest, numbers, most)

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """See `Engine.stamps`."""
        return scanning.stamps(self._own)

    @property
    def read_only(self) -> bool:
        """See `Engine.read_only`."""
        return self._home[2]

    def storages(self) -> tuple[Storage, ...]:
        """See `Engine.storages`."""
        own, side = duckdb_storage.DuckDBStorage(self._own, self._home[0]), self._side()
        return (own, side) if side else (own,)

    def storage(self) -> Storage:
        """See `Engine.storage`: in the database itself, or in the file beside it."""
        return of_index(self.storages())

    def _side(self) -> Storage | None:
        """Return the storage in the file beside the database, None where there is no such file."""
        path = self._home[1]
        if not path or not os.path.exists(side_file(path)):  # also where the name would be too long for one
            return None
        from askwhere.bindings.sqlite import storage as sqlite_storage  # imports apsw, needed only for the file beside

        return sqlite_storage.open_side(path)

    def writing(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.writing`."""
        _, path, readonly = self._home
        if not readonly:
            return duckdb_storage.writing(self._own)
        from askwhere.bindings.sqlite import storage as sqlite_storage  # imports apsw, needed only for the file beside

        return sqlite_storage.writing_side(path)

    def building(self) -> contextlib.AbstractContextManager[Storage]:
        """See `Engine.building`."""
        return self.writing() if self.read_only else duckdb_storage.building(self._own)

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`: the guard reads the parse tree that DuckDB makes of the very text that will run."""
        qualified = guard.qualify(sql, self.dialect, grant)
        own = self._own_functions

        def checked(connection: Connection) -> Checked:
            escaping.refuse_unsafe(connection, grant, qualified, sql)
            described = describe(connection, qualified, sql, grant, own)
            columns = tuple(name for name, _ in described)
            made = Checked(renamed(qualified, columns), unique_names(columns), tuple(kind for _, kind in described))
            return replace(made, pushed=pushing.pushed(connection, made, qualified, grant.tables))

        made = self._attempt(grant, checked)
        return checked(self.connection) if self._sees_more() else made  # it may see longer values

    def taken(self) -> frozenset[str]:
        """See `Engine.taken`."""
        return self._own_functions & guard.DUCKDB_FUNCTIONS

    @cached_property
    def _own_functions(self) -> frozenset[str]:
        return duckdb_own.names(self.connection, self._deliveries, self._alone)

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`. If another connection does not see all tables of the query, it runs on this one."""
        started = time.monotonic()
        if checked.pushed and (pushed := self._pushed(checked.pushed, grant, limits)):
            return Result(checked.columns, tuple(pushed[0]), pushed[1], time.monotonic() - started, pushed=True)
        rows, complete = self._attempt(grant, lambda connection: run(connection, checked, limits))
        if self._sees_more():
            rows, complete = run(self.connection, checked, limits)
        return Result(checked.columns, tuple(rows), complete, time.monotonic() - started)

    def _pushed(self, pushed: Pushed, grant: Grant, limits: Limits) -> tuple[list[tuple[Any, ...]], bool] | None:
        """Return the rows that a server computed and whether they are all, None where it could not."""
        try:
            return self._attempt(grant, lambda connection: pushing.rows(connection, pushed, limits))
        except TooMuch:
            raise
        except (duckdb.Error, QueryError, DatabaseError):
            return None  # a value that the server cannot compute; DuckDB says so, or can

    def delivery(self, checked: Checked, trial: Result) -> str:
        """See `Engine.delivery`: the trial's rows, where the statement would read the same ones."""
        if checked.pushed and trial.pushed:
            return checked.pushed.sql
        return delivering.delivered(self.connection, checked, trial, self._settings)

    def definitions(self) -> Mapping[str, str]:
        """See `isolation.Inner.definitions`."""
        return schema.definitions(self._own)

    def isolated(self) -> Isolated:
        """See `Engine.isolated`."""
        from askwhere.bindings.duckdb import isolating  # takes time to load
        from askwhere.bindings.isolation.engine import IsolatedEngine, QueryProcess

        spec = isolating.spec(self._own, self._attachments)
        return IsolatedEngine(self, QueryProcess(spec, self.definitions, at_work))

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """See `isolation.Inner.reading`. Raise `DatabaseError` where askwhere's functions are not registered."""
        if self._deliveries is None:
            raise DatabaseError("ask() is not registered on this connection; register() it first")
        return self._deliveries.reading(checked, read)

    @cached_property
    def _home(self) -> tuple[str, str, bool]:
        """Return the database that holds askwhere's tables: its name, its file, and whether it is read-only."""
        return duckdb_storage.home(self._own, self._database)

    def _attempt(self, grant: Grant, work: Callable[[Connection], T]) -> T:
        """Return the result of `work` on a cursor in a read-only transaction.

        Where only the connection itself sees the tables, it is used in place of the cursor. If the granted views have
        changed, nothing is done.

        A statement that fails aborts its transaction, which must not be the user's.
        """
        try:
            with self.connection.cursor() as cursor:
                cursor.execute("BEGIN TRANSACTION READ ONLY")
                try:
                    views = schema.views(shielded(cursor, lambda: self._own_functions), grant.tables)
                    guard.refuse_changed(grant.tables, views)
                    return work(cursor)
                finally:
                    with contextlib.suppress(duckdb.Error):
                        cursor.execute("ROLLBACK")
        except (QueryError, Busy) as exc:
            elsewhere = isinstance(exc, Busy) or isinstance(exc.__cause__, duckdb.CatalogException)
            if elsewhere and self._sees_more():
                guard.refuse_changed(grant.tables, schema.views(self._own, grant.tables))
                return work(self.connection)
            raise

    def _sees_more(self) -> bool:
        """Return whether temporary tables or uncommitted changes are visible on this connection alone."""
        if attached.read(self._own, schema.TEMPORARY):
            return True
        if not self.read(schema.OF_DUCKDB)[0][0]:
            return False  # no other kind of database numbers transactions
        return len({self.read("SELECT txid_current()")[0][0] for _ in range(2)}) == 1


def _is_engine(engine: DuckDBEngine) -> Engine:
    return engine  # the type checker holds the class to the protocol
