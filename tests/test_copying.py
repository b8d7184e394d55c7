"""A SQLite database in DuckDB: every table and value, whatever its columns are declared as."""

from __future__ import annotations

import sqlite3

import duckdb
from askwhere.bindings.copying import copy


def test_generated_columns_come_with_their_values() -> None:
    source, target = sqlite3.connect(":memory:"), duckdb.connect(":memory:")
    source.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b AS (a * 2), c TEXT AS ('n' || a) STORED)")
    source.execute("INSERT INTO t (a) VALUES (1), (2)")
    copy(source, target)
    assert target.execute("SELECT a, b, c FROM t ORDER BY a").fetchall() == [(1, 2, "n1"), (2, 4, "n2")]
    source.close()
    target.close()
