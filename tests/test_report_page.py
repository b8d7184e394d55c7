"""The report's page: what it shows, and that nothing on it is alive."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from askwhere.errors import ArgumentError
from askwhere.evaluation.records import Excluded, Header, Record, Run
from askwhere.evaluation.report import html
from askwhere.evaluation.report_wrong import _fairly
from askwhere.pages.plot import scale
from evaluations import made, several
from hypothesis import given
from hypothesis import strategies as st
from pages import Parsed, checked
from test_trace_page import HOSTILE, TEXTS


def full(said: str) -> list[tuple[str, Run]]:
    """Two runs in which every text is that one."""
    wrong = Record(
        said, said, said, said, said, "answered", said, 0.5, said, said, {said: 0.5}, 0.5, 0.5, 0.5,
        error_classes=(said, said), cost=0.1, calls=1, seconds=1.0,
    )  # fmt: skip
    header = Header(
        said, said, said, model=said, method=said, effort=said, settings={said: said}, preset=said, oracle=(said,),
        scores=(said, f"{said} 2"), version=said,
    )  # fmt: skip
    run = Run(header, (wrong, replace(wrong, id="2", predicted=None, outcome="failed")), (Excluded(said, said, said),))
    return [(said, run), (said, replace(run, complete=False))]


@pytest.mark.slow
@given(TEXTS)
def test_whatever_a_text_holds_the_page_is_well_formed_and_nothing_on_it_is_alive(said: str) -> None:
    parsed = checked(html(full(said), said, 10))
    assert [name for name, _ in parsed.elements].count("section") == 8


@pytest.mark.parametrize("said", HOSTILE[:6])
def test_hostile_text_is_shown_as_it_is(said: str) -> None:
    assert checked(html(full(said), said, 10)).whole.count(said) > 20


def test_a_page_of_several_runs_has_every_part() -> None:
    page = html(several(), "0.1.0", 500)
    parsed = checked(page)
    assert re.findall("<h2[^>]*>(.*?)</h2>", page) == [
        "Scores", "Compared", "Score by hardness", "Accuracy against cost", "Calibration", "Error classes",
        "Seconds a question", "Wrong questions",
    ]  # fmt: skip
    for said in (
        "1: reader",
        "2: fast",
        "3: thorough",
        "McNemar",
        "ECE",
        "Brier",
        "The first difference",
        "120 of dev.jsonl",
    ):
        assert said in parsed.whole
    # One dot for each run against cost, and one for each bin of each run's confidence.
    bins = len(re.findall('<th scope="row">\\d+ to \\d+</th>', page))
    assert len(parsed.named("circle")) == 3 + bins
    assert page.count("<style>") == 1
    assert len(page) < 400_000


def test_one_run_has_its_own_figures() -> None:
    run = made(0.6, 5)
    right = sum(map(run.right, run.records))
    page = html([("fast", run)], "0.1.0", 500)
    whole = checked(page).whole
    assert "Compared" not in whole
    assert "Right bySpider EX" in whole
    assert f"Spider EX{100 * right / 120:.1f} (" in whole
    assert f"{120 - right} questions wrong by the run's first score" in whole
    assert page.count('<details class="step">') == 120 - right


def test_scores_are_made_by_their_own_formulas() -> None:
    run = made(0.5)
    records = tuple(replace(r, scores={"spider_ex": 1.0, "ves": 4.0}) for r in run.records)
    header = replace(run.header, scores=("spider_ex", "ves"))
    whole = checked(html([("timed", replace(run, header=header, records=records))], "0.1.0", 5)).whole
    assert "VES200.0 (200.0 to 200.0)" in whole.replace("\n", "")


def test_each_wrong_question_opens_to_gold_and_what_was_predicted() -> None:
    run = made(0.6, 5)
    wrong = next(r for r in run.records if not run.right(r) and r.predicted)
    refused = next(r for r in run.records if r.outcome == "refused")
    page = html([("fast", run)], "0.1.0", 500)
    boxes = [Parsed(box).whole for box in re.findall("(?s)<details.*?</details>", page)]
    (box,) = (box for box in boxes if wrong.question in box)
    for sql in (wrong.gold, wrong.predicted):
        assert sql is not None
        assert " ".join(sql.split()) in " ".join(box.split())
    (box,) = (box for box in boxes if refused.question in box)
    assert refused.error in box
    assert "unanswered" in box


def test_no_more_wrong_questions_are_shown_than_asked_for() -> None:
    page = html([("fast", made(0.3))], "0.1.0", 7)
    assert page.count('<details class="step">') == 7
    assert "7 of them are shown." in page
    assert _fairly([10, 2, 5], 9) == [4, 2, 3]
    assert _fairly([1, 1], 5) == [1, 1]


def test_runs_of_which_all_or_nothing_is_right_have_a_page() -> None:
    for share in (2.0, -1.0):
        checked(html([("one", made(share)), ("two", made(share))], "0.1.0", 5))
    assert "every question was answered rightly" in html([("one", made(2.0))], "0.1.0", 5)


def test_a_run_without_questions_is_passed_over() -> None:
    whole = checked(html([("empty", Run(Header("dev.jsonl"))), ("a", made(0.5)), ("b", made(0.5))], "0.1.0", 5)).whole
    assert "1: a" in whole
    assert "empty" not in whole


def test_runs_without_questions_are_an_error() -> None:
    with pytest.raises(ArgumentError, match="no question in these runs"):
        html([("empty", Run(Header("dev.jsonl")))], "0.1.0", 5)


def test_runs_that_cannot_be_compared_say_why() -> None:
    other = replace(made(0.5), header=replace(made(0.5).header, scores=("bird_ex",)))
    assert "the first goes by spider_ex, the second by bird_ex" in html([("a", made(0.5)), ("b", other)], "0.1.0", 5)


def test_without_prices_tokens_are_the_cost() -> None:
    run = made(0.5)
    free = replace(run, records=tuple(replace(r, cost=None) for r in run.records))
    assert "tokens a question →" in html([("a", free)], "0.1.0", 5)
    assert "dollars a question →" in html([("a", run)], "0.1.0", 5)


def test_runs_that_asked_no_model_have_no_plot_of_costs() -> None:
    page = html([("a", made(0.5, model="reader"))], "0.1.0", 5)
    assert "No model was asked: the runs cost nothing." in page
    assert "a question →" not in page


@given(st.floats(1e-9, 1e12))
def test_an_axis_reaches_what_it_has_to_and_not_far_beyond(most: float) -> None:
    end, ticks = scale(most)
    assert most <= end * (1 + 1e-9) <= 2.01 * most
    assert 3 <= len(ticks) <= 7
    assert ticks[0][0] == 0
    assert ticks[-1][0] == pytest.approx(end)
