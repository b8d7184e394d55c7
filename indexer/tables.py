"""Create, write, read and drop the tables of the value index in a database.

Both engines have the same format and the same bytes. An index of another format is an error that says to build it anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any

from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.indexer.formats import MOST, damage
from askwhere.sql.identifiers import quote
from askwhere.storage import Storage

FORMAT = "askwhere_index"
SEGMENTS, COLUMNS, TABLES = "askwhere_index_segments", "askwhere_index_columns", "askwhere_index_tables"
POSTINGS, VALUES, NEAR = "askwhere_index_postings", "askwhere_index_values", "askwhere_index_near"
_BLOBS = (POSTINGS, VALUES, NEAR)
# Keys of these tables are `segment << 32 | bucket`, `… | block` and `… | size << 8 | first byte`.

# Why a column of numbers is left out that holds 0 and 1, and no other number: it says no and yes.
FLAG = "0 and 1 alone"

# Blobs that are inserted at once.
_ROWS = 2_000
# Other rows that one statement inserts.
_ROWS_AT_ONCE = 100

# What the table `FORMAT` has as the format of an index that this version reads and writes.
_CURRENT = "1"
# Creates the tables. `{0}` is the schema with a dot, or ''; `{1}` the columns of a table of blobs.
_CREATE = (
    f"CREATE TABLE {{0}}{FORMAT} (name TEXT, value TEXT)",
    f"CREATE TABLE {{0}}{TABLES} (path TEXT, stamp TEXT)",
    f"CREATE TABLE {{0}}{SEGMENTS} (segment BIGINT, bits BIGINT, pairs BLOB)",
    f"CREATE TABLE {{0}}{COLUMNS} (segment BIGINT, place BIGINT, path TEXT, name TEXT, first BIGINT,"
    " n_values BIGINT, n_words BIGINT, n_distinct BIGINT, sum_idf DOUBLE, left_out TEXT)",
    *(f"CREATE TABLE {{0}}{name} {{1}}" for name in _BLOBS),
)


@frozen
class StoredColumn:
    """A column in the index, with the statistics of `segment.Statistics`.

    `place` is its number in the segment. `left_out` says why it is not indexed, '' if it is.
    """

    segment: int
    place: int
    path: tuple[str, ...]
    name: str
    first: int = 0
    n_values: int = 0
    n_words: int = 0
    n_distinct: int = 0
    sum_idf: float = 0.0
    left_out: str = ""


@frozen
class StoredSegment:
    """A segment of the index.

    `bits` is how many bits of a word's hash are the number of its bucket; `pairs` is the packed table of codes
    (`postings.Pairs`).
    """

    number: int
    bits: int
    pairs: bytes


@frozen
class Contents:
    """The description of an index, without its blobs. `stamps` are those of `Engine.stamps` when it was built."""

    generation: str
    segments: tuple[StoredSegment, ...]
    columns: tuple[StoredColumn, ...]
    stamps: dict[tuple[str, ...], str]


def reporting_damage() -> contextlib.AbstractContextManager[None]:
    """Return a context that reads an index, as `formats.damage` describes."""
    return damage(
        lambda exc: (
            f"the value index cannot be read ({type(exc).__name__}: {exc}); SELECT ask_index() builds it anew,"
            " SELECT ask_index('drop') removes it"
        )
    )


def exists(storage: Storage) -> bool:
    """Return whether there is an index. Raise `DatabaseError` for one of another format, and for a damaged one."""
    with reporting_damage():
        names = storage.tables()
        if FORMAT not in names:
            return False
        stored = _value(storage, "format")
    if stored != _CURRENT:
        raise DatabaseError(
            f"the value index is of format {stored[:40]!r}, and this askwhere reads {_CURRENT!r}; SELECT ask_index()"
            " builds it anew, SELECT ask_index('drop') removes it"
        )
    # A view of such a name could call functions of the user's, or never end.
    if missing := [name for name in (TABLES, SEGMENTS, COLUMNS, *_BLOBS) if name not in names]:
        raise DatabaseError(
            f"the value index has no table {missing[0]}; SELECT ask_index('drop') removes the index. Drop a view of"
            " that name"
        )
    return True


def generation(storage: Storage) -> str:
    """Return a text that changes with every change of the index, '' before it is complete. Raise `DatabaseError`."""
    with reporting_damage():
        return _value(storage, "generation")


def _value(storage: Storage, name: str) -> str:
    """Return the value of a name in the table `FORMAT`; '' where it has none."""
    rows = storage.execute(f"SELECT value FROM {storage.prefix}{FORMAT} WHERE name = ? LIMIT 1", (name,))
    if rows and not isinstance(rows[0][0], str):  # a blob of a damaged file may have a hundred megabytes
        raise ValueError(f"{FORMAT} has no text for {name!r}")
    return rows[0][0] if rows else ""


def contents(storage: Storage) -> Contents:
    """Return the description of the index. Raise `DatabaseError` where it is damaged."""
    with reporting_damage():
        if inflating := [name for name in (SEGMENTS, COLUMNS, TABLES, *_BLOBS) if storage.inflates(name)]:
            raise ValueError(f"{inflating[0]} has far more bytes than the file")
        segments = _rows(storage, "segment, bits, pairs", SEGMENTS)
        columns = sorted(_rows(storage, "*", COLUMNS), key=lambda row: row[:2])
        stamps = _rows(storage, "path, stamp", TABLES)
        read = Contents(
            _value(storage, "generation"),
            tuple(StoredSegment(int(n), int(bits), bytes(pairs)) for n, bits, pairs in sorted(segments)),
            tuple(_stored_column(*row) for row in columns),
            {tuple(json.loads(path)): stamp for path, stamp in stamps},
        )
        if lost := {c.segment for c in read.columns if not c.left_out} - {s.number for s in read.segments}:
            raise ValueError(f"{SEGMENTS} lacks {lost.pop()!r}, which {COLUMNS} names")
        return read


def _stored_column(segment: int, place: int, path: str, name: str, *rest: Any) -> StoredColumn:
    """Return a column of the index. Raise ValueError or TypeError for a statistic that is no number."""
    first, n_values, n_words, n_distinct, sum_idf, left_out = rest
    counts = int(first), int(n_values), int(n_words), int(n_distinct)
    return StoredColumn(segment, place, tuple(json.loads(path)), name, *counts, float(sum_idf), left_out)


def _rows(storage: Storage, names: str, table: str) -> list[tuple[Any, ...]]:
    """Return some columns of a table's rows. Raise ValueError where no index of ours has so many."""
    rows = storage.execute(f"SELECT {names} FROM {storage.prefix}{table} LIMIT {MOST + 1}")
    if len(rows) > MOST:
        raise ValueError(f"{table} has more than {MOST:,} rows")
    return rows


def _create(storage: Storage) -> None:
    """Create the tables, and write the format."""
    for statement in _CREATE:
        storage.execute(statement.format(storage.prefix, storage.keyed))
    _set(storage, "format", _CURRENT)


def begin(storage: Storage) -> None:
    """Create empty tables for a new index.

    With `Storage.staging` these are additional tables for the blobs; the old index stays in use until `unstage`.
    """
    if not storage.staging:
        drop(storage)
        _create(storage)
        return
    for name in _BLOBS:
        storage.execute(f"CREATE TABLE {storage.prefix}{name}{storage.staging} {storage.keyed}")
    storage.commit()


def begin_again(storage: Storage, paths: Iterable[tuple[str, ...]]) -> int:
    """Delete the index of some tables' columns, to index them again. Return the number of the next segment."""
    for path in paths:
        forget_table(storage, path)
    return max((segment.number for segment in contents(storage).segments), default=-1) + 1


def unstage(storage: Storage) -> None:
    """Replace the old index by the staged tables."""
    drop(storage, but=[f"{name}{storage.staging}" for name in _BLOBS])
    _create(storage)
    for name in _BLOBS:
        storage.execute(f"DROP TABLE {storage.prefix}{name}")
        storage.execute(f"ALTER TABLE {storage.prefix}{name}{storage.staging} RENAME TO {name}")


def _set(storage: Storage, name: str, value: str) -> None:
    storage.execute(f"DELETE FROM {storage.prefix}{FORMAT} WHERE name = ?", (name,))
    storage.execute(f"INSERT INTO {storage.prefix}{FORMAT} VALUES (?, ?)", (name, value))


def finish(storage: Storage, added: Contents) -> None:
    """Write the description of the segments that were added, and the new generation."""
    _add_rows(storage, SEGMENTS, [(segment.number, segment.bits, segment.pairs) for segment in added.segments])
    rows = []
    for c in added.columns:
        row = (c.segment, c.place, json.dumps(c.path), c.name, c.first, c.n_values, c.n_words, c.n_distinct, c.sum_idf)
        rows.append((*row, c.left_out))
    _add_rows(storage, COLUMNS, rows)
    _add_rows(storage, TABLES, [(json.dumps(path), stamp) for path, stamp in added.stamps.items()])
    _set(storage, "generation", added.generation)


def _add_rows(storage: Storage, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, many with one statement: DuckDB takes half a millisecond per statement, whatever its rows."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        batch = rows[first : first + _ROWS_AT_ONCE]
        places = ", ".join([f"({', '.join('?' * len(batch[0]))})"] * len(batch))
        storage.execute(f"INSERT INTO {storage.prefix}{table} VALUES {places}", list(chain.from_iterable(batch)))


def add(storage: Storage, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
    """Insert blobs of a segment, a few thousand at a time."""
    base = segment << 32
    numbered = ((base | key, content) for key, content in rows)
    while batch := list(islice(numbered, _ROWS)):
        storage.insert(table, batch)


def forget_table(storage: Storage, path: tuple[str, ...]) -> None:
    """Delete a table's columns, and the segments that have no other columns."""
    storage.execute(f"DELETE FROM {storage.prefix}{COLUMNS} WHERE path = ?", (json.dumps(path),))
    storage.execute(f"DELETE FROM {storage.prefix}{TABLES} WHERE path = ?", (json.dumps(path),))
    used = f"SELECT segment FROM {storage.prefix}{COLUMNS} WHERE left_out = ''"
    for (number,) in storage.execute(f"SELECT segment FROM {storage.prefix}{SEGMENTS} WHERE segment NOT IN ({used})"):
        for table in _BLOBS:
            bounds = (number << 32, (number + 1) << 32)
            storage.execute(f"DELETE FROM {storage.prefix}{table} WHERE k >= ? AND k < ?", bounds)
        storage.execute(f"DELETE FROM {storage.prefix}{SEGMENTS} WHERE segment = ?", (number,))


def drop(storage: Storage, but: Sequence[str] = ()) -> bool:
    """Drop every table of the index, of any format, except those in `but`. Return whether there was one."""
    own = (name for name in storage.tables() if name == FORMAT or name.startswith(f"{FORMAT}_"))
    dropped = [name for name in own if name not in but]
    for name in dropped:
        storage.execute(f"DROP TABLE {storage.prefix}{quote(name)}")
    return bool(dropped)
