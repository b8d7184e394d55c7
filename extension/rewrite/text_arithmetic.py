"""Find arithmetic on text, which SQLite computes where other engines refuse it, and write date differences as days.

SQLite computes with the number at the beginning of a text, else with 0: the difference of '2024-03-01' and '2024-02-01'
is 0, and so is the sum of a column of names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from askwhere.cells import DATE
from askwhere.engine import Result, Table
from askwhere.errors import AskError, QueryError
from askwhere.rewrite.context import Kind, MendingContext
from askwhere.rewrite.scopes import Scopes
from askwhere.sql.identifiers import quote, quote_path
from sqlglot import exp

# Expressions that compute with their operands as numbers, and those whose value is one of their operand's values.
_COMPUTES = (exp.Sum, exp.Avg, exp.Abs, exp.Round, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg)
_PASSES = (exp.Paren, exp.Distinct, exp.Max, exp.Min, exp.Date)
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*$")
LOOKED_AT = 20  # values of a column that are read to find its kind


def kind_finder(run: Callable[[str, int | None], Result]) -> Kind:
    """Return a function that returns a column's kind by its first values; `run` returns the first rows of a query."""

    @cache
    def kind(table: Table, column: str) -> str:
        name = quote(column)
        first = f"SELECT {name} FROM {quote_path(table.path)} WHERE {name} IS NOT NULL LIMIT {LOOKED_AT}"
        try:
            values = [row[0] for row in run(first, LOOKED_AT).rows]
        except AskError:
            return ""
        texts = [value for value in values if isinstance(value, str) and not _NUMBER.match(value)]
        if len(texts) < len(values) or not texts:
            return ""
        return "date" if all(map(DATE.match, texts)) else "text"

    return kind


def in_days(tree: exp.Expr, context: MendingContext) -> bool:
    """Write date differences as numbers of days, in an engine that computes with text; return whether there are any.

    Raise `QueryError` for any other arithmetic on text.
    """
    if context.kind is None:
        return False
    sql, dialect = tree.sql(context.dialect), context.dialect
    scopes = Scopes(tree, context.catalog, dialect)
    differences: dict[int, exp.Sub] = {}
    for column in tree.find_all(exp.Column):
        computation = column.find_ancestor(*_COMPUTES)
        if computation is None or not _computes_with(computation, column):
            continue
        if not (column_kind := _kind(column, scopes, context.kind)):
            continue
        if column_kind == "date" and isinstance(computation, exp.Sub):
            differences[id(computation)] = computation
        else:
            raise QueryError(f"{computation.key.upper()} computes with {column.sql(dialect)}, which holds text", sql)
    for difference in differences.values():
        operands = difference.left, difference.right
        if other := next((operand for operand in operands if not _may_be_date(operand)), None):
            raise QueryError(f"{difference.sql(dialect)} computes with a date and {other.sql(dialect)}", sql)
        for operand in operands:
            operand.replace(exp.func("julianday", operand.unnest().copy()))
    return bool(differences)


def _computes_with(computation: exp.Expr, column: exp.Column) -> bool:
    """Return whether an expression computes with the values of a column in it, which nothing between them changes."""
    node: exp.Expr = column
    while node.parent is not computation and isinstance(node.parent, _PASSES):
        node = node.parent
    return node.parent is computation


def _kind(column: exp.Column, scopes: Scopes, kind: Kind) -> str:
    """Return the kind of a table's column; '' for a name that refers to no table's column."""
    table = scopes.table_of(column)
    return kind(table, column.name) if table is not None else ""


def _may_be_date(operand: exp.Expr) -> bool:
    """Return whether an operand may be a date: a column, a text, today, or a call that returns a date."""
    inner = operand.unnest()
    if isinstance(inner, (exp.Max, exp.Min)):
        return _may_be_date(inner.this)
    if isinstance(inner, exp.Literal):
        return inner.is_string
    dates = (exp.Column, exp.CurrentDate, exp.CurrentTimestamp, exp.Date, exp.TsOrDsToDate)
    return isinstance(inner, dates) or inner.name.lower() in ("date", "datetime")
