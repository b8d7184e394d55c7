"""What a run has to reach for a check to pass, as in continuous integration: scores, and a baseline to hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from askwhere.errors import ArgumentError
from askwhere.evaluation import compare
from askwhere.evaluation.compare import Comparison

# What can be asked for beside the scores that a run makes.
FIGURES = ("answered", "right_of_answered", "skeleton", "table_recall", "column_recall", "value_recall")


def least(texts: Collection[str], scores: Collection[str]) -> dict[str, float]:
    """What scores have to reach, each from a text SCORE=NUMBER, in percent. Raises `ArgumentError`.

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


def under(summary: Mapping[str, Any], wanted: Mapping[str, float]) -> list[str]:
    """A sentence for each score that a run's summary has under what is wanted, or has not."""
    said = []
    for name, number in wanted.items():
        percent = summary["figures"][name]["all"]["percent"]
        if percent is None:
            said.append(f"{name} has no figure: no question counts for it; it has to be {number:g} at least")
        elif percent < number:
            said.append(f"{name} is {percent:.2f}, under {number:g}")
    return said


def regressed(found: Comparison) -> list[str]:
    """A sentence where fewer of the common questions are right than in the baseline, which is the first run.

    One more right makes up for one that got worse; that a difference may be chance is said, and no excuse.
    """
    if len(found.worse) <= len(found.better):
        return []
    listed = ", ".join(f"{pair.first.db_id} {pair.first.id}" for pair in found.worse[:10])
    more = f" and {len(found.worse) - 10:,} more" if len(found.worse) > 10 else ""
    return [f"it is worse than the baseline. {compare.sentence(found)} Worse: {listed}{more}"]
