"""Read the distinct texts of columns: those of small tables together, as each statement costs a millisecond."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import duckdb
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.engine import Column, Limits, Table
from askwhere.sql.identifiers import quote, quote_path

# Seconds to read a column for its values; one that takes longer is found only by the index kept in the file.
SECONDS = 2.0
SMALL = 1_000  # rows of a table whose columns are read together with others
TOGETHER = 50  # columns that are read by one statement
LONGEST = 1_000  # characters: a longer text is taken for prose, and left out

_Text = tuple[Table, Column]


def values(connection: Connection, columns: Sequence[_Text], limit: int) -> Iterator[list[str]]:
    """See `Engine.values`."""
    for small, group in groupby(columns, lambda column: _is_small(column[0])):
        listed = list(group)
        for first in range(0, len(listed), TOGETHER if small else 1):
            yield from _read(connection, listed[first : first + (TOGETHER if small else 1)], limit)


def _is_small(table: Table) -> bool:
    # A source that does not count its rows may say 0.
    return table.kind == "table" and table.rows is not None and 0 < table.rows <= SMALL


def _read(connection: Connection, columns: Sequence[_Text], limit: int) -> list[list[str]]:
    """Return the texts of each column, none for one that takes too long, or for a view over a table that is gone."""
    parts = [_query(n, table, column) for n, (table, column) in enumerate(columns) if _has_texts(column)]
    if not parts:
        return [[] for _ in columns]
    found: list[list[str]] = [[] for _ in columns]
    most = "" if len(columns) > 1 else f" LIMIT {int(limit)}"
    try:
        with stopping(connection, Limits(seconds=SECONDS)) as stop:
            rows = connection.execute(f"SELECT DISTINCT n, v FROM ({' UNION ALL '.join(parts)}){most}").fetchall()
    except (duckdb.Error, UnicodeDecodeError) as exc:
        if isinstance(exc, duckdb.InterruptException) and not stop.reason:
            raise
        return found if len(columns) == 1 else [one for column in columns for one in _read(connection, [column], limit)]
    for n, value in rows:
        found[n].append(value)
    return [sorted(texts) for texts in found]


def _has_texts(column: Column) -> bool:
    return column.type.upper().startswith(("VARCHAR", "ENUM"))


def _query(n: int, table: Table, column: Column) -> str:
    text = f"{quote(column.name)}::VARCHAR"
    return f"SELECT {n} AS n, {text} AS v FROM {quote_path(table.path)} WHERE length({text}) BETWEEN 1 AND {LONGEST}"
