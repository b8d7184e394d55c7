"""Make a DuckDB query of the rows that a trial has read, where the user's statement would read the same ones.

That statement belongs to a transaction that may have changes of its own, or see rows as they were before. Files that
views read have no transactions, and databases that are only read do not change. So there the rows need not be computed
again. Other settings of the user's connection may still give other rows.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Container, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import duckdb
from askwhere.bindings.duckdb.plans import nodes
from askwhere.bindings.duckdb.reading import casts
from askwhere.bindings.duckdb.running import Connection
from askwhere.engine import Checked, Result
from askwhere.sql.identifiers import parts
from askwhere.sql.literals import quoted

# Settings that a connection may have of its own, and that decide what a query returns.
_LOCAL = (
    "TimeZone",
    "Calendar",
    "integer_division",
    "ieee_floating_point_ops",
    "scalar_subquery_error_on_multiple_rows",
)
_LISTED = ", ".join(f"system.main.current_setting('{name}')" for name in _LOCAL)
SETTINGS = f"system.main.json_array({_LISTED})"  # SQL for their values

# Databases that do not change.
_FIXED = "SELECT database_name FROM duckdb_databases() WHERE NOT internal AND type = 'duckdb' AND readonly"
# The parts of a plan that read rows of files, and those that read rows of the plan itself.
_FILES = re.compile(r"(READ_)?(PARQUET|CSV|JSON|NDJSON)(_AUTO|_OBJECTS|_SCAN)*")
_OWN = re.compile(r"(COLUMN_DATA|CTE|REC_CTE|DELIM|DUMMY)_SCAN|CHUNK_GET|CTE_REF|DELIM_GET|DUMMY_SCAN|EMPTY_RESULT")

# Types whose values Python holds unchanged.
_HELD = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|BOOLEAN|VARCHAR|DATE|TIMESTAMP"
)
_SQL = """SELECT {columns} FROM (SELECT unnest(system.main.from_json({rows}, '[["VARCHAR"]]')) AS r)"""


def delivered(connection: Connection, checked: Checked, trial: Result, settings: Sequence[Any] | None) -> str:
    """Return the SQL that delivers a checked query's rows: those of its complete trial, or the query itself.

    `connection` is one like that of the trial, `settings` are the values of `SETTINGS` on the user's, None where they
    are not known.
    """
    if settings is None or not trial.complete or not all(map(_HELD.fullmatch, checked.types)):
        return checked.sql
    with contextlib.suppress(duckdb.Error, _Beyond):
        rows = json.dumps([[_text(cell) for cell in row] for row in trial.rows])
        if _same_settings(connection, settings) and _is_settled(connection, checked.sql):
            return _SQL.format(columns=casts(checked, "r[{}]"), rows=quoted(rows))
    return checked.sql


class _Beyond(Exception):
    """A value that Python shows as another one."""


def _text(cell: Any) -> str | None:
    """Return the text that DuckDB casts to a value. Raise `_Beyond` for a date that may stand for an infinite one."""
    if isinstance(cell, date) and (not 1 < cell.year < 9999):
        raise _Beyond
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    return None if cell is None else str(cell)


def _same_settings(connection: Connection, settings: Sequence[Any]) -> bool:
    return bool(json.loads(connection.execute(f"SELECT {SETTINGS}").fetchall()[0][0]) == list(settings))


def _is_settled(connection: Connection, sql: str) -> bool:
    """Return whether a query reads the same in all transactions: files, or databases that are only read.

    The plan is looked at as it is before DuckDB has made it shorter by what it knows of the tables.
    """
    with connection.cursor() as apart:
        apart.execute("SET explain_output = 'all'")
        plans = dict(apart.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall())
        fixed = {name for (name,) in apart.execute(_FIXED).fetchall()}
    leaves = (node for node in nodes(json.loads(plans["logical_plan"])) if not node["children"])
    return all(_reads_alike(leaf, fixed) for leaf in leaves)


def _reads_alike(leaf: Mapping[str, Any], fixed: Container[str]) -> bool:
    """Return whether a part of a plan that reads rows is known to read the same ones in all transactions."""
    name = leaf["name"].strip().upper()
    table = leaf["extra_info"].get("Table")
    return parts(table)[0] in fixed if table else bool(_FILES.fullmatch(name) or _OWN.fullmatch(name))
