"""Read the values of DuckDB's columns, with or without an index, and stamps that change when a table does."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import duckdb
from askwhere.bindings.duckdb import attached, view_files, wrong_types
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.engine import Column, Limits, Scanned, Table, Unreadable
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote, quote_path

# Seconds to read a column for its values; one that takes longer is found only by the index kept in the file.
SECONDS = 2.0
SMALL = 1_000  # rows of a table whose columns are read together with others
TOGETHER = 50  # columns that are read by one statement
LONGEST = 1_000  # characters: a longer text is taken for prose, and left out
# Values joined into one text, and rows read at once: those of a row group.
_VALUES, _ROWS = 50_000, 122_880
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL")
_STAMPS = """
SELECT database_name, schema_name, table_name, estimated_size, hash(sql), TRUE FROM duckdb_tables()
WHERE NOT internal AND NOT temporary AND NOT starts_with(lower(table_name), 'askwhere_')
UNION ALL
SELECT database_name, schema_name, view_name, NULL, hash(sql), FALSE FROM duckdb_views()
WHERE NOT internal AND NOT temporary
"""


def scan(connection: Connection, table: Table, column: Column, longest: int, numbers: bool, most: int) -> Scanned:
    """See `Engine.scan`. In large tables DuckDB itself removes repeated values, within ranges of rows."""
    kind = column.type.upper()
    kept = ("VARCHAR", "ENUM", "JSON") + (_NUMBERS + _FRACTIONS if numbers else ())
    text, path = f"{quote(column.name)}::VARCHAR", quote_path(table.path)
    rows = f"SELECT {text} AS v FROM {path} WHERE length({text}) <= {int(longest)}"
    try:
        if not kind.startswith(kept) or kind.endswith("]"):
            wrong_types.check(connection, table, column)
            return
        count = connection.execute(f"SELECT count(*) FROM {path}").fetchall()[0][0]
        if count > _ROWS and _has_rowid(connection, table):
            last = count // _ROWS * _ROWS
            for first in range(0, last, _ROWS):
                yield from _joined(connection, f"{rows} AND rowid >= {first} AND rowid < {first + _ROWS}", _ROWS)
            # All others: rowids go beyond the number of rows where rows were deleted or are not committed.
            rows += f" AND rowid >= {last}"
        elif count > 2 * most and _differing(connection, rows) > 2 * most:
            yield from _streamed(connection, rows)
            return
        yield from _joined(connection, rows, count)
    except wrong_types.OF_VALUES as exc:
        raise Unreadable(f"{'.'.join(table.path)}.{column.name} cannot be read") from exc
    except duckdb.Error as exc:
        raise DatabaseError(f"{'.'.join(table.path)} cannot be read: {exc}") from exc


def _has_rowid(connection: Connection, table: Table) -> bool:
    """Return whether DuckDB numbers the table's rows, from 0."""
    kinds = "SELECT type FROM duckdb_databases() WHERE database_name = ?"
    own = table.kind == "table" and connection.execute(kinds, [table.path[0]]).fetchall() == [("duckdb",)]
    return own and all(column.name.lower() != "rowid" for column in table.columns)


def _differing(connection: Connection, rows: str) -> int:
    """Return about how many different texts there are, which takes little memory, however many."""
    return int(connection.execute(f"SELECT approx_count_distinct(v) FROM ({rows})").fetchall()[0][0])


def _streamed(connection: Connection, rows: str) -> Scanned:
    """Yield rows as DuckDB reads them, for a caller that stops early: `_joined` holds all distinct texts in memory."""
    result = connection.execute(rows)
    try:
        while batch := result.fetchmany(_VALUES):
            yield len(batch), [text for (text,) in batch]
    except GeneratorExit:
        connection.interrupt()  # else DuckDB goes on computing what is not read to its end
        raise


def _joined(connection: Connection, rows: str, count: int) -> Scanned:
    """Yield batches of the texts in the column `v` of `rows`; DuckDB joins many into one, to fetch them faster.

    Those that contain the separator, which are `odd`, are fetched one by one.
    """
    joined = "SELECT sum(n)::BIGINT, string_agg(v, chr(31)) FILTER (NOT odd), list(v) FILTER (odd)"
    if count <= _VALUES:
        joined += f" FROM (SELECT v, 1 AS n, contains(v, chr(31)) AS odd FROM ({rows}))"
    else:
        joined += f" FROM (SELECT v, count(*) AS n, contains(v, chr(31)) AS odd FROM ({rows}) GROUP BY v)"
        joined += f" GROUP BY hash(v) % {count // _VALUES + 1}"
    result = connection.execute(joined)
    while row := result.fetchone():
        n, texts, odd = row
        yield n or 0, (texts.split("\x1f") if texts is not None else []) + (odd or [])


def values(connection: Connection, columns: Sequence[tuple[Table, Column]], limit: int) -> Iterator[list[str]]:
    """See `Engine.values`: those of small tables together, as each statement costs a millisecond."""
    for small, group in groupby(columns, lambda column: _is_small(column[0])):
        listed = list(group)
        for first in range(0, len(listed), TOGETHER if small else 1):
            part = listed[first : first + TOGETHER]
            yield from _together(connection, part, limit) if small else [_read(connection, *listed[first], limit)]


def _is_small(table: Table) -> bool:
    # A source that does not count its rows may say 0.
    return table.kind == "table" and table.rows is not None and 0 < table.rows <= SMALL


def _together(connection: Connection, columns: Sequence[tuple[Table, Column]], limit: int) -> Iterator[list[str]]:
    """Yield the texts of each column of small tables. Most of the time goes into planning: each table is read once."""
    texts = [(n, table, column) for n, (table, column) in enumerate(columns) if _has_texts(column)]
    by_table = [(table, [*group]) for table, group in groupby(texts, lambda text: text[1])]
    parts = [
        f"SELECT {n} AS n, [{', '.join(_text(column) for *_, column in group)}] AS v FROM {quote_path(table.path)}"
        for n, (table, group) in enumerate(by_table)
    ]
    short = f"list_transform(v, lambda x: CASE WHEN length(x) BETWEEN 1 AND {LONGEST} THEN x END)"
    sql = f"SELECT n, {short} FROM ({' UNION ALL '.join(parts)})"
    rows = _rows(connection, sql) if parts else []
    if rows is None:
        yield from (_read(connection, table, column, limit) for table, column in columns)
        return
    found: list[set[str | None]] = [set() for _ in columns]
    for n, row in rows:
        for (place, *_), value in zip(by_table[n][1], row, strict=True):
            found[place].add(value)
    yield from (sorted(value for value in values if value) for values in found)


def _read(connection: Connection, table: Table, column: Column, limit: int) -> list[str]:
    """Return the texts of a column, none for one that takes too long, or for a view over a table that is gone."""
    if not _has_texts(column):
        return []
    text = _text(column)
    where = f"length({text}) BETWEEN 1 AND {LONGEST}"
    sql = f"SELECT DISTINCT {text} FROM {quote_path(table.path)} WHERE {where} LIMIT {int(limit)}"
    return sorted(value for (value,) in _rows(connection, sql) or ())


def _rows(connection: Connection, sql: str) -> list[tuple[Any, ...]] | None:
    """Return the rows of a query over values; None where they cannot be read, or take too long."""
    try:
        with stopping(connection, Limits(seconds=SECONDS)) as stop:
            return connection.execute(sql).fetchall()
    except (duckdb.Error, UnicodeDecodeError) as exc:
        if isinstance(exc, duckdb.InterruptException) and not stop.reason:
            raise
        return None


def _has_texts(column: Column) -> bool:
    return column.type.upper().startswith(("VARCHAR", "ENUM"))


def _text(column: Column) -> str:
    return f"{quote(column.name)}::VARCHAR"


def stamps(connection: Connection) -> dict[tuple[str, ...], str]:
    """See `Engine.stamps`: the definition and the number of rows; of a view, the state of all that it may read."""
    tables: dict[tuple[str, ...], str] = {}
    views: dict[tuple[str, ...], str] = {}
    for *path, rows, shape, is_table in attached.read(connection, _STAMPS):
        (tables if is_table else views)[tuple(path)] = f"{shape or 0:x} {rows}" if is_table else f"{shape or 0:x}"
    for source in attached.sources(connection):
        tables |= {path: f"{tables.get(path, '')} {mark}" for path, mark in attached.marks(connection, source, tables)}
    files = view_files.states(connection)
    whole = _digest((sorted(tables.items()), sorted(files.items())))
    own = {path: _digest((sorted(tables.items()), state)) for path, state in files.items()}
    return tables | {path: f"{shape} {own.get(path, whole)}" for path, shape in views.items()}


def _digest(facts: object) -> str:
    return f"{zlib.crc32(repr(facts).encode('utf-8', 'replace')):08x}"
