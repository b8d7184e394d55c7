"""What figures of a run are worth: intervals, a test of two runs, calibration, percentiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The standard normal's quantile for intervals of 95 %.
Z = 1.959963984540054
# Below so many differing pairs McNemar's test is exact.
EXACT_BELOW = 25
BINS = 10


@dataclass(frozen=True)
class McNemar:
    """McNemar's test of two runs: `p` is two-sided; `statistic` is None where the test is exact."""

    p: float
    statistic: float | None

    @property
    def exact(self) -> bool:
        """Whether it is the exact binomial test."""
        return self.statistic is None


@dataclass(frozen=True)
class Bin:
    """The answers whose confidence lies above `low`, up to `high`: how many, their mean confidence, the share right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Calibration:
    """How far confidence is from the share of right answers: bins that hold any, ECE and the Brier score, 0 to 1."""

    bins: tuple[Bin, ...]
    ece: float
    brier: float


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, without correction for continuity; (0, 1) where nothing was asked.

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
    """McNemar's test over the questions that one of two runs has right: exact where few, else corrected (Edwards).

    >>> mcnemar(1, 8).p
    0.0390625
    """
    differing = only_first + only_second
    if differing < EXACT_BELOW:
        tail = sum(math.comb(differing, k) for k in range(min(only_first, only_second) + 1))
        return McNemar(min(1.0, 2 * tail / 2**differing), None)
    statistic = max(abs(only_first - only_second) - 1, 0) ** 2 / differing
    return McNemar(math.erfc(math.sqrt(statistic / 2)), statistic)


def calibration(answers: Iterable[tuple[float, bool]], bins: int = BINS) -> Calibration:
    """Calibration of answers, each as its confidence (0 to 1) and whether it is right, over bins of equal width.

    ECE is the mean distance between a bin's confidence and its share right, weighted by count (Naeini et al., 2015);
    the Brier score is the mean square of confidence less 1 or 0. Both are 0 without answers.
    """
    given = list(answers)
    binned: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in given:
        binned.setdefault(min(max(math.ceil(confidence * bins) - 1, 0), bins - 1), []).append((confidence, right))
    found = tuple(_bin(i, binned[i], bins) for i in sorted(binned))
    if not given:
        return Calibration((), 0.0, 0.0)
    ece = sum(b.count * abs(b.confidence - b.right) for b in found) / len(given)
    brier = sum((confidence - right) ** 2 for confidence, right in given) / len(given)
    return Calibration(found, ece, brier)


def _bin(number: int, held: Sequence[tuple[float, bool]], bins: int) -> Bin:
    mean = math.fsum(confidence for confidence, _ in held) / len(held)
    return Bin(number / bins, (number + 1) / bins, len(held), mean, sum(right for _, right in held) / len(held))


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which this share (0 to 1) of the values lies, with linear interpolation; NaN without values.

    >>> percentile([1, 2, 3, 4], 0.5)
    2.5
    """
    found = sorted(values)
    if not found:
        return math.nan
    place = share * (len(found) - 1)
    low = math.floor(place)
    high = min(low + 1, len(found) - 1)
    return found[low] + (found[high] - found[low]) * (place - low)
