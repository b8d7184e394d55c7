"""Confidence: how likely an answer is right, by the candidates that agree with it or by the reader's own model."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.engine import Result
from askwhere.pipeline.confidence import EDGE, likely, odds
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.select import rank
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.any_engine


def candidate(rows: int, origin: str = "model", **facts: Any) -> Candidate:
    result = Result(("n",), tuple((n,) for n in range(rows)), True, 0.0)
    return Candidate(f"SELECT {rows}", origin, result=result, **facts)


def test_confidence_is_the_share_of_a_group_where_one_completion_says_that_all_are_wrong() -> None:
    two, one = rank([candidate(1), candidate(2), candidate(2)], "sqlite")[::2]
    assert (round(two.confidence, 2), round(one.confidence, 2)) == (0.5, 0.25)
    (alone,) = rank([candidate(1, "reader", likely=0.83)], "sqlite")
    assert alone.confidence == 0.83
    both = rank([candidate(1, "reader", weight=4.0, likely=0.83), candidate(1)], "sqlite")
    assert [round(c.confidence, 2) for c in both] == [0.83, 0.83]


def test_what_failed_has_no_confidence() -> None:
    failed = Candidate("SELECT", "model", error=askwhere.AskError("no"))
    assert [c.confidence for c in rank([candidate(1), failed], "sqlite")] == [0.5, 0.0]


@given(st.floats(0, 1))
def test_odds_are_of_a_probability_that_is_never_certain(probability: float) -> None:
    within = odds(probability) / (1 + odds(probability))
    assert within == pytest.approx(min(max(probability, EDGE), 1 - EDGE))


@given(st.floats(-1e6, 0), st.floats(-1e6, 0))
def test_a_reply_is_the_likelier_right_the_more_probable_its_tokens_are(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 < likely(low) <= likely(high) < 1
