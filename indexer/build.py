"""Builds the value index, column by column in bounded memory: into the database's own tables, or into memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from askwhere.engine import Column, Engine, Storage, Table
from askwhere.indexer import lookup, postings, tables
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.segment import BLOCK, blocks, near_lists, segment
from askwhere.indexer.tables import Contents, StoredColumn, StoredSegment
from askwhere.indexer.words import SEPARATOR, behind_each_other, folded

# A segment has no more bytes of text than this, if it has several columns: ten times as much memory is needed.
BYTES_PER_SEGMENT = 20_000_000
# Of small columns so many blocks of values are written together.
BLOCKS_AT_ONCE = 2_000
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
        """A segment that is complete, and its columns; without one, columns that are left out."""


def read(engine: Engine, table: Table, column: Column, limits: Limits) -> ColumnValues:
    """The values of a column that may be named in a question."""
    seen: set[str] = set()
    values: list[str] = []
    rows = texts = 0
    for count, batch in engine.scan(table, column, limits.characters, limits.numbers):
        rows, texts = rows + count, texts + len(batch)
        seen.update(batch)
        if len(seen) > limits.values:
            return ColumnValues(table, column, (), f"more than {limits.values:,} different values")
        if len(seen) == texts:
            values += batch  # where all are different: they are sorted faster in the order in which they were made
    if len(seen) < texts:
        values = list(seen)
    del seen
    values.sort()
    if values and not values[0]:
        del values[0]
    if len(values) > FEW and len(values) > 0.9 * rows:
        some = values[:: len(values) // FEW]
        words = 1 + "".join(some).count(" ") / len(some)
        if words > limits.words:
            return ColumnValues(table, column, (), f"prose: {words:.0f} words a value, nearly all different")
    return ColumnValues(table, column, values)


def write(columns: Iterable[ColumnValues], sink: Sink, first_segment: int = 0) -> None:
    """Put the columns into a sink, in segments numbered from `first_segment`."""
    opened, left_out = _Opened(first_segment, sink), []
    for found in columns:
        if found.left_out or not found.values:
            path, name = found.table.path, found.column.name
            left_out.append(StoredColumn(-1, 0, path, name, left_out=found.left_out or "no text"))
        else:
            column = _encoded(found)
            del found  # the values need more memory than all that is made of them
            opened.add(column)
    opened.close()
    sink.close(None, left_out)


@dataclass(frozen=True)
class _Encoded:
    """A column whose values are bytes: in blocks to be stored, and as what is to be split into words."""

    path: tuple[str, ...]
    name: str
    n_values: int
    blocks: list[bytes]
    folded: bytes


def _encoded(found: ColumnValues) -> _Encoded:
    encoded, ends = behind_each_other(found.values)
    stored = list(blocks(found.values, encoded, ends))
    split_ = folded(found.values, encoded, len(ends))
    return _Encoded(found.table.path, found.column.name, len(found.values), stored, split_)


class _Opened:
    """The segment that is being written."""

    def __init__(self, number: int, sink: Sink) -> None:
        self.number = number
        self.sink = sink
        self.columns: list[tuple[tuple[str, ...], str, int]] = []
        self.n_values = 0  # with those that fill blocks
        self.n_bytes = 0  # of their texts
        self.blocks: list[tuple[int, bytes]] = []  # of values, not yet in the sink
        self.folded: list[bytes] = []  # what is not split yet

    def add(self, column: _Encoded) -> None:
        """A column's values, in the next segment where they would be too many for this one."""
        if self.n_bytes + len(column.folded) > BYTES_PER_SEGMENT:
            self.close()
        self.n_bytes += len(column.folded)
        self.blocks += enumerate(column.blocks, self.n_values // BLOCK)
        if len(self.blocks) >= BLOCKS_AT_ONCE:
            self._write_blocks()
        self.columns.append((column.path, column.name, column.n_values))
        filling = -column.n_values % BLOCK
        self.n_values += column.n_values + filling
        self.folded += [column.folded, filling * SEPARATOR.encode()]

    def _write_blocks(self) -> None:
        self.sink.add(tables.VALUES, self.number, self.blocks)
        self.blocks = []

    def close(self) -> None:
        """Write what the columns have in common."""
        if not self.columns:
            return
        self._write_blocks()
        made = segment(self.folded, [n for _, _, n in self.columns])
        self.sink.add(tables.POSTINGS, self.number, postings.encode(made.words, made.lists, made.pairs, made.bits))
        self.sink.add(tables.NEAR, self.number, near_lists(made.words))
        stored = [
            StoredColumn(self.number, place, path, name, s.first, s.n_values, s.n_words, s.n_distinct, s.sum_idf)
            for place, ((path, name, _), s) in enumerate(zip(self.columns, made.columns, strict=True))
        ]
        described = StoredSegment(self.number, made.bits, made.pairs.pack())
        del made  # while the sink commits
        self.sink.close(described, stored)
        self.number, self.columns, self.n_values, self.n_bytes = self.number + 1, [], 0, 0


@dataclass
class StorageSink:
    """Writes blobs into the database's own tables, those whose names have `staging` behind; keeps the descriptions."""

    storage: Storage
    staging: str
    segments: list[StoredSegment] = field(default_factory=list)
    columns: list[StoredColumn] = field(default_factory=list)

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """See `Sink.add`."""
        tables.add(self.storage, table + self.staging, segment, rows)

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """See `Sink.close`."""
        self.segments += [segment] if segment else []
        self.columns += columns
        if self.staging:
            self.storage.commit()


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
    """An index in memory, and the columns of which it has not all values.

    `seconds` are processor time: what else the machine does must not change what a question finds. What waits for a
    disk, or for the engine's own threads, has five times as many.
    """
    left_out: list[tuple[tuple[str, ...], str]] = []
    sink = MemorySink()
    work, until = time.thread_time() + seconds, time.monotonic() + 5 * seconds
    late = lambda: time.thread_time() > work or time.monotonic() > until  # noqa: E731
    write(_sampled(engine, catalog, late, per_column, left_out.append), sink)
    return sink.index(), left_out


def _sampled(
    engine: Engine,
    catalog: Catalog,
    late: Callable[[], bool],
    per_column: int,
    leave_out: Callable[[tuple[tuple[str, ...], str]], None],
) -> Iterator[ColumnValues]:
    for table in sorted(catalog.tables, key=lambda t: t.rows or 0):
        for column in table.columns:
            if late():
                leave_out((table.path, column.name))
                continue
            found = engine.values(table, column, per_column + 1)
            if len(found) > per_column:
                leave_out((table.path, column.name))
            yield ColumnValues(table, column, sorted({value for value in found[:per_column] if value}))
