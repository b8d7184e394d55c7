"""Refuse joins by a key for which DuckDB would copy a collected list once for each row of the other side."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from askwhere.errors import Refused
from askwhere.guard.estimates import LONG, Relation
from askwhere.guard.tree import Node, walk
from askwhere.sql.identifiers import fold

_EQUAL = {"COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM"}


def check_joined_lists(select: Node, sources: Sequence[Relation]) -> None:
    """Raise `Refused` where a relation of one row, with a list of many elements, is joined by one of its columns.

    DuckDB keeps it in a hash table, and copies the list from there for each row that has the key. In a join without a
    key, or of a text, there is no copy.
    """
    lists = [r for r in sources if r.single and any(v.size >= LONG and v.nested for _, v in r.columns)]
    names = {name for relation in lists for name, _ in relation.columns}
    if len(sources) > 1 and names and not names.isdisjoint(_keys(select, names)):
        raise Refused(
            "the query joins one row with a collected list by a key, so that DuckDB copies the list for each row; join"
            " without a condition on that row, or take what is needed of the list before"
        )


def _keys(select: Node, names: Collection[str]) -> set[str]:
    """Return the names in the comparisons by which a query joins; for NATURAL, those of `names`."""
    found: set[str] = set()
    for part in (*walk(select["from_table"]), *walk(select.get("where_clause"))):
        found |= {fold(name) for name in part.get("using_columns") or []}
        if part.get("ref_type") == "NATURAL":
            found |= set(names)
        if part.get("class") == "COMPARISON" and part["type"] in _EQUAL:
            sides = [_columns(part["left"]), _columns(part["right"])]
            found |= sides[0] | sides[1] if all(sides) else set()
    return found


def _columns(expression: Node) -> set[str]:
    return {fold(name) for part in walk(expression) for name in part.get("column_names") or []}
