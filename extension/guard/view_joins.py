"""Count the tables that a view of DuckDB joins, also by the views in it: each use of the view joins them anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from askwhere.engine import Table
from askwhere.guard.estimates import MAX_EXPANDED_JOINS
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import tokens


def count_joins(tables: Iterable[Table]) -> Mapping[tuple[str, ...], int]:
    """Return how many joins each view has that joins anything, by its path: of the tables that it names, all but one.

    A table is known by its last name, so that the numbers are upper bounds.
    """
    listed = tuple(tables)
    names = frozenset(fold(t.name) for t in listed)
    inside = {fold(t.name): _named(t.definition, names) for t in listed if t.kind == "view" and t.definition}
    known: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in known:
            known[name] = 0  # ends the recursion of a view that names itself, an error in DuckDB
            parts = [other for other in inside.get(name, ()) if other != name]
            total = max(0, len(parts) - 1) + sum(map(count, parts))
            known[name] = min(total, MAX_EXPANDED_JOINS + 1)
        return known[name]

    return {t.path: joins for t in listed if t.kind == "view" and (joins := count(fold(t.name)))}


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
