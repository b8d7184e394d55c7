"""Count the expressions, joins, windows and aggregate states in the bodies of macros that a DuckDB query calls.

DuckDB puts a copy of a macro's body in the place of each call, and in it a copy of an argument wherever the body names
the parameter. So the body counts once for each call, and an argument once for each use of its parameter.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from askwhere.engine import Table
from askwhere.errors import Refused
from askwhere.guard.estimates import MAX_WORK, WrittenOut
from askwhere.guard.functions import DUCKDB_AGGREGATES, DUCKDB_COLLECTING, DUCKDB_NUMBERS
from askwhere.guard.states import in_row, is_joined, is_sorted, state_bytes
from askwhere.guard.tree import Node, arguments, as_calls, nodes
from askwhere.guard.view_joins import count_joins
from askwhere.sql.identifiers import fold

# The definitions of each macro by its folded name: the parameters, and DuckDB's syntax tree of the body as JSON.
Definitions: TypeAlias = Mapping[str, Sequence[tuple[Sequence[str], str]]]


# Functions whose arguments say how large the result is.
_SIZING = frozenset(DUCKDB_NUMBERS) | {
    "array_resize", "format", "generate_series", "list_resize", "lpad", "printf", "range", "repeat", "rpad",
}  # fmt: skip
_FROM_FIRST = {"format", "generate_series", "printf", "range"}  # their first argument does so too


class Macros:
    """The macros of a database; the body of each is counted when a query first calls it."""

    def __init__(self, read: Callable[[], Definitions], tables: Iterable[Table]) -> None:
        self._read, self._tables = read, tuple(tables)
        self._definitions: Definitions | None = None
        self._known: dict[str, WrittenOut] = {}

    def written_out(self, name: str) -> WrittenOut | None:
        """Return the counts of a macro's body, with those of the macros that it calls; None for another function.

        Raise `Refused` where the body cannot be read as a tree.
        """
        if self._definitions is None:
            self._definitions = self._read()
        if name not in self._definitions:
            return None
        if name not in self._known:
            self._known[name] = WrittenOut()  # ends the recursion of a macro that names itself, an error in DuckDB
            counted = WrittenOut()
            for parameters, tree in self._definitions[name]:
                self._count(_query(name, tree), [*map(fold, parameters)], counted)
            self._known[name] = counted
        return self._known[name]

    def _count(self, body: Node, parameters: Sequence[str], counted: WrittenOut) -> None:
        """Add the counts of one definition of a macro to `counted`, with those of the macros that its body calls."""
        uses: Counter[str] = Counter()
        stack: list[tuple[Any, int]] = [(body, 1)]
        while stack:
            value, times = stack.pop()
            inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            if isinstance(value, dict):
                if value.get("class") == "COLUMN_REF":
                    uses[fold(value["column_names"][0])] += times
                called = self._count_node(value, counted, times)
                times = min(times * max(1, called.uses), MAX_WORK) if called else times
            stack += ((part, times) for part in inside)
        counted.uses = max([counted.uses, *(uses[name] for name in parameters)])

    def _count_node(self, node: Node, counted: WrittenOut, times: int) -> WrittenOut | None:
        """Add `times` copies of a node to `counted`. Return the counts of the macro that it calls, or None."""
        kind, name = node.get("class"), fold(node.get("function_name") or "")
        counted.expressions += times * (kind is not None)
        counted.joins += times * (kind == "SUBQUERY" or node.get("type") == "JOIN")
        counted.windows += times * (kind == "WINDOW")
        counted.ordered_windows += times * (kind == "WINDOW" and _is_ordered(node))
        counted.equalities += times * (node.get("type") in ("COMPARE_EQUAL", "COMPARE_NOTEQUAL"))
        counted.queries |= kind == "SUBQUERY"
        counted.collects |= name in DUCKDB_COLLECTING
        counted.sizing |= name in _SIZING and _reads(arguments(node)[name not in _FROM_FIRST :])
        if node.get("type") == "BASE_TABLE":
            counted.expanded_joins += times * self._joins(fold(node["table_name"]))
        called = self.written_out(name) if name else None
        if called:
            counted.add(called, times)
        elif name in DUCKDB_AGGREGATES:
            given = [argument for _, argument in arguments(node)]
            counted.joins += times * is_joined(name, node, given)
            counted.states_in_row += times * in_row(name)
            counted.states += times * state_bytes(name, node, (), given)
        return called

    def _joins(self, name: str) -> int:
        """Return the number of joins in the view of this folded name, 0 if there is none."""
        return max(count_joins(self._tables, {name}).values(), default=0)


def _is_ordered(window: Node) -> bool:
    """Return whether a window has DISTINCT, or ORDER BY among its arguments."""
    return bool(window.get("distinct") or window.get("arg_orders") or is_sorted(window))


def _reads(given: Sequence[tuple[str, Node]]) -> bool:
    """Return whether an argument names a column or a parameter."""
    return any(node.get("class") == "COLUMN_REF" for _, argument in given for node in nodes(argument))


def _query(name: str, tree: str) -> Node:
    """Return the query in the syntax tree of a macro's body. Raise `Refused` where DuckDB could not write the tree."""
    answer = json.loads(tree)
    if answer["error"]:
        raise Refused(f"the macro {name!r} cannot be checked, as one with PIVOT; leave it out")
    as_calls(answer)
    (query,) = (statement["node"] for statement in answer["statements"])
    return dict(query)
