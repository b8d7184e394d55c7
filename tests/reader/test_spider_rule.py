"""The benchmark's scoring rule against cases made by hand from the official evaluator's documented behaviour."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[1] / "benchmarks" / "spider_rule.py"


@pytest.fixture(scope="module")
def rule() -> Any:
    spec = importlib.util.spec_from_file_location("spider_rule", PATH)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["spider_rule"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("gold", "predicted", "ordered", "equal"),
    [
        ([], [], False, True),  # both empty, whatever the columns
        ([(1,)], [], False, False),
        ([(1, "a")], [("a", 1)], False, True),  # columns in another order
        ([(1,)], [(1, 2)], False, False),  # a column too many
        ([(1,), (2,)], [(2,), (1,)], False, True),  # rows in another order
        ([(1,), (2,)], [(2,), (1,)], True, False),  # where the order matters
        ([(1,), (1,)], [(1,)], False, False),  # duplicates count
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False, False),
        ([(1, 2), (3, 4)], [(2, 1), (3, 4)], False, False),  # one permutation for all rows
        ([(1.0,)], [(1,)], False, True),
        ([(10.0, "10.")], [(10, "10.")], False, False),  # values are sorted by text and type before they are compared
        ([("1",)], [(1,)], False, False),
        ([("A",)], [("a",)], False, False),
        ([(None,)], [(None,)], False, True),
        ([(0.1 + 0.2,)], [(0.3,)], False, False),
        ([(1, 2, 3, 4)], [(4, 3, 2, 1)], False, True),  # more than three columns
    ],
)
def test_results_are_compared_as_the_evaluator_does(
    rule: Any, gold: Any, predicted: Any, ordered: bool, equal: bool
) -> None:
    assert rule.same(gold, predicted, ordered) is equal


def test_distinct_is_deleted_everywhere_but_in_text(rule: Any) -> None:
    assert rule.without_distinct("SELECT count(DISTINCT x) FROM t WHERE y = 'distinct'") == (
        "SELECT count( x) FROM t WHERE y = 'distinct'"
    )


def test_order_matters_when_gold_says_order_by_anywhere(rule: Any) -> None:
    assert rule.order_matters("SELECT a FROM t ORDER BY b")
    assert rule.order_matters("SELECT a FROM t WHERE b IN (SELECT c FROM u ORDER BY d)")
    assert not rule.order_matters("SELECT a FROM t")


@pytest.mark.parametrize(
    ("sql", "level"),
    [
        ("SELECT count(*) FROM t", "easy"),
        ("SELECT a FROM t WHERE b = 1", "easy"),
        ("SELECT a, b FROM t WHERE c = 1", "medium"),
        ("SELECT a, count(*) FROM t GROUP BY a", "medium"),
        ("SELECT a FROM t JOIN u ON t.id = u.id WHERE b = 1", "medium"),
        ("SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)", "hard"),
        ("SELECT a FROM t JOIN u ON t.i = u.i GROUP BY a ORDER BY count(*) DESC LIMIT 1", "extra"),
        ("SELECT a FROM t WHERE b = 1 INTERSECT SELECT a FROM t WHERE b = 2", "hard"),
    ],
)
def test_hardness_follows_the_evaluators_count(rule: Any, sql: str, level: str) -> None:
    assert rule.hardness(sql) == level
