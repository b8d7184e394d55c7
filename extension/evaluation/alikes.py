"""Draw values like those that a column has, for rows that are added to a copy of a database."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

# The probability that a new value is one that the column has, where values may repeat; else it is one near it.
_SAME = 0.5
# A number moves by 1 in half of the cases, else by up to this share of the column's range.
_REACH = 0.1
_TRIES = 50
# The probability that a new value is one that queries compare the column with, where there are such.
_COMPARED = 0.3
_SKEW = 3
# A column with so few different values is treated as a category, which gets no new ones.
_CATEGORIES = 2
_NUMERAL = re.compile(r"\d{1,15}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass
class Pool:
    """The values of one column, from which new ones are drawn.

    `once` has each value once. `compared` are values that queries compare the column with. If `unique`, no value is
    drawn that is in `taken`. `declared` is the column's type, `nulls` the share of NULL among new values.
    """

    values: Sequence[Any]
    once: Sequence[Any]
    compared: Sequence[Any]
    unique: bool
    declared: str
    nulls: float
    taken: set[Any]

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest number of the column."""
        numbers = [value for value in self.once if isinstance(value, int | float)]
        return min(numbers), max(numbers)

    def null(self, rng: random.Random) -> bool:
        """Draw whether the next value is NULL."""
        return self.nulls > 0 and rng.random() < self.nulls

    def draw(self, rng: random.Random) -> Any:
        """Return a value for a new row; None where no unused one was found."""
        for attempt in range(_TRIES):
            value = self._one(rng, attempt)
            if not self.unique or value not in self.taken:
                self.taken.add(value)
                return value
        return None

    def choose(self, found: Sequence[Any], rng: random.Random) -> Any:
        """Return one of the values given, the first ones more often; None where none is unused."""
        free = [value for value in found if value not in self.taken] if self.unique else found
        value = skewed(free, rng) if free else None
        self.taken.add(value)
        return value

    def _one(self, rng: random.Random, attempt: int) -> Any:
        """Draw a value, which may be in `taken` already."""
        if self.compared and attempt < _TRIES // 2 and rng.random() < _COMPARED:
            return rng.choice(self.compared)
        if not self.values:
            return _invented(self.declared, rng)
        value = rng.choice(rng.choice((self.values, self.once)))
        few = len(self.once) <= _CATEGORIES
        return value if not self.unique and (few or rng.random() < _SAME) else self._near(value, rng, attempt)

    def _near(self, value: Any, rng: random.Random, attempt: int) -> Any:
        """Return a value near one that the column has; the more attempts failed, the farther away."""
        if isinstance(value, int) and attempt > _TRIES // 2:
            return int(self.bounds[1]) + rng.randint(1, 10 * attempt)
        if isinstance(value, int | float):
            return _moved(value, self.bounds, rng, attempt)
        if isinstance(value, str) and _NUMERAL.fullmatch(value):
            moved = str(abs(int(value) + rng.choice((-1, 1)) * rng.randint(1, 2 + attempt)))
            return moved.zfill(len(value)) if value[0] == "0" else moved
        if isinstance(value, str) and _DAY.match(value):
            return _later(value, rng.randint(-40, 40) * (attempt + 1))
        if isinstance(value, str) and self.unique:
            return _worded(value, rng.choice(self.once), rng, attempt)
        return value


def skewed(found: Sequence[Any], rng: random.Random) -> Any:
    """Return one of several values, the first ones far more often than the last.

    New rows so refer to some rows often and to others never.
    """
    return found[int(len(found) * rng.random() ** _SKEW)]


def fitting(compared: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """Return the compared values that are of the column's kind; for numbers also their neighbours."""
    found: list[Any] = []
    for value in compared:
        if isinstance(value, str):
            found += [value] if not values or any(isinstance(v, str) for v in values) else []
        elif not values or any(isinstance(v, int | float) for v in values):
            found += [value - 1, value, value + 1]
        elif all(isinstance(v, str) and _NUMERAL.fullmatch(v) for v in values):
            found += [str(value - 1), str(value), str(value + 1)] if isinstance(value, int) else []
    return found


def _moved(value: int | float, bounds: tuple[float, float], rng: random.Random, attempt: int) -> int | float:
    """Return a number moved up or down within a share of the column's range; the more attempts failed, the farther."""
    least, most = bounds
    by = 1 if rng.random() < 0.5 else rng.uniform(0, _REACH * (attempt + 1)) * (most - least)
    moved = value + rng.choice((-1, 1)) * max(by, 1 if isinstance(value, int) else 0)
    if least >= 0:
        moved = abs(moved)  # ages and prices never become negative
    if isinstance(value, int):
        return round(moved)
    return round(moved, len(repr(value).partition(".")[2]) if "e" not in repr(value) else 6)


def _later(text: str, days: int) -> str:
    """Return a text that begins with a date moved by some days; the text itself where it begins with none."""
    try:
        return (date.fromisoformat(text[:10]) + timedelta(days)).isoformat() + text[10:]
    except (ValueError, OverflowError):
        return text


def _worded(one: str, other: str, rng: random.Random, attempt: int) -> str:
    """Return the first words of one text with the last words of another; with few words, a text and a number."""
    first, last = one.split(), other.split() if isinstance(other, str) else []
    if attempt < _TRIES // 2 and len(first) > 1 and len(last) > 1:
        return " ".join([*first[: len(first) // 2], *last[len(last) // 2 :]])
    return f"{one} {rng.randint(2, 99 + attempt)}"


def _invented(declared: str, rng: random.Random) -> Any:
    """Return a value for a column without values, by its declared type."""
    kinds: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("INT", lambda: rng.randint(1, 60)),
        ("BOOL", lambda: rng.randint(0, 1)),
        ("DATE", lambda: _later("2015-06-15", rng.randint(-900, 900))),
        ("TIME", lambda: _later("2015-06-15", rng.randint(-900, 900)) + " 12:00:00"),
        ("REAL|FLOA|DOUB|NUM|DEC", lambda: round(rng.uniform(1, 1000), 2)),
    )
    for pattern, make in kinds:
        if re.search(pattern, declared.upper()):
            return make()
    return f"text {rng.randint(1, 60)}"
