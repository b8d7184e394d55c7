"""Gold queries for DuckDB: transpiled from SQLite's, and used only where they give the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from askwhere.bindings.opening import open_database
from askwhere.errors import QueryError
from askwhere.evaluation import gold
from askwhere.evaluation.judge import Judge, judging
from askwhere.evaluation.sets import Item
from support import SHOP
from support import Database as Shop


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    """A judge of the shop's copy in DuckDB."""
    made = Shop("sqlite", tmp_path)
    made.raw(made.path).execute(SHOP)
    made.close()
    with ExitStack() as stack:
        database = stack.enter_context(closing(open_database(made.path, "duckdb", {})))
        yield stack.enter_context(judging(database, made.path, open_database, 120.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "duckdb"),
    [
        ('SELECT name FROM customers WHERE country = "Canada"', "SELECT name FROM customers WHERE country = 'Canada'"),
        ('SELECT "name" FROM customers', 'SELECT "name" FROM customers'),
        (
            "SELECT name, count(*) FROM customers GROUP BY country ORDER BY count(*) DESC, id",
            "SELECT ANY_VALUE(name), COUNT(*) FROM customers GROUP BY country"
            " ORDER BY COUNT(*) DESC, ANY_VALUE(id) NULLS FIRST",
        ),
        ("SELECT id, max(amount) FROM orders", "SELECT ARG_MAX(id, amount), MAX(amount) FROM orders"),
        (
            "SELECT upper(country) AS c, count(*) AS n FROM customers GROUP BY 1 ORDER BY n",
            "SELECT UPPER(country) AS c, COUNT(*) AS n FROM customers GROUP BY 1 ORDER BY n NULLS FIRST",
        ),
        (
            "SELECT c.country FROM customers c GROUP BY country HAVING count(*) > (SELECT min(amount) FROM orders)",
            "SELECT c.country FROM customers AS c GROUP BY country HAVING COUNT(*) > (SELECT MIN(amount) FROM orders)",
        ),
    ],
)
def test_gold_is_transpiled(judge: Judge, sql: str, duckdb: str) -> None:
    assert judge.gold(Item("1", "shop", "?", sql)).sql == duckdb


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "given", "said"),
    [
        ("SELECT substr(name, 0, 2) FROM customers", "SELECT 'x' FROM customers", "gold gives other rows in DuckDB"),
        ("SELECT name FROM customers ORDER BY id", "SELECT name FROM customers ORDER BY id DESC", "gold gives other"),
        ("SELECT name FROM nobody", "", "no such table: nobody"),
        ("SELECT strftime('%Y', name) FROM customers WHERE id GLOB 1", "", "."),
    ],
)
def test_gold_that_gives_other_rows_is_not_used(judge: Judge, sql: str, given: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        judge.gold(Item("1", "shop", "?", sql, golds={"duckdb": given}))


def test_gold_for_a_duckdb_file_is_the_one_in_its_sql_where_it_is_given(tmp_path: Path) -> None:
    made = Shop("duckdb", tmp_path)
    made.raw(made.path).execute(SHOP)
    made.close()
    given, same = "SELECT list_sum([id]) FROM customers", "SELECT name FROM customers"
    with (
        closing(open_database(made.path, "duckdb", {})) as database,
        judging(database, made.path, open_database, 120.0) as judge,
    ):
        item = Item("1", "shop", "?", "SELECT total(id) FROM customers", golds={"duckdb": given})
        assert judge.gold(item).sql == given
        assert judge.gold(Item("2", "shop", "?", same)).sql == same


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("COPY (SELECT 1) TO '{folder}/made.csv'", "must be one SELECT, found COPY"),
        ("COMMIT; COPY (SELECT 1) TO '{folder}/made.csv'; SELECT 1", "found TRANSACTION, COPY, SELECT"),
        ("ATTACH ':memory:' AS other", "must be one SELECT, found ATTACH"),
        ("SELECT content FROM read_text('{folder}/secret.csv')", "may not be read here"),
        ("SELECT * FROM '{folder}/secret.csv'", "may not be read here"),
        ("", "must be one SELECT, found nothing"),
    ],
)
@pytest.mark.parametrize("copied", [False, True])
def test_gold_of_somebody_else_reaches_no_file(copied: bool, sql: str, said: str, tmp_path: Path) -> None:
    made = Shop("sqlite" if copied else "duckdb", tmp_path)
    made.raw(made.path).execute(SHOP)
    made.close()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    before = sorted(tmp_path.iterdir())
    with closing(open_database(made.path, "duckdb", {})) as database, pytest.raises(QueryError, match=said):
        database.run(sql.format(folder=tmp_path), 120.0)
    assert sorted(tmp_path.iterdir()) == before


def test_what_cannot_be_parsed_is_not_used(judge: Judge) -> None:
    with pytest.raises(QueryError, match="gold cannot be transpiled"):
        gold.transpiled("SELECT FROM WHERE (", judge._catalog)


def test_gold_scores_100_against_gold_in_duckdb(judge: Judge) -> None:
    wanted = judge.gold(Item("1", "shop", "?", "SELECT DISTINCT country FROM customers ORDER BY country DESC"))
    names = ("spider_ex", "bird_ex", "own_ex", "soft_f1")
    assert judge.scores(wanted, wanted.sql, names) == dict.fromkeys(names, 1.0)
    other = judge.scores(wanted, "SELECT country FROM customers ORDER BY country DESC", names)
    # Spider's rule strips DISTINCT, BIRD's compares sets of rows.
    assert other | {"soft_f1": 0.0} == {"spider_ex": 1.0, "bird_ex": 1.0, "own_ex": 0.0, "soft_f1": 0.0}
