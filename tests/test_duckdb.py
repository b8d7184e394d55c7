"""What only DuckDB has: macros, relations, several databases and schemas, comments, transactions."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb import running as duckdb_running
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Checked, Grant, Limits
from askwhere.models import Scripted
from support import NO_BARS, PER_COUNTRY, SHOP


@pytest.fixture
def connection() -> Iterator[Any]:
    opened = duckdb.connect()
    opened.execute(SHOP)
    yield opened
    opened.close()


def test_a_users_macro_named_like_a_built_in_is_not_called(connection: Any) -> None:
    connection.execute("CREATE MACRO upper(x) AS 'mine'")
    askwhere.register(connection, model=Scripted(["SELECT upper(name) AS u FROM customers"] * 4), method="sea")
    with pytest.raises(duckdb.Error, match="calls the function 'upper', which it may not"):
        connection.execute("SELECT * FROM ask('flurb')")
    connection.execute("SELECT ask_set('allow_functions', 'upper')")
    assert connection.execute("SELECT DISTINCT u FROM ask('flurb')").fetchall() == [("mine",)]


def test_a_users_python_function_is_called_only_when_allowed(connection: Any) -> None:
    connection.create_function("twice", lambda x: x * 2, ["DOUBLE"], "DOUBLE")
    replies = ["SELECT twice(amount) AS t FROM orders WHERE id = 1"] * 4
    askwhere.register(connection, model=Scripted(replies), method="sea")
    with pytest.raises(duckdb.Error, match="calls the function 'twice', which it may not"):
        connection.execute("SELECT * FROM ask('flurb')")
    connection.execute("SELECT ask_set('allow_functions', 'twice')")
    assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [(20.0,)]
    connection.remove_function("twice")


def test_types_come_through_as_they_are(connection: Any) -> None:
    sql = "SELECT DATE '2024-02-29' AS d, 1.50::DECIMAL(9, 2) AS m, [1, 2] AS l, {'a': 1} AS s, NULL AS n"
    askwhere.register(connection, model=Scripted([sql]))
    asked, plain = connection.execute("SELECT * FROM ask('flurb')"), connection.cursor().execute(sql)
    assert asked.description == plain.description
    assert asked.fetchall() == plain.fetchall()


def test_tables_of_other_schemas_are_found_and_told_apart(connection: Any) -> None:
    connection.execute(
        "CREATE SCHEMA old; CREATE TABLE old.customers (id INTEGER); INSERT INTO old.customers VALUES (99)"
    )
    replies = ["SELECT id FROM old.customers", "SELECT count(*) AS n FROM customers"]
    askwhere.register(connection, model=Scripted(replies), method="sea")
    assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [(99,)]
    assert connection.execute("SELECT * FROM ask('flurb flurb')").fetchall() == [(3,)]


def test_comments_are_shown_in_the_schema_text(connection: Any) -> None:
    connection.execute("COMMENT ON TABLE customers IS 'those who buy'; COMMENT ON COLUMN customers.name IS 'full name'")
    askwhere.register(connection)
    text = connection.execute("SELECT ask_schema()").fetchall()[0][0]
    assert "CREATE TABLE customers ( -- those who buy" in text
    assert "name VARCHAR, -- full name" in text


def test_a_view_of_a_question_is_no_table_to_ask(connection: Any) -> None:
    model = Scripted([PER_COUNTRY, "SELECT * FROM kept"])
    askwhere.register(connection, model=model, method="sea")
    connection.execute("CREATE VIEW kept AS SELECT * FROM ask('flurb')")
    assert len(connection.execute("SELECT * FROM kept").fetchall()) == 2
    assert len(model.prompts) == 1
    assert "kept" not in connection.execute("SELECT ask_schema()").fetchall()[0][0]
    with pytest.raises(duckdb.Error, match="'kept', which is not one of the tables it may read"):
        connection.execute("SELECT * FROM ask('flurb flurb')")


def test_a_users_settings_and_transaction_stay(connection: Any) -> None:
    askwhere.register(connection, model=Scripted([PER_COUNTRY]))
    before = connection.execute("SELECT name, value FROM duckdb_settings() ORDER BY name").fetchall()
    connection.execute("BEGIN")
    connection.execute("INSERT INTO customers VALUES (9, 'Zed', 'Chad')")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert connection.execute("SELECT * FROM ask('flurb')").fetchall()[0] == ("Canada", 2)
    connection.execute("ROLLBACK")
    assert connection.execute("SELECT count(*) FROM customers").fetchall() == [(3,)]
    assert connection.execute("SELECT name, value FROM duckdb_settings() ORDER BY name").fetchall() == before


@pytest.mark.slow
def test_ctrl_c_in_the_shell_stops_a_trial_too_and_the_question_can_be_asked_again() -> None:
    endless = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"
    code = f"""
import os, signal, sys, threading, duckdb, askwhere, askwhere.models
from askwhere.bindings.cli import commands, shell
class Asked(askwhere.models.Scripted):
    def complete(self, *arguments, **options):
        if not self.prompts:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        return super().complete(*arguments, **options)
con = duckdb.connect()
con.execute("CREATE TABLE t (x INTEGER)")
askwhere.register(con, model=Asked([{endless!r}, "SELECT 7 AS seven"]), query_timeout=3_600, max_seconds=3_600)
try:
    commands.execute(shell.shell_of(con, sys.stdout), "SELECT * FROM ask('flurb')")
except KeyboardInterrupt:
    print("interrupted")
print(con.execute("SELECT * FROM ask('flurb')").fetchall())
"""
    ran = subprocess.run(
        [sys.executable, "-c", NO_BARS + code], capture_output=True, text=True, check=False, timeout=600
    )
    assert (ran.stdout, ran.stderr) == ("interrupted\n[(7,)]\n", "")


def test_pivot_is_refused_with_advice(connection: Any) -> None:
    askwhere.register(connection, model=Scripted(["PIVOT customers ON country USING count(*)"]))
    with pytest.raises(duckdb.Error, match="PIVOT cannot be checked; write it with CASE"):
        connection.execute("SELECT * FROM ask('flurb')")


def test_rows_of_huge_lists_are_weighed_with_all_that_is_in_them(connection: Any) -> None:
    checked = Checked("SELECT {'a': range(1000)} AS a FROM range(1000)", ("a",), ("STRUCT(a BIGINT[])",))
    with pytest.raises(askwhere.TooMuch, match=r"^the result is larger than 1 MB; ask for less of it$"):
        DuckDBEngine(connection).run(checked, Grant(()), Limits(bytes=2**20))


def test_huge_rows_are_fetched_a_few_at_a_time() -> None:
    asked = []

    class Cursor:
        def fetchmany(self, size: int) -> list[tuple[str]]:
            asked.append(size)
            return [("x" * 2**16,)] * size

        def interrupt(self) -> None:
            """Nothing runs."""

    cursor: Any = Cursor()
    with pytest.raises(askwhere.TooMuch):
        duckdb_running.fetch(cursor, Limits(bytes=2**20))
    assert asked[:4] == [1, 2, 4, 8]
    assert sum(asked) < 20


@pytest.mark.slow
def test_constants_that_are_slow_to_compute_are_stopped_while_a_query_is_checked(
    connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_running, "CHECK_SECONDS", 0.5)
    far = "levenshtein(repeat('a', 250), x::VARCHAR || repeat('b', 250))"
    # DuckDB 1.5 looks whether it was interrupted between calls of functions only, and this is one call.
    many = 1_000_000 if duckdb.__version__.startswith("2") else 10_000
    model = Scripted([f"SELECT 1 AS a LIMIT list_sum(list_transform(range({many}), lambda x: {far}))::BIGINT"])
    askwhere.register(connection, model=model)
    with pytest.raises(askwhere.TooMuch, match="its constants, or long values, take too much time"):
        askwhere.ask(connection, "how far")


@pytest.mark.slow
def test_rows_without_end_are_refused_before_they_are_delivered(connection: Any) -> None:
    endless = Scripted(["SELECT a.n FROM range(1000000000) a(n), range(1000000000) b(n)"] * 9)
    askwhere.register(connection, model=endless, query_timeout=1, max_rows=2_000)
    with pytest.raises(duckdb.Error, match=r"the query was stopped(: it needed more than| after 1 seconds)"):
        connection.execute("SELECT * FROM ask('all pairs')")
    askwhere.register(connection, model=Scripted(["SELECT n FROM range(5000) t(n)"] * 9))
    assert len(connection.execute("SELECT * FROM ask('all numbers')").fetchall()) == 5_000


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="no such value can be made before DuckDB 2.0")
def test_thousands_of_lists_in_each_other_are_more_than_is_shown(connection: Any) -> None:
    deep = "(repeat('[', 3000) || repeat(']', 3000))::JSON"
    connection.execute(f"CREATE TABLE variants AS SELECT variant_group_array({deep}) AS v")
    askwhere.register(connection, model=Scripted(["SELECT v FROM variants"] * 9))
    with pytest.raises(askwhere.AskError, match="more lists in each other than are shown"):
        askwhere.ask(connection, "which variants")


def test_a_condition_on_several_columns_that_no_row_meets_is_answered(connection: Any) -> None:
    sql = "SELECT id FROM orders WHERE COLUMNS(*) IN (id) AND id < 0"
    connection.execute("CREATE OR REPLACE TABLE orders AS SELECT 1 AS id, 2 AS amount, 3 AS number")
    askwhere.register(connection, model=Scripted([sql] * 9))
    assert len(askwhere.ask(connection, "which orders").rows) == 0


def test_large_views_may_be_joined_and_filtered(tmp_path: Path) -> None:
    """Their columns count as parts of the view, and not each as all of it for each of its joins."""
    path = tmp_path / "views.duckdb"
    cases = " ".join(f"WHEN c0.id = {n} THEN 'k{n}'" for n in range(30))
    joins = " ".join(f"JOIN customers c{n} ON c{n}.id = c0.id" for n in range(1, 6))
    with contextlib.closing(duckdb.connect(str(path))) as connection:
        connection.execute("CREATE TABLE customers AS SELECT i AS id, 1.5 * i AS amount FROM range(20) t(i)")
        connection.execute(
            f"CREATE VIEW w AS SELECT c0.id, CASE {cases} END AS kind, c0.amount FROM customers c0 {joins}"
        )
    joined = " ".join(f"JOIN w x{n} ON x{n}.id = x0.id AND x{n}.kind = x0.kind" for n in range(1, 9))
    query = f"SELECT count(*) FROM w x0 {joined} WHERE x0.kind IN ('k1', 'k2') AND x1.amount < 5 OR x2.kind = 'k3'"
    with contextlib.closing(askwhere.connect(str(path), model=Scripted([query] * 9), effort="fast")) as connection:
        assert list(askwhere.ask(connection, "how many?").rows) == [(3,)]
