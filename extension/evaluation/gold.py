"""Prepare gold queries for the engine that is evaluated: unchanged for SQLite; for DuckDB transpiled, and checked."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Result
from askwhere.errors import QueryError
from askwhere.evaluation import own
from askwhere.evaluation.recall import as_text
from askwhere.evaluation.rows import plain
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.outcomes import is_ordered
from askwhere.rewrite.scopes import Scopes
from askwhere.sql import parsing
from sqlglot import exp
from sqlglot.errors import SqlglotError


def transpiled(sql: str, catalog: Catalog) -> str:
    """Return a SQLite query as DuckDB SQL, which is stricter.

    A name in double quotes that is no column's becomes a text, as SQLite reads it. A column that is neither grouped by
    nor aggregated is wrapped in ANY_VALUE or, beside a single MIN or MAX, in ARG_MIN or ARG_MAX, as SQLite takes its
    value from that row. Raise `QueryError` where the query cannot be parsed.
    """
    try:
        tree = parsing.statement(sql, "sqlite")
        scopes = Scopes(tree, catalog, "sqlite")
        tree = tree.transform(as_text, scopes, copy=False)
        for select in tree.find_all(exp.Select):
            _group(select)
        return tree.sql(dialect="duckdb")
    except (SqlglotError, RecursionError) as exc:
        raise QueryError(f"gold cannot be transpiled: {exc}", sql) from exc


def _group(select: exp.Select) -> None:
    """Wrap the columns of a grouped query that are neither keys nor inside an aggregate into an aggregate."""
    clauses = [*select.expressions, *(select.args[part] for part in ("having", "order") if select.args.get(part))]
    aggregates = [node for clause in clauses for node in clause.find_all(exp.AggFunc) if _select_of(node) is select]
    group = select.args.get("group")
    if not group and not aggregates:
        return
    keys = [_key(key, select) for key in group.expressions] if group else []
    shown = {alias for alias in (e.alias.lower() for e in select.expressions) if alias}
    for column in [column for clause in clauses for column in clause.find_all(exp.Column)]:
        named = not column.table and column.name.lower() in shown and column.find_ancestor(exp.Order, exp.Having)
        if _select_of(column) is select and not named and not _is_inside(column, keys):
            column.replace(_one_of(column, aggregates))


def _select_of(node: exp.Expr) -> exp.Expr | None:
    """Return the SELECT that a node stands in."""
    select: exp.Select | None = node.find_ancestor(exp.Select)
    return select


def _key(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """Return the expression of a GROUP BY key; a number is replaced by the output that it counts to."""
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.this) <= len(select.expressions):
        shown: exp.Expr = select.expressions[int(key.this) - 1]
        key = shown.this if isinstance(shown, exp.Alias) else shown
    return key


def _is_inside(column: exp.Column, keys: list[exp.Expr]) -> bool:
    """Return whether a column stands inside an aggregate or a key."""
    node: exp.Expr | None = column
    while node is not None and not isinstance(node, exp.Select):
        if isinstance(node, exp.AggFunc) or any(_alike(node, key) for key in keys):
            return True
        node = node.parent
    return False


def _alike(node: exp.Expr, key: exp.Expr) -> bool:
    """Return whether a node is the same expression as a key; a column may be written with or without its table."""
    if isinstance(node, exp.Column) and isinstance(key, exp.Column):
        tables = {node.table.lower(), key.table.lower()} - {""}
        return node.name.lower() == key.name.lower() and len(tables) < 2
    return node.sql().lower() == key.sql().lower()


def _one_of(column: exp.Column, aggregates: list[exp.AggFunc]) -> exp.Expr:
    """Return the aggregate that picks a column's value for a group, as SQLite does for MIN and MAX."""
    if len(aggregates) == 1 and isinstance(aggregates[0], (exp.Max, exp.Min)):
        kind: type[exp.ArgMax | exp.ArgMin] = exp.ArgMax if isinstance(aggregates[0], exp.Max) else exp.ArgMin
        return kind(this=column.copy(), expression=aggregates[0].this.copy())
    return exp.AnyValue(this=column.copy())


def same(original: Result, copied: Result, sql: str) -> bool:
    """Return whether gold gives the same rows in DuckDB as in SQLite, in the same order if it orders them."""
    first, second = (replace(result, rows=tuple(plain(result.rows))) for result in (original, copied))
    # The query is parsed, to find out whether it orders its rows, only if they are not equal in the order they came.
    return own.equal(first, second, first.rows != second.rows and is_ordered(sql, "sqlite"))
