"""Scores agree with the official rules, case by case and with a second reading of them (`official_rules`)."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import official_rules
import pytest
from askwhere.engine import Result
from askwhere.evaluation import bird, own, spider
from askwhere.evaluation.rows import plain
from askwhere.evaluation.summary import summary
from askwhere.pipeline.outcomes import is_ordered
from evaluations import made
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

Rows = list[tuple[Any, ...]]

CELLS = st.sampled_from([None, 0, 1, 1.0, 2, 10, 10.0, "10.", "1", "a", "A", "", 0.3, 0.1 + 0.2, b"a"])


def tables(width: int) -> st.SearchStrategy[Rows]:
    return st.lists(st.tuples(*[CELLS] * width), max_size=6)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Two results: nothing to do with each other, or one made from the other by small changes."""
    gold = draw(tables(draw(st.integers(1, 5))))
    if not gold or draw(st.integers(0, 3)) == 0:
        return gold, draw(tables(draw(st.integers(1, 4))))
    predicted = list(gold)
    for change in draw(
        st.lists(st.sampled_from(["rows", "columns", "type", "cell", "again", "swap", "wide"]), max_size=3)
    ):
        predicted = changed(draw, predicted, change)
    return gold, predicted


def changed(draw: st.DrawFn, rows: Rows, change: str) -> Rows:
    width, i = len(rows[0]), draw(st.integers(0, len(rows) - 1))
    j = draw(st.integers(0, width - 1))
    if change == "rows":
        return draw(st.permutations(rows))
    if change == "columns":
        order = draw(st.permutations(range(width)))
        return [tuple(row[k] for k in order) for row in rows]
    if change == "type":
        return [tuple(float(v) if type(v) is int else v for v in row) for row in rows]
    if change == "again":
        return [*rows, rows[i]] if draw(st.booleans()) else [*rows[:i], rows[i], *rows[i + 1 :][:-1], rows[i]]
    if change == "wide":
        return [(*row, row[j]) for row in rows]
    cell = draw(CELLS) if change == "cell" else rows[0][j]
    return [tuple(cell if (k, m) == (i, j) else v for m, v in enumerate(row)) for k, row in enumerate(rows)]


def result(rows: Rows, columns: int | None = None) -> Result:
    width = columns if columns is not None else len(rows[0])
    return Result(tuple(f"c{i}" for i in range(width)), tuple(rows), True, 0.0)


@pytest.mark.parametrize(
    ("gold", "predicted", "ordered", "equal"),
    [
        ([], [], False, True),  # both empty, whatever the columns
        ([(1,)], [], False, False),
        ([(1,)], [(1,), (1,)], False, False),  # as many rows
        ([(1,)], [(1, 2)], False, False),  # a column too many
        ([(1, "a")], [("a", 1)], False, True),  # columns in another order
        ([(1, "a"), (2, "b")], [("a", 1), ("b", 2)], True, True),
        ([(1, 2), (3, 4)], [(2, 1), (3, 4)], False, False),  # one permutation for all rows
        ([(1,), (2,)], [(2,), (1,)], False, True),  # rows in another order
        ([(1,), (2,)], [(2,), (1,)], True, False),  # where the order matters
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False, False),  # duplicates count
        ([(1.0,)], [(1,)], False, True),
        ([("1",)], [(1,)], False, False),
        ([(None,)], [(None,)], False, True),
        ([(0.1 + 0.2,)], [(0.3,)], False, False),
        ([("A",)], [("a",)], False, False),
        ([(10, "10.")], [(10.0, "10.")], False, False),  # sorted by text and type before they are compared
        ([(1, 2, 3, 4)], [(4, 3, 2, 1)], False, True),  # more than three columns
        ([(1, 2, 3, 4), (1, 2, 3, 5)], [(1, 3, 2, 4), (2, 1, 3, 5)], False, False),
    ],
)
def test_spiders_results_are_equal_as_its_evaluator_has_it(
    gold: Rows, predicted: Rows, ordered: bool, equal: bool
) -> None:
    assert spider.equal(gold, predicted, ordered) is equal
    assert official_rules.spider_equal(gold, predicted, ordered) is equal


@given(pairs(), st.booleans())
def test_spiders_rule_agrees_with_a_second_reading(pair: tuple[Rows, Rows], ordered: bool) -> None:
    assert spider.equal(*pair, ordered) is official_rules.spider_equal(*pair, ordered)


def test_wide_results_are_compared_at_once() -> None:
    rows = [tuple(range(i, i + 40)) for i in range(30)]
    moved = [tuple(reversed(row)) for row in reversed(rows)]
    assert spider.equal(rows, moved, False)
    assert not spider.equal(rows, [(*row[:-1], 99) for row in moved], False)
    assert spider.equal([(1,) * 40] * 9, [(1,) * 40] * 9, False)


SQL = st.lists(
    st.sampled_from(
        ["SELECT", "distinct", " DISTINCT ", "COUNT(DISTINCT x)", "'distinct'", '"a distinct"', "> =", "< =", "! =",
         ">=", "value", "a.value", "Value", "YEAR ( CURDATE( ) )", "year(curdate())", "x", "(", ")", ",", "'it''s'"]
    )
).map(" ".join)  # fmt: skip


@given(SQL, SQL)
def test_spiders_queries_are_prepared_as_in_a_second_reading(gold: str, predicted: str) -> None:
    assert spider.prepared(gold, predicted) == official_rules.spider_prepares(gold, predicted)


def test_distinct_is_deleted_in_both_queries_and_value_replaced_in_the_prediction() -> None:
    gold, predicted = spider.prepared(
        "SELECT DISTINCT value, count(DISTINCT a) FROM t WHERE b > = 'distinct'",
        "SELECT distinct value_id FROM t WHERE b ! = 'my value' AND c = YEAR(CURDATE())",
    )
    assert gold == "SELECT  value, count( a) FROM t WHERE b >= 'distinct'"
    assert predicted == "SELECT  1_id FROM t WHERE b != 'my 1' AND c = 2020"


def test_order_matters_to_spider_where_gold_says_order_by_anywhere() -> None:
    assert spider.ordered("SELECT a FROM t ORDER BY b")
    assert spider.ordered("SELECT a FROM t WHERE b IN (SELECT c FROM u Order By d LIMIT 1)")
    assert spider.ordered("SELECT 'order by'")
    assert not spider.ordered("SELECT a FROM t ORDER  BY b")


@pytest.mark.parametrize(
    ("sql", "level"),
    [
        ("SELECT count(*) FROM t", "easy"),
        ("SELECT a FROM t WHERE b = 1", "easy"),
        ("SELECT a, b FROM t WHERE c = 1", "medium"),
        ("SELECT a, count(*) FROM t GROUP BY a", "medium"),
        ("SELECT a FROM t JOIN u ON t.id = u.id WHERE b = 1", "medium"),
        ("SELECT a FROM t WHERE b LIKE 'x' OR c = 2", "hard"),
        ("SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)", "hard"),
        ("SELECT count(*) FROM t WHERE b NOT IN (SELECT c FROM u)", "extra"),  # NOT is taken for an aggregate
        ("SELECT a FROM t JOIN u ON t.i = u.i GROUP BY a ORDER BY count(*) DESC LIMIT 1", "extra"),
        ("SELECT a FROM t WHERE b = 1 INTERSECT SELECT a FROM t WHERE b = 2", "hard"),
        ("SELECT a FROM t UNION SELECT b FROM u UNION SELECT c, d FROM v WHERE e = 1", "hard"),  # the first counts
        ("no query", "extra"),
    ],
)
def test_hardness_follows_the_evaluators_count(sql: str, level: str) -> None:
    assert spider.hardness(sql) == level


def test_hardness_of_spider_dev_is_as_published(data: Path) -> None:
    lines = (data / "spider" / "dev.jsonl").read_text("utf-8").splitlines()
    levels = Counter(spider.hardness(json.loads(line)["sql"]) for line in lines)
    assert levels == {"easy": 248, "medium": 446, "hard": 174, "extra": 166}


@pytest.mark.parametrize(
    ("gold", "predicted", "equal"),
    [
        ([], [], True),
        ([(1,), (1,), (2,)], [(2,), (1,)], True),  # neither order nor duplicates
        ([(1, 2)], [(2, 1)], False),  # the order of columns
        ([(1,)], [(1, 1)], False),
        ([(1,)], [(1.0,)], True),
        ([(0.3,)], [(0.1 + 0.2,)], False),
        ([(1,)], [], False),
    ],
)
def test_birds_results_are_equal_as_sets(gold: Rows, predicted: Rows, equal: bool) -> None:
    assert bird.equal(gold, predicted) is equal
    assert official_rules.bird_equal(gold, predicted) is equal


@given(pairs())
def test_birds_rules_agree_with_a_second_reading(pair: tuple[Rows, Rows]) -> None:
    assert bird.equal(*pair) is official_rules.bird_equal(*pair)
    assert bird.soft_f1(*pair) == pytest.approx(official_rules.soft_f1(*pair), abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ([], [], 1.0),
        ([(1, 2)], [(2, 1)], 1.0),  # the order of columns does not count
        ([(1, 2)], [(1, 3)], 0.5),
        ([(1,)], [(1, 2)], 2 / 3),  # precision 1/2, recall 1
        ([(1,), (2,)], [(1,)], 2 / 3),
        ([(1,)], [(1,), (2,)], 2 / 3),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], 1.0),  # duplicates go first
        ([(1,), (2,)], [(2,), (1,)], 0.0),  # rows are paired by their place
        ([(1,)], [], 0.0),
        ([], [(1,)], 0.0),
    ],
)
def test_soft_f1_of_small_results(gold: Rows, predicted: Rows, score: float) -> None:
    assert bird.soft_f1(gold, predicted) == pytest.approx(score)
    assert official_rules.soft_f1(gold, predicted) == pytest.approx(score)


SECONDS = st.floats(1e-4, 10)


@given(st.lists(st.tuples(SECONDS, SECONDS), min_size=2, max_size=120))
def test_the_ratio_of_times_agrees_with_a_second_reading(times: list[tuple[float, float]]) -> None:
    gold, predicted = [t[0] for t in times], [t[1] for t in times]
    ratios = [g / p for g, p in times]
    if max(ratios) > min(ratios) * (1 + 1e-9):  # else rounding decides what is an outlier
        assert bird.ratio(gold, predicted) == pytest.approx(official_rules.tau(gold, predicted))


def test_outliers_are_left_out_of_the_ratio_and_equal_ratios_give_none() -> None:
    assert bird.ratio([2.0] * 50 + [1.0] * 49 + [1e6], [1.0] * 100) == pytest.approx(148 / 99 + 1 / 99)
    assert bird.ratio([2.0] * 100, [1.0] * 100) == 0.0
    assert bird.ratio([], []) == 0.0


def efficiency(*taus: float) -> float:
    """VES of a run with those ratios of times."""
    run = made(0.5, 6, asked=1)
    timed = tuple(replace(run.records[0], scores={"ves": tau}) for tau in taus)
    figures = summary(replace(run, header=replace(run.header, scores=("ves",)), records=timed))["figures"]
    return float(figures["ves"]["all"]["percent"])


@given(st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.4999, 0.5, 0.99, 1.0, 1.5, 2.0, 7.0]) | st.floats(0, 9), min_size=1))
def test_ves_agrees_with_a_second_reading(taus: list[float]) -> None:
    assert efficiency(*taus) == pytest.approx(official_rules.ves(taus))


def test_ves_may_exceed_100() -> None:
    assert efficiency(4.0, 0.0) == 100.0
    assert efficiency(4.0) == 200.0


@given(pairs(), st.booleans())
def test_our_own_rule_is_the_rows_alone(pair: tuple[Rows, Rows], ordered: bool) -> None:
    gold, predicted = (
        [tuple(round(v, 12) if isinstance(v, float) else v for v in row) for row in rows] for rows in pair
    )
    if not gold or len(gold) != len(predicted) or len(gold[0]) != len(predicted[0]):
        return
    expected = official_rules.equal_but_for_columns(gold, predicted, ordered)
    assert own.equal(result(pair[0]), result(pair[1]), ordered) is expected


def test_the_official_oddities_are_none_of_ours() -> None:
    # Empty results of different columns are equal.
    assert spider.equal([], [], False)
    assert bird.equal([], [])
    assert not own.equal(result([], 1), result([], 2), False)
    assert own.equal(result([], 1), result([], 1), False)
    # A float in a row with text like its own.
    assert not spider.equal([(10, "10.")], [(10.0, "10.")], False)
    assert own.equal(result([(10, "10.")]), result([(10.0, "10.")]), False)
    # The last digit of a sum.
    assert not spider.equal([(0.1 + 0.2,)], [(0.3,)], False)
    assert own.equal(result([(0.1 + 0.2,)]), result([(0.3,)]), False)
    # An order that only a subquery, or a text, has.
    inner = "SELECT a FROM t WHERE b IN (SELECT c FROM u ORDER BY d LIMIT 3)"
    assert spider.ordered(inner)
    assert not is_ordered(inner, "sqlite")
    assert is_ordered("SELECT a FROM t ORDER  BY b", "sqlite")
    # Duplicates.
    assert bird.equal([(1,), (1,)], [(1,)])
    assert not own.equal(result([(1,), (1,)]), result([(1,)]), False)


def test_a_result_that_was_cut_is_equal_to_none_by_our_rule() -> None:
    cut = Result(("a",), ((1,),), False, 0.0)
    assert not own.equal(cut, cut, False)


def test_rows_of_duckdb_are_compared_as_sqlite_would_give_them() -> None:
    rows = plain([(True, Decimal("1.5"), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3), [1], None, b"x")])
    assert rows == [(1, 1.5, "2020-01-02", "2020-01-02 03:00:00", "[1]", None, b"x")]
