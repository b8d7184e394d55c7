"""Values like those that a column has: for rows that are added to a copy of a database."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

# How often a value is one that the column has; else it is one near it.
_SAME = 0.5
# A number moves by 1 as often as by up to this share of the column's range.
_REACH = 0.1
_TRIES = 50
# How often a new value is one that queries ask for, where they do.
_ASKED = 0.3
_SKEW = 3
# So few values are taken for all that a column can have.
_CATEGORIES = 2
_NUMERAL = re.compile(r"\d{1,15}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass
class Pool:
    """The values of one column, and each `once`; `unique` says that none may come twice, `taken` are those that did.

    `asked` are values that queries compare the column with, `nulls` is the share of NULL among new values.
    """

    values: Sequence[Any]
    once: Sequence[Any]
    asked: Sequence[Any]
    unique: bool
    declared: str
    nulls: float
    taken: set[Any]

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest number of the column."""
        numbers = [value for value in self.once if isinstance(value, int | float)]
        return min(numbers), max(numbers)

    def null(self, chance: random.Random) -> bool:
        """Whether the next value is to be NULL."""
        return self.nulls > 0 and chance.random() < self.nulls

    def draw(self, chance: random.Random) -> Any:
        """A value for a new row; None where no free one was found."""
        for attempt in range(_TRIES):
            value = self._one(chance, attempt)
            if not self.unique or value not in self.taken:
                self.taken.add(value)
                return value
        return None

    def choose(self, found: Sequence[Any], chance: random.Random) -> Any:
        """One of these values; None where no free one is among them."""
        free = [value for value in found if value not in self.taken] if self.unique else found
        value = skewed(free, chance) if free else None
        self.taken.add(value)
        return value

    def _one(self, chance: random.Random, attempt: int) -> Any:
        if self.asked and attempt < _TRIES // 2 and chance.random() < _ASKED:
            return chance.choice(self.asked)
        if not self.values:
            return _invented(self.declared, chance)
        value = chance.choice(chance.choice((self.values, self.once)))
        few = len(self.once) <= _CATEGORIES
        return value if not self.unique and (few or chance.random() < _SAME) else self._near(value, chance, attempt)

    def _near(self, value: Any, chance: random.Random, attempt: int) -> Any:
        """A value near one that the column has; the farther, the more attempts failed."""
        if isinstance(value, int) and attempt > _TRIES // 2:
            return int(self.bounds[1]) + chance.randint(1, 10 * attempt)
        if isinstance(value, int | float):
            return _moved(value, self.bounds, chance, attempt)
        if isinstance(value, str) and _NUMERAL.fullmatch(value):
            moved = str(abs(int(value) + chance.choice((-1, 1)) * chance.randint(1, 2 + attempt)))
            return moved.zfill(len(value)) if value[0] == "0" else moved
        if isinstance(value, str) and _DAY.match(value):
            return _later(value, chance.randint(-40, 40) * (attempt + 1))
        if isinstance(value, str) and self.unique:
            return _worded(value, chance.choice(self.once), chance, attempt)
        return value


def skewed(found: Sequence[Any], chance: random.Random) -> Any:
    """One of several, the first far more often than the last: so that some are referred to often, and some never."""
    return found[int(len(found) * chance.random() ** _SKEW)]


def fitting(asked: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """Those of the values that queries ask for which are like a column's own; of numbers their neighbours too."""
    found: list[Any] = []
    for value in asked:
        if isinstance(value, str):
            found += [value] if not values or any(isinstance(v, str) for v in values) else []
        elif not values or any(isinstance(v, int | float) for v in values):
            found += [value - 1, value, value + 1]
        elif all(isinstance(v, str) and _NUMERAL.fullmatch(v) for v in values):
            found += [str(value - 1), str(value), str(value + 1)] if isinstance(value, int) else []
    return found


def _moved(value: int | float, bounds: tuple[float, float], chance: random.Random, attempt: int) -> int | float:
    least, most = bounds
    by = 1 if chance.random() < 0.5 else chance.uniform(0, _REACH * (attempt + 1)) * (most - least)
    moved = value + chance.choice((-1, 1)) * max(by, 1 if isinstance(value, int) else 0)
    if least >= 0:
        moved = abs(moved)  # ages and prices stay what they are
    if isinstance(value, int):
        return round(moved)
    return round(moved, len(repr(value).partition(".")[2]) if "e" not in repr(value) else 6)


def _later(text: str, days: int) -> str:
    """A text that begins with a day, some days later; as it is where that is no day."""
    try:
        return (date.fromisoformat(text[:10]) + timedelta(days)).isoformat() + text[10:]
    except (ValueError, OverflowError):
        return text


def _worded(one: str, other: str, chance: random.Random, attempt: int) -> str:
    """A text of the first words of one value and the last of another; with a number where there are few words."""
    first, last = one.split(), other.split() if isinstance(other, str) else []
    if attempt < _TRIES // 2 and len(first) > 1 and len(last) > 1:
        return " ".join([*first[: len(first) // 2], *last[len(last) // 2 :]])
    return f"{one} {chance.randint(2, 99 + attempt)}"


def _invented(declared: str, chance: random.Random) -> Any:
    """A value for a column that has none, by its declared type."""
    kinds: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("INT", lambda: chance.randint(1, 60)),
        ("BOOL", lambda: chance.randint(0, 1)),
        ("DATE", lambda: _later("2015-06-15", chance.randint(-900, 900))),
        ("TIME", lambda: _later("2015-06-15", chance.randint(-900, 900)) + " 12:00:00"),
        ("REAL|FLOA|DOUB|NUM|DEC", lambda: round(chance.uniform(1, 1000), 2)),
    )
    for pattern, make in kinds:
        if re.search(pattern, declared.upper()):
            return make()
    return f"text {chance.randint(1, 60)}"
