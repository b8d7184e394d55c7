"""Check a run against limits, as in continuous integration: least scores, and a baseline to hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from askwhere.errors import ArgumentError
from askwhere.evaluation import compare
from askwhere.evaluation.compare import Comparison

# Figures of a run's summary that a limit can name, beside the scores of the run.
FIGURES = ("answered", "right_of_answered", "skeleton", "table_recall", "column_recall", "value_recall")


def least(texts: Collection[str], scores: Collection[str]) -> dict[str, float]:
    """Parse limits given as SCORE=NUMBER, in percent, into a dictionary.

    Raises `ArgumentError` for another form and for a score that the run does not have.

    >>> least(["spider_ex=71.5"], ["spider_ex"])
    {'spider_ex': 71.5}
    """
    known, found = (*scores, *FIGURES), {}
    for text in texts:
        name, _, number = (part.strip() for part in text.partition("="))
        try:
            found[name] = float(number)
        except ValueError:
            raise ArgumentError(f"--fail-under: expected SCORE=NUMBER, in percent, found {text!r}") from None
        if name not in known:
            raise ArgumentError(f"--fail-under: this run has no score {name!r}; expected one of {', '.join(known)}")
    return found


def under(summary: Mapping[str, Any], limits: Mapping[str, float]) -> list[str]:
    """Return a sentence for each score of a run's summary that is lower than its limit, or that has no figure."""
    sentences = []
    for name, number in limits.items():
        percent = summary["figures"][name]["all"]["percent"]
        if percent is None:
            sentences.append(f"{name} has no figure: no question counts for it; it has to be {number:g} at least")
        elif percent < number:
            sentences.append(f"{name} is {percent:.2f}, under {number:g}")
    return sentences


def regressed(found: Comparison) -> list[str]:
    """Return a sentence if fewer of the common questions are right than in the baseline, else nothing.

    The baseline is the comparison's first run. A question that got better makes up for one that got worse. The sentence
    says when the difference may be chance; it still counts.
    """
    if len(found.worse) <= len(found.better):
        return []
    listed = ", ".join(f"{pair.first.db_id} {pair.first.id}" for pair in found.worse[:10])
    more = f" and {len(found.worse) - 10:,} more" if len(found.worse) > 10 else ""
    return [f"it is worse than the baseline. {compare.sentence(found)} Worse: {listed}{more}"]
