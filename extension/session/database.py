"""Cache what a session has read of its database: the catalog, the value index and example values.

Each is read when it is first needed, and again after the schema, the rows or the settings that it depends on change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from askwhere import memory
from askwhere.engine import Engine
from askwhere.errors import AskError, Busy, DatabaseError, QueryError, Unread
from askwhere.frozen import frozen
from askwhere.indexer import catalog as catalog_
from askwhere.indexer import index, progress
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.pipeline.facts import Linked
from askwhere.session.questions import Turn
from askwhere.settings import Settings

# Settings that decide which tables, columns and functions a query may use.
SHOWN = ("hide_columns", "include_tables", "exclude_tables", "allow_functions")
# Settings whose values are names in the database.
NAMING = (*SHOWN, "index_columns")
TRIES = 3  # to read a catalog that another connection does not change meanwhile
CHANGED = "another connection changed the tables meanwhile; ask again"


def check_names(engine: Engine, settings: Settings, names: Iterable[str] = SHOWN) -> None:
    """Raise `SettingError` where a setting of `names` names a table, column or function that does not exist."""
    catalog_.check_names(engine, **{name: settings[name] for name in names if name in NAMING})


@frozen
class _Snapshot:
    """The version of the schema that a question is answered at, and the catalog, None until it has been read."""

    version: Hashable
    catalog: Catalog | None = None


class Database:
    """One connection's database. Each method takes the engine to read it with."""

    def __init__(self) -> None:
        self._steady: _Snapshot | None = None  # inside `steady`
        self._catalog: tuple[tuple[Hashable, tuple[Any, ...]], Catalog] | None = None
        self._values: tuple[Hashable, index.Opened] | None = None
        self._examples: tuple[object, int, tuple[Match, ...]] | None = None
        self._noted: set[str] = set()

    def share(self, other: Database) -> None:
        """Take over what another session has read of the same database."""
        self._catalog, self._values = other._catalog, other._values

    @contextmanager
    def steady(self, engine: Engine, settings: Settings) -> Iterator[Catalog]:
        """Yield the catalog, and keep it while the block runs: checking whether it has changed takes milliseconds.

        Raise `Busy` in place of an error of the block where the tables were changed meanwhile (`refuse_changed`).
        """
        outer = self._steady
        try:
            if outer is None:
                self._steady = _Snapshot(catalog_.version(engine))
                self._steady = self._snapshot(engine, settings, self._steady.version)
            yield self.catalog(engine, settings)
        except Exception as exc:
            if self._steady:
                self.refuse_changed(engine, settings, exc, self._steady)
            raise
        finally:
            self._steady = outer

    def _snapshot(self, engine: Engine, settings: Settings, at: Hashable) -> _Snapshot:
        """Return the catalog at version `at`, read if it is not cached, and the version that it was read at."""
        catalog = self._read(engine, settings, at)
        assert self._catalog is not None
        return _Snapshot(self._catalog[0][0], catalog)

    @contextmanager
    def since_answered(self, engine: Engine, settings: Settings) -> Iterator[None]:
        """Raise `Busy` in place of an error of the block where the tables have changed since the last question."""
        last = self._catalog
        try:
            yield
        except Exception as exc:
            if last:
                self.refuse_changed(engine, settings, exc, _Snapshot(last[0][0], last[1]))
            raise

    def refuse_changed(
        self, engine: Engine, settings: Settings, error: Exception, earlier: _Snapshot | None = None
    ) -> None:
        """Raise `Busy` if another connection has changed the tables, which may have caused `error`.

        `earlier` is a snapshot from before, by default that of `steady`. Nothing is checked for errors that a change
        cannot cause.
        """
        earlier = earlier or self._steady
        known = isinstance(error, AskError) and not isinstance(error, QueryError | DatabaseError | Unread)
        if earlier and not known and not isinstance(error, Busy) and self._changed(engine, settings, earlier):
            raise Busy(CHANGED) from error

    def _changed(self, engine: Engine, settings: Settings, snapshot: _Snapshot) -> bool:
        """Return whether the tables differ from those of a snapshot."""
        try:
            now = catalog_.version(engine)
        except Exception:  # a connection that was closed, say: the first error tells more
            return False
        try:
            # A version changes with askwhere's own tables too, which a question may make.
            return now != snapshot.version and (
                snapshot.catalog is None or self._read(engine, settings, now).version != snapshot.catalog.version
            )
        except Exception:
            return True  # they cannot even be read now

    def catalog(self, engine: Engine, settings: Settings) -> Catalog:
        """Return the catalog as the settings show it, read again if the schema or those settings have changed."""
        if self._steady and self._steady.catalog:
            return self._steady.catalog
        return self._read(engine, settings, catalog_.version(engine))

    def _read(self, engine: Engine, settings: Settings, at: Hashable) -> Catalog:
        """Return the same as `catalog`, outside of `steady`; `at` is the version of the schema."""
        shown = tuple(settings[name] for name in SHOWN)
        if self._catalog is None or self._catalog[0] != (at, shown):
            at, catalog = self._read_unchanged(engine, settings, at)
            if self._catalog and catalog_.same_but_rows(self._catalog[1], catalog):
                # Only askwhere's own tables have changed: with the same version, kept answers stay valid.
                catalog = replace(catalog, version=self._catalog[1].version)
            self._catalog = ((at, shown), catalog)
            self._note(catalog.notes)
        return self._catalog[1]

    def _read_unchanged(self, engine: Engine, settings: Settings, at: Hashable) -> tuple[Hashable, Catalog]:
        """Return a catalog that was read while nothing changed, and its version; before, the version was `at`.

        The version changes with askwhere's own tables too, which other connections replace at any time. So two equal
        readings are enough: the catalog is that of the version between them. The names in the settings are checked with
        it: a hidden column that has been renamed would no longer be hidden. Raise `Busy` where the tables change again
        and again.
        """
        last: Catalog | None = None
        for _ in range(TRIES):
            check_names(engine, settings)
            catalog = catalog_.read(engine, **{name: settings[name] for name in SHOWN}, at=at)
            before, at = at, catalog_.version(engine)
            if at == before or (last and catalog_.same_but_rows(last, catalog)):
                return before, catalog
            last = catalog
        raise Busy(CHANGED)

    def known(self, engine: Engine, settings: Settings) -> Catalog:
        """Return the catalog that was read last, even if it has changed since; it is read if none was."""
        return self._catalog[1] if self._catalog else self.catalog(engine, settings)

    def values(self, engine: Engine, settings: Settings) -> ValueIndex:
        """Return the catalog's value index: the stored index, and one in memory for the columns that it lacks.

        It is opened again when rows may have changed. Columns that are not indexed completely are logged once.
        """
        catalog = self.catalog(engine, settings)
        key = (catalog.version, catalog.grant.hidden, tuple(t.path for t in catalog.tables), engine.data_version())
        if self._values is None or self._values[0] != key or not index.is_current(self._values[1], engine):
            opened = index.open_(engine, catalog)
            self.refuse_changed_since(engine, settings, catalog)
            self._values = (key, opened)
            self._note(self._values[1].notes)
        return index.Values(self._values[1], engine, catalog)

    def refuse_changed_since(self, engine: Engine, settings: Settings, catalog: Catalog) -> None:
        """Raise `Busy` where another connection has changed the tables since `catalog` was read.

        Values that were read meanwhile may be incomplete, or those of hidden columns, which a changed view shows.
        """
        at = self._steady.version if self._steady else self._catalog[0][0] if self._catalog else None
        if self._changed(engine, settings, _Snapshot(at, catalog)):
            raise Busy(CHANGED)

    def _note(self, notes: Iterable[str]) -> None:
        """Log the notes that this session has not logged before."""
        for note in notes:
            if note not in self._noted:
                index.log.warning(note)
            self._noted.add(note)

    def values_in(self, engine: Engine, settings: Settings) -> Callable[[str], list[str]]:
        """Return a function from a text to the values of the database that it may contain."""
        return lambda text: [match.value for match in self.values(engine, settings).search(text, 10)]

    def examples_of(self, linked: Linked, best: int) -> tuple[Match, ...]:
        """Return the `best` example values of each column, looked up once for each state of the value index."""
        assert self._values is not None
        if self._examples is None or self._examples[0] is not self._values or self._examples[1] != best:
            from askwhere.pipeline.link import examples_of  # takes time to load, and only prompts show examples

            self._examples = (self._values, best, examples_of(linked.values, best))
        return self._examples[2]

    def linked(self, turn: Turn) -> Linked:
        """Return the question with the catalog and the value index, and without names of attached databases.

        Raise `AskError` if there is no table to ask.
        """
        catalog = self.catalog(turn.engine, turn.settings)
        if not catalog.tables:
            raise AskError("the database has no tables that can be asked")
        asked, values = turn.question, self.values(turn.engine, turn.settings)
        dialect = turn.engine.dialect
        linked = Linked(asked.text, asked.hint, dialect, catalog, values, catalog, earlier=turn.earlier)
        if not any(len(table.short) > 1 for table in catalog.tables):
            return linked
        from askwhere.pipeline import catalogs  # takes time to load, and most questions are about one database

        return catalogs.named_part(linked)

    def index(self, engine: Engine, settings: Settings, table: str | None) -> str:
        """Index the values of all tables, or of one table again, or drop the index for 'drop'. Return what was done."""
        from askwhere.indexer.build import Limits as IndexLimits  # loads numpy

        if table is not None and table.strip().lower() == "drop":
            return memory.patiently(lambda: index.drop(engine))
        catalog = self.catalog(engine, settings)
        check_names(engine, settings, NAMING)
        limits = IndexLimits(settings["index_values"], settings["index_numbers"] == "on", settings["index_columns"])
        tell = progress.on_terminal("indexing")
        unchanged = partial(self.refuse_changed_since, engine, settings, catalog)
        check = unchanged if catalog.grant.hidden else lambda: None
        if table is None:
            return memory.patiently(lambda: index.build(engine, catalog, limits, tell, check))
        return memory.patiently(lambda: index.refresh(engine, catalog, table, limits, tell, check))
