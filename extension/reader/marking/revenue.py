"""Find the columns whose sum is revenue, and the words that ask for it.

Revenue is the sum of an amount of orders, invoices or payments, or of price times quantity, less a discount, in their
lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.reader.marking.numeric import (
    amounts_in,
    column_words,
    is_by_time,
    is_key,
    numbers_in,
    quantity_of,
    says_amount,
    says_pieces,
)
from askwhere.reader.marking.priced import priced_elsewhere
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import EVENTS, stems
from askwhere.reader.words.money import PRICES, REVENUE
from askwhere.reader.words.names import cut_name, full_stems, name_stems
from askwhere.reader.words.tokens import Token, stem
from askwhere.reader.words.types import is_dated
from sqlglot import exp

_SAID = (
    "revenue | revenues | sales | turnover | total revenue | total sales | sales revenue | total turnover"
    " | gross sales | gross revenue | overall revenue | overall sales | total sales revenue | sales amount | takings"
    " | income | total income | earnings | total earnings | proceeds"
    " | spending | total spending | total spend | money spent | total money spent | amount spent | total amount spent"
)
# The phrases that mean revenue, as tuples of words, unless the schema itself has a name for them.
MONEY = frozenset(tuple(phrase.split()) for phrase in _SAID.split(" | "))
# The same of what stands before: "rental income", "prize money".
INCOME = frozenset({("income",), ("earnings",), ("proceeds",), ("money",)})
# Stems of verbs after which "the most" is an amount of money. After "sold" it may also be a number of pieces.
SPENDING = frozenset({"spend", "pay"})
GIVING = frozenset({"give", "donat", "contribut"})
GAINED = frozenset({"earn"})  # and after these, what somebody is paid
# Stems of verbs after which "how much" is an amount of money.
EARNING = SPENDING | GIVING | {"collect", "receiv", "sell", "earn", "take", "make", "bring", "invoic", "bill"}
_FRACTION = re.compile(r"REAL|DOUB|FLOA", re.IGNORECASE)
_SALARIES = frozenset(stems("salary wage"))
_OF_PEOPLE = frozenset("who whose average mean median".split())
_SALES = EVENTS["sell"] | {"payment"}
# What a column of revenue is called, and what else its name may say.
_REVENUE = REVENUE | set(stems("sales receipts gross net subtotal"))
_OF_REVENUE = frozenset(stems("total amount room value"))
_COUNTED = frozenset(stems("quantity sold amount number of"))
_ASKED = frozenset(stems("price fee fare charge"))
_PRICED = frozenset({"price", "pr"})  # "pr" says a price beside a quantity alone: `unit_pr`
_PRICE = _PRICED | {"unit", "sale", "each", "per", "sell"}
_DUE = frozenset(stems("due charge charged bill billed net gross final"))
_SPENT = frozenset(stems("expense purchase refund salary payroll claim repair cost budget loan grant fine wage"))
_BROUGHT_IN = PRICES | set(stems("amount total charge paid income"))
_CHARGED = frozenset(
    stems(
        "booking reservation rental ticket subscription membership job visit stay trip appointment order charter"
        " lesson session treatment tour excursion"
    )
)


def is_unnamed(words: tuple[str, ...], tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether no table or column has a name for a phrase like "total sales" or for the end of it.

    Only then the phrase means the sum that `sums_of` finds. `tokens` are those of the whole question.
    """
    named = (s for start in range(len(words)) for s in lexicon.find(tuple(map(stem, words[start:]))))
    return not any(may_be_gained(sense, tokens, lexicon) for sense in named)


def may_be_gained(sense: Sense, tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether words for what is earned may name a sense: no flag `paid`, and no date `paid_on`.

    Nor a `salary`, where there is revenue and the question names neither a salary nor those who get it: "income by
    month", "income by customer".
    """
    if lexicon.truth(sense) is not None or any(map(is_dated, sense.columns)):
        return False
    paid_to_people = any(_SALARIES & set(full_stems(c.name)) for c in sense.columns)
    return not paid_to_people or _names_people(tokens, sense.table, lexicon) or not sums_of(lexicon)


def _names_people(tokens: tuple[Token, ...], paid: Table, lexicon: Lexicon) -> bool:
    """Return whether a question names the people in a table, or a salary, asks who, or for an average, as of people."""
    named = (s for t in tokens for s in lexicon.find((t.stem,)) if not s.columns)
    asked = any(t.lower in _OF_PEOPLE or t.stem in _SALARIES for t in tokens)
    return asked or any(s.table.path == paid.path for s in named)


@lru_cache(maxsize=4)  # all tables are looked at, for each question
def sums_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses whose sum is revenue, each with a note that says how it is computed.

    The columns of a sense are an amount alone, or a price, a quantity and, if there is one, a discount (see `product`).
    They are those of the first kind that the schema has: columns named after revenue, amounts and prices of sales, what
    is charged for other acts, and the only amount of the only events that have one.
    """
    for find in (_named, _sold, _charged_on_dates, _charged):
        found = [(t, columns) for t in lexicon.tables for columns in find(without_flags(t, lexicon))]
        if found := [one for one in found if "sale" in full_stems(one[0].name)] or found:
            lines = [table for table, columns in found if len(columns) > 1]
            totals = _totals_of_lines(lines, lexicon) or _bills_beside_lines(lines, found, lexicon)
            found = totals + [one for one in found if one not in totals]
            # Lines of an order are one join further away than the order; the higher score makes up for its cost. Where
            # the order has a total, that is what was paid.
            return tuple(
                Sense(t, cs, 1.36 if (t, cs) in totals else 1.25 if len(cs) > 1 else 1.0, note=_note(t, cs))
                for t, cs in found
            )
    return _only_charge(lexicon)


def without_flags(table: Table, lexicon: Lexicon) -> Table:
    """Return a table without its columns of yes and no: a `paid` that holds 0 and 1 is no amount."""
    if table.path not in lexicon.flagged:
        return table
    kept = tuple(c for c in table.columns if lexicon.truth(Sense(table, (c,))) is None)
    return replace(table, columns=kept) if len(kept) < len(table.columns) else table


def _totals_of_lines(lines: list[Table], lexicon: Lexicon) -> list[tuple[Table, tuple[Column, ...]]]:
    """Return the totals of what lines with a price and a quantity belong to, by any name: `total` of tickets."""
    headers = {key.target for line in lines for key in line.foreign_keys}
    dated = [t for t in lexicon.tables if t.path in headers and any(map(is_dated, t.columns))]
    amounts = [(t, [c for c in amounts_in(t) if _is_total(t, c)]) for t in dated]
    return [(t, (own[0],)) for t, own in amounts if len(own) == 1]


def _bills_beside_lines(
    lines: list[Table], found: list[tuple[Table, tuple[Column, ...]]], lexicon: Lexicon
) -> list[tuple[Table, tuple[Column, ...]]]:
    """Return the amounts among those found that are of what lines belong to: invoices of jobs that used parts."""
    headers = {key.target for line in lines for key in line.foreign_keys}
    dated = {t.path for t in lexicon.tables if t.path in headers and any(map(is_dated, t.columns))}
    return [(t, cs) for t, cs in found if len(cs) == 1 and any(key.target in dated for key in t.foreign_keys)]


def _is_total(table: Table, column: Column) -> bool:
    """Return whether a column is the total of each row of its table: `total`, `order_total`, `total_amount`."""
    words = column_words(column)
    return "total" in words and says_amount(words, frozenset(full_stems(table.name)))


def paid_of(lexicon: Lexicon, verbs: Iterable[str]) -> tuple[Sense, ...]:
    """Return `sums_of`, after "pay" (among stems of verbs) with what was paid, `amount_paid`, in place of a fee."""
    sums = sums_of(lexicon)
    if "pay" not in verbs:
        return sums
    paid = ((s, _what_is_paid(s.table) or s.columns) for s in sums)
    return tuple(replace(s, columns=columns, note=_note(s.table, columns)) for s, columns in paid)


def _only_charge(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the only amount of the only events that have one, `amount_due` of stays, unless it is spent."""
    dated = [t for t in lexicon.tables if t.foreign_keys and any(map(is_dated, t.columns))]
    own = {t.path: frozenset(full_stems(t.name)) for t in dated}
    amounts = [(t, c) for t in dated for c in amounts_in(without_flags(t, lexicon))]
    found = [(t, c) for t, c in amounts if says_amount(column_words(c) - _DUE, own[t.path])]
    found = found or [(t, c) for t, c in amounts if _says_charge(column_words(c) - {"price"}, own[t.path])]
    spent = any(own[t.path] & _SPENT for t, _ in found)
    return tuple(Sense(t, (c,), note=_note(t, (c,))) for t, c in found) if len(found) == 1 and not spent else ()


def brought_in(before: tuple[Token, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the only amount of the things that the last of some words name: `rentals.amount` for "rental income".

    Of several it is the one that says that it was paid: `amount_paid`, and not what is due.
    """
    spans = (before[-2:], before[-1:]) if before else ()
    named = (lexicon.find(tuple(token.stem for token in span)) for span in spans)
    tables = next(([s.table for s in of if not s.columns and s.score >= 0.65] for of in named if of), [])
    amounts = [(t, c) for t in tables[:1] if not quantity_of(t) for c in amounts_in(t) if not is_by_time(c)]
    found = [(t, c) for t, c in amounts if column_words(c) & _BROUGHT_IN]
    if len(found) > 1:
        found = [(t, c) for t, c in found if c in _what_is_paid(t)]
    return tuple(Sense(t, (c,), note=_note(t, (c,))) for t, c in found) if len(found) == 1 else ()


def charged_for(table: Table) -> tuple[Sense, ...]:
    """Return the only amount that is charged for each row of a table, `jobs.amount`, or nothing."""
    own = frozenset(full_stems(table.name))
    words = [(c, column_words(c)) for c in amounts_in(table)] if not quantity_of(table) else []
    found = [c for c, said in words if says_amount(said, own) or _says_charge(said, own)]
    return tuple(Sense(table, (c,), note=_note(table, (c,))) for c in found) if len(found) == 1 else ()


def _note(table: Table, columns: tuple[Column, ...]) -> str:
    """Return the note for the user: the expression that is summed, in the schema's own names."""
    price, *factors = (c.name for c in columns)
    discounts = (f"{c.name} / 100" if _is_percentage(c.name) else c.name for c in columns[2:])
    times = "".join(f" * {name}" for name in factors[:1]) + "".join(f" * (1 - {name})" for name in discounts)
    return f"revenue is the sum of {table.name}.{price}{times}"


def pieces_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the columns that say how many pieces were sold: the quantities beside a price or a total.

    Where nothing has a price of its own, the one of sales that are priced by what is sold.
    """
    found = tuple(Sense(s.table, quantity) for s in sums_of(lexicon) if (quantity := quantity_of(s.table)))
    return found or tuple(replace(s, note="") for s in priced_elsewhere(lexicon)[:1])


def _named(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the only column of a table of events that is named after revenue: `gross_sales`, `net_amount`."""
    found = [c for c in amounts_in(table) if _REVENUE & (said := column_words(c)) and said <= _REVENUE | _OF_REVENUE]
    if len(found) == 1 and table.foreign_keys:
        yield (found[0],)


def _sold(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the columns of a table to sum as revenue: an amount, or price, quantity and at most one discount.

    A table yields nothing where several columns could be the amount, the price or the quantity.
    """
    numbers = numbers_in(table)
    own = frozenset(full_stems(table.name))
    amounts = [c for c in numbers if says_amount(column_words(c), own)]
    amounts = [c for c in amounts if "total" in column_words(c)] or amounts
    prices = [c for c in numbers if _PRICED & column_words(c) and column_words(c) <= _PRICE]
    prices = prices or [c for c in numbers if _priced_by(c, numbers)]
    counts = quantity_of(table) or _priced_by(prices[0], numbers) if len(prices) == 1 else ()
    if prices and not counts and [column_words(c) for c in amounts] == [{"amount"}]:
        counts, amounts = tuple(amounts), []  # beside a price an amount is how much was sold
    if not (amounts or counts) and len(prices) == len(numbers):
        amounts = prices  # of one piece each
    discounts = [c for c in table.columns if not is_key(table, c) and "discount" in full_stems(c.name)]
    if len(amounts) == 1 and own & _SALES and (not counts or "total" in column_words(amounts[0])):
        yield (amounts[0],)
    priced = len(prices) == 1 and counts and len(discounts) < 2 and not amounts
    if priced and table.foreign_keys and all(_is_share(d) or _is_percentage(d.name) for d in discounts):
        yield (prices[0], *counts, *discounts)


def _priced_by(price: Column, numbers: Iterable[Column]) -> tuple[Column, ...]:
    """Return the one column that a price is by: `jars` for `price_per_jar`, else what was sold, `tickets_sold`."""
    by = column_words(price) - _PRICE
    others = [c for c in numbers if c is not price]
    found = [c for c in others if (column_words(c) - _COUNTED == by if by else "sell" in column_words(c))]
    return tuple(found) if len(found) == 1 and _PRICED & column_words(price) else ()


def _charged(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the only amount of a table of other events, `total_price` of bookings, for where no sales are kept."""
    own = frozenset(full_stems(table.name))
    numbers = numbers_in(table)
    several = any(map(says_pieces, numbers))
    amounts = [c for c in numbers if says_amount(column_words(c), own)]
    amounts = amounts or [c for c in numbers if not several and _says_charge(column_words(c), own)]
    if len(amounts) == 1 and own & _CHARGED and table.foreign_keys:
        yield (amounts[0],)


def _charged_on_dates(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the same of a table with dates: the price of a tour is what people pay who book it, on a date."""
    if events(table):
        yield from _charged(table)


def _says_charge(words: set[str], own: frozenset[str]) -> bool:
    """Return whether a column's stems, without those of its table (`own`), say what is charged: "fee paid"."""
    return bool(words - own & _ASKED) and words - own <= _ASKED | {"pay", "amount", "total"}


def _is_percentage(name: str) -> bool:
    """Return whether the name of a column says that its numbers are hundredths: `discount_pct`."""
    return "percentag" in full_stems(name)


def _is_share(discount: Column) -> bool:
    """Return whether a discount is a fraction from 0 to 1, which its type, a binary float, makes likely.

    A decimal or an integer may as well be an amount of money or a percentage.
    """
    words = set(name_stems(discount.name))
    return bool(_FRACTION.search(discount.type)) and not words & {"amount", "percent", "percentag", "pct"}


def _what_is_paid(table: Table) -> tuple[Column, ...]:
    """Return the one amount of a table whose name says that it was paid: `amount_paid`, beside a `fee`."""
    paid = [c for c in amounts_in(table) if "paid" in cut_name(c.name)]
    return tuple(paid) if len(paid) == 1 else ()


def product(columns: list[exp.Expr]) -> exp.Expr:
    """Return the SQL of one row's revenue: the amount, or price times quantity times (1 - discount).

    A discount that is a percentage is divided by 100.

    `columns` are those of a sense from `sums_of`, in the same order.
    """
    made = columns[0]
    for factor in columns[1:2]:
        made = exp.Mul(this=made, expression=factor)
    for discount in columns[2:]:
        share = (
            exp.Div(this=discount, expression=exp.Literal.number("100.0"))
            if _is_percentage(discount.name)
            else discount
        )
        left = exp.Sub(this=exp.Literal.number(1), expression=share)
        made = exp.Mul(this=made, expression=exp.Paren(this=left))
    return made
