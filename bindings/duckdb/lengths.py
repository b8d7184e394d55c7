"""Measure the stored values of DuckDB's columns, for the guard (`askwhere.guard.stored_lengths`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
from askwhere.engine import Column, Table
from askwhere.guard.estimates import VECTOR
from askwhere.sql.identifiers import fold, quote, quote_path

_LONGEST = re.compile(r"Max String Length: (\d+)\]")  # in the text that `stats` returns in DuckDB 1.5


class StoredLengths:
    """The lengths of stored values, as one connection sees them; see `guard.stored_lengths.Measuring`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def known(self, table: Table, columns: Sequence[Column]) -> Mapping[str, float]:
        """See `Measuring.known`: DuckDB keeps the length of the longest text that a table ever had.

        Columns that are computed have no statistics, and asking for them would call the functions that they call.
        """
        columns = [column for column in columns if not column.computed]
        if table.kind != "table" or table.source or not columns:
            return {}
        stats = ", ".join(f"system.main.stats({quote(column.name)})" for column in columns)
        rows = self._connection.execute(f"SELECT {stats} FROM {quote_path(table.path)} LIMIT 1").fetchall()
        if not rows:
            return {fold(column.name): 0.0 for column in columns}
        lengths = zip(columns, map(_longest, rows[0]), strict=True)
        return {fold(column.name): length for column, length in lengths if length is not None}

    def measured(self, table: Table, columns: Sequence[Column]) -> Mapping[str, tuple[float, float]]:
        """See `Measuring.measured`."""
        found = {}
        for column in columns:
            name = quote(column.name)
            is_blob = column.type.upper().startswith("BLOB")
            size = f"system.main.{'octet_length' if is_blob else 'strlen'}({name if is_blob else f'{name}::VARCHAR'})"
            longest = (
                f"SELECT {size} AS size FROM {quote_path(table.path)} ORDER BY size DESC NULLS LAST LIMIT {VECTOR}"
            )
            sql = f"SELECT coalesce(system.main.max(size), 0), coalesce(system.main.sum(size), 0) FROM ({longest})"
            most, together = self._connection.execute(sql).fetchall()[0]
            found[fold(column.name)] = float(most), float(together)
        return found


def _longest(stats: Any) -> float | None:
    """Return the bytes of a column's longest text by its statistics, None where these do not have them."""
    if isinstance(stats, dict):  # DuckDB 2.0
        length = stats.get("max_string_length")
        return None if length is None else float(length)
    match = _LONGEST.search(str(stats)) if not str(stats).lstrip().startswith(("{", "[[")) else None
    return float(match[1]) if match else None
