"""Find the columns of attached SQLite databases with a value that DuckDB cannot read as the column's type.

SQLite lets a column hold values of any type. Which of them DuckDB can convert is known only to DuckDB, so the columns
are read to find out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.engine import Column, Limits, Source, Table
from askwhere.sql.identifiers import quote, quote_path

# Seconds to read all tables. A value that is not read by then may make a query fail.
SECONDS = 2.0
FIRST = 25_000  # rows that are read before all others, of all tables
# What DuckDB raises for a value. If its message has bytes that are not UTF-8, Python raises the last one.
OF_VALUES = (duckdb.DataError, duckdb.NotSupportedError, duckdb.ProgrammingError, UnicodeDecodeError)


def unreadable(connection: Connection, tables: Iterable[Table]) -> frozenset[Source]:
    """See `Engine.unreadable`."""
    loose = {source.name for source in attached.sources(connection) if source.kind.loose}
    listed = sorted((t for t in tables if t.path[0] in loose and t.kind == "table"), key=lambda t: t.rows or 0)
    failing: set[Source] = set()
    until = time.monotonic() + SECONDS
    for rows in (f" LIMIT {FIRST}", ""):
        for table in listed:
            if (left := until - time.monotonic()) <= 0:
                return frozenset(failing)
            rest = [column for column in table.columns if (table.path, column.name) not in failing]
            with stopping(connection, Limits(seconds=left)):
                failing |= {(table.path, column.name) for column in _failing(connection, table, rest, rows)}
    return frozenset(failing)


def check(connection: Connection, table: Table, column: Column) -> None:
    """Raise one of `OF_VALUES` if a value in a column of an attached database cannot be read."""
    if any(source.kind.loose and source.name == table.path[0] for source in attached.sources(connection)):
        connection.execute(_reading(table, [column])).fetchall()


def _reading(table: Table, columns: Iterable[Column], rows: str = "") -> str:
    """Return a query that reads all values of some columns, and fails if one of them cannot be read."""
    names = ", ".join(quote(column.name) for column in columns)
    counted = ", ".join(f"count({_read(column)})" for column in columns)
    return f"SELECT {counted} FROM (SELECT {names} FROM {quote_path(table.path)}{rows})"


def _read(column: Column) -> str:
    """Return an expression that fails for a value that cannot be read; DuckDB itself takes texts that are not UTF-8."""
    name = quote(column.name)
    return f"decode(encode({name}))" if column.type == "VARCHAR" else name


def _failing(connection: Connection, table: Table, columns: Sequence[Column], rows: str) -> list[Column]:
    """Return the columns with a value that cannot be read; none if the time is up."""
    if not columns:
        return []
    try:
        connection.execute(_reading(table, columns, rows)).fetchall()
    except OF_VALUES:
        if len(columns) == 1:
            return list(columns)
        halves = (columns[: len(columns) // 2], columns[len(columns) // 2 :])
        return [column for half in halves for column in _failing(connection, table, half, rows)]
    except duckdb.Error:  # stopped, or the file cannot be read at all
        return []
    return []
