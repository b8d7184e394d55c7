"""When sampling may stop, against drawing and counting."""

from __future__ import annotations

import random

import pytest
from askwhere.pipeline.effort import enough, stays_ahead


@pytest.mark.parametrize(
    ("counts", "left", "stops"),
    [([], 10, False), ([1], 1, False), ([2], 1, True), ([5, 3], 2, False), ([5, 3], 1, True), ([3, 5, 1], 1, True),
     ([4, 4], 0, False), ([6, 2, 2], 4, False), ([6, 2, 2], 3, True)],
)  # fmt: skip
def test_a_leader_that_cannot_be_caught_up_with_is_enough(counts: list[int], left: int, stops: bool) -> None:
    assert enough(counts, left, sure=1.0) is stops


def test_no_later_sample_changes_a_leader_that_was_enough() -> None:
    rng = random.Random(0)
    for _ in range(300):
        counts, left = [rng.randrange(8) for _ in range(rng.randrange(1, 4))], rng.randrange(8)
        if enough(counts, left, sure=1.0):
            leader = counts.index(max(counts))
            for group in range(len(counts)):
                later = [count + left * (place == group) for place, count in enumerate(counts)]
                assert later.index(max(later)) == leader


@pytest.mark.parametrize(
    ("first", "second", "left", "given"),
    [(0, 0, 9, 0), (3, 0, 20, 0), (5, 4, 3, 0), (6, 4, 90, 0), (40, 30, 30, 0), (0, 1, 9, 4), (6, 0, 3, -3.5)],
)
def test_how_likely_a_group_stays_ahead_is_what_drawing_gives(first: int, second: int, left: int, given: float) -> None:
    rng = random.Random(first)
    found = 0.0
    for _ in range(4_000):
        share = rng.betavariate(first + 1, second + 1)
        more = sum(rng.random() < share for _ in range(left))
        ahead = (first + given + more) - (second + left - more)
        found += 1 if ahead > 0 else 0.5 if ahead == 0 else 0
    assert stays_ahead(first, second, left, given) == pytest.approx(found / 4_000, abs=0.03)


def test_the_same_lead_counts_for_more_near_the_end() -> None:
    assert stays_ahead(6, 4, 90) < stays_ahead(6, 4, 10) < stays_ahead(6, 4, 3) < stays_ahead(6, 4, 1) == 1.0
    assert stays_ahead(50, 0, 51) < 1.0


def test_a_lead_that_is_likely_enough_is_enough() -> None:
    assert enough([4], 96)
    assert not enough([3], 97)
    assert not enough([6, 4], 90)
    assert enough([6, 4], 90, sure=0.7)
    assert not enough([], 100, sure=0.5)


def test_votes_that_were_not_drawn_count_with_those_that_were() -> None:
    assert enough([0, 1], 2, sure=1.0, given=[4.0])
    assert not enough([0, 1], 7, sure=0.6, given=[4.0])
    assert enough([5, 0], 3, given=[0, 4.0], sure=0.9)
