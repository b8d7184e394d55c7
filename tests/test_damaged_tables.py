"""askwhere's own tables, damaged in any way: only errors of ours, and ask_index() builds its tables anew."""

from __future__ import annotations

import contextlib
import re
import time
import tracemalloc
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import numpy as np
import pytest
from askwhere.bindings.cli.script import message
from askwhere.bindings.duckdb import storage
from askwhere.indexer import build, scoring, tables
from askwhere.indexer.tables import FORMAT
from askwhere.models import Scripted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import SHOP, connected, rows

pytestmark = pytest.mark.slow

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
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
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


@pytest.mark.parametrize("name", ["format", "generation"])
def test_a_blob_in_the_index_for_a_text_says_what_repairs_it(name: str) -> None:
    connection = kept("sqlite")
    connection.execute("UPDATE askwhere_index SET value = zeroblob(1000) WHERE name = ?", (name,))
    with pytest.raises(askwhere.DatabaseError, match=r"SELECT ask_index\(\) builds it anew"):
        rows(connection, CALLS[1])
    connection.close()


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_an_index_whose_segments_are_gone_says_what_repairs_it(kind: str) -> None:
    connection = kept(kind)
    connection.execute("DELETE FROM askwhere_index_segments")
    with pytest.raises((askwhere.DatabaseError, duckdb.Error), match=r"SELECT ask_index\(\) builds it anew"):
        rows(connection, "SELECT ask_index('customers')")
    connection.close()


@pytest.mark.parametrize("table", [None, 0])
def test_many_columns_of_many_lengths_take_little_memory(table: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A factor for each column and each length of a value was kept: 5 GB for these."""
    if table is not None:
        monkeypatch.setattr(scoring, "TABLE", table)
    columns, codes = (1, 2) if table == 0 else (5_000, 20_000)
    connection = kept("sqlite")
    expected = rows(connection, "SELECT * FROM ask_values('Canada and Norway')")
    ((segment, path),) = rows(connection, "SELECT segment, path FROM askwhere_index_columns WHERE name = 'country'")
    pairs = rows(connection, "SELECT pairs FROM askwhere_index_segments")[0][0]
    if codes > 256:  # each posting then has two bytes for its code
        connection.execute("UPDATE askwhere_index_postings SET b = CAST(b || zeroblob(9999) AS BLOB)")
        pairs = np.ones(2 * codes, "<u4").tobytes()
    connection.execute("UPDATE askwhere_index_segments SET pairs = ?", (pairs,))
    connection.executemany(
        "INSERT INTO askwhere_index_columns VALUES (?, 9, ?, 'x', ?, 1, 1, 1, 1.0, '')",
        [(segment, path, 256 * (n + 1)) for n in range(columns)],
    )
    tracemalloc.start()
    found = rows(connection, "SELECT * FROM ask_values('Canada and Norway')")
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    if table == 0:
        assert found == expected  # computed for each posting, a score is the same
    connection.close()


def test_a_damaged_index_of_many_segments_takes_little_time() -> None:
    """All columns were looked through for each segment: 100,000 of both kept a question busy for minutes."""
    connection = kept("sqlite")
    series = "WITH RECURSIVE c(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM c WHERE v < 20000)"
    described = """SELECT v, 0, '["main", "customers"]', 'x' || v, 0, 1, 1, 1, 1.0, ''"""
    connection.execute(f"{series} INSERT INTO askwhere_index_columns {described} FROM c")
    connection.execute(f"{series} INSERT INTO askwhere_index_segments SELECT v, 3, x'01' FROM c")
    started = time.thread_time()
    with pytest.raises(askwhere.DatabaseError, match=r"SELECT ask_index\(\) builds it anew"):
        rows(connection, CALLS[1])
    assert time.thread_time() - started < 10
    connection.close()


def test_a_damaged_index_that_nobody_changes_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read three times, each time with two seconds of indexing in memory what it lacks."""
    connection, reads = kept("sqlite"), list[Any]()
    connection.execute("UPDATE askwhere_index_segments SET pairs = x'01'")
    connection.execute("DELETE FROM askwhere_index_columns WHERE name = 'name'")
    monkeypatch.setattr(tables, "contents", lambda storage, read=tables.contents: reads.append(1) or read(storage))
    monkeypatch.setattr(build, "in_memory", lambda *_: pytest.fail("values are read though the index is damaged"))
    with pytest.raises(askwhere.DatabaseError, match=r"SELECT ask_index\(\) builds it anew"):
        rows(connection, CALLS[1])
    assert reads == [1]
    connection.close()


def test_an_index_of_too_many_columns_says_what_repairs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = kept("duckdb")
    connection.execute(f"UPDATE {FORMAT} SET value = 'another' WHERE name = 'generation'")
    monkeypatch.setattr(tables, "MOST", 3)
    with pytest.raises(
        duckdb.Error, match=r"askwhere_index_columns has more than 3 rows\); SELECT ask_index\(\) builds"
    ):
        rows(connection, CALLS[1])
    connection.close()


@pytest.mark.slow
def test_a_small_file_of_very_long_texts_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """DuckDB compresses them: 5 MB of a file were 6 GB of memory."""
    monkeypatch.setattr(storage, "_PLAIN", 1_000_000)
    connection = duckdb.connect(str(tmp_path / "shop.duckdb"))
    connection.execute(SHOP)
    askwhere.register(connection)
    rows(connection, "SELECT ask_index()")
    rows(connection, "SELECT ask_pin('all of them', 'SELECT count(*) AS n FROM customers')")
    connection.execute(
        "CREATE TABLE askwhere_comments (table_name TEXT, column_name TEXT, comment TEXT, synonyms TEXT)"
    )
    connection.execute("INSERT INTO askwhere_comments VALUES ('customers', NULL, 'who buys', NULL)")
    long = "repeat('a', 400_000) || i"
    for name, changed in (
        ("askwhere_pins", f"{long} AS question"),
        ("askwhere_comments", f"{long} AS comment"),
        ("askwhere_index_segments", f"encode({long}) AS pairs"),
    ):
        connection.execute(f"CREATE TABLE old AS FROM {name}; DROP TABLE {name}")
        connection.execute(f"CREATE TABLE {name} AS SELECT o.* REPLACE ({changed}) FROM old o, range(200) t(i)")
        connection.execute("DROP TABLE old; CHECKPOINT")
    for call, said in (
        (CALLS[2], "askwhere_pins has far more text than the file has bytes, so it is not read; begin anew with DROP"),
        (CALLS[1], r"askwhere_index_segments has far more bytes than the file\); SELECT ask_index\(\) builds it anew"),
    ):
        with pytest.raises(duckdb.Error, match=said):
            rows(connection, call)
    connection.execute("DROP TABLE askwhere_pins")
    rows(connection, "SELECT ask_index()")
    assert "main.askwhere_comments is not read" in caplog.text
    assert ("Canada",) in rows(connection, "SELECT value FROM ask_values('Canada')")
    connection.close()
