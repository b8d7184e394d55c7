"""The index's own tables in a database: how they are made, written, read and removed.

One format in both engines, and the same bytes. A newer format is refused with what to do; an older one is brought up to
date by the migrations that follow it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from askwhere.engine import Storage, quote
from askwhere.errors import AskError, DatabaseError

FORMAT = "askwhere_index"
SEGMENTS, COLUMNS, TABLES = "askwhere_index_segments", "askwhere_index_columns", "askwhere_index_tables"
POSTINGS, VALUES, NEAR = "askwhere_index_postings", "askwhere_index_values", "askwhere_index_near"
_BLOBS = (POSTINGS, VALUES, NEAR)
# Keys of the last three are `segment << 32 | bucket`, `… | block` and `… | size << 8 | first byte`.

_ROWS = 2_000
# Rows to a statement, where a row is not a key and a blob.
_ROWS_AT_ONCE = 100

# Each is applied to a database of the format before; the number of the last is the format.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        f"CREATE TABLE {{0}}{FORMAT} (name TEXT, value TEXT)",
        f"CREATE TABLE {{0}}{TABLES} (path TEXT, stamp TEXT)",
        f"CREATE TABLE {{0}}{SEGMENTS} (segment BIGINT, bits BIGINT, pairs BLOB)",
        f"CREATE TABLE {{0}}{COLUMNS} (segment BIGINT, place BIGINT, path TEXT, name TEXT, first BIGINT,"
        " n_values BIGINT, n_words BIGINT, n_distinct BIGINT, sum_idf DOUBLE, left_out TEXT)",
        f"CREATE TABLE {{0}}{POSTINGS} {{1}}",
        f"CREATE TABLE {{0}}{VALUES} {{1}}",
        f"CREATE TABLE {{0}}{NEAR} {{1}}",
    ),
)


@dataclass(frozen=True)
class StoredColumn:
    """A column as the index knows it; `left_out` says why it has no values there, `''` where it has."""

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


@dataclass(frozen=True)
class StoredSegment:
    """A segment's number, the bits of a hash that say the bucket, and its table of codes."""

    number: int
    bits: int
    pairs: bytes


@dataclass(frozen=True)
class Contents:
    """What an index holds, without its lists: `stamps` say what each table was like when it was read."""

    generation: str
    segments: tuple[StoredSegment, ...]
    columns: tuple[StoredColumn, ...]
    stamps: dict[tuple[str, ...], str]


@contextlib.contextmanager
def understood() -> Iterator[None]:
    """Where what is read of an index meanwhile makes no sense, `DatabaseError`: anyone may have changed the file."""
    try:
        yield
    except AskError:
        raise
    except Exception as exc:  # the engines' own errors, and whatever a cell of another kind than was written leads to
        raise DatabaseError(
            f"the value index cannot be read ({type(exc).__name__}: {exc}); SELECT ask_index() builds it anew,"
            " SELECT ask_index('drop') removes it"
        ) from exc


def exists(storage: Storage) -> bool:
    """Whether there is an index. Raises `DatabaseError` for one of a newer format, and for a damaged one."""
    with understood():
        if FORMAT not in storage.tables():
            return False
        found = _format(storage)
    if found > len(MIGRATIONS):
        raise DatabaseError(
            f"the index was built by a newer askwhere (its format is {found}, this one writes {len(MIGRATIONS)});"
            " upgrade, or SELECT ask_index('drop') and build it again"
        )
    return found == len(MIGRATIONS)


def generation(storage: Storage) -> str:
    """A text that is another after every change of the index; `''` before it is complete. Raises `DatabaseError`."""
    with understood():
        return _generation(storage)


def _generation(storage: Storage) -> str:
    found = storage.execute(f"SELECT value FROM {storage.prefix}{FORMAT} WHERE name = 'generation'")
    return str(found[0][0]) if found else ""


def _format(storage: Storage) -> int:
    found = storage.execute(f"SELECT value FROM {storage.prefix}{FORMAT} WHERE name = 'format'")
    return int(found[0][0]) if found else 0


def contents(storage: Storage) -> Contents:
    """The index's own description of itself. Raises `DatabaseError`."""
    with understood():
        return _contents(storage)


def _contents(storage: Storage) -> Contents:
    segments = storage.execute(f"SELECT segment, bits, pairs FROM {storage.prefix}{SEGMENTS} ORDER BY segment")
    columns = storage.execute(f"SELECT * FROM {storage.prefix}{COLUMNS} ORDER BY segment, place")
    stamps = storage.execute(f"SELECT path, stamp FROM {storage.prefix}{TABLES}")
    return Contents(
        _generation(storage),
        tuple(StoredSegment(int(n), int(bits), bytes(pairs)) for n, bits, pairs in segments),
        tuple(StoredColumn(s, place, tuple(json.loads(path)), *rest) for s, place, path, *rest in columns),
        {tuple(json.loads(path)): stamp for path, stamp in stamps},
    )


def prepare(storage: Storage) -> None:
    """Make the tables, or bring those of an older format up to date."""
    start = _format(storage) if FORMAT in storage.tables() else 0
    for statements in MIGRATIONS[start:]:
        for statement in statements:
            storage.execute(statement.format(storage.prefix, storage.keyed))
    _say(storage, "format", str(len(MIGRATIONS)))


def begin(storage: Storage) -> None:
    """Make empty tables for all that there is to index.

    With `Storage.staging` they are for the blobs only, and those that were there stay until `unstage`.
    """
    if not storage.staging:
        drop(storage)
        prepare(storage)
        return
    for name in _BLOBS:
        storage.execute(f"CREATE TABLE {storage.prefix}{name}{storage.staging} {storage.keyed}")
    storage.commit()


def begin_again(storage: Storage, paths: Iterable[tuple[str, ...]]) -> int:
    """Make the tables ready to take these tables' columns once more; the number of the next segment."""
    prepare(storage)
    for path in paths:
        forget_table(storage, path)
    return max((segment.number for segment in contents(storage).segments), default=-1) + 1


def unstage(storage: Storage) -> None:
    """Put the staged tables in the place of the old ones."""
    drop(storage, but=[f"{name}{storage.staging}" for name in _BLOBS])
    prepare(storage)
    for name in _BLOBS:
        storage.execute(f"DROP TABLE {storage.prefix}{name}")
        storage.execute(f"ALTER TABLE {storage.prefix}{name}{storage.staging} RENAME TO {name}")


def _say(storage: Storage, name: str, value: str) -> None:
    storage.execute(f"DELETE FROM {storage.prefix}{FORMAT} WHERE name = ?", (name,))
    storage.execute(f"INSERT INTO {storage.prefix}{FORMAT} VALUES (?, ?)", (name, value))


def finish(storage: Storage, added: Contents) -> None:
    """Write what describes the lists that were added, and that the index is another one now."""
    _add_rows(storage, SEGMENTS, [(segment.number, segment.bits, segment.pairs) for segment in added.segments])
    rows = []
    for c in added.columns:
        row = (c.segment, c.place, json.dumps(c.path), c.name, c.first, c.n_values, c.n_words, c.n_distinct, c.sum_idf)
        rows.append((*row, c.left_out))
    _add_rows(storage, COLUMNS, rows)
    _add_rows(storage, TABLES, [(json.dumps(path), stamp) for path, stamp in added.stamps.items()])
    _say(storage, "generation", added.generation)


def _add_rows(storage: Storage, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write rows, many with one statement: DuckDB takes half a millisecond for each, of however many rows."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[first : first + _ROWS_AT_ONCE]
        places = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
        storage.execute(f"INSERT INTO {storage.prefix}{table} VALUES {places}", list(chain.from_iterable(some)))


def add(storage: Storage, table: str, segment: int, rows: Iterable[tuple[int, bytes]]) -> None:
    """Write keyed blobs of a segment, a few thousand at a time."""
    base = segment << 32
    for batch in _batches(rows):
        storage.insert(table, [(base | key, content) for key, content in batch])


def _batches(rows: Iterable[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    batch: list[tuple[int, bytes]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def forget_table(storage: Storage, path: tuple[str, ...]) -> None:
    """Drop a table's columns; a segment that has no others is removed with its lists."""
    storage.execute(f"DELETE FROM {storage.prefix}{COLUMNS} WHERE path = ?", (json.dumps(path),))
    storage.execute(f"DELETE FROM {storage.prefix}{TABLES} WHERE path = ?", (json.dumps(path),))
    used = f"SELECT segment FROM {storage.prefix}{COLUMNS} WHERE left_out = ''"
    for (number,) in storage.execute(f"SELECT segment FROM {storage.prefix}{SEGMENTS} WHERE segment NOT IN ({used})"):
        for table in _BLOBS:
            bounds = (number << 32, (number + 1) << 32)
            storage.execute(f"DELETE FROM {storage.prefix}{table} WHERE k >= ? AND k < ?", bounds)
        storage.execute(f"DELETE FROM {storage.prefix}{SEGMENTS} WHERE segment = ?", (number,))


def drop(storage: Storage, but: Sequence[str] = ()) -> bool:
    """Remove every table of the index, of whatever format, `but` these; whether there was one."""
    own = (name for name in storage.tables() if name == FORMAT or name.startswith(f"{FORMAT}_"))
    there = [name for name in own if name not in but]
    for name in there:
        storage.execute(f"DROP TABLE {storage.prefix}{quote(name)}")
    return bool(there)
