"""Check each node of a DuckDB query's tree by its kind: `VISITS` has a function for each that needs a check of its own.

A function yields the nodes that are to be visited next, or raises `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from askwhere.errors import Refused
from askwhere.frozen import frozen
from askwhere.guard.call_sizes import FORMAT_FIELDS, check_format
from askwhere.guard.functions import DUCKDB_AGGREGATES, DUCKDB_BARE_NAMES, DUCKDB_NAMED_AGGREGATES, DUCKDB_TYPES
from askwhere.guard.hidden import Hidden
from askwhere.guard.shapes import CTE, INERT, OPERATORS, check_fields, readable
from askwhere.guard.tree import Node, constant_argument
from askwhere.sql.identifiers import fold, fold_path

MAX_PATH = 16  # parts of a column's name; DuckDB 2.0 takes a minute to resolve thousands
# Binding takes time that is exponential in each of these, and cannot be interrupted (measured on DuckDB 1.5.6 and
# 2.0.0).
MAX_SUBQUERIES_DEEP = 8
MAX_LAMBDAS_DEEP = 8
_IN = frozenset({"COMPARE_IN", "COMPARE_NOT_IN"})  # types of nodes that test whether a value is in a list
# The place of such a list's literals, which are not counted: they cost little, and the length of the text bounds them.
LISTED = "an IN list"


@frozen
class Rules:
    """The tables, columns and functions that a query may use. All names are folded."""

    tables: frozenset[tuple[str, ...]]  # paths of granted tables
    hidden: Hidden
    functions: frozenset[str]
    bare_calls: frozenset[str]  # user functions that DuckDB calls where a query names them without parentheses
    table_functions: frozenset[str]
    summaries: bool  # whether SUMMARIZE is allowed: no user function replaces one that it calls


@frozen
class Scope:
    """The context of a node: visible common table expressions, and how many subqueries and lambdas it is nested in."""

    ctes: frozenset[str] = frozenset()
    subqueries: int = 0
    lambdas: int = 0

    def with_ctes(self, *ctes: str) -> Scope:
        """Return this scope with more common table expressions."""
        return replace(self, ctes=self.ctes | set(ctes))


Child: TypeAlias = tuple[Any, Scope, str]  # a value, its scope, and the name of its field in the parent
Visit: TypeAlias = Callable[[Node, Scope, Rules], Iterator[Child]]


def children(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the fields of a node that may contain nodes, each with its scope.

    The common table expressions of a WITH are visible to those after them, and to the rest of the node.
    """
    inner = scope
    for entry in (node.get("cte_map") or {}).get("map") or []:
        yield from _cte(entry, inner)
        inner = inner.with_ctes(fold(entry["key"]))
    for name, value in node.items():
        if name not in INERT and name != "cte_map" and isinstance(value, (dict, list)):
            yield value, inner, name


def _cte(entry: Node, scope: Scope) -> Iterator[Child]:
    """Yield the parts of a common table expression. Raise `Refused` for a field that is not known."""
    value = entry["value"]
    if set(entry) != {"key", "value"} or set(value) - CTE or not (value.get("query_node") or value.get("query")):
        raise Refused("a common table expression is of an unknown kind")
    for name in ("key_targets", "payload_aggregates", "query_node", "query"):
        if value.get(name):
            yield value[name], scope, name


def _recursive(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the parts of a recursive query. In the step, its name is the query itself; in the first query, a table.

    Raise `Refused` for USING KEY: DuckDB 2.0.1 may continue such a query for ever after an interrupt.
    """
    if node.get("key_targets"):
        raise Refused("WITH RECURSIVE with USING KEY cannot be stopped; leave USING KEY out")
    for value, inner, name in children(node, scope, rules):
        yield value, inner.with_ctes(fold(node["cte_name"])) if name == "right" else inner, name


def _select(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the parts of a SELECT. Raise `Refused` for a table with hidden columns, except in what `qualify` writes."""
    table = node["from_table"]
    if table["type"] == "BASE_TABLE" and _path(table) in rules.hidden and not _shows_only_visible(node, rules):
        raise Refused(f"{table['table_name']!r} has hidden columns and is read in a way that cannot be checked")
    for value, inner, name in children(node, scope, rules):
        if name == "from_table" and table["type"] == "BASE_TABLE" and _path(table) in rules.hidden:
            _base_table(table, inner, replace(rules, hidden={}))
        else:
            yield value, inner, name


def _shows_only_visible(node: Node, rules: Rules) -> bool:
    """Return whether a SELECT is exactly what `qualify` writes in place of a table with hidden columns."""
    table = node["from_table"]
    hidden = rules.hidden[_path(table)]
    plain = not (node["cte_map"] or {}).get("map") and not any(
        node.get(name) for name in ("modifiers", "where_clause", "group_expressions", "having", "qualify", "sample")
    )
    return (
        plain
        and not any(table.get(name) for name in ("alias", "column_name_alias", "sample"))
        and all(
            column.get("class") == "COLUMN_REF"
            and len(column["column_names"]) == 1
            and fold(column["column_names"][0]) not in hidden | {_path(table)[-1]}
            for column in node["select_list"]
        )
    )


def _base_table(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Raise `Refused` unless a table is granted, or is a common table expression."""
    path = _path(node)
    if node.get("at_clause"):
        raise Refused("AT reads another version of a table, which a generated query may not")
    if len(path) == 1 and path[0] in scope.ctes:
        return iter(())
    if path not in rules.tables:
        name = ".".join(part for part in (node["schema_name"], node["table_name"]) if part)
        raise Refused(f"the query reads {name!r}, which is not one of the tables it may read")
    if path in rules.hidden:
        raise Refused(f"{node['table_name']!r} has hidden columns and is read in a way that cannot be checked")
    return iter(())


def _path(node: Node) -> tuple[str, ...]:
    """Return a table's folded path. Raise `Refused` where the tree (of DuckDB 2.0) has a second path that differs."""
    parts = tuple(fold(node.get(key) or "") for key in ("catalog_name", "schema_name", "table_name"))
    path = tuple(part for part in parts if part)
    second = node.get("qualified_name")
    if second is not None and fold_path(tuple(second["path"])) != path:
        raise Refused("the query names a table in a way that is not known here")
    return path


def _function(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    _check_call(node, rules.functions)
    return children(node, scope, rules)


def _table_function(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the arguments of a function in FROM. Raise `Refused` for one that is not allowed."""
    call = node["function"]
    if call.get("class") != "FUNCTION":
        raise Refused("the query reads from something that is no plain function")
    check_fields(call, "function")
    _check_call(call, rules.table_functions)
    return children(call, scope, rules)


def _check_call(node: Node, allowed: frozenset[str]) -> None:
    """Raise `Refused` for a call of a function that is not allowed, and for any call of `ask`."""
    name = fold(node["function_name"])
    if name not in allowed or name == "ask" or name.startswith("ask_"):
        raise Refused(f"the query calls the function {name!r}, which it may not")
    second = node.get("qualified_name")
    if second is not None and fold(second["path"][-1]) != name:
        raise Refused("the query names a function in a way that is not known here")
    if name in DUCKDB_NAMED_AGGREGATES:
        _check_named_aggregate(name, node)
    if name in FORMAT_FIELDS:
        check_format(name, node)


def _check_named_aggregate(name: str, node: Node) -> None:
    """Raise `Refused` where the aggregate that `list_aggregate` is to call is not a literal, or is not allowed."""
    aggregate = fold(constant_argument(node, 1) or "")
    if aggregate not in DUCKDB_AGGREGATES:
        raise Refused(f"{name} needs the plain name of an aggregate, such as 'sum'")


def _subquery(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    if scope.subqueries >= MAX_SUBQUERIES_DEEP:
        raise Refused("the query is nested too deeply")
    return children(node, replace(scope, subqueries=scope.subqueries + 1), rules)


def _lambda(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    if scope.lambdas >= MAX_LAMBDAS_DEEP:
        raise Refused("the query is nested too deeply")
    return children(node, replace(scope, lambdas=scope.lambdas + 1), rules)


def _operator(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield an operator's operands, the literals of an IN list as one. Raise `Refused` for an unknown operator."""
    if node["type"] not in OPERATORS:
        raise Refused(f"the query uses {readable(node['type'])}, which is not known to be harmless")
    if node["type"] not in _IN:
        yield from children(node, scope, rules)
        return
    value, *listed = node["children"]
    yield [item for item in listed if item.get("class") == "CONSTANT"], scope, LISTED
    others = [value, *(item for item in listed if item.get("class") != "CONSTANT")]
    yield from children({**node, "children": others}, scope, rules)


def _column(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Raise `Refused` for a column's name that DuckDB would take for a call of a function, or that is too long."""
    names = node["column_names"]
    if len(names) > MAX_PATH:
        raise Refused(f"a column's name has more than {MAX_PATH} parts")
    # DuckDB parses `current_user` and its like as columns, and calls the function, or a user's macro of that name.
    called = DUCKDB_BARE_NAMES.get(fold(names[0]), fold(names[0]))
    if len(names) == 1 and called in rules.bare_calls:
        raise Refused(f"the query calls the function {names[0]!r}, which it may not")
    return iter(())


def _constant(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    return iter(())


def _summary(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the query that SUMMARIZE reads. Raise `Refused` for SHOW and DESCRIBE."""
    if node["show_type"] != "SUMMARY" or not node.get("query") or node.get("table_name"):
        raise Refused("SHOW and DESCRIBE read the catalog, which a generated query may not")
    if not rules.summaries:
        raise Refused("SUMMARIZE would call a function that a user made, which a generated query may not")
    return children(node, scope, rules)


def _type(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Raise `Refused` for a type that is not built in: of class TYPE in DuckDB 2.0, UNBOUND_TYPE_INFO in 1.5."""
    name = fold(node.get("type_name") or node.get("name") or "")
    if name not in DUCKDB_TYPES or node.get("catalog") or node.get("schema"):
        raise Refused(f"{name!r} is not a built-in type")
    return children(node, scope, rules)


def _resolved_type(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Raise `Refused` for a type that is not built in: DuckDB 1.5 resolves most types while it parses a query."""
    name = fold(node["id"])
    if name != "unbound" and name not in DUCKDB_TYPES:  # `_type` checks the name of an unbound type
        raise Refused(f"{name!r} is not a built-in type")
    return children(node, scope, rules)


RESOLVED_TYPE = "id"  # a field that only the types have which DuckDB resolved
VISITS: dict[str, Visit] = {
    "BASE_TABLE": _base_table,
    "COLUMN_REF": _column,
    "CONSTANT": _constant,
    "FUNCTION": _function,
    "LAMBDA": _lambda,
    "OPERATOR": _operator,
    "RECURSIVE_CTE_NODE": _recursive,
    RESOLVED_TYPE: _resolved_type,
    "SELECT_NODE": _select,
    "SHOW_REF": _summary,
    "SUBQUERY": _subquery,
    "TABLE_FUNCTION": _table_function,
    "TYPE": _type,
    "UNBOUND_TYPE_INFO": _type,
    "WINDOW": _function,
}
EXPRESSION_VISITS = {_subquery}
