"""Judge answers by our own rule, without the oddities of the official ones: the same rows, as a user sees them.

Rows are compared as a multiset or, where gold's outermost query orders them, in its order. Columns may come in another
order, the same for all rows. Numbers are equal across int, float and decimal to 12 significant digits; texts must be
the same (`askwhere.pipeline.outcomes`). Queries run as they are written. Results without rows are equal if they have as
many columns.

>>> gold, other = Result(("n",), (), True, 0.0), Result(("n", "m"), (), True, 0.0)
>>> equal(gold, gold, False), equal(gold, other, False)
(True, False)
"""

from __future__ import annotations

from askwhere.engine import Result
from askwhere.evaluation.rows import alike
from askwhere.pipeline.outcomes import comparable


def equal(gold: Result, predicted: Result, ordered: bool) -> bool:
    """Return whether two results are the same answer; an incomplete result is equal to none."""
    if len(gold.columns) != len(predicted.columns) or not (gold.complete and predicted.complete):
        return False
    if not gold.rows and not predicted.rows:
        return True
    return alike(_comparable(gold), _comparable(predicted), ordered)


def _comparable(result: Result) -> list[tuple[str, ...]]:
    return [tuple(repr(comparable(cell)) for cell in row) for row in result.rows]
