"""Count the joins in DuckDB's views, including those of the views that they read: DuckDB repeats them at each use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from askwhere.engine import Table
from askwhere.guard.estimates import MAX_EXPANDED_JOINS
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import tokens


def count_joins(tables: Iterable[Table], wanted: Collection[str]) -> Mapping[tuple[str, ...], int]:
    """Return the number of joins in each view that has any, by path; `wanted` are the folded names of the views.

    A view of n tables has n - 1 joins, and those of the views among its tables. Tables are identified by their last
    name only, so the numbers are upper bounds.
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
    """Return those of `names` that follow FROM, JOIN, a comma or a dot in a definition, as often as they do. Folded."""
    found = []
    before = ""
    for token in tokens(definition, "duckdb"):
        name = fold(unquote(token.text))
        if name in names and before in ("from", "join", ",", "."):
            found.append(name)
        before = token.word or token.text
    return tuple(found)
