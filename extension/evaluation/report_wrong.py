"""Choose the wrong questions that a report shows: gold, and what every run that has the question wrong answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askwhere.cells import counted
from askwhere.evaluation.records import Record, Run

_Key = tuple[str, str, str]
_Wrong = Mapping[str, tuple[Record, str]]


@dataclass(frozen=True)
class Question:
    """A wrong question as the `first` run that has it wrong records it, and the answers: (name, record, engine).

    `engine` is the first run's.
    """

    first: Record
    engine: str
    answers: Sequence[tuple[str, Record, str]]

    @property
    def level(self) -> str:
        """Return how hard the question is, '' where that is not known."""
        return self.first.difficulty or self.first.level


@dataclass(frozen=True)
class Wrong:
    """The wrong questions of a report in groups with a heading, their number, and a note on them."""

    groups: Sequence[tuple[str, Sequence[Question]]]
    count: int
    note: str


def questions(runs: Sequence[tuple[str, Run]], most: int) -> Wrong:
    """Return the questions that at least one run has wrong.

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
    shown = _fairly([len(group) for _, group in largest], most)
    headed = []
    for (name, group), many in zip(largest, shown, strict=True):
        cut = f", of which {many:,} are shown" if many < len(group) else ""
        heading = f"{name}: {counted(len(group), 'question')}{cut}"
        headed.append((heading, [_question(found, len(runs) > 1) for found in group[:many]]))
    return Wrong(headed, len(wrong), _note(len(wrong), most, len(runs)))


def classes_of(record: Record) -> tuple[str, ...]:
    """Return the error classes of a wrong answer, the main one first."""
    return record.error_classes or ("other",)


def _note(wrong: int, most: int, runs: int) -> str:
    if not wrong:
        return "There is none: every question was answered rightly."
    which = "in one run or more" if runs > 1 else "by the run's first score"
    more = f" {most:,} of them are shown." if wrong > most else ""
    return f"{counted(wrong, 'question')} wrong {which}, by the class of error.{more}"


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


def _question(found: _Wrong, several: bool) -> Question:
    """Return one wrong question with the answers of all runs that have it wrong."""
    first, engine = next(iter(found.values()))
    answers = [(name if several else "Predicted", record, dialect) for name, (record, dialect) in found.items()]
    return Question(first, engine, answers)
