"""Score by BIRD's rules, as its evaluators have them (DAMO-ConvAI bird/llm/src, bird-bench/mini_dev evaluation).

Execution accuracy and VES are those of `evaluation.py` and `evaluation_ves.py` in DAMO-ConvAI, Soft-F1 that of
`evaluation_f1.py` in mini_dev. The official code times `cursor.execute` alone for VES, over `ITERATIONS` runs. The
figures of a whole set are computed in `summary`.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from askwhere.evaluation.rows import Rows

ITERATIONS = 100

_DEVIATIONS = 3


def equal(gold_rows: Rows, predicted_rows: Rows) -> bool:
    """Return whether two results are the same set of rows by Python's `==`: BIRD's execution accuracy (`execute_sql`).

    The order of the columns counts; the order of rows and how often each comes do not. Two empty results are equal.
    """
    return set(map(tuple, gold_rows)) == set(map(tuple, predicted_rows))


def soft_f1(gold_rows: Rows, predicted_rows: Rows) -> float:
    """Return how alike two results are cell by cell, from 0 to 1 (`calculate_f1_score` of mini_dev).

    Each row counts once and is compared with the row of the same number in the other result. The counts of a pair of
    rows are divided by the number of gold's columns.
    """
    gold, predicted = list(dict.fromkeys(map(tuple, gold_rows))), list(dict.fromkeys(map(tuple, predicted_rows)))
    if not gold and not predicted:
        return 1.0
    both = 0.0
    only_predicted, only_gold = float(max(len(predicted) - len(gold), 0)), float(max(len(gold) - len(predicted), 0))
    for gold_row, predicted_row in zip(gold, predicted, strict=False):
        known = sum(cell in gold_row for cell in predicted_row)
        both += known / len(gold_row)
        only_predicted += (len(predicted_row) - known) / len(gold_row)
        only_gold += sum(cell not in predicted_row for cell in gold_row) / len(gold_row)
    if not both:
        return 0.0
    precision, recall = both / (both + only_predicted), both / (both + only_gold)
    return 2 * precision * recall / (precision + recall)


def ratio(gold_seconds: Sequence[float], predicted_seconds: Sequence[float]) -> float:
    """Return tau: the mean ratio of gold's time to the prediction's, without outliers (`iterated_execute_sql`).

    Run i of one is divided by run i of the other. Ratios within three standard deviations of the mean are kept
    (`clean_abnormal`). If all ratios are equal the deviation is 0 and none is kept; tau is then 0, as for a wrong
    prediction.
    """
    ratios = [gold / predicted for gold, predicted in zip(gold_seconds, predicted_seconds, strict=True)]
    if not ratios:
        return 0.0
    mean, room = statistics.fmean(ratios), _DEVIATIONS * statistics.pstdev(ratios)
    inliers = [r for r in ratios if mean - room < r < mean + room]
    return statistics.fmean(inliers) if inliers else 0.0
