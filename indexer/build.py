"""Builds the value index, column by column in bounded memory: into the database's own tables, or into memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from askwhere.engine import Column, Engine, Storage, Table
from askwhere.indexer import lookup, postings, tables
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.segment import BLOCK, Piece, blocks, near_lists, piece, segment
from askwhere.indexer.tables import Contents, StoredColumn, StoredSegment

# A segment is closed when it has this many words: about 100 bytes of memory for each.
WORDS_PER_SEGMENT = 3_000_000
# Columns of fewer values than this are indexed whatever they hold.
FEW = 1_000


@dataclass(frozen=True)
class Limits:
    """Which values are names that a question may mention.

    `characters`: of one value, at most. `values`: different ones of a column, at most. `words`: where nearly every row
    has a text of its own, and these have more words than this on average, it is prose. `numbers`: numeric columns too.
    """

    characters: int = 200
    values: int = 1_000_000
    words: int = 12
    numbers: bool = False


@dataclass(frozen=True)
class ColumnValues:
    """A column's different values, in order; or `left_out`, which says why it has none here."""

    table: Table
    column: Column
    values: Sequence[str]
    left_out: str = ""


class Sink(Protocol):
    """Where a built index goes."""

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keyed blobs of a segment."""

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """A segment that is complete, and its columns."""


def read(engine: Engine, table: Table, column: Column, limits: Limits) -> ColumnValues:
    """The values of a column that may be named in a question."""
    seen: set[str] = set()
    rows = 0
    for count, batch in engine.scan(table, column, limits.characters, limits.numbers):
        rows += count
        seen.update(batch)
        if len(seen) > limits.values:
            return ColumnValues(table, column, (), f"more than {limits.values:,} different values")
    seen.discard("")
    if len(seen) > FEW and len(seen) > 0.9 * rows:
        words = (" ".join(seen).count(" ") + 1) / len(seen)
        if words > limits.words:
            return ColumnValues(table, column, (), f"prose: {words:.0f} words a value, nearly all different")
    return ColumnValues(table, column, sorted(seen))


def write(columns: Iterable[ColumnValues], sink: Sink, first_segment: int = 0) -> None:
    """Put the columns into a sink, in segments numbered from `first_segment`."""
    number = first_segment
    open_: list[tuple[ColumnValues, Piece]] = []
    size = 0
    for found, made in _split_ahead(columns):
        if made is None:
            path, name = found.table.path, found.column.name
            sink.close(None, [StoredColumn(-1, 0, path, name, left_out=found.left_out or "no text")])
            continue
        if open_ and size + len(made.words.numbers) > WORDS_PER_SEGMENT:
            _close(number, open_, sink)
            number, open_, size = number + 1, [], 0
        first = sum(len(p.words.lengths) for _, p in open_)
        sink.add(tables.VALUES, number, ((first // BLOCK + i, b) for i, b in enumerate(blocks(found.values))))
        open_.append((ColumnValues(found.table, found.column, ()), made))
        size += len(made.words.numbers)
    if open_:
        _close(number, open_, sink)


def _split_ahead(columns: Iterable[ColumnValues]) -> Iterator[tuple[ColumnValues, Piece | None]]:
    """Each column with its values split into words, which a thread does while the next column is read."""
    with ThreadPoolExecutor(1) as pool:
        waiting: tuple[ColumnValues, Future[Piece]] | None = None
        for found in columns:
            split = pool.submit(piece, found.values) if found.values and not found.left_out else None
            if waiting:
                yield waiting[0], waiting[1].result()
            waiting = (found, split) if split else None
            if not split:
                yield found, None
        if waiting:
            yield waiting[0], waiting[1].result()


def _close(number: int, columns: Sequence[tuple[ColumnValues, Piece]], sink: Sink) -> None:
    made = segment([p for _, p in columns])
    sink.add(tables.POSTINGS, number, postings.encode(made.words, made.lists, made.pairs, made.bits))
    sink.add(tables.NEAR, number, near_lists(made.words))
    stored = [
        StoredColumn(
            number, place, c.table.path, c.column.name, s.first, s.n_values, s.n_words, s.n_distinct, s.sum_idf
        )
        for place, ((c, _), s) in enumerate(zip(columns, made.columns, strict=True))
    ]
    sink.close(StoredSegment(number, made.bits, made.pairs.pack()), stored)


@dataclass(frozen=True)
class StorageSink:
    """Writes into the database's own tables."""

    storage: Storage

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """See `Sink.add`."""
        tables.add(self.storage, table, segment, rows)

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """See `Sink.close`."""
        if segment:
            tables.add_segment(self.storage, segment)
        tables.add_columns(self.storage, columns)


@dataclass
class MemorySink:
    """Keeps the index in memory, the same bytes in dictionaries."""

    blobs: dict[str, dict[int, bytes]] = field(default_factory=dict)
    segments: list[StoredSegment] = field(default_factory=list)
    columns: list[StoredColumn] = field(default_factory=list)

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """See `Sink.add`."""
        self.blobs.setdefault(table, {}).update((segment << 32 | key, content) for key, content in rows)

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """See `Sink.close`."""
        self.segments += [segment] if segment else []
        self.columns += columns

    def fetch(self, table: str, keys: Sequence[int]) -> dict[int, bytes]:
        """The blobs of these keys that there are."""
        blobs = self.blobs.get(table, {})
        return {key: blobs[key] for key in keys if key in blobs}

    def index(self) -> lookup.Index:
        """What was put in, to be searched."""
        contents = Contents("", tuple(self.segments), tuple(self.columns), {})
        wanted = [(column.path, column.name) for column in self.columns]
        return lookup.Index(lookup.frame(contents, wanted), self.fetch)


def in_memory(
    engine: Engine, catalog: Catalog, seconds: float, per_column: int
) -> tuple[lookup.Index, list[tuple[tuple[str, ...], str]]]:
    """An index in memory, and the columns of which it has not all values."""
    left_out: list[tuple[tuple[str, ...], str]] = []
    sink = MemorySink()
    write(_sampled(engine, catalog, time.monotonic() + seconds, per_column, left_out.append), sink)
    return sink.index(), left_out


def _sampled(
    engine: Engine,
    catalog: Catalog,
    deadline: float,
    per_column: int,
    leave_out: Callable[[tuple[tuple[str, ...], str]], None],
) -> Iterator[ColumnValues]:
    for table in sorted(catalog.tables, key=lambda t: t.rows or 0):
        for column in table.columns:
            if time.monotonic() > deadline:
                leave_out((table.path, column.name))
                continue
            found = engine.values(table, column, per_column + 1)
            if len(found) > per_column:
                leave_out((table.path, column.name))
            yield ColumnValues(table, column, sorted({value for value in found[:per_column] if value}))
