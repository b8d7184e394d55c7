"""Read the texts of a table that users fill, unless it is so large that every question would be slow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from askwhere.engine import Table
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote_path

MOST_ROWS, MOST_BYTES = 100_000, 10_000_000


def rows(
    read: Callable[[str], list[tuple[Any, ...]]], table: Table, sizes: Sequence[str], texts: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Return some expressions over a table's rows; `sizes` are those of their bytes. Raise `DatabaseError`."""
    path, size = quote_path(table.path), " + ".join(f"coalesce({length}, 0)" for length in sizes)
    limited = f"SELECT {size} AS size FROM {path} LIMIT {MOST_ROWS + 1}"
    n_rows, n_bytes = read(f"SELECT count(*), sum(size) FROM ({limited})")[0]
    if n_rows > MOST_ROWS or (n_bytes or 0) > MOST_BYTES:
        raise too_large(table)
    return read(f"SELECT {', '.join(texts)} FROM {path}")


def too_large(table: Table) -> DatabaseError:
    """Return the error for a table that is not read."""
    return DatabaseError(
        f"{'.'.join(table.path)} is not read: it has more than {MOST_ROWS:,} rows, or than"
        f" {MOST_BYTES // 1_000_000} MB of text; delete rows that are not needed"
    )
