"""Count the tables that a view of DuckDB joins, also by the views in it: each use of the view joins them anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from askwhere.engine import Table
from askwhere.guard.estimates import MAX_EXPANDED_JOINS
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import tokens


def count_joins(tables: Iterable[Table], wanted: Collection[str]) -> Mapping[tuple[str, ...], int]:
    """Return how many joins the views with a name in `wanted`, folded, have, by path, without those that have none.

    They are the tables that a view names but for one, and so on in the views among these. A table is known by its last
    name, so that the numbers are upper bounds.
    """
    listed = tuple(tables)
    views = {fold(t.name): t.definition for t in listed if t.kind == "view" and t.definition}
    if views.keys().isdisjoint(wanted):
        return {}
    names = frozenset(fold(t.name) for t in listed)
    known: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in known:
            known[name] = 0  # ends the recursion of a view that names itself, an error in DuckDB
            parts = [other for other in _named(views.get(name, ""), names) if other != name]
            total = max(0, len(parts) - 1) + sum(map(count, parts))
            known[name] = min(total, MAX_EXPANDED_JOINS + 1)
        return known[name]

    asked = (t for t in listed if fold(t.name) in wanted and fold(t.name) in views)
    return {t.path: joins for t in asked if (joins := count(fold(t.name)))}


@lru_cache(1_000)
def _named(definition: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the names of tables in a definition, folded, each as often as it stands behind FROM, JOIN or a comma."""
    found = []
    before = ""
    for token in tokens(definition, "duckdb"):
        name = fold(unquote(token.text))
        if name in names and before in ("from", "join", ",", "."):
            found.append(name)
        before = token.word or token.text
    return tuple(found)
