"""What was sold, in money: the amounts of orders and invoices, or the prices of what was sold times how many were."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.reader.english import EVENTS, SHORT
from askwhere.reader.lexicon import Lexicon, Sense
from askwhere.reader.names import name_stems
from askwhere.reader.tokens import stem
from askwhere.reader.types import is_number
from sqlglot import exp

_SAID = (
    "revenue | revenues | sales | turnover | total revenue | total sales | sales revenue | total turnover"
    " | gross sales | gross revenue | overall revenue | overall sales | total sales revenue | sales amount"
)
# What is called so, where the schema has no such name: `MONEY` is a sum of money.
MONEY = frozenset(tuple(phrase.split()) for phrase in _SAID.split(" | "))
# "Which customer spent the most" is of money; but who sold the most may be of pieces.
SPENDING = frozenset({"spend", "pay"})

_FRACTION = re.compile(r"REAL|DOUB|FLOA", re.IGNORECASE)
_SALES = EVENTS["sell"] | {"payment"}
_AMOUNT = frozenset({"total", "amount", "price", "paid", "grand"})
_PRICE = frozenset({"price", "unit", "sale", "each", "per", "sell"})
_QUANTITY = frozenset({"quantiti", "unit", "order", "sold", "item", "number", "of"})


def unnamed(words: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether words like "total sales" name nothing of the schema: they are of what was sold then."""
    return not any(lexicon.find(tuple(map(stem, words[start:]))) for start in range(len(words)))


def sums_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """The columns that what was sold is added up from: an amount, or a price, a quantity and perhaps a discount."""
    # Lines are one join further from all that is asked about than what they are lines of.
    return tuple(
        Sense(t, cs, 1.25 if len(cs) > 1 else 1.0, note=_note(t, cs)) for t in lexicon.tables for cs in _columns(t)
    )


def _note(table: Table, columns: tuple[Column, ...]) -> str:
    price, *factors = (c.name for c in columns)
    times = "".join(f" * {name}" for name in factors[:1]) + "".join(f" * (1 - {name})" for name in factors[1:])
    return f"what was sold is the sum of {table.name}'s {price}{times}"


def pieces_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """The columns that say how many of a thing were sold."""
    return tuple(Sense(s.table, s.columns[1:2]) for s in sums_of(lexicon) if len(s.columns) > 1)


def _columns(table: Table) -> Iterator[tuple[Column, ...]]:
    numbers = [c for c in table.columns if is_number(c) and not _is_key(table, c)]
    own = frozenset(name_stems(table.name))
    amounts = [c for c in numbers if _is_amount(name_stems(c.name), own)]
    prices = [c for c in numbers if "price" in (said := _written(c)) and said <= _PRICE]
    counts = [c for c in numbers if "quantiti" in (said := _written(c)) and said <= _QUANTITY]
    discounts = [c for c in table.columns if "discount" in name_stems(c.name)]
    if len(amounts) == 1 and own & _SALES and not counts:
        yield (amounts[0],)
    priced = len(prices) == len(counts) == 1 and len(discounts) < 2 and not amounts
    if priced and table.foreign_keys and all(map(_is_share, discounts)):
        yield (prices[0], counts[0], *discounts)


def _written(column: Column) -> set[str]:
    """Return the stems of a column's name, short forms written out."""
    return {word for short in name_stems(column.name) for word in SHORT.get(short, (short,))}


def _is_amount(words: tuple[str, ...], own: frozenset[str]) -> bool:
    rest = set(words) - own
    return bool(rest) and rest <= _AMOUNT and bool(rest & {"total", "amount", "paid"})


def _is_share(discount: Column) -> bool:
    """Whether a discount is a part of one, as binary fractions are for: decimals may be an amount or percents."""
    words = set(name_stems(discount.name))
    return bool(_FRACTION.search(discount.type)) and not words & {"amount", "percent", "percentag", "pct"}


def _is_key(table: Table, column: Column) -> bool:
    keys = (table.primary_key, *(key.columns for key in table.foreign_keys))
    return any(column.name.lower() in map(str.lower, key) for key in keys)


def product(columns: list[exp.Expr]) -> exp.Expr:
    """An amount as it is; or a price times a quantity, less the discount."""
    made = columns[0]
    for factor in columns[1:2]:
        made = exp.Mul(this=made, expression=factor)
    for discount in columns[2:]:
        left = exp.Sub(this=exp.Literal.number(1), expression=discount)
        made = exp.Mul(this=made, expression=exp.Paren(this=left))
    return made
