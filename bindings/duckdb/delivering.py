"""Deliver a trial's rows as literals of a query, so that DuckDB need not run the checked query a second time.

In general the query must run again, since the user's statement may be in a transaction that sees other rows. It need
not if it reads only what no transaction changes, that is files behind views and read-only databases, and if the
settings of the user's connection that affect results equal those of the trial.
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

# Settings that each connection may have of its own, and that change what a query returns.
_SETTING_NAMES = (
    "TimeZone",
    "Calendar",
    "integer_division",
    "ieee_floating_point_ops",
    "scalar_subquery_error_on_multiple_rows",
)
_SETTING_VALUES = ", ".join(f"system.main.current_setting('{name}')" for name in _SETTING_NAMES)
SETTINGS = f"system.main.json_array({_SETTING_VALUES})"  # SQL for their values

# The read-only databases.
_FIXED = "SELECT database_name FROM system.main.duckdb_databases() WHERE NOT internal AND type = 'duckdb' AND readonly"
# Leaves of a plan that read files, and leaves that read no table.
_FILES = re.compile(r"(READ_)?(PARQUET|CSV|JSON|NDJSON)(_AUTO|_OBJECTS|_SCAN)*")
_NO_TABLE = re.compile(r"(COLUMN_DATA|CTE|REC_CTE|DELIM|DUMMY)_SCAN|CHUNK_GET|CTE_REF|DELIM_GET|EMPTY_RESULT")

# Types whose values Python represents exactly.
_EXACT_IN_PYTHON = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|BOOLEAN|VARCHAR|DATE|TIMESTAMP"
)
_SQL = """SELECT {columns} FROM (SELECT system.main.unnest(system.main.from_json({rows}, '[["VARCHAR"]]')) AS r)"""


def delivered(connection: Connection, checked: Checked, trial: Result, settings: Sequence[Any] | None) -> str:
    """Return the SQL that delivers a checked query's rows: those of its complete trial, or the query itself.

    `connection` is one like that of the trial, `settings` are the values of `SETTINGS` on the user's, None where they
    are not known.
    """
    if settings is None or not trial.complete or not all(map(_EXACT_IN_PYTHON.fullmatch, checked.types)):
        return checked.sql
    with contextlib.suppress(duckdb.Error, _Inexact):
        rows = json.dumps([[_text(cell) for cell in row] for row in trial.rows])
        if _same_settings(connection, settings) and _reads_only_fixed_data(connection, checked.sql):
            return _SQL.format(columns=casts(checked, "r[{}]"), rows=quoted(rows))
    return checked.sql


class _Inexact(Exception):
    """Raised for a value that Python cannot represent exactly."""


def _text(cell: Any) -> str | None:
    """Return the text that DuckDB casts to a value. Raise `_Inexact` for a date that may stand for an infinite one."""
    if isinstance(cell, date) and (not 1 < cell.year < 9999):
        raise _Inexact
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    return None if cell is None else str(cell)


def _same_settings(connection: Connection, settings: Sequence[Any]) -> bool:
    return bool(json.loads(connection.execute(f"SELECT {SETTINGS}").fetchall()[0][0]) == list(settings))


def _reads_only_fixed_data(connection: Connection, sql: str) -> bool:
    """Return whether a query reads only files and read-only databases, whose rows are the same in all transactions.

    The plan is the one before optimization, which may leave out tables by what DuckDB knows of their contents.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET explain_output = 'all'")
        plans = dict(cursor.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall())
        fixed = {name for (name,) in cursor.execute(_FIXED).fetchall()}
    leaves = (node for node in nodes(json.loads(plans["logical_plan"])) if not node["children"])
    return all(_reads_alike(leaf, fixed) for leaf in leaves)


def _reads_alike(leaf: Mapping[str, Any], fixed: Container[str]) -> bool:
    """Return whether a leaf of a plan reads files or one of the `fixed` databases, or nothing but the plan itself."""
    name = leaf["name"].strip().upper()
    table = leaf["extra_info"].get("Table")
    path = "\n".join(table) if isinstance(table, list) else table  # DuckDB lists the lines of a name
    return parts(path)[0] in fixed if path else bool(_FILES.fullmatch(name) or _NO_TABLE.fullmatch(name))
