"""Estimate how likely an answer is right, and calibrate the estimate by the pins of a database.

First there is an estimate. Where a model had a part in an answer, it is the share of the candidates with rows that
agree with it. For the reader alone, it is the probability that the reader's own model gives (`askwhere.reader.likely`),
divided among readings that tie. The pins, asked as if they were not pinned, then show how often answers with such an
estimate are right in this database: a curve is fitted to them (`fitted`). Without pins the estimate stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log

from askwhere.pipeline.facts import Candidate

# The reader answers alone from this confidence on; below it a model is asked, where one is set.
SURE = 0.8

# An answer of which it is known whether it was right: its estimate, and whether it was.
Known = tuple[float, bool]

# The curve is Platt's (1999), 1 / (1 + exp(-(slope · log-odds + offset))). It has only two parameters, since pins are
# few: with less than about a thousand answers isotonic regression overfits (Niculescu-Mizil & Caruana 2005). Slope and
# offset have a normal prior around 1 and 0, where the curve is the estimate itself; these are its standard deviations.
# With smaller ones the curve takes longer to learn that a model is wrong, with larger ones a few pins spoil the
# reader's estimate by chance (`python tests/benchmarks/confidence.py`).
SLOPE, OFFSET = 0.5, 0.7
# A greedy reply is right with log-odds of CERTAIN + PROBABLE · the mean log-probability of its tokens: fitted to 55
# questions of the practice that is developed on, asked of a 1.5B (docs/evaluation.md, "When to believe a small model").
CERTAIN, PROBABLE = 3.3, 50.0
# The log-odds of 0 and 1 are infinite: estimates are clipped to between EDGE and 1 - EDGE.
EDGE = 0.02


def fitted(known: Sequence[Known]) -> Callable[[float], float]:
    """Return the calibration curve: a function from an estimate to how likely its answer is right.

    It never falls as the estimate rises. The most likely slope and offset are found by Newton's method (Lin, Lin & Weng
    2007).
    """
    points = [(_log_odds(estimate), float(right)) for estimate, right in known]
    slope, offset = 1.0, 0.0
    least = _loss(slope, offset, points)
    for _ in range(50):
        down, across = _step(slope, offset, points)
        # The step is halved until the loss no longer rises; a negative slope would make confidence fall with estimates.
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
    """Return Newton's step for slope and offset: the inverse Hessian times the gradient.

    Where the slope is at its bound 0 and would fall, only the offset moves.
    """
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
    """Return the negative log-likelihood of the answers plus that of slope and offset under their prior."""
    chances = ((_chance(slope * x + offset), right) for x, right in points)
    unlikely = -sum(log(chance if right else 1 - chance) for chance, right in chances)
    return unlikely + ((slope - 1) / SLOPE) ** 2 / 2 + (offset / OFFSET) ** 2 / 2


def likely(logprob: float) -> float:
    """Return how likely a greedy reply is right, given the mean natural logarithm of its tokens' probabilities."""
    return _chance(CERTAIN + PROBABLE * logprob)


def odds(estimate: float) -> float:
    """Return how many times as likely right as wrong an answer with an estimate is: p / (1 - p)."""
    within = min(max(estimate, EDGE), 1 - EDGE)
    return within / (1 - within)


def _log_odds(estimate: float) -> float:
    return log(odds(estimate))


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-min(max(log_odds, -30.0), 30.0)))


def calibrated(ranked: Sequence[Candidate], likely: Callable[[float], float]) -> tuple[Candidate, ...]:
    """Return the candidates with calibrated confidence.

    The best group gets its estimate mapped by the calibration curve `likely`. The other groups share the rest in
    proportion to their estimates, and none keeps a larger part of its estimate than the best group does.
    """
    estimates = {c.group: c.estimate for c in ranked if c.result is not None}
    if not estimates:
        return tuple(ranked)
    first, *others = estimates.values()
    tied = 1 + others.count(first)
    best = min(likely(first), 1 / tied)
    share = min(best / first, (1 - best) / sum(others)) if sum(others) and first else 0.0
    shares = dict(zip(estimates, (best, *(share * other for other in others)), strict=True))
    return tuple(replace(c, confidence=shares[c.group]) if c.result is not None else c for c in ranked)
