"""Read rows and columns' values from SQLite, without the tracers that the user may have set on the connection."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeAlias

import apsw
from askwhere.engine import Column, Scanned, Table, Unreadable
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote, quote_path

Bounded: TypeAlias = Callable[[], contextlib.AbstractContextManager[object]]
# Rows joined into one text, at first and at most, and the bytes that such a text should have.
_ROWS, _MOST_ROWS, _BYTES = 50_000, 1_000_000, 8 << 20
_ENCODINGS = {b"a": "UTF-8", b"a\0": "UTF-16le", b"\0a": "UTF-16be"}  # by how they write the letter a
# The most rows that are counted to see whether a table has changed; of a larger one only the highest rowid is compared.
COUNTED = 100_000


def plain_cursor(connection: apsw.Connection) -> apsw.Cursor:
    """Return a cursor without the user's tracers, which may change rows or skip statements."""
    if not isinstance(connection, apsw.Connection):
        return connection.cursor()  # a connection of another program's, see loadable/host.py
    cursor = apsw.Cursor(connection)
    if connection.row_trace is not None:
        cursor.row_trace = lambda _, row: row
    if connection.exec_trace is not None:
        cursor.exec_trace = lambda *_: True
    return cursor


def read(connection: apsw.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run one of askwhere's own queries, and return all rows."""
    return plain_cursor(connection).execute(sql, tuple(parameters)).fetchall()


def scan(
    connection: apsw.Connection, table: Table, column: Column, longest: int, numbers: bool, bounded: Bounded
) -> Scanned:
    """See `Engine.scan`. Many rows are joined into one text, which is far cheaper than fetching each.

    Each step of a statement that may compute values runs in the context that `bounded` returns.
    """
    if column.type.upper() == "INTEGER" and table.primary_key == (column.name,) and not numbers:
        return  # an alias of the rowid, which holds numbers only
    name = quote(column.name)
    kinds = "('text', 'integer', 'real')" if numbers else "('text')"
    # SQLite knows a value's bytes without reading it, but not its characters. Before 3.43 it reads it for both.
    size = size_of(connection, name)
    short = f"({size} <= {longest} OR {size} <= {4 * longest} AND length({name}) <= {longest})"
    condition = f"typeof({name}) IN {kinds} AND {short}"
    encoding = encoding_of(connection)
    try:
        rowid = _rowid(connection, table)
        batches = (
            _by_rowid(connection, table, name, condition, rowid, encoding, bounded)
            if rowid
            else _row_by_row(
                connection, f"SELECT {name} FROM {quote_path(table.path)} WHERE {condition}", (), encoding, bounded
            )
        )
        yield from batches
    except (apsw.SQLError, apsw.TooBigError) as exc:  # a view over a table that is gone, or whose expressions fail
        raise Unreadable(f"{'.'.join(table.path)}.{column.name} cannot be read") from exc
    except apsw.Error as exc:
        raise DatabaseError(f"{'.'.join(table.path)} cannot be read: {exc}") from exc


def encoding_of(connection: apsw.Connection) -> str:
    """Return the encoding of texts, which attached databases share with the main one.

    It is found by a query, as an authorizer may refuse pragmas.
    """
    ((letter,),) = read(connection, "SELECT CAST('a' AS BLOB)")
    return _ENCODINGS[bytes(letter)]


def size_of(connection: apsw.Connection, name: str) -> str:
    """Return an expression for the bytes of a column's values: octet_length, or its form for SQLite before 3.43."""
    ((version,),) = read(connection, "SELECT sqlite_version()")
    has_it = tuple(map(int, str(version).split("."))) >= (3, 43)
    return f"octet_length({name})" if has_it else f"length(CAST({name} AS BLOB))"


def _rowid(connection: apsw.Connection, table: Table) -> str:
    """Return a name by which the table's rowid can be selected; '' where it has none."""
    taken = {column.name.lower() for column in table.columns}
    name = next((n for n in ("rowid", "_rowid_", "oid") if n not in taken), "")
    if table.kind != "table" or not name:
        return ""
    try:
        plain_cursor(connection).execute(f"SELECT {name} FROM {quote_path(table.path)} LIMIT 0").fetchall()
    except apsw.SQLError:
        return ""
    return name


def _by_rowid(
    connection: apsw.Connection,
    table: Table,
    name: str,
    condition: str,
    rowid: str,
    encoding: str,
    bounded: Bounded,
) -> Scanned:
    """Yield the number of values and the values of a range of rowids at a time, larger ranges for shorter values."""
    path, cursor = quote_path(table.path), plain_cursor(connection)
    # The separator is a literal: `char(31)` would be evaluated for every row.
    joined = f"SELECT count({name}), CAST(group_concat({name}, '\x1f') AS BLOB) FROM {path}"
    plain = f"SELECT {name} FROM {path}"
    part = f"WHERE {rowid} >= ? AND {rowid} < ? AND {condition}"
    start, stride = -(1 << 63), _ROWS
    while True:
        (start,) = _row(cursor, f"SELECT min({rowid}) FROM {path} WHERE {rowid} >= ?", (start,))
        if start is None:
            return
        bounds = (start, min(start + stride, (1 << 63) - 1))
        with bounded():
            count, content = _row(cursor, f"{joined} {part}", bounds)
        if count:
            texts = content.decode(encoding, "replace").split("\x1f")
            if len(texts) == count:
                yield count, texts
            else:  # some value contains the separator
                yield from _row_by_row(connection, f"{plain} {part}", bounds, encoding, bounded)
        start += stride
        if start >= (1 << 63) - 1:
            return
        per_row = max(len(content or b"") / stride, 1e-9)
        stride = max(1_000, min(2 * stride, int(_BYTES / per_row), _MOST_ROWS if count else 1 << 40))


def _row(cursor: apsw.Cursor, sql: str, parameters: Sequence[int] = ()) -> tuple[Any, ...]:
    """Return the first row of a query."""
    rows: list[tuple[Any, ...]] = cursor.execute(sql, tuple(parameters)).fetchall()
    return rows[0]


def _row_by_row(
    connection: apsw.Connection, sql: str, bounds: Sequence[int], encoding: str, bounded: Bounded
) -> Scanned:
    """Yield values as `_by_rowid` does, each fetched by itself."""
    name, rest = sql.removeprefix("SELECT ").split(" FROM ", 1)
    cursor: Any = plain_cursor(connection)
    with bounded():
        cursor.execute(f"SELECT CAST({name} AS BLOB) FROM {rest}", tuple(bounds))
    while True:
        with bounded():
            batch = [content.decode(encoding, "replace") for (content,) in islice(cursor, _ROWS)]
        if not batch:
            return
        yield len(batch), batch


def stamps(connection: apsw.Connection) -> dict[tuple[str, ...], str]:
    """See `Engine.stamps`: the definition, the highest rowid, and the number of rows of a small table."""
    tables: dict[tuple[str, ...], str] = {}
    views: dict[tuple[str, ...], str] = {}
    for schema in connection.db_names():
        listed: Any = plain_cursor(connection).execute(
            f"SELECT name, type, sql, rootpage FROM {quote(schema)}.sqlite_schema WHERE type IN ('table', 'view')"
        )
        for name, kind, sql, root in listed.fetchall():
            if name.lower().startswith(("sqlite_", "askwhere_")):
                continue
            shape = f"{zlib.crc32((sql or '').encode('utf-8', 'replace')):08x}"
            if kind == "table" and root:
                tables[schema, name] = f"{shape} {_extent(connection, schema, name)}"
            else:
                views[schema, name] = shape
    # The content of a view or a virtual table may change with any table.
    whole = f"{zlib.crc32(repr(sorted(tables.items())).encode('utf-8', 'replace')):08x}"
    return tables | {path: f"{shape} {whole}" for path, shape in views.items()}


def _extent(connection: apsw.Connection, schema: str, name: str) -> str:
    """Return the number of rows, up to `COUNTED`, and the highest rowid."""
    path, cursor = f"{quote(schema)}.{quote(name)}", plain_cursor(connection)
    (count,) = _row(cursor, f"SELECT count(*) FROM (SELECT 1 FROM {path} LIMIT {COUNTED + 1})")
    highest: Any
    try:
        (highest,) = _row(cursor, f"SELECT max(rowid) FROM {path}")
    except apsw.SQLError:
        highest = None  # WITHOUT ROWID
    return f"{count} {highest}"


def few_values(
    connection: apsw.Connection,
    table: Table,
    column: Column,
    limit: int,
    encoding: str,
    timed: contextlib.AbstractContextManager[object],
) -> list[str]:
    """Return at most `limit` distinct texts of a column in an encoding; none where it takes too long.

    They are read in the context `timed`.
    """
    if "INT" in column.type.upper():
        return []
    name = quote(column.name)
    short = f"{size_of(connection, name)} <= 4000 AND length({name}) BETWEEN 1 AND 1000"  # long texts are not read
    sql = (
        f"SELECT DISTINCT CAST({name} AS BLOB) FROM {quote_path(table.path)}"
        f" WHERE typeof({name}) = 'text' AND {short} LIMIT ?"
    )
    try:
        with timed:
            rows = read(connection, sql, (limit,))
    except apsw.Error:
        return []  # too slow to scan, or a view over a table that is gone
    return [bytes(value).decode(encoding, "replace") for (value,) in rows]
