"""Build, refresh, drop and open the value index of a database.

The index may be stored in the file, and rows may change after it was built. What is not stored, or has changed and is
small, is indexed in memory when the index is opened (`Opened`).
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from askwhere.cells import first_of
from askwhere.engine import Engine, Table
from askwhere.errors import ArgumentError, DatabaseError, suggestion
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.progress import Tell, silent
from askwhere.indexer.values import Match, ValueIndex

if TYPE_CHECKING:
    from askwhere.indexer.build import ColumnValues, Limits, MemoryIndex
    from askwhere.indexer.scoring import IndexStatistics
    from askwhere.indexer.tables import Contents

log = logging.getLogger("askwhere")

# A table that has changed since it was indexed is indexed again in memory if it has at most so many rows.
READ_AGAIN = 20_000
TRIES = 3  # to open an index that other connections change meanwhile
TRY_SECONDS = 0.5  # for indexing in memory at each of these tries
# A refresh builds the whole index again where there are so many segments of fewer words than this.
MOST_SEGMENTS, FEW_WORDS = 16, 1_000_000

Result = TypeVar("Result")


def build(
    engine: Engine, catalog: Catalog, limits: Limits, tell: Tell = silent, check: Callable[[], None] = lambda: None
) -> str:
    """Index every table of the catalog, in place of an earlier index. Return what was done, as a sentence.

    `tell` is called before each column is read, with its name, how many are done and how many there are. `check` is
    called once all are read; where it raises, the earlier index stays.
    """
    return _build(engine, catalog, _permanent(catalog), limits, tell, check, anew=True)


def refresh(engine: Engine, catalog: Catalog, name: str, limits: Limits, tell: Tell, check: Callable[[], None]) -> str:
    """Index one table again, as `build` does. Return what was done.

    Raise `ArgumentError` if there is no such table.
    """
    named = [t for t in _permanent(catalog) if name.lower() in (t.name.lower(), ".".join(t.path).lower())]
    if not named:
        near = suggestion(name, (t.name for t in _permanent(catalog)))
        raise ArgumentError(
            f"ask_index(): expected 'drop' or the name of a table that can be asked, found {name!r}{near};"
            " the setting index_columns says which columns are indexed"
        )
    from askwhere.indexer import tables

    storage = engine.storage()
    anew = not tables.exists(storage) or _small_segments(tables.contents(storage)) >= MOST_SEGMENTS
    return _build(engine, catalog, _permanent(catalog) if anew else named[:1], limits, tell, check, anew)


def _small_segments(contents: Contents) -> int:
    """Return the number of segments of fewer than `FEW_WORDS` words."""
    words = {segment.number: 0 for segment in contents.segments}
    for column in contents.columns:
        if not column.left_out:
            words[column.segment] += column.n_words
    return sum(n < FEW_WORDS for n in words.values())


def drop(engine: Engine) -> str:
    """Remove the index with all of its tables. Return what was done."""
    from askwhere.indexer import tables

    with engine.building() as storage:
        existed = tables.drop(storage)
    return "the value index was dropped" if existed else "there was no value index"


def _permanent(catalog: Catalog) -> list[Table]:
    """Return the tables that are not temporary."""
    return [table for table in catalog.tables if table.path[0] != "temp"]


def _build(
    engine: Engine,
    catalog: Catalog,
    chosen: list[Table],
    limits: Limits,
    tell: Tell,
    check: Callable[[], None],
    anew: bool,
) -> str:
    """Index the `chosen` tables: with `anew` in a new index, otherwise in new segments of the stored index."""
    from askwhere.indexer import build as build_
    from askwhere.indexer import tables
    from askwhere.indexer.indexed import Report
    from askwhere.indexer.tables import Contents

    started = time.monotonic()
    report = Report(catalog.tables)
    with engine.building() as storage:
        first, sink = 0, build_.StorageSink(storage=storage, staging=storage.staging if anew else "")
        if anew:
            tables.begin(storage)
        else:
            first = tables.begin_again(storage, [table.path for table in chosen])
        stamps = engine.stamps()
        build_.write(map(report.counted, _columns(engine, chosen, limits, tell)), sink, first)
        check()
        if sink.staging:
            tables.unstage(storage)
        read = {table.path: stamps[table.path] for table in chosen if table.path in stamps}
        tables.finish(storage, Contents(secrets.token_hex(8), tuple(sink.segments), tuple(sink.columns), read))
    return report.text(time.monotonic() - started)


def _columns(engine: Engine, tables: list[Table], limits: Limits, tell: Tell) -> Iterator[ColumnValues]:
    """Yield the values of each column of some tables."""
    from askwhere.indexer import build as build_

    pairs = [(table, column) for table in tables for column in table.columns]
    for done, (table, column) in enumerate(pairs):
        tell(f"{table.name}.{column.name}", done, len(pairs))
        yield build_.read(engine, table, column, limits)
    tell("", len(pairs), len(pairs))


@frozen
class Opened:
    """The index of a catalog: its stored part, with its generation, its part in memory, and notes for the user."""

    generation: str
    statistics: IndexStatistics | None
    memory: MemoryIndex | None
    notes: tuple[str, ...] = ()


def open_(engine: Engine, catalog: Catalog, seconds: float = 2.0) -> Opened:
    """Return the stored index, if there is one, with an index in memory of the columns it lacks.

    Indexing in memory takes at most `seconds`. Where another connection builds or drops the stored index meanwhile, it
    is opened again. Raise `DatabaseError` where the stored index is damaged.
    """
    for _ in range(TRIES - 1):
        before = _generation(engine)
        try:
            opened = _open(engine, catalog, seconds)
        except DatabaseError:
            if before is not None and _generation(engine) == before:
                raise
        else:
            if is_current(opened, engine):
                return opened
    return _open(engine, catalog, seconds)


def _open(engine: Engine, catalog: Catalog, seconds: float) -> Opened:
    """Return the index of a catalog as it is now. Raise `DatabaseError` where the stored part is damaged."""
    from askwhere.indexer import build as build_
    from askwhere.indexer import tables

    storage = engine.storage()
    if not tables.exists(storage):
        memory = build_.in_memory(engine, catalog, seconds)
        return Opened("", None, memory, _incomplete(memory))
    contents = tables.contents(storage)
    with tables.reporting_damage():
        return _open_stored(engine, catalog, contents, seconds)


def _open_stored(engine: Engine, catalog: Catalog, contents: Contents, seconds: float) -> Opened:
    """Return the index of the stored contents, with columns that are missing, or small and stale, in memory."""
    from askwhere.indexer import build as build_
    from askwhere.indexer import scoring

    indexed, now = contents.stamps, engine.stamps()
    stale = [t for t in catalog.tables if t.path in indexed and indexed[t.path] != now.get(t.path, "")]
    again = {t.path for t in stale if t.rows is not None and t.rows <= READ_AGAIN}
    known = {(c.path, c.name): c for c in contents.columns if c.path not in again}
    visible = {(t.path, c.name) for t in catalog.tables for c in t.columns}
    # Raises for a damaged index before anything is read.
    statistics = scoring.index_statistics(contents, visible & known.keys())
    missing = _only(catalog, visible - known.keys())
    memory = build_.in_memory(engine, missing, seconds) if missing.tables else None
    notes = _incomplete(memory) if memory else ()
    late = [t.name for t in stale if t.path not in again]
    if late:
        notes += (
            f"changed since they were indexed: {', '.join(late)}; SELECT ask_index() brings the index up to date",
        )
    return Opened(contents.generation, statistics, memory, notes)


def _only(catalog: Catalog, columns: set[tuple[tuple[str, ...], str]]) -> Catalog:
    """Return the catalog with only these columns."""
    cut = (replace(t, columns=tuple(c for c in t.columns if (t.path, c.name) in columns)) for t in catalog.tables)
    return replace(catalog, tables=tuple(t for t in cut if t.columns))


def _incomplete(memory: MemoryIndex) -> tuple[str, ...]:
    """Return a note on the columns that were not read completely."""
    if not memory.left_out:
        return ()
    names = [f"{path[-1]}.{column}" for path, column in memory.left_out]
    advice = "SELECT ask_index() reads them whole, and says which it leaves out and why"
    return (f"not all values were read of {first_of(names, 5)}; {advice}",)


@dataclass
class Values:
    """An opened index and the engine to read it with: its stored part and its part in memory, as one `ValueIndex`."""

    opened: Opened
    engine: Engine
    catalog: Catalog

    @property
    def flags(self) -> frozenset[tuple[tuple[str, ...], str]]:
        """Return the columns of 0 and 1 of both parts, as `ValueIndex.flags` does."""
        parts = (self.opened.statistics, self.opened.memory)
        return frozenset[tuple[tuple[str, ...], str]]().union(*(part.flags for part in parts if part))

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """Search both parts, as `ValueIndex.search` does. Raise `DatabaseError` where the stored part is damaged."""
        return self._read(lambda parts: [match for part in parts for match in part.search(text, k, fill)])

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """Look up in both parts, as `ValueIndex.exact` does. Raise `DatabaseError` where the stored part is damaged."""
        listed = list(phrases)

        def read(parts: Iterable[ValueIndex]) -> dict[str, tuple[Match, ...]]:
            merged: dict[str, tuple[Match, ...]] = {}
            for part in parts:
                for phrase, matches in part.exact(listed).items():
                    merged[phrase] = merged.get(phrase, ()) + matches
            return merged

        return self._read(read)

    def _read(self, read: Callable[[Iterable[ValueIndex]], Result]) -> Result:
        """Return the result of `read` for the parts of one state of the index.

        Other connections may build or drop the index meanwhile; then it is opened and read again.
        """
        from askwhere.indexer import build as build_
        from askwhere.indexer import tables

        for _ in range(TRIES):
            try:
                with tables.reporting_damage():
                    result = read(_parts(self.opened, self.engine))
            except DatabaseError:
                if is_current(self.opened, self.engine):
                    raise
            else:
                if self.opened.statistics is None or is_current(self.opened, self.engine):
                    return result
            self.opened = open_(self.engine, self.catalog, TRY_SECONDS)
        # The index changes faster than it can be read, so all values are indexed in memory, as without an index.
        self.opened = Opened("", None, build_.in_memory(self.engine, self.catalog, TRY_SECONDS))
        return read(_parts(self.opened, self.engine))


def _parts(opened: Opened, engine: Engine) -> Iterator[ValueIndex]:
    """Yield the stored part of an index, if there is one, then the part in memory."""
    if opened.statistics is not None:
        from askwhere.indexer import lookup

        yield lookup.Index(opened.statistics, engine.storage().fetch)
    if opened.memory is not None:
        yield opened.memory


def is_current(opened: Opened, engine: Engine) -> bool:
    """Return whether the stored index is still the opened one; False where it cannot be read."""
    return _generation(engine) == opened.generation


def _generation(engine: Engine) -> str | None:
    """Return the generation of the stored index, '' where there is none, and None where it cannot be read."""
    from askwhere.indexer import tables

    storage = engine.storage()
    with contextlib.suppress(DatabaseError):
        return tables.generation(storage) if tables.exists(storage) else ""
    return None
