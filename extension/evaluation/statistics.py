"""Compute how far a run's figures can be trusted: intervals, a test of two runs, calibration, percentiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from askwhere.frozen import frozen
from askwhere.grouping import grouped

# The quantile of the standard normal distribution for intervals of 95 %.
Z = 1.959963984540054
# McNemar's test is exact where fewer pairs than this differ.
EXACT_BELOW = 25
BINS = 10


@frozen
class McNemar:
    """The result of McNemar's test of two runs.

    `p` is two-sided; `statistic` is chi-squared, None for the exact test.
    """

    p: float
    statistic: float | None

    @property
    def exact(self) -> bool:
        """Return whether the test was the exact binomial one."""
        return self.statistic is None


@frozen
class Bin:
    """Answers with confidence above `low` and up to `high`: their number, mean confidence, and share right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@frozen
class Calibration:
    """The calibration of answers: how far confidence is from the share of right answers.

    `bins` are those that hold answers. `ece` and `brier` go from 0 (best) to 1.
    """

    bins: tuple[Bin, ...]
    ece: float
    brier: float


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, without correction for continuity; (0, 1) where nothing was asked.

    >>> [round(bound, 3) for bound in wilson(0, 10)]
    [0.0, 0.278]
    """
    if not asked:
        return 0.0, 1.0
    share, z2 = right / asked, Z * Z / asked
    middle = (share + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(share * (1 - share) / asked + z2 / (4 * asked))
    return (0.0 if right == 0 else middle - half), (1.0 if right == asked else middle + half)


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Return McNemar's test, given how many questions only the first and only the second run has right.

    Below `EXACT_BELOW` such questions it is the exact binomial test, else chi-squared with Edwards' correction for
    continuity.

    >>> mcnemar(1, 8).p
    0.0390625
    """
    differing = only_first + only_second
    if differing < EXACT_BELOW:
        tail = sum(math.comb(differing, k) for k in range(min(only_first, only_second) + 1))
        return McNemar(min(1.0, 2 * tail / 2**differing), None)
    statistic = max(abs(only_first - only_second) - 1, 0) ** 2 / differing
    return McNemar(math.erfc(math.sqrt(statistic / 2)), statistic)


def calibration(answers: Iterable[tuple[float, bool]]) -> Calibration:
    """Return the calibration of answers, each given as its confidence (0 to 1) and whether it is right.

    ECE is the mean distance between a bin's confidence and its share right, over `BINS` bins of equal width weighted by
    the number of answers (Naeini et al., 2015). The Brier score is the mean of (confidence - right)², where right is 1
    or 0. Without answers both are 0.
    """
    given = list(answers)
    binned = grouped((min(max(math.ceil(answer[0] * BINS) - 1, 0), BINS - 1), answer) for answer in given)
    buckets = tuple(_bin(i, binned[i]) for i in sorted(binned))
    if not given:
        return Calibration((), 0.0, 0.0)
    ece = sum(b.count * abs(b.confidence - b.right) for b in buckets) / len(given)
    brier = sum((confidence - right) ** 2 for confidence, right in given) / len(given)
    return Calibration(buckets, ece, brier)


def _bin(number: int, answers: Sequence[tuple[float, bool]]) -> Bin:
    """Return the bin of this number, of `BINS` equal ones, with its answers."""
    mean = math.fsum(confidence for confidence, _ in answers) / len(answers)
    return Bin(
        number / BINS, (number + 1) / BINS, len(answers), mean, sum(right for _, right in answers) / len(answers)
    )


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which a share (0 to 1) of the values lies, with linear interpolation; NaN without values.

    >>> percentile([1, 2, 3, 4], 0.5)
    2.5
    """
    import numpy as np  # few runs are summed up

    numbers = list(values)
    return float(np.quantile(numbers, share)) if numbers else math.nan
