"""Build the value index, column by column in bounded memory, in the database's own tables or in memory.

`write` groups columns into segments (`askwhere.indexer.segment`) and passes them as blobs to a `Sink`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from askwhere.engine import Column, Engine, Table, Unreadable
from askwhere.frozen import frozen
from askwhere.indexer import lookup, postings, scoring, tables
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.flags import flags_of
from askwhere.indexer.segment import BLOCK, blocks, near_lists, segment
from askwhere.indexer.tables import FLAG, Contents, StoredColumn, StoredSegment
from askwhere.indexer.words import SEPARATOR, concatenated, folded
from askwhere.patterns import any_fits, patterns
from askwhere.storage import Storage

PER_COLUMN = 20_000  # values that are indexed in memory
# Bytes of text in a segment of several columns. Building it takes ten times as much memory.
BYTES_PER_SEGMENT = 20_000_000
# Blocks of values that are written together, as single ones of small columns would take long.
BLOCKS_AT_ONCE = 2_000
# Characters of a value: longer ones are no names.
LONGEST = 200
# A column is prose, and left out, if its texts have more words than this on average, nearly all of them differ, and
# there are more than `FEW`.
PROSE, FEW = 12, 1_000
# Why a column is left out: it has no texts.
NO_TEXT = "no text"
# Why a column is left out: the engine cannot read a value of it, or it is a view's, which fails.
UNREADABLE = "cannot be read"


@frozen
class Limits:
    """The limits of what is indexed: values that a question may mention.

    A column with more than `values` different values is left out.
    """

    values: int = 1_000_000
    numbers: bool = False  # whether numeric columns are indexed too
    columns: tuple[str, ...] = ()  # patterns of those that are indexed; none for all


@frozen
class ColumnValues:
    """A column's distinct values, sorted; `left_out` says why it has none, '' if it is not left out."""

    table: Table
    column: Column
    values: Sequence[str]
    left_out: str = ""


class Sink(Protocol):
    """The destination of an index that is built."""

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """Take blobs of a segment for a table, as (key, content)."""

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """Take the description of a complete segment and of its columns; with None, columns that are left out."""


def read(engine: Engine, table: Table, column: Column, limits: Limits) -> ColumnValues:
    """Return the distinct values of a column, or why it is left out."""
    if limits.columns and not any_fits(patterns(limits.columns), table.paths(column.name), 2):
        return ColumnValues(table, column, (), "not in index_columns")
    try:
        return _read(engine, table, column, limits)
    except Unreadable:
        return ColumnValues(table, column, (), UNREADABLE)


def _read(engine: Engine, table: Table, column: Column, limits: Limits) -> ColumnValues:
    """Return the values as `read` does, of a column that is indexed. Raise `Unreadable`."""
    seen: set[str] = set()
    values: list[str] = []
    rows = texts = 0
    for count, batch in engine.scan(table, column, LONGEST, limits.numbers, limits.values):
        rows, texts = rows + count, texts + len(batch)
        seen.update(batch)
        if len(seen) > limits.values:
            return ColumnValues(table, column, (), f"more than {limits.values:,} different values")
        if len(seen) == texts:
            values += batch  # while all differ, keep the engine's order: it sorts faster than a set's
    if len(seen) < texts:
        values = list(seen)
    del seen
    values.sort()
    if values and not values[0]:  # the empty text sorts first
        del values[0]
    if values in ([], ["0", "1"]) and flags_of(engine, table, [column]):
        return ColumnValues(table, column, (), FLAG)
    if len(values) > FEW and len(values) > 0.9 * rows:
        sample = values[:: len(values) // FEW]
        words = 1 + "".join(sample).count(" ") / len(sample)
        if words > PROSE:
            return ColumnValues(table, column, (), f"prose: {words:.0f} words a value, nearly all different")
    return ColumnValues(table, column, values)


def write(columns: Iterable[ColumnValues], sink: Sink, first_segment: int = 0) -> None:
    """Write columns to a sink, in segments numbered from `first_segment`."""
    open_segment, left_out = _OpenSegment(first_segment, sink), []
    for values in columns:
        if values.left_out or not values.values:
            path, name = values.table.path, values.column.name
            left_out.append(StoredColumn(-1, 0, path, name, left_out=values.left_out or NO_TEXT))
        else:
            column = _encoded(values)
            del values  # the values take more memory than their encoding
            open_segment.add(column)
    open_segment.close()
    sink.close(None, left_out)


@frozen
class _Encoded:
    """A column's values as bytes: the blocks that are stored, and the folded texts that are split into words."""

    path: tuple[str, ...]
    name: str
    n_values: int
    blocks: list[bytes]
    folded: bytes


def _encoded(column: ColumnValues) -> _Encoded:
    """Return the blocks and the folded texts of a column."""
    encoded, ends = concatenated(column.values)
    stored = list(blocks(column.values, encoded, ends))
    texts = folded(column.values, encoded, len(ends))
    return _Encoded(column.table.path, column.column.name, len(column.values), stored, texts)


class _OpenSegment:
    """The segment that columns are being added to. When it is full, it is written and the next one is begun."""

    def __init__(self, number: int, sink: Sink) -> None:
        self.number = number
        self.sink = sink
        self.columns: list[tuple[tuple[str, ...], str, int]] = []
        self.n_values = 0  # with the empty ones that fill up blocks
        self.n_bytes = 0  # of folded texts
        self.blocks: list[tuple[int, bytes]] = []  # of values, not written yet
        self.folded: list[bytes] = []  # texts, not split yet

    def add(self, column: _Encoded) -> None:
        """Add a column, to the next segment if its texts are too long for this one."""
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
        """Write the blocks, posting lists and descriptions of the segment's columns, and begin the next segment."""
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
        del made  # free the memory while the sink commits
        self.sink.close(described, stored)
        self.number, self.columns, self.n_values, self.n_bytes = self.number + 1, [], 0, 0


@dataclass
class MemorySink:
    """A sink that keeps blobs in dictionaries, and descriptions in lists."""

    segments: list[StoredSegment] = field(default_factory=list)
    columns: list[StoredColumn] = field(default_factory=list)
    blobs: dict[str, dict[int, bytes]] = field(default_factory=dict)

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep blobs, as `Sink.add` describes."""
        self.blobs.setdefault(table, {}).update({segment << 32 | key: content for key, content in rows})

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """Keep descriptions, as `Sink.close` describes."""
        self.segments += [segment] if segment else []
        self.columns += columns

    def fetch(self, table: str, keys: Sequence[int]) -> dict[int, bytes]:
        """Return the blobs of some keys; keys without one are left out."""
        blobs = self.blobs.get(table, {})
        return {key: blobs[key] for key in keys if key in blobs}

    def index(self) -> lookup.Index:
        """Return the index of everything that was added."""
        contents = Contents("", tuple(self.segments), tuple(self.columns), {})
        searched = [(column.path, column.name) for column in self.columns]
        return lookup.Index(scoring.index_statistics(contents, searched), self.fetch)


@dataclass
class StorageSink(MemorySink):
    """A sink that writes blobs to tables of the database, whose names end in `staging`, and keeps descriptions."""

    storage: Storage = field(kw_only=True)
    staging: str = ""

    def add(self, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """Write blobs, as `Sink.add` describes."""
        tables.add(self.storage, table + self.staging, segment, rows)

    def close(self, segment: StoredSegment | None, columns: Sequence[StoredColumn]) -> None:
        """Keep descriptions, as `Sink.close` describes, and commit if the tables are staged."""
        super().close(segment, columns)
        if self.staging:
            self.storage.commit()


@frozen
class MemoryIndex(lookup.Index):
    """A value index in memory, for a database without a stored index, or for columns that the stored one lacks.

    `left_out` are the columns that were not read to their end, as (path of the table, column).
    """

    left_out: Sequence[tuple[tuple[str, ...], str]]


def in_memory(engine: Engine, catalog: Catalog, seconds: float = 2.0) -> MemoryIndex:
    """Index at most `PER_COLUMN` values of each column in memory, small tables first, until `seconds` are spent.

    `seconds` are processor time, so that other work on the machine does not change what a question finds. Indexing also
    ends after five times as many seconds of wall time: reading may wait for a disk, or for the engine's own threads.
    """
    left_out: list[tuple[tuple[str, ...], str]] = []
    sink = MemorySink()
    work, until = time.thread_time() + seconds, time.monotonic() + 5 * seconds
    late = lambda: time.thread_time() > work or time.monotonic() > until  # noqa: E731
    write(_sampled(engine, catalog, late, left_out.append), sink)
    return MemoryIndex(sink.index().statistics, sink.fetch, left_out)


def _sampled(
    engine: Engine, catalog: Catalog, late: Callable[[], bool], leave_out: Callable[[tuple[tuple[str, ...], str]], None]
) -> Iterator[ColumnValues]:
    """Yield the values of columns until `late` returns True; call `leave_out` for each that is not read whole."""
    tables = sorted(catalog.tables, key=lambda t: t.rows or 0)
    columns = [(table, column) for table in tables for column in table.columns]
    read = engine.values(columns, PER_COLUMN + 1)
    silent: dict[tuple[str, ...], list[Column]] = {}  # columns without texts, by the path of their table
    for table, column in columns:
        if late():
            leave_out((table.path, column.name))
            continue
        sample = next(read)
        if len(sample) > PER_COLUMN:
            leave_out((table.path, column.name))
        if sample:
            yield ColumnValues(table, column, sorted({value for value in sample[:PER_COLUMN] if value}))
        else:
            silent.setdefault(table.path, []).append(column)
    for table in tables:
        others = silent.get(table.path, [])
        flags = [] if late() else flags_of(engine, table, others, PER_COLUMN)
        yield from (ColumnValues(table, column, (), FLAG if column in flags else "") for column in others)
