"""Revenue: the columns whose sum is the money that was taken, for schemas that have no column of that name.

It is the sum of an amount of orders, invoices or payments, or of price times quantity, less a discount, in their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.reader.english import EVENTS, written_out
from askwhere.reader.lexicon import Lexicon, Sense
from askwhere.reader.names import name_stems
from askwhere.reader.tokens import stem
from askwhere.reader.types import is_number
from sqlglot import exp

_SAID = (
    "revenue | revenues | sales | turnover | total revenue | total sales | sales revenue | total turnover"
    " | gross sales | gross revenue | overall revenue | overall sales | total sales revenue | sales amount | takings"
    " | spending | total spending | total spend | money spent | total money spent | amount spent | total amount spent"
)
# The phrases that mean revenue, as tuples of words, unless the schema itself has a name for them.
MONEY = frozenset(tuple(phrase.split()) for phrase in _SAID.split(" | "))
# Stems of verbs after which "the most" is an amount of money. After "sold" it may also be a number of pieces.
SPENDING = frozenset({"spend", "pay"})

# Stems of verbs after which "how much" is an amount of money.
EARNING = SPENDING | {"collect", "receiv", "sell", "earn", "take", "make", "bring"}

_FRACTION = re.compile(r"REAL|DOUB|FLOA", re.IGNORECASE)
_SALES = EVENTS["sell"] | {"payment"}
_AMOUNT = frozenset({"total", "amount", "price", "paid", "grand"})
_PRICED = frozenset({"price", "pr"})  # "pr" says a price beside a quantity alone: `unit_pr`
_PRICE = _PRICED | {"unit", "sale", "each", "per", "sell"}
_QUANTITY = frozenset({"quantiti", "unit", "order", "sold", "item", "number", "of"})


def unnamed(words: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Return whether no table or column has a name for a phrase like "total sales" or for the end of it.

    Only then the phrase means the sum that `sums_of` finds.
    """
    return not any(lexicon.find(tuple(map(stem, words[start:]))) for start in range(len(words)))


def sums_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses whose sum is revenue, each with a note that says how it is computed.

    The columns of a sense are an amount alone, or a price, a quantity and, if there is one, a discount (see `product`).
    """
    # Lines of an order are one join further away than the order; the higher score makes up for the cost of that join.
    found = tuple(
        Sense(t, cs, 1.25 if len(cs) > 1 else 1.0, note=_note(t, cs)) for t in lexicon.tables for cs in _columns(t)
    )
    return found or tuple(Sense(t, cs, note=_note(t, cs)) for t in lexicon.tables for cs in _charged(t))


def _note(table: Table, columns: tuple[Column, ...]) -> str:
    """Return the note for the user: the expression that is summed, in the schema's own names."""
    price, *factors = (c.name for c in columns)
    times = "".join(f" * {name}" for name in factors[:1]) + "".join(f" * (1 - {name})" for name in factors[1:])
    return f"what was sold is the sum of {table.name}'s {price}{times}"


def pieces_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the columns that say how many pieces were sold: the quantities beside a price."""
    return tuple(Sense(s.table, s.columns[1:2]) for s in sums_of(lexicon) if len(s.columns) > 1)


def _columns(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the columns of a table to sum as revenue: an amount, or price, quantity and at most one discount.

    A table yields nothing where several columns could be the amount, the price or the quantity.
    """
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c)]
    own = frozenset(written_out(name_stems(table.name)))
    amounts = [c for c in numbers if _is_amount(written_out(name_stems(c.name)), own)]
    prices = [c for c in numbers if _PRICED & (said := set(written_out(name_stems(c.name)))) and said <= _PRICE]
    counts = [c for c in numbers if "quantiti" in (said := set(written_out(name_stems(c.name)))) and said <= _QUANTITY]
    discounts = [c for c in table.columns if "discount" in name_stems(c.name)]
    if len(amounts) == 1 and own & _SALES and not counts:
        yield (amounts[0],)
    priced = len(prices) == len(counts) == 1 and len(discounts) < 2 and not amounts
    if priced and table.foreign_keys and all(map(_is_share, discounts)):
        yield (prices[0], counts[0], *discounts)


def _charged(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the only amount of a table of other events, `total_price` of bookings, for where no sales are kept."""
    own = frozenset(written_out(name_stems(table.name)))
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c)]
    amounts = [c for c in numbers if _is_amount(written_out(name_stems(c.name)), own)]
    if len(amounts) == 1 and own & _CHARGED and table.foreign_keys:
        yield (amounts[0],)


_CHARGED = frozenset(
    map(stem, "booking reservation rental ticket subscription membership job visit stay trip appointment order".split())
)


def _is_amount(words: tuple[str, ...], own: frozenset[str]) -> bool:
    """Return whether a column's stems, without those of its table (`own`), name an amount: "total", "amount paid"."""
    rest = set(words) - own
    return bool(rest) and rest <= _AMOUNT and bool(rest & {"total", "amount", "paid"})


def _is_share(discount: Column) -> bool:
    """Return whether a discount is a fraction from 0 to 1, which its type, a binary float, makes likely.

    A decimal or an integer may as well be an amount of money or a percentage.
    """
    words = set(name_stems(discount.name))
    return bool(_FRACTION.search(discount.type)) and not words & {"amount", "percent", "percentag", "pct"}


def is_key(table: Table, column: Column) -> bool:
    """Return whether a column belongs to the primary key or a foreign key of its table."""
    keys = (table.primary_key, *(key.columns for key in table.foreign_keys))
    return any(column.name.lower() in map(str.lower, key) for key in keys)


def product(columns: list[exp.Expr]) -> exp.Expr:
    """Return the SQL of one row's revenue: the amount, or price times quantity times (1 - discount).

    `columns` are those of a sense from `sums_of`, in the same order.
    """
    made = columns[0]
    for factor in columns[1:2]:
        made = exp.Mul(this=made, expression=factor)
    for discount in columns[2:]:
        left = exp.Sub(this=exp.Literal.number(1), expression=discount)
        made = exp.Mul(this=made, expression=exp.Paren(this=left))
    return made
