"""Find why an answer has no rows: tables without any, and conditions that no value of their column meets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from askwhere.cells import DATE, written
from askwhere.engine import Result
from askwhere.grouping import grouped
from askwhere.rewrite.scopes import conjuncts
from askwhere.sql.identifiers import fold
from sqlglot import exp

MOST = 3  # columns whose conditions are tested
MOST_TABLES = 8  # that are tested for rows
_MIDNIGHT = re.compile(r"[ T]00:00(:00(\.0+)?)?\Z")


def notes(tree: exp.Select, dialect: str, run: Callable[[str, int | None], Result]) -> Iterator[str]:
    """Yield a sentence on the tables of a query that have no rows, and one on each column whose condition none meets.

    These are columns of numbers or dates with conditions in WHERE that no row of their table meets. Raise what `run`
    raises.
    """
    if empty := _empty_tables(tree, dialect, run):
        *others, last = empty
        yield f"{', '.join(others)} and {last} have no rows" if others else f"{last} has no rows"
    where = tree.args.get("where")
    parts = [part.unnest() for part in conjuncts(where.this if where else None)]
    for column, own in list(grouped((_column(part), part) for part in parts).items())[:MOST]:
        source = _source(tree, column) if column else None
        if column is None or source is None:
            continue
        met = exp.Case().when(exp.and_(*own), exp.Literal.number(1))
        outputs = exp.Min(this=column.copy()), exp.Max(this=column.copy()), exp.Count(this=met)
        query = exp.select(*outputs).from_(source.copy())
        query.set("with_", tree.args.get("with_"))
        (cells,) = run(query.sql(dialect), 1).rows
        if len(cells) != len(outputs):
            continue  # the condition has COLUMNS(...), and stands for several
        least, most, number = cells
        if number == 0 and _is_measured(least) and _is_measured(most):
            name = f"{source.name or source.alias}.{column.name}"
            yield f"nothing meets the condition on {name}, which {_span(least, most)}"


def _empty_tables(tree: exp.Select, dialect: str, run: Callable[[str, int | None], Result]) -> list[str]:
    """Return the names of the tables of a query that have no rows."""
    own = {fold(cte.alias) for cte in tree.find_all(exp.CTE)}
    names: dict[str, str] = {}  # by the table's path as SQL
    for node in tree.find_all(exp.Table):
        if isinstance(node.this, exp.Identifier) and fold(node.name) not in own:
            path = {name: node.args.get(name) for name in ("this", "db", "catalog")}
            names[exp.Table(**path).copy().sql(dialect)] = node.name
    tested = list(names)[:MOST_TABLES]
    if not tested:
        return []
    ((*has_rows,),) = run(f"SELECT {', '.join(f'EXISTS (SELECT 1 FROM {table})' for table in tested)}", 1).rows
    return [names[table] for table, any_row in zip(tested, has_rows, strict=True) if not any_row]


def _column(condition: exp.Expr) -> exp.Column | None:
    """Return the column that a condition is about; None for a condition on several, or one with a query."""
    columns = set(condition.find_all(exp.Column))
    return columns.pop() if len(columns) == 1 and not condition.find(exp.Query) else None


def _source(tree: exp.Select, column: exp.Column) -> exp.Expr | None:
    """Return what a query reads a column from, a table or a query; None where the query does not say."""
    first = tree.args.get("from_")
    sources = [clause.this for clause in (first, *tree.args.get("joins", ())) if clause]
    named = [source for source in sources if source.alias_or_name == column.table] if column.table else sources
    return named[0] if len(named) == 1 and isinstance(named[0], exp.Table | exp.Subquery) else None


def _is_measured(cell: Any) -> bool:
    """Return whether a cell is a number, or a date, which may be a text."""
    number = isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)
    return number or isinstance(cell, date) or (isinstance(cell, str) and DATE.match(cell) is not None)


def _span(least: Any, most: Any) -> str:
    """Return what a column's values are, in words; days without a time where both are midnight."""
    first, last = written(least), written(most)
    if _MIDNIGHT.search(first) and _MIDNIGHT.search(last):
        first, last = _MIDNIGHT.sub("", first), _MIDNIGHT.sub("", last)
    return f"is always {first}" if first == last else f"runs from {first} to {last}"
