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

    `join` makes a name of words. `plural` tables have the plural of their things; `cut` names have abbreviations; `key`
    is the form of primary keys: 'id', 'table_id' or 'code'.
    """

    join: Callable[[list[str]], str]
    plural: bool
    cut: bool
    key: str


def style(rng: random.Random) -> Style:
    """Draw a style."""
    capital = rng.random()
    join: Callable[[list[str]], str]
    if capital < 0.45:
        join = _snake
    elif capital < 0.65:
        join = _snake_capital
    elif capital < 0.85:
        join = _camel
    else:
        join = _pascal
    return Style(
        join,
        rng.random() < 0.4,
        rng.random() < 0.2,
        rng.choice(("id", "id", "table_id", "table_id", "code")),
    )


def _snake(words: list[str]) -> str:
    return "_".join(words).lower()


def _snake_capital(words: list[str]) -> str:
    return "_".join(word.capitalize() for word in words)


def _camel(words: list[str]) -> str:
    return words[0].lower() + "".join(word.capitalize() for word in words[1:])


def _pascal(words: list[str]) -> str:
    return "".join(word.capitalize() for word in words)


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
