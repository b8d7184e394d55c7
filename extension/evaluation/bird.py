"""BIRD's scores, by the rules of its evaluators (DAMO-ConvAI bird/llm/src, bird-bench/mini_dev evaluation).

Execution accuracy and VES are those of `evaluation.py` and `evaluation_ves.py` of DAMO-ConvAI, R-VES and Soft-F1 those
of `evaluation_ves.py` and `evaluation_f1.py` of mini_dev. Official times for VES are of `cursor.execute` alone, without
fetching; for R-VES of execute, fetchall and close; both over `ITERATIONS` runs. A set's figures are made in `summary`.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from askwhere.evaluation.rows import Rows

# One limit over connecting, the prediction and gold; for VES times the number of iterations.
SECONDS = 30.0
ITERATIONS = 100
LEVELS = ("simple", "moderate", "challenging")

# The least ratio of gold's time to the prediction's for each reward, in mini_dev's evaluation_ves.py.
_REWARDS = ((2.0, 1.25), (1.0, 1.0), (0.5, 0.75), (0.25, 0.5))
_LEAST_REWARD = 0.25
_DEVIATIONS = 3


def equal(gold_rows: Rows, predicted_rows: Rows) -> bool:
    """Whether two results are the same set of rows by Python's `==`: BIRD's execution accuracy (`execute_sql`).

    The order of rows and how often each comes do not count, the order of columns does. Both empty: equal.
    """
    return set(map(tuple, gold_rows)) == set(map(tuple, predicted_rows))


def soft_f1(gold_rows: Rows, predicted_rows: Rows) -> float:
    """How alike two results are cell by cell, 0 to 1 (`calculate_f1_score` of mini_dev).

    Each row counts once and is compared with the other result's row of the same number. All counts of a pair of rows
    are divided by the number of gold's columns.
    """
    gold, predicted = list(dict.fromkeys(map(tuple, gold_rows))), list(dict.fromkeys(map(tuple, predicted_rows)))
    if not gold and not predicted:
        return 1.0
    both = 0.0
    only_predicted, only_gold = float(max(len(predicted) - len(gold), 0)), float(max(len(gold) - len(predicted), 0))
    for wanted, found in zip(gold, predicted, strict=False):
        known = sum(cell in wanted for cell in found)
        both += known / len(wanted)
        only_predicted += (len(found) - known) / len(wanted)
        only_gold += sum(cell not in found for cell in wanted) / len(wanted)
    if not both:
        return 0.0
    precision, recall = both / (both + only_predicted), both / (both + only_gold)
    return 2 * precision * recall / (precision + recall)


def ratio(gold_seconds: Sequence[float], predicted_seconds: Sequence[float]) -> float:
    """tau, gold's time divided by the prediction's: the mean over runs, without outliers (`iterated_execute_sql`).

    Kept are ratios within three standard deviations of the mean (`clean_abnormal`). Where all are equal none is within
    none, and tau is 0, as where the prediction is wrong. Run i of one is divided by run i of the other.
    """
    ratios = [gold / predicted for gold, predicted in zip(gold_seconds, predicted_seconds, strict=True)]
    if not ratios:
        return 0.0
    mean, room = statistics.fmean(ratios), _DEVIATIONS * statistics.pstdev(ratios)
    kept = [r for r in ratios if mean - room < r < mean + room]
    return statistics.fmean(kept) if kept else 0.0


def reward(tau: float) -> float:
    """What a ratio of times is worth in R-VES: 1.25, 1, 0.75, 0.5 or 0.25; 0 for a wrong prediction, whose tau is 0."""
    if tau <= 0:
        return 0.0
    return next((worth for least, worth in _REWARDS if tau >= least), _LEAST_REWARD)
