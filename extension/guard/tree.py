"""Read parts of DuckDB's syntax tree, in the JSON that `json_serialize_sql` writes.

A node is a dict. An expression has a `class`; tables, queries, modifiers and types have a `type`; other records have
neither (`askwhere.guard.shapes` lists them all).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from askwhere.errors import Refused
from askwhere.sql.identifiers import fold

Node: TypeAlias = dict[str, Any]


def arguments(call: Node) -> list[tuple[str, Node]]:
    """Return a call's arguments as (name, expression); the name is '' for positional arguments.

    DuckDB 2.0 writes them as `arguments`, 1.5 as `children`, where the name is the alias.
    """
    if call.get("arguments"):
        return [(fold(a.get("name") or ""), a["expression"]) for a in call["arguments"]]
    return [(fold(child.get("alias") or ""), child) for child in call.get("children") or []]


# The paths before a function's name that are those of built-in functions; any other is a column: `t.name.upper()`.
_BUILT_IN = {(), ("main",), ("system",), ("system", "main")}


def as_calls(tree: Any) -> None:
    """Rewrite method calls such as `name.upper()` as `upper(name)`, as DuckDB evaluates them.

    DuckDB's tree has the column as the function's schema, where a check of the arguments would not find it.
    """
    stack = [tree]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if value.get("class") in ("FUNCTION", "WINDOW"):
                _as_call(value)
            stack += value.values()
        elif isinstance(value, list):
            stack += value


def _as_call(call: Node) -> None:
    """Make the column before a method call its first argument."""
    written = call.get("qualified_name")
    path = written["path"][:-1] if written else [part for part in (call.get("catalog"), call.get("schema")) if part]
    if tuple(map(fold, path)) in _BUILT_IN:
        return
    column = {"class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "column_names": list(path)}
    if call.get("arguments") is not None:
        call["arguments"] = [{"name": "", "expression": column}, *call["arguments"]]
    else:
        call["children"] = [column, *(call.get("children") or [])]


def literal_text(node: Node) -> str:
    """Return the text of a constant, '' for anything else. DuckDB 2.0 writes it as `literal`, 1.5 as `value`."""
    literal, value = node.get("literal"), node.get("value")
    return str(literal["text"]) if literal else str(value["value"]) if value and "value" in value else ""


def literal_number(node: Node) -> int | None:
    """Return the value of an integer literal, with or without a sign; None for anything else."""
    if node.get("class") == "FUNCTION" and fold(node["function_name"]) == "-" and len(arguments(node)) == 1:
        number = literal_number(arguments(node)[0][1])
        return None if number is None else -number
    text = literal_text(node) if node.get("class") == "CONSTANT" else ""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else None


def constant_argument(node: Node, place: int) -> str | None:
    """Return the text of a constant argument, '' for an argument that is not constant, None for one that is missing.

    Raise `Refused` where arguments are named: their order is then not that of the function.
    """
    given = arguments(node)
    if any(name for name, _ in given):
        raise Refused(f"write the arguments of {fold(node['function_name'])} in their order, without names")
    return literal_text(given[place][1]) if len(given) > place else None


def walk(node: Any) -> Iterator[Node]:
    """Yield each node of a part of the tree, a node before those inside it, without entering subqueries."""
    return (value for value in _inside(node, subqueries=False) if isinstance(value, dict))


def nodes(node: Any) -> Iterator[Node]:
    """Yield each node of a part of the tree, those of subqueries too."""
    return (value for value in _inside(node, subqueries=True) if isinstance(value, dict))


def texts(node: Any) -> Iterator[str]:
    """Yield each text in a part of the tree, names and literals among them, those of subqueries too."""
    return (value for value in _inside(node, subqueries=True) if isinstance(value, str))


def _inside(node: Any, *, subqueries: bool) -> Iterator[Any]:
    """Yield a part of the tree and every value in it, a value before those inside it; enter subqueries if asked to."""
    stack = [node]
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict) and (subqueries or value.get("class") != "SUBQUERY"):
            stack += value.values()


def expressions(node: Node, *without: str) -> Iterator[Node]:
    """Yield the expressions directly below a node, in all its fields but those named in `without`."""
    stack = [value for name, value in node.items() if name not in without]
    while stack:
        value = stack.pop(0)
        if isinstance(value, list):
            stack = value + stack
        elif isinstance(value, dict):
            if "class" in value:
                yield value
            elif "node" not in value:
                stack = list(value.values()) + stack


def functions_called(node: Any) -> set[str]:
    """Return the folded names of the functions that a part of the tree calls, without those of windows."""
    return {fold(part["function_name"]) for part in walk(node) if part.get("class") == "FUNCTION"}
