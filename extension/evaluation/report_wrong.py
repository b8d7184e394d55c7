"""Build the report's section of wrong questions: gold, and what every run that has the question wrong answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askwhere.evaluation.records import Record, Run
from askwhere.pages.markup import Markup, tag
from askwhere.pages.page import section
from askwhere.pages.parts import badge, count, sql

_Key = tuple[str, str, str]
_Wrong = Mapping[str, tuple[Record, str]]


def questions(runs: Sequence[tuple[str, Run]], most: int) -> tuple[Markup, int]:
    """Return the section of the questions that at least one run has wrong, and their number.

    They are grouped by their class in the first run that has them wrong. At most `most` are shown, taken from the
    groups in turn.
    """
    wrong: dict[_Key, dict[str, tuple[Record, str]]] = {}
    for name, run in runs:
        for record in run.records:
            if not run.right(record):
                wrong.setdefault((record.db_id, record.id, record.question), {})[name] = record, run.header.engine
    groups: dict[str, list[_Wrong]] = {}
    for _, found in sorted(wrong.items()):
        first, _ = next(iter(found.values()))
        groups.setdefault(classes_of(first)[0], []).append(found)
    largest = sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    content = [tag("p", _said(len(wrong), most, len(runs)), class_="note")]
    shown = _fairly([len(group) for _, group in largest], most)
    for (name, group), many in zip(largest, shown, strict=True):
        cut = f", of which {many:,} are shown" if many < len(group) else ""
        content.append(tag("h3", f"{name}: {count(len(group), 'question')}{cut}"))
        content += [_question(found, len(runs) > 1) for found in group[:many]]
    return section("wrong", "Wrong questions", *content), len(wrong)


def classes_of(record: Record) -> tuple[str, ...]:
    """Return the error classes of a wrong answer, the main one first."""
    return record.error_classes or ("other",)


def _said(wrong: int, most: int, runs: int) -> str:
    if not wrong:
        return "There is none: every question was answered rightly."
    which = "in one run or more" if runs > 1 else "by the run's first score"
    more = f" {most:,} of them are shown." if wrong > most else ""
    return f"{count(wrong, 'question')} wrong {which}, by the class of error.{more}"


def _fairly(sizes: Sequence[int], most: int) -> list[int]:
    """Return how many questions of each group are shown: groups give one in turn until `most` are chosen.

    >>> _fairly([10, 2, 5], 9)
    [4, 2, 3]
    """
    shown, left = [0] * len(sizes), most
    while left and shown != list(sizes):
        for place, size in enumerate(sizes):
            if left and shown[place] < size:
                shown[place] += 1
                left -= 1
    return shown


def _question(found: _Wrong, several: bool) -> Markup:
    """Return one wrong question, folded, with gold and the queries of all runs that have it wrong."""
    first, engine = next(iter(found.values()))
    parts = [tag("h4", "Gold"), sql(first.gold, engine)]
    for name, (record, dialect) in found.items():
        parts.append(tag("h4", name if several else "Predicted"))
        parts.append(tag("p", *_badges(record)))
        if record.predicted:
            parts.append(sql(record.predicted, dialect))
        if record.error:
            parts.append(tag("p", record.error, class_="error"))
    level = first.difficulty or first.level
    title = tag(
        "summary", first.question, " ", tag("small", f"{first.db_id}, {first.id}" + (f", {level}" if level else ""))
    )
    return tag("details", title, *parts, class_="step")


def _badges(record: Record) -> list[Markup]:
    found = [badge(record.outcome, "fair" if record.outcome == "answered" else "bad"), *map(badge, classes_of(record))]
    if record.confidence is not None:
        found.append(badge(f"Confidence {record.confidence:.0%}"))
    return found
