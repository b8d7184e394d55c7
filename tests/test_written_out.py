"""A short text that stands for a very long one is refused, and such a view is left out: no engine could be stopped."""

from __future__ import annotations

from pathlib import Path

import apsw
import askwhere
import pytest
from askwhere.engine import Column, Grant, Table
from askwhere.errors import AskError, Refused
from askwhere.guard import definitions, written_out
from askwhere.guard.tables import qualify
from askwhere.models import Scripted
from native_hosts import HOSTS, worker
from native_hosts import error as host_error
from native_hosts import shop as host_shop
from support import SHOP, Database, rows

pytestmark = pytest.mark.slow

CHAINS = {
    "joined with itself": "SELECT a.id, b.amount FROM {0} a JOIN {0} b ON a.id = b.id",
    "united with itself": "SELECT id, amount FROM {0} UNION ALL SELECT id, amount FROM {0}",
    "looked up in itself": "SELECT id, amount FROM {0} WHERE id IN (SELECT id FROM {0})",
    "twice in WITH": "WITH x AS (SELECT * FROM {0}), y AS (SELECT a.* FROM x a, x b) SELECT id, amount FROM y",
    "in parentheses": "SELECT id, amount FROM ((SELECT * FROM {0}) a JOIN (SELECT id AS i FROM {0}) b ON a.id = b.i)",
    "in two places": "SELECT id, (SELECT max(amount) FROM {0}) AS amount FROM {0}",
}
# DuckDB reads a view's tables when the view is made: with more levels the test, too, would wait.
CASES = [
    *(pytest.param("sqlite", body, 40, id=f"sqlite {what}") for what, body in CHAINS.items()),
    pytest.param("duckdb", CHAINS["joined with itself"], 11, id="duckdb joined with itself"),
    *(pytest.param("duckdb", body, 14, id=f"duckdb {what}", marks=pytest.mark.slow) for what, body in CHAINS.items()),
]
SIZE = "it stands for more than 40,000 columns, tables and expressions where each name in it is written out"
LONG = "+".join(["amount"] * 300)
OFTEN = "+".join(["y"] * 300)


def before(letter: str, number: int) -> str:
    """Return the name of what a view or common table expression is made of."""
    return f"{letter}{number - 1}" if number > 1 else "orders"


def views(body: str, levels: int) -> list[str]:
    """Return statements that make the views v1, v2, …, each of the former."""
    return [f"CREATE VIEW v{n} AS {body.format(before('v', n))}" for n in range(1, levels + 1)]


def with_clause(body: str) -> str:
    """Return a query whose common table expressions c1, c2, … are each made of the former."""
    parts = (f"c{n} AS ({body.format(before('c', n))})" for n in range(1, 41))
    return f"WITH {', '.join(parts)} SELECT count(*) AS n FROM c40"


def within_each_other(expression: str, levels: int) -> str:
    """Return a query over the expression `x` made of the expression `x`, and so on."""
    sql = "SELECT amount AS x FROM orders"
    for _ in range(levels):
        sql = f"SELECT {expression} AS x FROM ({sql})"
    return sql


@pytest.mark.parametrize(("kind", "body", "levels"), CASES)
def test_a_view_that_stands_for_too_much_is_left_out_and_no_query_may_read_it(
    kind: str, body: str, levels: int, tmp_path: Path
) -> None:
    database = Database(kind, tmp_path)
    made = ";".join([SHOP, *views(body, levels)])
    shop = database.made(made, model=Scripted([f"SELECT * FROM v{levels}"] * 9), method="sea")
    schema = rows(shop, "SELECT ask_schema()")[0][0]
    assert f"v{levels} is left out: {SIZE}" in schema
    assert "VIEW v1 (" in schema
    with pytest.raises(AskError, match=f"reads 'v{levels}', which stands for more than 40,000 columns"):
        askwhere.ask(shop, "zz")
    database.close()


@pytest.mark.parametrize("body", CHAINS.values(), ids=CHAINS)
def test_a_view_with_one_long_chain_in_its_with_clause_is_left_out_too(body: str) -> None:
    con = apsw.Connection(":memory:")
    con.execute(f"{SHOP};CREATE VIEW v AS {with_clause(body)}")
    askwhere.register(con)
    assert f"main.v is left out: {SIZE}" in rows(con, "SELECT ask_schema()")[0][0]
    con.close()


@pytest.mark.parametrize(
    "sql",
    [
        *map(with_clause, CHAINS.values()),
        within_each_other("x + x", 40),
        within_each_other("coalesce(x, x, x, x, x, x, x, x)", 8),
        within_each_other("CASE WHEN x > 1 THEN x ELSE -x END", 20),
        f"SELECT {LONG} AS y FROM orders WHERE {OFTEN} > 0",
        f"SELECT {LONG} AS y FROM orders ORDER BY {OFTEN}",
        f"SELECT {LONG} AS y FROM orders ORDER BY {', '.join(['1'] * 300)}",
        f"SELECT {OFTEN} FROM (SELECT {LONG} AS y FROM orders)",
        f"SELECT {OFTEN} FROM (SELECT * FROM (SELECT {LONG} AS y FROM orders UNION SELECT 1))",
        f"WITH c(y) AS (SELECT {LONG} FROM orders) SELECT {OFTEN} FROM c",
        f"SELECT (SELECT {OFTEN}) FROM (SELECT {LONG} AS y FROM orders)",
    ],
)
def test_a_query_that_stands_for_too_much_is_refused_in_sqlite(sql: str) -> None:
    orders = Table(("main", "orders"), (Column("id"), Column("amount")))
    with pytest.raises(Refused, match="the query stands for more than 40,000 columns, tables and expressions"):
        qualify(sql, "sqlite", Grant((orders,)))


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {', '.join(['id'] * 50)} FROM v",
        f"SELECT count(*) FROM {', '.join(f'v a{n}' for n in range(50))}",
        "SELECT n FROM v WHERE " + " OR ".join(["n IN v"] * 50),
    ],
)
def test_a_query_counts_what_the_views_in_it_stand_for(sql: str) -> None:
    heavy = Table(("main", "v"), (Column("id", work=900), Column("n")), kind="view", work=1_000)
    with pytest.raises(Refused, match="stands for more than 40,000"):
        qualify(sql, "sqlite", Grant((heavy,)))
    assert qualify("SELECT id, n FROM v ORDER BY 1", "sqlite", Grant((heavy,)))


def test_a_query_of_duckdb_counts_what_the_views_in_it_stand_for(tmp_path: Path) -> None:
    duck = Database("duckdb", tmp_path)
    sql = f"SELECT count(*) FROM {', '.join(f'v6 a{n}' for n in range(60))}"
    made = ";".join([SHOP, *views(CHAINS["joined with itself"], 6)])
    shop = duck.made(made, model=Scripted([sql] * 9), method="sea")
    with pytest.raises(AskError, match="more than 40,000 columns and expressions"):
        askwhere.ask(shop, "zz")
    duck.close()


def test_a_generated_column_that_stands_for_too_much_is_hidden(database: Database) -> None:
    levels = 16
    made = [f"g{n} BIGINT AS (g{n - 1} + g{n - 1})" for n in range(1, levels)]
    shop = database.made(f"CREATE TABLE t (id INTEGER PRIMARY KEY, g0 BIGINT, {', '.join(made)})")
    schema = rows(shop, "SELECT ask_schema()")[0][0]
    assert "g3 BIGINT" in schema
    assert f"g{levels - 1} BIGINT" not in schema
    assert f"t.g{levels - 1} is left out: {SIZE}" in schema


def test_a_full_text_table_over_such_a_view_is_left_out_and_a_key_to_it_is_not_followed() -> None:
    con = apsw.Connection(":memory:")
    con.execute(";".join([SHOP, *views(CHAINS["united with itself"], 40)]))
    con.execute("CREATE VIRTUAL TABLE words USING fts5(amount, content='v40', content_rowid='id')")
    con.execute("CREATE VIRTUAL TABLE fine USING fts5(amount); CREATE TABLE refers (id INTEGER REFERENCES v40)")
    askwhere.register(con, model=Scripted(["SELECT count(*) AS n FROM fine"]), method="sea")
    schema = rows(con, "SELECT ask_schema()")[0][0]
    assert "main.words is left out" in schema
    assert askwhere.ask(con, "zz").rows == ((0,),)
    con.close()


def test_a_macro_of_duckdb_counts_with_all_that_it_calls(tmp_path: Path) -> None:
    duck = Database("duckdb", tmp_path)
    made = [f"CREATE MACRO m{n}(x) AS m{n - 1}(x) + m{n - 1}(x)" for n in range(1, 14)]
    view = "CREATE VIEW v AS SELECT m13(amount) AS n FROM orders"
    shop = duck.made(";".join([SHOP, "CREATE MACRO m0(x) AS x + x", *made, view]))
    assert f"v is left out: {SIZE}" in rows(shop, "SELECT ask_schema()")[0][0]
    duck.close()


@pytest.mark.slow
def test_views_of_one_name_in_several_schemas_are_told_apart() -> None:
    texts = {("a", "main", "v"): "CREATE VIEW v AS SELECT * FROM t"}
    for last, name in zip("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu", strict=True):
        texts[name, "main", "v"] = f"CREATE VIEW v AS SELECT x.* FROM {last}.main.v x, {last}.main.v y"
    known = definitions.Definitions("duckdb", texts)
    assert known.relation(("u", "main", "v")).size > written_out.MAX_WORK
    assert known.relation(("b", "v")).size < 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTS)
def test_a_host_of_the_loadable_extension_leaves_such_a_view_out_too(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, *["SELECT * FROM v40"] * 9)))
    con = host_shop(kind, tmp_path / "shop.db")
    for sql in views(CHAINS["joined with itself"], 40):
        rows(con, sql)
    assert f"main.v40 is left out: {SIZE}" in rows(con, "SELECT ask_schema()")[0][0]
    assert "stands for more than 40,000" in host_error(con, "SELECT * FROM ask('zz')")
    con.close()
