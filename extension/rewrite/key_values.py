"""Replace the comparison of a key with a name by a look-up of the key: `city_id = 'Oslo'` is true for no row.

Small models write such comparisons, as the question has the name and the schema has the key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from askwhere.engine import Result, Table
from askwhere.errors import AskError
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.key_names import read_as, type_of
from askwhere.reader.words.types import is_text
from askwhere.rewrite.context import Holds, MendingContext
from askwhere.rewrite.scopes import Scopes
from askwhere.rewrite.writing import column, equal_values, read
from askwhere.sql.identifiers import fold, quote, quote_path
from askwhere.sql.literals import literal
from sqlglot import exp


def value_finder(run: Callable[[str, int | None], Result]) -> Holds:
    """Return a function that looks for a value in a column; `run` returns the first rows of a query."""

    @cache
    def found(table: Table, column: str, value: str) -> bool:
        is_it = f"CAST({quote(column)} AS TEXT) = {literal(value)}"
        try:
            return bool(run(f"SELECT 1 FROM {quote_path(table.path)} WHERE {is_it} LIMIT 1", 1).rows)
        except AskError:
            return True

    return found


def looked_up(tree: exp.Expr, context: MendingContext) -> bool:
    """Replace `key = 'value'` by `key IN (SELECT …)` with the keys of the rows that have the value; return whether any.

    It is replaced where the key never has the value, and exactly one column of the table that the key refers to has it.
    """
    scopes = Scopes(tree, context.catalog, context.dialect)
    changed = False
    for comparison in list(tree.find_all(exp.EQ)):
        left, right = comparison.left.unnest(), comparison.right.unnest()
        key, value = (right, left) if isinstance(right, exp.Column) else (left, right)
        if isinstance(key, exp.Column) and (is_key := _is_key_of(value, key, scopes, context)) is not None:
            comparison.replace(is_key)
            changed = True
    return changed


def _is_key_of(value: exp.Expr, key: exp.Column, scopes: Scopes, context: MendingContext) -> exp.In | None:
    """Return the condition that a key is one of the keys of the rows that have a text value.

    Return None if the key itself has the value, or if no or several columns have it.
    """
    if not (isinstance(value, exp.Literal) and value.is_string):
        return None
    table = scopes.table_of(key)
    target = _key(table, key.name, context.catalog) if table is not None else None
    if table is None or target is None or context.holds(table, key.name, value.name):
        return None
    thing, identifying = target
    columns = [c.name for c in thing.columns if is_text(c) and context.holds(thing, c.name, value.name)]
    if len(columns) != 1:
        return None
    own, compared = (column(name, thing.name, context.dialect) for name in (identifying, columns[0]))
    same = equal_values(
        key.copy(), own, read_as(type_of(table, key.name), type_of(thing, identifying)), context.dialect
    )
    keys = exp.select(same.expression).from_(read(thing.path, thing.name, context.catalog, context.dialect))
    return exp.In(this=same.this, query=keys.where(exp.EQ(this=compared, expression=value.copy())).subquery())


def _key(table: Table, name: str, catalog: Catalog) -> tuple[Table, str] | None:
    """Return the table that a key refers to, or is the primary key of, and its column there; else None."""
    for key in table.foreign_keys:
        if len(key.columns) == 1 and fold(key.columns[0]) == fold(name) and key.target in catalog.by_path:
            return catalog.by_path[key.target], key.target_columns[0]
    owned = table.primary_key
    return (table, owned[0]) if len(owned) == 1 and fold(owned[0]) == fold(name) else None
