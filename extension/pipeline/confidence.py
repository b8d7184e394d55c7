"""Say how likely an answer is right before others are compared with it.

Where a model had a part in an answer, its confidence is the share of the candidates with rows that agree with it
(`select.estimates`). For the reader alone, it is the probability that the reader's own model gives
(`askwhere.reader.likely`), divided among readings that tie.
"""

from __future__ import annotations

from math import exp

# The reader answers alone from this confidence on; below it a model is asked, where one is set.
SURE = 0.8
# A greedy reply is right with log-odds of CERTAIN + PROBABLE · the mean log-probability of its tokens: fitted to 55
# questions of the practice that is developed on, asked of a 1.5B (docs/evaluation.md, "When to believe a small model").
CERTAIN, PROBABLE = 3.3, 50.0
# The odds of 0 and 1 are infinite: probabilities are clipped to between EDGE and 1 - EDGE.
EDGE = 0.02


def likely(logprob: float) -> float:
    """Return how likely a greedy reply is right, given the mean natural logarithm of its tokens' probabilities."""
    log_odds = CERTAIN + PROBABLE * logprob
    return 1 / (1 + exp(-min(max(log_odds, -30.0), 30.0)))


def odds(probability: float) -> float:
    """Return how many times as likely right as wrong an answer with a probability is: p / (1 - p)."""
    within = min(max(probability, EDGE), 1 - EDGE)
    return within / (1 - within)
