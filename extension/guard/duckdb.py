"""Check a DuckDB query: walk its syntax tree and refuse each node and field that is not known to be harmless.

The tree is what `json_serialize_sql` returns for a text that `qualify` wrote. DuckDB has no authorizer, and the
statement runs on the user's own connection, so this check is all that protects the data from a generated query. The
walk is a loop over a stack; `VISITS` has a function for each kind of node that needs a check of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from askwhere.engine import Grant
from askwhere.errors import QueryError, Refused
from askwhere.guard.duckdb_nodes import EXPRESSION_VISITS, LISTED, RESOLVED_TYPE, VISITS, Child, Rules, Scope, children
from askwhere.guard.estimates import Relation
from askwhere.guard.functions import (
    DUCKDB_BARE_CALLS,
    DUCKDB_FUNCTIONS,
    DUCKDB_IMPLIED,
    DUCKDB_SUMMARY,
    DUCKDB_TABLE_FUNCTIONS,
    DUCKDB_TYPES,
)
from askwhere.guard.hidden import hidden_columns
from askwhere.guard.macro_sizes import Definitions, Macros
from askwhere.guard.shapes import check_fields
from askwhere.guard.sizes import check_sizes
from askwhere.guard.stored_lengths import Measuring, check_lengths
from askwhere.guard.tree import Node, as_calls, nodes
from askwhere.sql.identifiers import fold, fold_path
from askwhere.sql.lexer import scan

MAX_TREE_CHARACTERS = 8_000_000
MAX_NODES = 5_000
MAX_SET_OPERATIONS = 200
# Functions that sort a list.
_SORTING = {
    "array_grade_up", "array_reverse_sort", "array_sort", "grade_up", "list_grade_up", "list_reverse_sort", "list_sort",
}  # fmt: skip


@dataclass
class Counts:
    """The number of nodes and set operations that the walk has met, with the limit of each."""

    nodes: int = 0
    set_operations: int = 0
    limits: dict[str, int] = field(default_factory=lambda: {"nodes": MAX_NODES, "set_operations": MAX_SET_OPERATIONS})

    def add(self, kind: str) -> None:
        """Count one more of a kind, `nodes` or `set_operations`. Raise `Refused` beyond its limit."""
        setattr(self, kind, getattr(self, kind) + 1)
        if getattr(self, kind) > self.limits[kind]:
            raise Refused(f"the query has more than {self.limits[kind]:,} {kind.replace('_', ' ')}")


def check_duckdb(
    tree_json: str,
    grant: Grant,
    user_functions: Iterable[str] = (),
    sql: str = "",
    measuring: Measuring | None = None,
    macros: Callable[[], Definitions] | None = None,
) -> Relation:
    """Return the estimate of a query, after checking that it reads only what it may, and is not too costly.

    `tree_json` is what `json_serialize_sql` returns for a text that `qualify` wrote for `grant`. `user_functions` are
    the names of all functions and macros that users created: they shadow built-in ones of the same name, so they are
    refused unless the grant allows them. `sql` is the text that errors carry. `measuring` measures how long stored
    values are; without it, they count as short. `macros` returns the definitions of macros; it is called only if the
    query calls a user's function.

    Raise `Refused` for a query that breaks a rule, `TooMuch` where measuring the values takes too long, and
    `QueryError` where DuckDB could not parse the query.
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
        as_calls(root)
        _walk(root, rules)
        _check_sorting(root, grant)
        calls_own = not allowed.isdisjoint(created) and not _called(root).isdisjoint(allowed & created)
        known = Macros(macros, grant.tables) if macros and calls_own else None
        relation = check_sizes(root, grant.tables, macros=known)
        if measuring is not None:
            check_lengths(root, grant.tables, measuring)
        return relation
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
    """Visit the root and every node below it. Raise `Refused` at the first that breaks a rule."""
    counts = Counts()
    stack: list[Child] = [(root, Scope(), "node")]
    while stack:
        value, scope, place = stack.pop()
        if isinstance(value, list):
            stack += [(item, scope, place) for item in value]
        elif isinstance(value, dict):
            if place != LISTED:
                counts.add("nodes")
            _count_sides(value, counts)
            check_fields(value, place)
            kind = value.get("class") or value.get("type") or (RESOLVED_TYPE if RESOLVED_TYPE in value else "")
            visit = VISITS.get(str(kind), children)
            # SUBQUERY is a class of expressions and a type of tables; only the depth of the expressions is limited.
            if "class" not in value and visit in EXPRESSION_VISITS:
                visit = children
            stack += visit(value, scope, rules)


def _called(root: Node) -> set[str]:
    """Return the folded names of the functions that a query calls."""
    return {fold(node["function_name"]) for node in nodes(root) if node.get("function_name")}


def _check_sorting(root: Node, grant: Grant) -> None:
    """Raise `Refused` where DuckDB 1.5 might sort a VARIANT: it takes it for a list, and reads other memory.

    The tree does not contain the types of columns, so any column of that type in a granted table is enough. DuckDB 2.0,
    whose calls have `arguments`, does not have this fault.
    """
    calls = (n for n in nodes(root) if n.get("class") == "FUNCTION" and "arguments" not in n)
    sorting = next((name for n in calls if (name := fold(n["function_name"])) in _SORTING), "")
    if sorting and any("VARIANT" in column.type.upper() for table in grant.tables for column in table.columns):
        raise Refused(f"{sorting} may crash DuckDB 1.5 where a table has a column of type VARIANT; use DuckDB 2.0")


def _count_sides(node: Node, counts: Counts) -> None:
    """Count a set operation: one for each side or, in DuckDB 1.5, one for its two sides."""
    if node.get("type") == "SET_OPERATION_NODE":
        for _ in node.get("children") or [1]:
            counts.add("set_operations")
