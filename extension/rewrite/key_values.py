"""Look up the keys of a value where a query compares a key with it: `city_id = 'Oslo'` can be true for no row.

Small models write a name where a code or number stands, since the question has the name and the schema the key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from askwhere.engine import Result, Table
from askwhere.errors import AskError
from askwhere.indexer.catalog import Catalog
from askwhere.reader.types import is_text
from askwhere.rewrite.asked import Asked, Holds
from askwhere.rewrite.scopes import Scopes
from askwhere.rewrite.writing import column, read
from askwhere.sql.identifiers import fold, quote, quote_path
from askwhere.sql.literals import literal
from sqlglot import exp


def holds(run: Callable[[str, int | None], Result]) -> Holds:
    """Return a function that looks for a value in a column; `run` returns the first rows of a query."""

    @cache
    def found(table: Table, column: str, value: str) -> bool:
        is_it = f"CAST({quote(column)} AS TEXT) = {literal(value)}"
        try:
            return bool(run(f"SELECT 1 FROM {quote_path(table.path)} WHERE {is_it} LIMIT 1", 1).rows)
        except AskError:
            return True

    return found


def looked_up(tree: exp.Expr, asked: Asked) -> bool:
    """Compare with the keys of a value what is compared with the value itself; return whether any was.

    That is a key that never has the value, where exactly one column of the table that it identifies has it.
    """
    scopes = Scopes(tree, asked.catalog, asked.dialect)
    changed = False
    for comparison in list(tree.find_all(exp.EQ)):
        side, other = comparison.left.unnest(), comparison.right.unnest()
        if isinstance(other, exp.Column):
            side, other = other, side
        if not isinstance(side, exp.Column) or not (isinstance(other, exp.Literal) and other.is_string):
            continue
        source = scopes.source_of(side)
        key = _key(source.table, side.name, asked.catalog) if source is not None and source.table is not None else None
        if source is None or source.table is None or key is None or asked.holds(source.table, side.name, other.name):
            continue
        thing, identifying = key
        having = [c.name for c in thing.columns if is_text(c) and asked.holds(thing, c.name, other.name)]
        if len(having) == 1:
            name = thing.name
            keys = exp.select(column(identifying, name, asked.dialect)).from_(
                read(thing.path, name, asked.catalog, asked.dialect)
            )
            keys = keys.where(exp.EQ(this=column(having[0], name, asked.dialect), expression=other.copy()))
            comparison.replace(exp.In(this=side.copy(), query=keys.subquery()))
            changed = True
    return changed


def _key(table: Table, name: str, catalog: Catalog) -> tuple[Table, str] | None:
    """Return the table whose rows a column identifies, with the column that identifies them there; None for no key."""
    for key in table.foreign_keys:
        if len(key.columns) == 1 and fold(key.columns[0]) == fold(name) and key.target in catalog.by_path:
            return catalog.by_path[key.target], key.target_columns[0]
    owned = table.primary_key
    return (table, owned[0]) if len(owned) == 1 and fold(owned[0]) == fold(name) else None
