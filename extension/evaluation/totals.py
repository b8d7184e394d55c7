"""What the scores of single questions come to: the figure that is published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from askwhere.evaluation import bird
from askwhere.evaluation.records import Record


def percent(name: str, records: Iterable[Record]) -> float:
    """The score of that name over these questions, by its own formula, in percent; 0 for none.

    Of VES and R-VES a question's part is the ratio of times, and the formula that which is made of them (`bird`).
    """
    parts = [record.scores.get(name, 0.0) for record in records]
    if name in ("ves", "r_ves"):
        return {"ves": bird.ves, "r_ves": bird.r_ves}[name](parts)
    return 100 * fmean(parts) if parts else 0.0


def recall(shares: Sequence[float | None]) -> float | None:
    """The mean of shares, in percent, of which those that are None do not count; None where none does."""
    known = [share for share in shares if share is not None]
    return 100 * fmean(known) if known else None
