"""Confidence: how likely an answer is right, from what is known of answers that came about like it.

First there is an estimate. Where a model had a part in an answer it is the share of the queries with rows that agree
with it; for the reader's alone it is how often a reading of such a score is right (`READER`), shared out where several
tie. Then the pins of a database, asked as if they were not pinned, say how often answers of such an estimate are right
there: the estimate goes through a curve that is fitted to them (`fitted`). Without them the estimate stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, inf, log

from askwhere.pipeline.facts import Candidate

# From which score on how often the reader's only reading is right, on Spider's training questions, made monotone by
# pooling adjacent violators (Zadrozny & Elkan 2002): `python tests/benchmarks/confidence.py --fit`.
READER = ((-inf, 0.79), (-0.82, 0.85), (-0.41, 0.88), (-0.17, 0.97))

# An estimate is known and its answer was right, or not.
Known = tuple[float, bool]

# The curve is Platt's (1999), 1 / (1 + exp(-(slope · log-odds + offset))): of two numbers, since pins are few. (With
# less than about a thousand answers isotonic regression overfits: Niculescu-Mizil & Caruana 2005.) Before any is known
# it is the estimate itself; these are the standard deviations of a normal prior around that. They were chosen among a
# few: narrower ones learn slower of models that are wrong, wider ones spoil the reader's estimate by chance
# (`python tests/benchmarks/confidence.py`).
SLOPE, OFFSET = 0.5, 0.7
# The log-odds of 0 and 1 have no end: an estimate counts as no surer than this.
EDGE = 0.02


def of_reading(score: float) -> float:
    """How often a reading of that score is right, where it is the only one.

    >>> of_reading(0.0), of_reading(-0.5)
    (0.97, 0.85)
    """
    return READER[bisect_right(READER, (round(score, 2), inf)) - 1][1]


def fitted(known: Sequence[Known]) -> Callable[[float], float]:
    """What gives for an estimate how likely its answer is right, as such answers were; it never falls as that rises.

    The likeliest slope and offset are found with Newton's method (Lin, Lin & Weng 2007).
    """
    points = [(_log_odds(estimate), float(right)) for estimate, right in known]
    slope, offset = 1.0, 0.0
    least = _loss(slope, offset, points)
    for _ in range(50):
        down, across = _step(slope, offset, points)
        for halved in range(20):
            tried = max(slope - down / 2**halved, 0.0), offset - across / 2**halved
            if (loss := _loss(*tried, points)) <= least:
                break
        else:
            break
        moved, (slope, offset), least = abs(tried[0] - slope) + abs(tried[1] - offset), tried, loss
        if moved < 1e-9:
            break
    return lambda estimate: _chance(slope * _log_odds(estimate) + offset)


def _step(slope: float, offset: float, points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Newton's step: the inverse of the second derivatives times the first ones; of the offset alone at the edge."""
    by_slope, by_offset = (slope - 1) / SLOPE**2, offset / OFFSET**2
    slopes, offsets, both = 1 / SLOPE**2, 1 / OFFSET**2, 0.0
    for x, right in points:
        chance = _chance(slope * x + offset)
        by_slope += (chance - right) * x
        by_offset += chance - right
        spread = chance * (1 - chance)
        slopes, offsets, both = slopes + spread * x * x, offsets + spread, both + spread * x
    if slope == 0 and by_slope > 0:
        return 0.0, by_offset / offsets
    area = slopes * offsets - both * both
    return (offsets * by_slope - both * by_offset) / area, (slopes * by_offset - both * by_slope) / area


def _loss(slope: float, offset: float, points: Sequence[tuple[float, float]]) -> float:
    """How unlikely the answers are with these two, and these two themselves."""
    chances = ((_chance(slope * x + offset), right) for x, right in points)
    unlikely = -sum(log(chance if right else 1 - chance) for chance, right in chances)
    return unlikely + ((slope - 1) / SLOPE) ** 2 / 2 + (offset / OFFSET) ** 2 / 2


def _log_odds(estimate: float) -> float:
    within = min(max(estimate, EDGE), 1 - EDGE)
    return log(within / (1 - within))


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-min(max(log_odds, -30.0), 30.0)))


def calibrated(ranked: Sequence[Candidate], likely: Callable[[float], float]) -> tuple[Candidate, ...]:
    """The candidates with the confidence of the best group as `likely` maps its estimate; the others share the rest.

    They do in proportion to their estimates, and none has more of its estimate than the best has of its own.
    """
    estimates = {c.group: c.estimate for c in ranked if c.result is not None}
    if not estimates:
        return tuple(ranked)
    first, *others = estimates.values()
    tied = 1 + others.count(first)
    best = min(likely(first), 1 / tied)
    share = min(best / first, (1 - best) / sum(others)) if sum(others) and first else 0.0
    found = dict(zip(estimates, (best, *(share * other for other in others)), strict=True))
    return tuple(replace(c, confidence=found[c.group]) if c.result is not None else c for c in ranked)
