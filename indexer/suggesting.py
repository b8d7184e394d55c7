"""Suggest foreign keys that nobody declared, from names and from which values of a column are in another.

A column may refer to the key of another table in its schema, if both hold whole numbers or both hold texts. A key that
names suggest (`askwhere.indexer.guessing`) is suggested if some values agree. Otherwise all values must be found; and
since numbers agree by chance, a column of numbers must also have a key's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from askwhere.engine import Column, Engine, Limits, Table
from askwhere.errors import AskError
from askwhere.frozen import frozen
from askwhere.indexer import keys
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.key_names import called_a_key, is_short_for, kind_of, plain, stem
from askwhere.indexer.progress import Tell, silent
from askwhere.sql.identifiers import quote, quote_path, shortest

# The most distinct values of a column that are looked for, and the seconds that one comparison may take.
VALUES, SECONDS = 10_000, 10.0

_TEXT = re.compile(r"CHAR|TEXT|CLOB|STRING|UUID|ENUM", re.IGNORECASE)

# A table and one of its columns.
_Place = tuple[Table, Column]
# Returns the one row of a query, none where it takes too long or cannot run.
_Row = Callable[[str], Sequence[int]]


@frozen
class Suggestion:
    """A likely key: of the `values` of a column that were compared, `found` are in the other; `why`: names or data."""

    key: str
    refers_to: str
    found: int
    values: int
    why: str


def suggested(engine: Engine, catalog: Catalog, tell: Tell = silent, seconds: float = SECONDS) -> Iterator[Suggestion]:
    """Yield the likeliest key of each column that has none, as far as its values agree; `tell` shows the progress.

    A comparison that takes more than `seconds` is left out.
    """
    row = partial(_row, engine, catalog, seconds)
    names = shortest({table.path: table.short for table in catalog.tables})
    parents = [place for table in catalog.tables for place in _keys_of(row, table)]
    children = [place for table in catalog.tables for place in _may_refer(table, parents)]
    for done, child in enumerate(children, 1):
        tell(child[1].name, done, len(children))
        pairs = [pair for parent in parents if (pair := _compared(row, child, parent))]
        if pairs:
            _, counts, why, parent = max(pairs, key=lambda pair: pair[0])
            key, refers_to = (keys.text(names[table.path], [column.name]) for table, column in (child, parent))
            yield Suggestion(key, refers_to, *counts, why)


def _kind(column: Column) -> str:
    """Return 'whole' or 'text' for a column that may be or refer to a key, else ''."""
    kind = kind_of(column.type)
    return kind if kind == "whole" or (kind == "text" and (_TEXT.search(column.type) or not column.type)) else ""


def _may_refer(table: Table, parents: Sequence[_Place]) -> Iterator[_Place]:
    """Yield the columns of a table that may be foreign keys and are not declared as such.

    A column that identifies the table's own rows is included only if its name suggests a foreign key.
    """
    own = {column.name for other, column in parents if other.path == table.path}
    own -= {name for key in table.foreign_keys for name in key.columns}
    declared = {name for key in table.foreign_keys if not key.guessed for name in key.columns}
    for column in table.columns:
        if _kind(column) and column.name not in declared | own:
            yield table, column


def _keys_of(row: _Row, table: Table) -> Iterator[_Place]:
    """Yield the columns that identify a table's rows: by a constraint, else, of key-like ones, by their values."""
    alone = {names[0] for names in (table.primary_key, *table.unique) if len(names) == 1}
    likely = [
        c
        for c in table.columns
        if not table.primary_key and _kind(c) and (called_a_key(c.name) or c is table.columns[0])
    ]
    for column in table.columns:
        declared = column.name in alone and _kind(column)
        if declared or (not alone and column in likely and _is_unique(row, table, column)):
            yield table, column


def _is_unique(row: _Row, table: Table, column: Column) -> bool:
    """Return whether a column has a value in each row, and no value twice."""
    name = quote(column.name)
    counted = row(f"SELECT count(*) AS a, count({name}) AS b, count(DISTINCT {name}) AS c FROM {_from(table)}")
    return bool(counted) and counted[0] > 0 and counted[0] == counted[1] == counted[2]


def _compared(
    row: _Row, child: _Place, parent: _Place
) -> tuple[tuple[bool, bool, float, float], tuple[int, int], str, _Place] | None:
    """Return a sort key (likelier is greater), the values found and compared, why, and `parent`; None if unlikely."""
    (table, column), (other, key) = child, parent
    if table.path == other.path or table.path[:-1] != other.path[:-1] or _kind(column) != _kind(key):
        return None
    by_name = any(k.columns == (column.name,) and k.target == other.path for k in table.foreign_keys)
    in_name = stem(other.name) in plain(column.name) or is_short_for(column, other)
    if not (by_name or in_name or _kind(column) == "text" or called_a_key(column.name)):
        return None
    counts = _contained(row, child, parent)
    if counts is None or not counts[0] or (counts[0] < counts[1] and not by_name):
        return None
    found, values, all_keys = counts
    why = "names" if by_name or in_name else "data"
    return (by_name, in_name, found / values, found / max(all_keys, 1)), (found, values), why, parent


def _contained(row: _Row, child: _Place, parent: _Place) -> tuple[int, int, int] | None:
    """Return how many of a column's values are in a key, how many were compared, and how many rows have the key."""
    (table, column), (other, key) = child, parent
    name, target = quote(column.name), quote(key.name)
    counts = row(
        f"SELECT count(p.v) AS a, count(*) AS b, (SELECT count(*) FROM {_from(other)}) AS c"
        f" FROM (SELECT DISTINCT {name} AS v FROM {_from(table)} WHERE {name} IS NOT NULL LIMIT {VALUES}) AS c"
        f" LEFT JOIN (SELECT DISTINCT {target} AS v FROM {_from(other)}) AS p ON p.v = c.v"
    )
    return (counts[0], counts[1], counts[2]) if counts else None


def _from(table: Table) -> str:
    return quote_path(table.path)


def _row(engine: Engine, catalog: Catalog, seconds: float, sql: str) -> Sequence[int]:
    """Return the one row of a query, none where it takes too long or cannot run."""
    try:
        checked = engine.check(sql, catalog.grant)
        rows = engine.run(checked, catalog.grant, Limits(seconds=seconds, rows=1)).rows
    except AskError:
        return ()
    return rows[0] if rows else ()
