"""askwhere's own tables, damaged in any way: only errors of ours, and ask_index() builds its tables anew."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.cli.script import message
from askwhere.indexer.tables import FORMAT
from askwhere.models import Scripted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import SHOP, connected, rows

BLOBS = st.binary(max_size=40)
TEXTS = st.sampled_from(["", "x", "[]", "{}", "[1]", "null", "9" * 40, "-1", '["main", "customers"]', "\ud7ff", "2**9"])
VALUES = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), TEXTS, BLOBS)
CALLS = (
    "SELECT * FROM ask('how many customers are there')",
    "SELECT * FROM ask_values('Canada Norway')",
    "SELECT * FROM ask_pins()",
    "SELECT * FROM ask_log()",
    "SELECT ask_schema('Canada')",
)


def kept(kind: str) -> Any:
    """A connection to a shop that has every table of ours."""
    connection = connected(kind)
    connection.execute(SHOP)
    settings_ = {"model": Scripted(["SELECT count(*) AS n FROM customers"] * 50), "effort": "fast"}
    askwhere.register(connection, remember="database", log="database", **settings_)
    rows(connection, "SELECT ask_index()")
    rows(connection, "SELECT ask_pin('all of them', 'SELECT count(*) AS n FROM customers')")
    rows(connection, CALLS[0])
    return connection


def columns(connection: Any, kind: str) -> list[tuple[str, str]]:
    """Ours: table and column."""
    if kind == "duckdb":
        sql = "SELECT table_name, column_name FROM duckdb_columns() WHERE table_name LIKE 'askwhere%' ORDER BY ALL"
        return rows(connection, sql)
    tables = rows(
        connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'askwhere%' ORDER BY 1"
    )
    return [(t, c) for (t,) in tables for (c,) in rows(connection, f"SELECT name FROM pragma_table_info('{t}')")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.integers(0, 200), st.sampled_from(["set", "cut", "drop", "rename", "empty"]), VALUES),
        min_size=1,
        max_size=2,
    )
)
def test_a_damaged_table_gives_our_errors(kind: str, damages: list[tuple[int, str, Any]]) -> None:
    connection = kept(kind)
    for place, how, value in damages:
        found = columns(connection, kind)
        table, column = found[place % len(found)]
        damage = {
            "set": f'UPDATE {table} SET "{column}" = ?',
            "cut": f'UPDATE {table} SET "{column}" = substr(CAST("{column}" AS BLOB), 1, 3)'
            if kind == "sqlite"
            else f'UPDATE {table} SET "{column}" = "{column}"[1:3]',
            "drop": f'ALTER TABLE {table} DROP COLUMN "{column}"',
            "rename": f'ALTER TABLE {table} RENAME COLUMN "{column}" TO other',
            "empty": f"DELETE FROM {table}",
        }[how]
        with contextlib.suppress(apsw.Error, duckdb.Error):  # what the engine itself does not take
            connection.execute(damage, [value] if how == "set" else [])
    for call in CALLS:
        only_ours(connection, call)
    only_ours(connection, "SELECT ask_index()")
    rows(connection, "SELECT ask_index('drop')")
    rows(connection, "SELECT ask_index()")
    assert ("Canada",) in rows(connection, "SELECT value FROM ask_values('Canada')")
    connection.close()


def only_ours(connection: Any, sql: str) -> None:
    """Rows, or an error of ours; of any other the text begins with its class."""
    with contextlib.suppress(askwhere.AskError):
        try:
            rows(connection, sql)
        except duckdb.Error as exc:
            if re.match(r"(\w+Error|\w+Exception|\w+Iteration): ", message(exc)):
                raise


def test_a_damaged_index_says_what_repairs_it() -> None:
    connection = kept("sqlite")
    connection.execute(f"UPDATE {FORMAT} SET value = 'x' WHERE name = 'format'")
    with pytest.raises(askwhere.DatabaseError, match=r"SELECT ask_index\(\) builds it anew"):
        rows(connection, CALLS[1])
    rows(connection, "SELECT ask_index()")
    assert rows(connection, CALLS[1])
    connection.close()
