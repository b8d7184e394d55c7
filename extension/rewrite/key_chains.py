"""Find out which table's rows each column of a key identifies."""

from __future__ import annotations

from askwhere.indexer.catalog import Catalog
from askwhere.sql.identifiers import fold

Path = tuple[str, ...]
KeyColumn = tuple[Path, str]  # a table's path and the folded name of a column


def identified(catalog: Catalog) -> dict[KeyColumn, KeyColumn]:
    """Return for each column of a key the column that its chain of keys ends with, such as a table's primary key.

    Keys of several columns are left out.
    """
    refers: dict[KeyColumn, KeyColumn] = {}
    for table in catalog.tables:
        for key in table.foreign_keys:
            if len(key.columns) == 1:
                refers[(table.path, fold(key.columns[0]))] = (key.target, fold(key.target_columns[0]))
    owned = [(t.path, fold(t.primary_key[0])) for t in catalog.tables if len(t.primary_key) == 1]
    return {column: _last(column, refers) for column in (*owned, *refers, *refers.values())}


def _last(column: KeyColumn, refers: dict[KeyColumn, KeyColumn]) -> KeyColumn:
    """Return the end of the chain of keys from a column, or where it meets itself."""
    seen = {column}
    while (column := refers.get(column, column)) not in seen:
        seen.add(column)
    return column
