"""Name tables and columns as databases do: words joined, shortened or capitalised.

A database keeps to one style.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """The style in which one database writes names.

    `join` makes a name of words. `plural` tables have the plural of their things; `cut` names have abbreviations.
    """

    join: Callable[[list[str]], str]
    plural: bool
    cut: bool


# How names are joined of words, each with the share of the databases that do so.
_JOINS: tuple[tuple[float, Callable[[list[str]], str]], ...] = (
    (0.45, lambda words: "_".join(words).lower()),
    (0.2, lambda words: "_".join(word.capitalize() for word in words)),
    (0.2, lambda words: words[0].lower() + "".join(word.capitalize() for word in words[1:])),
    (0.15, lambda words: "".join(word.capitalize() for word in words)),
)


def style(rng: random.Random) -> Style:
    """Draw a style."""
    shares, joins = zip(*_JOINS, strict=True)
    (join,) = rng.choices(joins, shares)
    return Style(join, rng.random() < 0.4, rng.random() < 0.2)


_SHORT = {
    "number": "num", "average": "avg", "department": "dept", "address": "addr", "quantity": "qty", "amount": "amt",
    "date": "dt", "description": "desc", "country": "ctry", "category": "cat", "population": "pop", "maximum": "max",
    "temperature": "temp", "employee": "emp", "customer": "cust", "product": "prod", "price": "prc", "year": "yr",
    "position": "pos", "nationality": "nat", "percentage": "pct", "account": "acct", "telephone": "tel",
}  # fmt: skip


def words(text: str, style: Style) -> list[str]:
    """Return the words of the name for what people call `text`, abbreviated if the style cuts words."""
    found = [word for word in re.findall(r"\w+", text) if word not in ("of", "the", "at", "in", "per")]
    return [_SHORT.get(word, word) for word in found] if style.cut else found
