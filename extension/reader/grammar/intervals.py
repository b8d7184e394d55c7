"""Rewrite intervals of numbers and years: "hired from 2019 to 2021" is "hired between 2019 and 2021"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import END, Cursor
from askwhere.reader.marking.marks import Mark, is_recent_year

_TO = frozenset({"to", "until", "till", "through"})


def say_between(state: Cursor) -> None:
    """Write "from 5 to 9", "price 5 to 9", "2019 to 2021" and "2019-2021" as "between 5 and 9" and so on."""
    marks = state.marks
    for place, first in enumerate(marks):
        before = marks[place - 1] if place else END
        following = marks[place + 1 : place + 3]
        to = following[:1] if [m.text in _TO for m in following[:1]] == [True] else ()
        second = (*following[len(to) :], END)[0]
        led = before.kind == "column" or before.text in ("from", "of", "in")
        years = is_recent_year(first) and is_recent_year(second)
        if _ascend(first, second) and (years or (led and to)):
            start = place - (before.kind == "prep")
            between = Mark("between", first.start, first.start, 0.9, "between")
            joined = Mark("and", second.start, second.start, 0.9, "and")
            state.marks = (*marks[:start], between, first, joined, second, *marks[place + len(to) + 2 :])
            return


def _ascend(first: Mark, second: Mark) -> bool:
    """Return whether two marks are numbers, the smaller one first."""
    numbers = first.kind == second.kind == "number" and first.number is not None and second.number is not None
    return numbers and (first.number or 0) < (second.number or 0)
