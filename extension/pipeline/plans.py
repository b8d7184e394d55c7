"""How much work a query is by the engine's own plan, for one that takes too long to be timed again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askwhere.engine import Checked, Table
from askwhere.guard import parsing
from askwhere.guard.scan import fold
from sqlglot import exp
from sqlglot.errors import SqlglotError

# Rows of a table that nobody counted, and of a subquery; rows that an index gives for one value, as SQLite supposes.
UNCOUNTED, SUBQUERY, ALIKE = 1_000_000, 1_000, 10
_LOOP = re.compile(r"(SCAN|SEARCH) (.+?)( USING .*| LEFT-JOIN| EXISTS| VIRTUAL TABLE .*| CONSTANT .*)?$", re.DOTALL)
_ESTIMATED = re.compile(r'"Estimated Cardinality": "~?(\d+)"')
_Steps = Mapping[int, Sequence[tuple[int, str]]]


def explaining(checked: Checked, dialect: str) -> Checked:
    """What asks the engine for a query's plan; it is not run."""
    if dialect == "duckdb":
        return Checked(f"EXPLAIN (FORMAT json) {checked.sql}", ("key", "plan"), ("VARCHAR", "VARCHAR"))
    return Checked(f"EXPLAIN QUERY PLAN {checked.sql}", ("id", "parent", "cost", "detail"), ("",) * 4)


def work(plan: Iterable[Sequence[Any]], sql: str, dialect: str, tables: Iterable[Table]) -> float:
    """About how many rows the steps of a plan handle, all together.

    DuckDB estimates them itself. SQLite tells the loops: the sizes of tables are those of the catalog.
    """
    if dialect == "duckdb":
        return float(sum(int(rows) for _, text in plan for rows in _ESTIMATED.findall(text)))
    below: dict[int, list[tuple[int, str]]] = {}
    for number, parent, _, detail in plan:
        below.setdefault(parent, []).append((number, detail))
    return _handled(below, 0, _sizes(sql, dialect, tables))


def _handled(below: _Steps, parent: int, sizes: Mapping[str, int]) -> float:
    """The rows of a step's parts: loops are within those before them, and so is a correlated subquery."""
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
    kind, name, how = loop[1], fold(loop[2]), loop[3] or ""
    size = sizes.get(name, sizes.get(name.partition(".")[2], SUBQUERY))
    if kind == "SCAN" or " USING " not in how:
        return max(size, 1)
    if "rowid=?" in how:
        return 1
    return min(size, ALIKE) if "=?" in how else max(size / 4, 1)


def _sizes(sql: str, dialect: str, tables: Iterable[Table]) -> dict[str, int]:
    """How many rows tables have, by their names and by those that a query gives them."""
    sizes = {fold(table.name): UNCOUNTED if table.rows is None else table.rows for table in tables}
    try:
        named = list(parsing.statement(sql, dialect).find_all(exp.Table))
    except SqlglotError:
        return sizes
    return {fold(one.alias): sizes[fold(one.name)] for one in named if one.alias and fold(one.name) in sizes} | sizes
