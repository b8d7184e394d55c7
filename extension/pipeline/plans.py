"""Estimate how much work a query is by the engine's plan, for queries too slow to be timed again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askwhere.engine import Checked, Table
from askwhere.sql import parsing
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold
from sqlglot import exp

# Assumed rows: of a table without a count, of a subquery, and of an index for one value (SQLite's own assumption).
UNCOUNTED, SUBQUERY, ALIKE = 1_000_000, 1_000, 10
_LOOP = re.compile(r"(SCAN|SEARCH) (.+?)( USING .*| LEFT-JOIN| EXISTS| VIRTUAL TABLE .*| CONSTANT .*)?$", re.DOTALL)
_Steps = Mapping[int, Sequence[tuple[int, str]]]


def explaining(checked: Checked, dialect: str) -> Checked:
    """Return the statement that asks the engine for a query's plan without running the query."""
    plans = named(dialect).plans
    return Checked(f"{plans.explain} {checked.sql}", plans.columns, plans.types)


def work(plan: Iterable[Sequence[Any]], sql: str, dialect: str, tables: Iterable[Table]) -> float:
    """Return about how many rows all steps of a plan handle together.

    They are the sum of the plan's own estimates. A plan without estimates lists nested loops, whose rows follow from
    the numbers of rows of `tables`.
    """
    estimated = named(dialect).plans.rows
    if estimated is not None:
        return float(sum(int(rows) for step in plan for rows in estimated.findall(str(step[-1]))))
    below: dict[int, list[tuple[int, str]]] = {}
    for number, parent, _, detail in plan:
        below.setdefault(parent, []).append((number, detail))
    return _handled(below, 0, _sizes(sql, dialect, tables))


def _handled(below: _Steps, parent: int, sizes: Mapping[str, int]) -> float:
    """Return the rows that the parts of a step handle.

    A loop, and a correlated subquery, run once for each row of the loops before it.
    """
    handled, times = 0.0, 1.0
    for number, detail in below.get(parent, ()):
        if loop := _LOOP.match(detail):
            times *= _rows(loop, sizes)
            handled += times
        elif detail.startswith("USE TEMP B-TREE"):
            handled += times
        else:
            handled += (times if detail.startswith("CORRELATED") else 1.0) * _handled(below, number, sizes)
    return handled


def _rows(loop: re.Match[str], sizes: Mapping[str, int]) -> float:
    """Return the rows that one loop reads each time."""
    kind, name, how = loop[1], fold(loop[2]), loop[3] or ""
    size = sizes.get(name, sizes.get(name.partition(".")[2], SUBQUERY))
    if kind == "SCAN" or " USING " not in how:
        return max(size, 1)
    if "rowid=?" in how:
        return 1
    return min(size, ALIKE) if "=?" in how else max(size / 4, 1)


def _sizes(sql: str, dialect: str, tables: Iterable[Table]) -> dict[str, int]:
    """Return the number of rows of tables, by their names and aliases."""
    sizes = {fold(table.name): UNCOUNTED if table.rows is None else table.rows for table in tables}
    tree = parsing.parsed(sql, dialect)
    named = tree.find_all(exp.Table) if tree is not None else ()
    return {fold(one.alias): sizes[fold(one.name)] for one in named if one.alias and fold(one.name) in sizes} | sizes
