"""Read times of day: "7 pm", "19:00", "8 in the evening", "noon", "between 6 and 9 am"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from askwhere.reader.words.dates import Bound, Span
from askwhere.reader.words.tokens import NUMBERS

CLOCK = "-T"  # how the `day` of a bound that is a time of any day begins, as ISO 8601 writes it: `-T19:00`
_HALVES = {"am": 0, "pm": 12, "morning": 0, "afternoon": 12, "evening": 12, "night": 12}
_NAMED = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}
_GLUED = re.compile(r"(\d{1,2})(am|pm|h)\Z")
_TO = {"between": ("and",), "from": ("to", "until", "till")}


def clock_spans(words: Sequence[str]) -> Iterator[tuple[int, int, Span]]:
    """Yield the times of day in a question's `words` (in lower case) as (start, end, span).

    The words of a span are `words[start:end]`. Its bounds are equal, but for "between A and B", "from A to B", "A or
    later" and "from A on"; the last two end at midnight, `-T24:00`.
    """
    found = [(start, *clock) for start in range(len(words)) if (clock := _clock(words, start))]
    for start, end, time in found:
        bound = _bound(time)
        yield start, end, Span(bound, bound)
        if words[end : end + 1] == ["or"] and words[end + 1 : end + 2] in (["later"], ["after"]):
            yield start, end + 2, Span(bound, _bound((24, 0)))
        if start and words[start - 1] == "from" and words[end : end + 1] in (["on"], ["onward"], ["onwards"]):
            yield start - 1, end + 1, Span(bound, _bound((24, 0)))
        joiners = _TO.get(words[start - 3], ()) if start > 2 else ()
        if joiners and words[start - 1] in joiners and (hour := _hour(words[start - 2])) is not None:
            yield start - 3, end, Span(_bound((hour + 12 * (hour < 12 <= time[0] and hour < time[0] - 12), 0)), bound)
        for later, end_of_later, other in found:
            if start and words[end:later] and tuple(words[end:later]) in [(w,) for w in _TO.get(words[start - 1], ())]:
                yield start - 1, end_of_later, Span(bound, _bound(other))


def _clock(words: Sequence[str], start: int) -> tuple[int, tuple[int, int]] | None:
    """Return the index behind a time of day that begins at `words[start]`, and its hour and minute; None without one.

    A number alone is none: "after 7" may be anything.
    """
    if words[start] in _NAMED:
        return start + 1, _NAMED[words[start]]
    if glued := _GLUED.match(words[start]):
        return _in_half(start + 1, int(glued[1]), 0, glued[2])
    hour = _hour(words[start])
    if hour is None:
        return None
    at, minute = start + 1, 0
    with_minutes = words[at : at + 1] == [":"] and bool(
        re.match(r"[0-5]\d(?:am|pm)?\Z", "".join(words[at + 1 : at + 2]))
    )
    if with_minutes:
        minute, half = int(words[at + 1][:2]), words[at + 1][2:]
        at += 2
        if half:
            return _in_half(at, hour, minute, half)
    behind = list(words[at : at + 3])
    if behind[:1] and behind[0] in ("am", "pm"):
        return _in_half(at + 1, hour, minute, behind[0])
    if behind[:2] == ["in", "the"] and behind[2:] and behind[2] in _HALVES:
        return _in_half(at + 3, hour, minute, behind[2])
    if behind[:2] == ["at", "night"]:
        return _in_half(at + 2, hour, minute, "night")
    if behind[:2] == ["o", "clock"]:
        return at + 2, (hour, minute)
    return (at, (hour, minute)) if with_minutes else None


def _in_half(end: int, hour: int, minute: int, half: str) -> tuple[int, tuple[int, int]] | None:
    """Return the index `end` and a time in the first or second half of a day, in 24 hours; None if there is none."""
    if half == "h":
        return (end, (hour, minute)) if hour < 24 else None
    if not 1 <= hour <= 12:
        return (end, (hour, minute)) if hour < 24 and hour // 12 * 12 == _HALVES[half] else None
    early = half == "night" and hour < 6
    return end, (hour % 12 + (0 if early else _HALVES[half]), minute)


def _hour(word: str) -> int | None:
    """Return the hour that a word is, in digits or letters, None for other words."""
    hour = int(word) if word.isdecimal() and len(word) < 3 else NUMBERS.get(word)
    return hour if hour is not None and 0 <= hour < 24 else None


def _bound(time: tuple[int, int]) -> Bound:
    """Return the bound of a time of any day, given by its hour and minute."""
    return Bound(f"{CLOCK}{time[0]:02}:{time[1]:02}")
