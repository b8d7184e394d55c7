"""Decide when enough has been sampled: when more would most likely not change which group leads.

MCS-SQL samples a hundred candidates for every question. For most questions the first few agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import zip_longest
from math import ceil, exp, lgamma

SURE = 0.95


def enough(counts: Iterable[int], left: int, sure: float = SURE, given: Iterable[float] = ()) -> bool:
    """Return whether sampling may stop, given the number of candidates in each group, or of votes for each option.

    It may if, after `left` more draws, the leading group is still ahead of the second with a probability of at least
    `sure`. With `sure` = 1 it may only if no other group can catch up. `given` are votes that the groups have beside
    those that were drawn, none by default.

    >>> enough([3], 97), enough([4], 96), enough([10, 2], 8, sure=1.0), enough([10, 2], 7, sure=1.0)
    (False, True, False, True)
    """
    found = zip_longest(counts, given, fillvalue=0)
    (first, ahead), (second, behind), *_ = *sorted(found, key=sum, reverse=True), (0, 0), (0, 0)
    return first + ahead > 0 and stays_ahead(int(first), int(second), left, ahead - behind) >= sure


@lru_cache(maxsize=10_000)
def stays_ahead(first: int, second: int, left: int, given: float = 0.0) -> float:
    """Return the probability that the first of two groups is larger than the second after `left` more draws.

    The first group has `given` votes more than were drawn. A tie counts as a half. All further draws are assumed to
    fall on these two groups, and nothing is known of their shares but how often each was drawn, so that the number
    falling on the first is beta-binomial. (With infinitely many draws left this is the stopping rule of Aggarwal et al.
    2023, "Let's Sample Step by Step", section 3.1; with few left, the same lead counts for more.)

    >>> [round(stays_ahead(*seen), 2) for seen in ((1, 0, 0), (2, 2, 10), (6, 4, 90), (6, 4, 4), (0, 1, 7, 4))]
    [1.0, 0.5, 0.74, 0.86, 0.5]
    """
    behind = second + left - first - given  # the first needs more than half of this
    if behind < 0:
        return 1.0
    a, b = first + 1, second + 1
    # Logarithms, since the factorials of a hundred draws are too large for floats.
    known = lgamma(a + b) - lgamma(a) - lgamma(b) + lgamma(left + 1) - lgamma(left + a + b)
    found = 0.0
    for x in range(ceil(behind / 2), left + 1):
        more = exp(known + lgamma(x + a) + lgamma(left - x + b) - lgamma(x + 1) - lgamma(left - x + 1))
        found += more / 2 if 2 * x == behind else more
    return min(found, 1.0 - 1e-12)  # it can still be caught up with
