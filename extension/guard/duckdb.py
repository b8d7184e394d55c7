"""The DuckDB guard: a walk over DuckDB's own syntax tree that refuses every node and field it does not know.

The tree is the text that `json_serialize_sql` returns for what `qualify` wrote. DuckDB has no authorizer, and the
statement runs on the user's own connection, so this walk is the barrier.
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
from askwhere.guard.scan import fold, scan
from askwhere.guard.shapes import CTE, EXPRESSIONS, INERT, NODES, OPERATORS, RECORDS
from askwhere.guard.sizes import arguments, check_sizes
from askwhere.guard.tables import Hidden, fold_path, hidden_columns

Node: TypeAlias = dict[str, Any]

MAX_TREE_CHARACTERS = 8_000_000
MAX_NODES = 5_000
MAX_SIZE = 10_000  # what `repeat` and its like may be told to make
# What stands between the beginning and the end of a field of a format; a width that is another argument's value.
_FIELDS = {"printf": re.compile(r"%([^a-zA-Z%]*)"), "format": re.compile(r"\{([^}]*)")}
_GIVEN = re.compile(r"[*{]")
MAX_PATH = 16  # parts of a column's name; DuckDB 2.0 takes a minute to resolve thousands
# Binding takes time exponential in these, and cannot be interrupted (measured on DuckDB 1.5.6 and 2.0.0).
MAX_SUBQUERIES_DEEP = 8
MAX_LAMBDAS_DEEP = 8
MAX_JOINS = 80
MAX_SET_OPERATIONS = 200
MAX_ALIAS_WEIGHT = 5_000


@dataclass(frozen=True)
class Rules:
    """What the walk compares with: folded paths of granted tables, hidden columns, callable functions."""

    tables: frozenset[tuple[str, ...]]
    hidden: Hidden
    functions: frozenset[str]
    bare_calls: frozenset[str]  # somebody's functions that are called by their names alone
    table_functions: frozenset[str]
    summaries: bool  # nobody made a function that SUMMARIZE would call


@dataclass(frozen=True)
class Scope:
    """What holds at a node: the common table expressions it sees, how deep it stands."""

    ctes: frozenset[str] = frozenset()
    subqueries: int = 0
    lambdas: int = 0

    def sees(self, *ctes: str) -> Scope:
        """This scope with more common table expressions in it."""
        return replace(self, ctes=self.ctes | set(ctes))


@dataclass
class Counts:
    """How much of everything the walk has met."""

    nodes: int = 0
    joins: int = 0
    set_operations: int = 0
    limits: dict[str, int] = field(
        default_factory=lambda: {"nodes": MAX_NODES, "joins": MAX_JOINS, "set_operations": MAX_SET_OPERATIONS}
    )

    def add(self, what: str) -> None:
        """Counts one more; raises `Refused` beyond the limit."""
        setattr(self, what, getattr(self, what) + 1)
        if getattr(self, what) > self.limits[what]:
            raise Refused(f"the query has more than {self.limits[what]:,} {what.replace('_', ' ')}")


Child: TypeAlias = tuple[Any, Scope, str]  # value, scope, the field it stands in
Visit: TypeAlias = Callable[[Node, Scope, Rules], Iterator[Child]]


def check_duckdb(tree_json: str, grant: Grant, user_functions: Iterable[str] = (), sql: str = "") -> None:
    """Returns when the tree only reads granted tables; raises `Refused` for anything else, `QueryError` for no SQL.

    `tree_json` is what `json_serialize_sql` says of a text that `qualify` wrote for `grant`, `user_functions` the names
    of all functions and macros that somebody made, which hide built-in ones of the same name. `sql` is for the errors.
    """
    allowed = frozenset(fold(name) for name in grant.functions)
    own = frozenset(fold(name) for name in user_functions)
    for name in sorted((own & DUCKDB_IMPLIED) - allowed):
        raise Refused(
            f"DuckDB calls {name}() for itself, and you made a function of that name:"
            f" rename yours, or allow it by allow_functions = '{name}'",
            sql,
        )
    rules = Rules(
        tables=frozenset(fold_path(table.path) for table in grant.tables),
        hidden=hidden_columns(grant),
        functions=(DUCKDB_FUNCTIONS - own) | allowed,
        bare_calls=((DUCKDB_FUNCTIONS | DUCKDB_BARE_CALLS) & own) - allowed,
        table_functions=(DUCKDB_TABLE_FUNCTIONS - own) | allowed,
        summaries=(own - allowed).isdisjoint(DUCKDB_SUMMARY),
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
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = "the query's tree has a shape that is not known here, so it cannot be checked"
        raise Refused(message, sql) from error


def is_duckdb_type(text: str) -> bool:
    """Whether a text is one type as DuckDB writes it, such as `STRUCT(a INTEGER, "b c" DECIMAL(18,3)[])`, and no SQL.

    Only the names of types stand before parentheses, so that nothing in it can be called or selected.
    """
    depth, before = 0, ""
    for kind, piece in scan(text, "duckdb"):
        known = kind in {"word", "name", "text", "number"} or piece in "()[],"
        callable_ = piece != "(" or fold(before) in DUCKDB_TYPES
        if kind != "space" and not (known and callable_ and (depth or piece not in ",)")):
            return False
        depth += (piece == "(") - (piece == ")")
        before = piece
    return depth == 0


def _statement(tree_json: str) -> Node:
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
            if "class" not in value and visit in _EXPRESSION_VISITS:
                visit = _children
            stack += visit(value, scope, rules)


def _count_wide(node: Node, counts: Counts) -> None:
    if node.get("type") == "JOIN":
        counts.add("joins")
    if node.get("type") == "SET_OPERATION_NODE":
        for _ in node.get("children") or [1]:
            counts.add("set_operations")


def _check_fields(node: Node, place: str) -> None:
    """Refuses an unknown kind of node, and an unknown field that holds something."""
    if "class" in node:
        known, kind = EXPRESSIONS.get(node["class"]), node["class"]
    elif isinstance(node.get("type"), str):
        known, kind = NODES.get(node["type"]), node["type"]
    else:
        known, kind = RECORDS.get(place), place
    if known is None:
        raise Refused(f"the query uses {_said(kind)}, which is not known to be harmless")
    strange = [name for name, value in node.items() if name not in known and value not in (None, "", [], False)]
    if strange:
        raise Refused(f"{_said(kind)} has {strange[0]!r}, which is not known to be harmless")


def _said(kind: str) -> str:
    return kind.replace("_", " ").lower()


def _children(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """All values of a node that may hold nodes. A node with its own `cte_map` shows its names to the rest."""
    inner = scope
    for entry in (node.get("cte_map") or {}).get("map") or []:
        yield from _cte(entry, inner)
        inner = inner.sees(fold(entry["key"]))
    for name, value in node.items():
        if name not in INERT and name != "cte_map" and isinstance(value, (dict, list)):
            yield value, inner, name


def _cte(entry: Node, scope: Scope) -> Iterator[Child]:
    value = entry["value"]
    if set(entry) != {"key", "value"} or set(value) - CTE or not (value.get("query_node") or value.get("query")):
        raise Refused("a common table expression is of an unknown kind")
    for name in ("key_targets", "payload_aggregates", "query_node", "query"):
        if value.get(name):
            yield value[name], scope, name


def _recursive(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    """Only the second half of a recursive query sees its own name; in the first, that name is a table's."""
    for value, inner, name in _children(node, scope, rules):
        yield value, inner.sees(fold(node["cte_name"])) if name == "right" else inner, name


def _select(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
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
    """Whether a select is the one that `qualify` puts in place of a table with hidden columns, and nothing more."""
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
    """A table's folded path. Where the tree says it twice, both must agree."""
    parts = tuple(fold(node.get(key) or "") for key in ("catalog_name", "schema_name", "table_name"))
    path = tuple(part for part in parts if part)
    twice = node.get("qualified_name")
    if twice is not None and fold_path(tuple(twice["path"])) != path:
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
    name = fold(node["function_name"])
    if name not in allowed or name == "ask" or name.startswith("ask_"):
        raise Refused(f"the query calls the function {name!r}, which it may not")
    twice = node.get("qualified_name")
    if twice is not None and fold(twice["path"][-1]) != name:
        raise Refused("the query names a function in a way that is not known here")
    if name in DUCKDB_NAMED_AGGREGATES:
        _check_named(name, node)
    if name in _FIELDS:
        _check_format(name, node)


def _argument(node: Node, place: int) -> str | None:
    """The text of a call's argument where it is a plain value, '' where it is none; None where it is left out."""
    given = arguments(node)
    if any(name for name, _ in given):
        raise Refused(f"write the arguments of {fold(node['function_name'])} in their order, without names")
    if len(given) <= place:
        return None
    literal, value = given[place][1].get("literal"), given[place][1].get("value")
    return str(literal["text"]) if literal else str(value["value"]) if value else ""


def _check_named(name: str, node: Node) -> None:
    """Refuses an aggregate of a list whose name is computed, or which may not be called as a function either."""
    aggregate = fold(_argument(node, 1) or "")
    if aggregate not in DUCKDB_AGGREGATES:
        raise Refused(f"{name} needs the plain name of an aggregate, such as 'sum'")


def _check_format(name: str, node: Node) -> None:
    """Refuses what writes values as wide as another value says, or wider than `MAX_SIZE`."""
    text = _argument(node, 0)
    widths = "".join(_FIELDS[name].findall(text or ""))
    if text == "" or _GIVEN.search(widths) or any(int(digits) > MAX_SIZE for digits in re.findall(r"\d+", widths)):
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
        raise Refused(f"the query uses {_said(node['type'])}, which is not known to be harmless")
    return _children(node, scope, rules)


def _column(node: Node, scope: Scope, rules: Rules) -> Iterator[Child]:
    names = node["column_names"]
    if len(names) > MAX_PATH:
        raise Refused(f"a column's name has more than {MAX_PATH} parts")
    # `current_user` and its like are read as columns, and then called, also when the user has made their macro.
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
    """The name of a type, in 2.0 a node of class TYPE, in 1.5 an unbound type info."""
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
# SUBQUERY is also the type of a table that is a subquery, which may nest as deep as it likes.
_EXPRESSION_VISITS = {_subquery}


def _check_alias_weight(node: Node) -> None:
    """Bounds what DuckDB's own expansion of aliases makes of a select list such as `1 a, a + a b, b + b c, ...`."""
    weights: dict[str, int] = {}
    for item in node["select_list"]:
        weight = 1 + sum(weights.get(name, 0) for name in _plain_columns(item))
        if weight > MAX_ALIAS_WEIGHT:
            raise Refused("the query's aliases stand on each other too often")
        if item.get("alias"):
            weights[fold(item["alias"])] = weight


def _plain_columns(item: Any) -> Iterator[str]:
    stack = [item]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            if value.get("class") == "COLUMN_REF" and len(value["column_names"]) == 1:
                yield fold(value["column_names"][0])
            stack += value.values()
