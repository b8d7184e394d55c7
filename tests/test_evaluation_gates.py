"""What fails a check: a score under what it has to reach, and fewer right than the baseline."""

from __future__ import annotations

import pytest
from askwhere.errors import ArgumentError
from askwhere.evaluation.compare import compare
from askwhere.evaluation.gates import least, regressed, under
from askwhere.evaluation.summary import summary
from evaluations import made
from test_evaluation_compare import run


def test_a_score_under_its_least_is_said() -> None:
    figures = summary(run("+++-", scores=("spider_ex",)))
    assert under(figures, {"spider_ex": 75.0}) == []
    assert under(figures, {"spider_ex": 75.1, "answered": 100.0}) == ["spider_ex is 75.00, under 75.1"]
    assert under(figures, {"value_recall": 10.0}) == [
        "value_recall has no figure: no question counts for it; it has to be 10 at least"
    ]


def test_what_has_to_be_reached_is_read_before_anything_is_asked() -> None:
    assert least(["spider_ex = 80", "answered=9.5"], ("spider_ex",)) == {"spider_ex": 80.0, "answered": 9.5}
    with pytest.raises(ArgumentError, match="expected SCORE=NUMBER, in percent, found 'spider_ex'"):
        least(["spider_ex"], ("spider_ex",))
    with pytest.raises(ArgumentError, match="this run has no score 'ves'; expected one of spider_ex, answered"):
        least(["ves=3"], ("spider_ex",))


def test_fewer_right_than_the_baseline_is_a_regression() -> None:
    assert regressed(compare(run("++-"), run("++-"))) == []
    assert regressed(compare(run("++-"), run("-++"))) == []
    (said,) = regressed(compare(run("++-"), run("+--")))
    assert said.startswith("it is worse than the baseline. Of 3 common questions the first run has 2 right, the second")
    assert said.endswith("Worse: shop q-1")


def test_many_that_got_worse_are_counted() -> None:
    (said,) = regressed(compare(made(2.0), made(-1.0)))
    assert said.endswith(" and 110 more")


def test_questions_that_the_baseline_has_not_do_not_count() -> None:
    assert regressed(compare(run("+"), run("+--"))) == []
