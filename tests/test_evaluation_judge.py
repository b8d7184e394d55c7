"""Judging predictions on SQLite: the official rules on real databases, slow queries cut, and what is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from askwhere.bindings.opening import open_database
from askwhere.errors import QueryError, TooMuch
from askwhere.evaluation import execution
from askwhere.evaluation.ask import Reply
from askwhere.evaluation.execution import SQLiteFile
from askwhere.evaluation.judge import Gold, Judge, judging
from askwhere.evaluation.sets import Item
from support import SHOP

NAMES = "SELECT name FROM customers ORDER BY id"
FOR_EVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def made(path: Path, sql: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return made(tmp_path / "shop" / "shop.sqlite", SHOP)


@pytest.fixture
def judge(shop: Path) -> Iterator[Callable[..., Judge]]:
    """Opens the shop and gives its judge, who waits long for a query."""
    with ExitStack() as stack:

        def opened(seconds: float = 600.0) -> Judge:
            database = stack.enter_context(closing(open_database(shop, "sqlite", {})))
            return stack.enter_context(judging(database, shop, open_database, seconds))

        yield opened


def scored(judge: Judge, gold: str, predicted: str, *names: str) -> dict[str, float]:
    wanted = judge.gold(Item("1", "shop", "?", gold))
    return judge.scores(wanted, predicted, names or ("spider_ex", "bird_ex", "own_ex", "soft_f1"))


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        (NAMES, NAMES, {"spider_ex", "bird_ex", "own_ex"}),
        (NAMES, "SELECT name FROM customers ORDER BY id DESC", {"bird_ex"}),
        ("SELECT country FROM customers", "SELECT DISTINCT country FROM customers", {"spider_ex", "bird_ex"}),
        ("SELECT id, name FROM customers", "SELECT name, id FROM customers", {"spider_ex", "own_ex"}),
        ("SELECT 1 WHERE 0", "SELECT 1, 2 WHERE 0", {"spider_ex", "bird_ex"}),
        ("SELECT 1", "SELECT value", {"spider_ex"}),
        ("SELECT sum(amount) FROM orders", "SELECT 36.500000000000004", {"own_ex"}),
        (NAMES, "SELECT nothing_at_all FROM customers", set()),
    ],
)
def test_each_rule_says_what_is_right(judge: Callable[..., Judge], gold: str, predicted: str, right: set[str]) -> None:
    found = scored(judge(), gold, predicted, "spider_ex", "bird_ex", "own_ex")
    assert {name for name, score in found.items() if score == 1.0} == right


def test_a_prediction_must_be_right_on_all_databases_of_the_suite(judge: Callable[..., Judge], shop: Path) -> None:
    gold, predicted = "SELECT count(*) FROM customers", "SELECT 3"
    assert scored(judge(), gold, predicted)["spider_ex"] == 1.0
    made(shop.with_name("shop_2.sqlite"), SHOP + "DELETE FROM customers WHERE id = 3;")
    assert scored(judge(), gold, predicted)["spider_ex"] == 0.0
    assert scored(judge(), gold, predicted)["bird_ex"] == 1.0


def test_ves_is_a_ratio_of_times_for_right_answers_alone(
    judge: Callable[..., Judge], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askwhere.evaluation.bird.ITERATIONS", 10)
    gold = "SELECT count(*) FROM customers"
    found = scored(judge(), gold, gold, "bird_ex", "ves")
    assert found["bird_ex"] == 1
    assert found["ves"] > 0
    assert scored(judge(), gold, "SELECT 4", "bird_ex", "ves") == {"bird_ex": 0, "ves": 0}


@pytest.mark.slow
def test_a_query_that_never_ends_is_cut(judge: Callable[..., Judge]) -> None:
    assert set(scored(judge(0.5), NAMES, FOR_EVER).values()) == {0.0}


def test_gold_and_prediction_share_birds_limit(judge: Callable[..., Judge]) -> None:
    one, wanted = judge(1.0), "SELECT count(*) FROM customers"
    gold = one.gold(Item("1", "shop", "?", wanted))
    slow = Gold(gold.sql, type(gold.result)(gold.result.columns, gold.result.rows, True, 0.9999999))
    assert one.scores(slow, wanted + " -- again", ("bird_ex",)) == {"bird_ex": 0.0}


def test_text_that_is_not_utf_8_fails_by_birds_rule_alone(judge: Callable[..., Judge]) -> None:
    odd = "SELECT CAST(x'41FF' AS TEXT)"
    assert scored(judge(), odd, odd) == {"spider_ex": 1.0, "bird_ex": 0.0, "own_ex": 1.0, "soft_f1": 0.0}


def test_a_file_is_only_read_and_its_queries_are_limited(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SQLiteFile(shop)) as file:
        assert file.run("SELECT id AS a, name FROM customers LIMIT 1", 600.0).columns == ("a", "name")
        for sql, error in (
            ("DELETE FROM orders", "attempt to write a readonly database"),
            (f"ATTACH '{shop}-made' AS made", "too many attached databases"),
            (f"VACUUM INTO '{shop}-made'", "too many attached databases"),
            ("SELECT 1; SELECT 2", "one statement"),
            ("SELECT 'x", "unrecognized token"),
        ):
            with pytest.raises(QueryError, match=error):
                file.run(sql, 600.0)
        assert not shop.with_name(f"{shop.name}-made").exists()
        with pytest.raises(TooMuch, match=r"stopped after 0\.1 seconds"):
            file.run(FOR_EVER, 0.1)
        with pytest.raises(TooMuch, match=r"stopped after 0\.1 seconds"):
            file.seconds(FOR_EVER, 0.1)
        monkeypatch.setattr(execution, "ROWS", 2)
        with pytest.raises(TooMuch, match="more than 2 rows"):
            file.run("SELECT * FROM customers", 600.0)


def record(judge: Judge, **reply: Any) -> Any:
    item = Item("1", "shop", "?", "SELECT name FROM customers WHERE country = 'Canada'", difficulty="simple")
    return judge.record(item, judge.gold(item), Reply("answered", **reply), ("spider_ex",))


def test_a_record_says_what_was_shown_and_what_is_wrong(judge: Callable[..., Judge]) -> None:
    found = record(
        judge(),
        predicted="SELECT id FROM customers WHERE country = 'Norway'",
        tables=(("customers", ("id", "country")),),
        values=(("customers", "country", "Norway"),),
    )
    assert (found.scores, found.skeleton, found.level, found.difficulty) == ({"spider_ex": 0.0}, True, "easy", "simple")
    assert (found.table_recall, found.column_recall, found.value_recall) == (1.0, 0.5, 0.0)
    right = record(judge(), predicted="SELECT name FROM customers WHERE country LIKE 'canada'")
    assert (right.scores, right.skeleton) == ({"spider_ex": 1.0}, False)
    assert record(judge()).scores == {"spider_ex": 0.0}
