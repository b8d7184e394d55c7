"""A SQLite database in DuckDB: every table and value, whatever its columns are declared as."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb
import pytest
from askwhere.bindings.copying import copy


def test_generated_columns_come_with_their_values() -> None:
    source, target = sqlite3.connect(":memory:"), duckdb.connect(":memory:")
    source.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b AS (a * 2), c TEXT AS ('n' || a) STORED)")
    source.execute("INSERT INTO t (a) VALUES (1), (2)")
    copy(source, target)
    assert target.execute("SELECT a, b, c FROM t ORDER BY a").fetchall() == [(1, 2, "n1"), (2, 4, "n2")]
    source.close()
    target.close()


@pytest.mark.parametrize(
    ("values", "type_", "copied"),
    [
        ([1, None, 2], "BIGINT", [1, None, 2]),
        ([1, 2.5, None], "DOUBLE", [1.0, 2.5, None]),
        ([1, "x", 1.5], "VARCHAR", ["1", "x", "1.5"]),
        ([b"\0\xff", b"", None], "BLOB", [b"\0\xff", b"", None]),
        ([b"abc", 5, None], "VARCHAR", ["abc", "5", None]),
        (["ü".encode() + b"\xff", "t\0ü", 1.5], "VARCHAR", ["ü\\xff", "t\0ü", "1.5"]),
        ([None, None], "VARCHAR", [None, None]),
        (list(range(50_000)), "BIGINT", list(range(50_000))),
    ],
)
def test_a_column_has_the_narrowest_type_that_holds_its_values(
    values: list[Any], type_: str, copied: list[Any]
) -> None:
    source, target = sqlite3.connect(":memory:"), duckdb.connect(":memory:")
    source.execute("CREATE TABLE t (v)")
    source.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
    copy(source, target)
    assert target.execute("SELECT column_type FROM (DESCRIBE t)").fetchall() == [(type_,)]
    assert [row[0] for row in target.execute("SELECT v FROM t").fetchall()] == copied
    source.close()
    target.close()
