"""Check a DuckDB query: walk DuckDB's own syntax tree and refuse every node and field that is not known as harmless.

The tree is what `json_serialize_sql` returns for a text that `qualify` wrote. DuckDB has no authorizer, and the
statement runs on the user's own connection, so nothing else stands between a generated query and the data. The walk is
a loop over a stack; `_VISITS` has a function for each kind of node that needs a check of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from askwhere.engine import Grant
from askwhere.errors import QueryError, Refused
from askwhere.guard.functions import (
    DUCKDB_AGGREGATES,
    DUCKDB_BARE_CALLS,
    DUCKDB_BARE_NAMES,
    DUCKDB_FUNCTIONS,
    DUCKDB_IMPLIED,
    DUCKDB_NAMED_AGGREGATES,
    DUCKDB_SUMMARY,
    DUCKDB_TABLE_FUNCTIONS,
    DUCKDB_TYPES,
)
from askwhere.guard.shapes import CTE, EXPRESSIONS, INERT, NODES, OPERATORS, RECORDS
from askwhere.guard.sizes import check_sizes
from askwhere.guard.tables import Hidden, fold_path, hidden_columns
from askwhere.guard.tree import Node, arguments
from askwhere.sql.identifiers import fold
from askwhere.sql.lexer import scan

MAX_TREE_CHARACTERS = 8_000_000
MAX_NODES = 5_000
MAX_SIZE = 10_000  # the widest field that `printf` and `format` may write
# The flags and the width of a field in a format text; a width that is taken from another argument.
_FORMAT_FIELDS = {"printf": re.compile(r"%([^a-zA-Z%]*)"), "format": re.compile(r"\{([^}]*)")}
_WIDTH_FROM_ARGUMENT = re.compile(r"[*{]")
MAX_PATH = 16  # parts of a column's name; DuckDB 2.0 takes a minute to resolve thousands
# Binding takes time that is exponential in each of these, and cannot be interrupted (measured on DuckDB 1.5.6 and
# 2.0.0).
MAX_SUBQUERIES_DEEP = 8
MAX_LAMBDAS_DEEP = 8
MAX_JOINS = 80
MAX_SET_OPERATIONS = 200
MAX_ALIAS_WEIGHT = 5_000


@dataclass(frozen=True)
class Rules:
    """The tables, columns and functions that a query may use. All names are folded."""

    tables: frozenset[tuple[str, ...]]  # paths of granted tables
    hidden: Hidden
    functions: frozenset[str]
    bare_calls: frozenset[str]  # user functions that DuckDB calls where a query names them without parentheses
    table_functions: frozenset[str]
    summaries: bool  # whether SUMMARIZE is allowed: no user function replaces one that it calls


@dataclass(frozen=True)
class Scope:
    """The surroundings of a node: visible common table expressions, and how many subqueries and lambdas it is in."""

    ctes: frozenset[str] = frozenset()
    subqueries: int = 0
    lambdas: int = 0

    def sees(self, *ctes: str) -> Scope:
        """Return this scope with more common table expressions."""
        return replace(self, ctes=self.ctes | set(ctes))


@dataclass
class Counts:
    """The number of nodes, joins and set operations that the walk has met, with the limit of each."""

    nodes: int = 0
    joins: int = 0
    set_operations: int = 0
    limits: dict[str, int] = field(
        default_factory=lambda: {"nodes": MAX_NODES, "joins": MAX_JOINS, "set_operations": MAX_SET_OPERATIONS}
    )

    def add(self, kind: str) -> None:
        """Count one more of a kind. Raise `Refused` beyond its limit."""
        setattr(self, kind, getattr(self, kind) + 1)
        if getattr(self, kind) > self.limits[kind]:
            raise Refused(f"the query has more than {self.limits[kind]:,} {kind.replace('_', ' ')}")


Child: TypeAlias = tuple[Any, Scope, str]  # value, scope, the field it stands in
Visit: TypeAlias = Callable[[Node, Scope, Rules], Iterator[Child]]


def check_duckdb(tree_json: str, grant: Grant, user_functions: Iterable[str] = (), sql: str = "") -> None:
    """Check that a query only reads granted tables, calls only harmless functions, and cannot cost too much to bind.

    `tree_json` is what `json_serialize_sql` returns for a text that `qualify` wrote for `grant`. `user_functions` are
    the names of all functions and macros that users created: they shadow built-in ones of the same name, so they are
    refused unless the grant allows them. `sql` is the text that errors carry.

    Raise `Refused` for a query that breaks a rule, and `QueryError` where DuckDB could not parse it.
    """
    allowed = frozenset(fold(name) for name in grant.functions)
    created = frozenset(fold(name) for name in user_functions)
    for name in sorted((created & DUCKDB_IMPLIED) - allowed):
        raise Refused(
            f"DuckDB calls {name}() for itself, and you made a function of that name:"
            f" rename yours, or allow it by allow_functions = '{name}'",
            sql,
        )
    rules = Rules(
        tables=frozenset(fold_path(table.path) for table in grant.tables),
        hidden=hidden_columns(grant),
        functions=(DUCKDB_FUNCTIONS - created) | allowed,
        bare_calls=((DUCKDB_FUNCTIONS | DUCKDB_BARE_CALLS) & created) - allowed,
        table_functions=(DUCKDB_TABLE_FUNCTIONS - created) | allowed,
        summaries=(created - allowed).isdisjoint(DUCKDB_SUMMARY),
    )
    try:
        root = _statement(tree_json)
        _walk(root, rules)
        check_sizes(root, grant.tables)
    except QueryError as error:
        error.sql = sql
        raise
    except RecursionError:
        raise Refused("the query is nested too deeply", sql) from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        message = "the query's tree has a shape that is not known here, so it cannot be checked"
        raise Refused(message, sql) from error


def is_duckdb_type(text: str) -> bool:
    """Return whether a text is one type as DuckDB writes it, such as `STRUCT(a INTEGER, "b c" DECIMAL(18,3)[])`.

    Such a text may be put into SQL: only names of types come before its parentheses, so it can call and select nothing.
    """
    depth, before = 0, ""
    for kind, piece in scan(text, "duckdb"):
        known = kind in {"word", "name", "text", "number"} or piece in "()[],"
        typed = piece != "(" or fold(before) in DUCKDB_TYPES
        if kind != "space" and not (known and typed and (depth or piece not in ",)")):
            return False
        depth += (piece == "(") - (piece == ")")
        before = piece
    return depth == 0


def _statement(tree_json: str) -> Node:
    """Return the query node of the only statement. Raise `Refused`, `QueryError`, or `ValueError` for another shape."""
    if len(tree_json) > MAX_TREE_CHARACTERS:
        raise Refused("the query is too large to check")
    tree = json.loads(tree_json)
    if tree["error"] is True:
        if tree.get("error_type") == "not implemented":
            raise Refused("only a SELECT can be checked; instead of PIVOT, write CASE inside aggregates")
        raise QueryError(f"the query cannot be read: {tree.get('error_message', 'syntax error')}")
    if tree["error"] is not False or set(tree) != {"error", "statements"}:
        raise ValueError("an answer of another kind")
    if len(tree["statements"]) != 1:
        raise Refused("a generated query must be one statement, and this holds several")
    statement: Node = tree["statements"][0]
    if set(statement) - {"node", "named_param_map"} or not isinstance(statement["node"], dict):
        raise ValueError("a statement of another kind")
    if statement.get("named_param_map"):
        raise Refused("a generated query may not have parameters")
    node: Node = statement["node"]
    return node


def _walk(root: Node, rules: Rules) -> None:
    """Visit every node below the root. Raise `Refused` at the first that breaks a rule."""
    counts = Counts()
    stack: list[Child] = [(root, Scope(), "node")]
    while stack:
        value, scope, place = stack.pop()
        if isinstance(value, list):
            stack += [(item, scope, place) for item in value]
        elif isinstance(value, dict):
            counts.add("nodes")
            _count_wide(value, counts)
            _check_fields(value, place)
            visit = _VISITS.get(str(value.get("class") or value.get("type")), _children)
            # SUBQUERY names a class of expressions and a type of tables; the depth of the latter is not limited.
            if "class" not in value and visit in _EXPRESSION_VISITS:
                visit = _children
            stack += visit(value, scope, rules)


def _count_wide(node: Node, counts: Counts) -> None:
    """Count a join, or the sides of a set operation."""
    if node.get("type") == "JOIN":
        counts.add("joins")
    if node.get("type") == "SET_OPERATION_NODE":
        for _ in node.get("children") or [1]:
            counts.add("set_operations")


def _check_fields(node: Node, place: str) -> None:
    """Raise `Refused` for a node of an unknown kind, and for an unknown field that is not empty.

    `place` is the name of the field that the node is in.
    """
    if "class" in node:
        known, kind = EXPRESSIONS.get(node["class"]), node["class"]
    elif isinstance(node.get("type"), str):
        known, kind = NODES.get(node["type"]), node["type"]
    else:
        known, kind = RECORDS.get(place), place
    if known is None:
        raise Refused(f"the query uses {_readable(kind)}, which is not known to be harmless")
    unknown = [name for name, value in node.items() if name not in known and value not in (None, "", [], False)]
    if unknown:
        raise Refused(f"{_readable(kind)} has {unknown[0]!r}, which is not known to be harmless")


def _readable(kind: str) -> str:
    return kind.replace("_", " ").lower()


def _children(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the fields of a node that may hold nodes, each with its scope.

    The common table expressions of a WITH are visible to those after them, and to the rest of the node.
    """
    inner = scope
    for entry in (node.get("cte_map") or {}).get("map") or []:
        yield from _cte(entry, inner)
        inner = inner.sees(fold(entry["key"]))
    for name, value in node.items():
        if name not in INERT and name != "cte_map" and isinstance(value, (dict, list)):
            yield value, inner, name


def _cte(entry: Node, scope: Scope) -> Iterator[Child]:
    """Yield the parts of a common table expression. Raise `Refused` for fields that are not known."""
    value = entry["value"]
    if set(entry) != {"key", "value"} or set(value) - CTE or not (value.get("query_node") or value.get("query")):
        raise Refused("a common table expression is of an unknown kind")
    for name in ("key_targets", "payload_aggregates", "query_node", "query"):
        if value.get(name):
            yield value[name], scope, name


def _recursive(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the parts of a recursive query. Its own name is visible only in the second; in the first it is a table."""
    for value, inner, name in _children(node, scope, rules):
        yield value, inner.sees(fold(node["cte_name"])) if name == "right" else inner, name


def _select(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Yield the parts of a SELECT. A table with hidden columns is allowed only in the subquery that `qualify` wrote."""
    table = node["from_table"]
    if table["type"] == "BASE_TABLE" and _path(table) in rules.hidden and not _shows_only_visible(node, rules):
        raise Refused(f"{table['table_name']!r} has hidden columns and is read in a way that cannot be checked")
    _check_alias_weight(node)
    for value, inner, name in _children(node, scope, rules):
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
    """Return a table's folded path. Raise `Refused` where the tree has a second one (DuckDB 2.0) that differs."""
    parts = tuple(fold(node.get(key) or "") for key in ("catalog_name", "schema_name", "table_name"))
    path = tuple(part for part in parts if part)
    second = node.get("qualified_name")
    if second is not None and fold_path(tuple(second["path"])) != path:
        raise Refused("the query names a table in a way that is not known here")
    return path


def _function(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    _check_call(node, rules.functions)
    return _children(node, scope, rules)


def _table_function(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    call = node["function"]
    if call.get("class") != "FUNCTION":
        raise Refused("the query reads from something that is no plain function")
    _check_fields(call, "function")
    _check_call(call, rules.table_functions)
    return _children(call, scope, rules)


def _check_call(node: Node, allowed: frozenset[str]) -> None:
    """Raise `Refused` for a call of a function that is not allowed, and of `ask` whatever is allowed."""
    name = fold(node["function_name"])
    if name not in allowed or name == "ask" or name.startswith("ask_"):
        raise Refused(f"the query calls the function {name!r}, which it may not")
    second = node.get("qualified_name")
    if second is not None and fold(second["path"][-1]) != name:
        raise Refused("the query names a function in a way that is not known here")
    if name in DUCKDB_NAMED_AGGREGATES:
        _check_named_aggregate(name, node)
    if name in _FORMAT_FIELDS:
        _check_format(name, node)


def _argument(node: Node, place: int) -> str | None:
    """Return the text of a constant argument, '' for an argument that is not constant, None for one that is missing.

    Raise `Refused` where arguments are named: their order is then not that of the function.
    """
    given = arguments(node)
    if any(name for name, _ in given):
        raise Refused(f"write the arguments of {fold(node['function_name'])} in their order, without names")
    if len(given) <= place:
        return None
    literal, value = given[place][1].get("literal"), given[place][1].get("value")
    return str(literal["text"]) if literal else str(value["value"]) if value else ""


def _check_named_aggregate(name: str, node: Node) -> None:
    """Raise `Refused` where the aggregate that `list_aggregate` is to call is not a literal, or is not allowed."""
    aggregate = fold(_argument(node, 1) or "")
    if aggregate not in DUCKDB_AGGREGATES:
        raise Refused(f"{name} needs the plain name of an aggregate, such as 'sum'")


def _check_format(name: str, node: Node) -> None:
    """Raise `Refused` for a format whose fields are wider than `MAX_SIZE`, or as wide as another argument says."""
    text = _argument(node, 0)
    widths = "".join(_FORMAT_FIELDS[name].findall(text or ""))
    if (
        text == ""
        or _WIDTH_FROM_ARGUMENT.search(widths)
        or any(int(digits) > MAX_SIZE for digits in re.findall(r"\d+", widths))
    ):
        raise Refused(f"{name} needs a plain text for its format, with widths up to {MAX_SIZE:,}")


def _subquery(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    if scope.subqueries >= MAX_SUBQUERIES_DEEP:
        raise Refused("the query is nested too deeply")
    return _children(node, replace(scope, subqueries=scope.subqueries + 1), rules)


def _lambda(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    if scope.lambdas >= MAX_LAMBDAS_DEEP:
        raise Refused("the query is nested too deeply")
    return _children(node, replace(scope, lambdas=scope.lambdas + 1), rules)


def _operator(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    if node["type"] not in OPERATORS:
        raise Refused(f"the query uses {_readable(node['type'])}, which is not known to be harmless")
    return _children(node, scope, rules)


def _column(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
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
    if node["show_type"] != "SUMMARY" or not node.get("query") or node.get("table_name"):
        raise Refused("SHOW and DESCRIBE read the catalog, which a generated query may not")
    if not rules.summaries:
        raise Refused("SUMMARIZE would call a function that somebody made, which it may not")
    return _children(node, scope, rules)


def _type(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Raise `Refused` for a type that is not built in. DuckDB 2.0 writes it as class TYPE, 1.5 as UNBOUND_TYPE_INFO."""
    name = fold(node.get("type_name") or node.get("name") or "")
    if name not in DUCKDB_TYPES or node.get("catalog") or node.get("schema"):
        raise Refused(f"{name!r} is not a built-in type")
    return _children(node, scope, rules)


_VISITS: dict[str, Visit] = {
    "BASE_TABLE": _base_table,
    "COLUMN_REF": _column,
    "CONSTANT": _constant,
    "FUNCTION": _function,
    "LAMBDA": _lambda,
    "OPERATOR": _operator,
    "RECURSIVE_CTE_NODE": _recursive,
    "SELECT_NODE": _select,
    "SHOW_REF": _summary,
    "SUBQUERY": _subquery,
    "TABLE_FUNCTION": _table_function,
    "TYPE": _type,
    "UNBOUND_TYPE_INFO": _type,
    "WINDOW": _function,
}
_EXPRESSION_VISITS = {_subquery}


def _check_alias_weight(node: Node) -> None:
    """Raise `Refused` where DuckDB would expand aliases to too many terms, as in `1 a, a + a b, b + b c, ...`."""
    weights: dict[str, int] = {}
    for item in node["select_list"]:
        weight = 1 + sum(weights.get(name, 0) for name in _plain_columns(item))
        if weight > MAX_ALIAS_WEIGHT:
            raise Refused("the query's aliases refer to each other too often")
        if item.get("alias"):
            weights[fold(item["alias"])] = weight


def _plain_columns(item: Any) -> Iterator[str]:
    """Yield each column below a node that is named without its table, folded, as often as it occurs."""
    stack = [item]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            if value.get("class") == "COLUMN_REF" and len(value["column_names"]) == 1:
                yield fold(value["column_names"][0])
            stack += value.values()
