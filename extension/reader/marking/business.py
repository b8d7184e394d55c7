"""Find what words of business mean in a schema: revenue, pieces sold, stock, and what a verb says was done.

Revenue is the sum of an amount of orders, invoices or payments, or of price times quantity, less a discount, in their
lines. Words such as "stock" have no plural: "the most stock" is the greatest sum of a column, and no number of rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import refers
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import EVENTS, stems, written_out
from askwhere.reader.words.names import cut_name, name_stems
from askwhere.reader.words.tokens import Token, is_singular, stem
from askwhere.reader.words.types import is_date, is_dated, is_number, is_year, says_yes_or_no
from askwhere.reader.words.verbs import saying
from sqlglot import exp

_SAID = (
    "revenue | revenues | sales | turnover | total revenue | total sales | sales revenue | total turnover"
    " | gross sales | gross revenue | overall revenue | overall sales | total sales revenue | sales amount | takings"
    " | spending | total spending | total spend | money spent | total money spent | amount spent | total amount spent"
)
# The phrases that mean revenue, as tuples of words, unless the schema itself has a name for them.
MONEY = frozenset(tuple(phrase.split()) for phrase in _SAID.split(" | "))
INCOME = frozenset({("income",), ("earnings",), ("proceeds",)})  # the same of what stands before: "rental income"
# Stems of verbs after which "the most" is an amount of money. After "sold" it may also be a number of pieces.
SPENDING = frozenset({"spend", "pay"})
GIVING = frozenset({"give", "donat", "contribut"})
GAINED = frozenset({"earn"})  # and after these, what somebody is paid

# Stems of verbs after which "how much" is an amount of money.
EARNING = SPENDING | GIVING | {"collect", "receiv", "sell", "earn", "take", "make", "bring"}

_FRACTION = re.compile(r"REAL|DOUB|FLOA", re.IGNORECASE)
_SALES = EVENTS["sell"] | {"payment"}
_AMOUNT = frozenset({"total", "amount", "price", "paid", "grand"})
# Stems of currencies in names of columns; "pound" may be a weight.
_CURRENCIES = frozenset(
    "eur euro usd dollar gbp chf franc sek nok dkk krona kroner jpy yen cad aud inr rupe pln".split()
)
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
    found = found or tuple(Sense(t, cs, note=_note(t, cs)) for t in lexicon.tables for cs in _charged(t))
    return found or _only_charge(lexicon)


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
    own = {t.path: frozenset(written_out(name_stems(t.name))) for t in dated}
    found = [(t, c) for t in dated for c in amounts_in(t) if _is_amount(_words(c) - _DUE, own[t.path])]
    found = found or [(t, c) for t in dated for c in amounts_in(t) if _words(c) - own[t.path] in ({"fee"}, {"fare"})]
    spent = any(own[t.path] & _SPENT for t, _ in found)
    return tuple(Sense(t, (c,), note=_note(t, (c,))) for t, c in found) if len(found) == 1 and not spent else ()


_DUE = frozenset(stems("due charge charged bill billed net gross final"))
_SPENT = frozenset(stems("expense purchase refund salary payroll claim repair cost budget loan grant fine wage"))


def brought_in(before: tuple[Token, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the only amount of the things that the last of some words name: `rentals.amount` for "rental income"."""
    spans = (before[-2:], before[-1:]) if before else ()
    named = (lexicon.find(tuple(token.stem for token in span)) for span in spans)
    tables = next(([s.table for s in of if not s.columns and s.score >= 0.65] for of in named if of), [])
    found = [(t, c) for t in tables[:1] if not quantity_of(t) for c in amounts_in(t) if _words(c) & _BROUGHT_IN]
    return tuple(Sense(t, (c,), note=_note(t, (c,))) for t, c in found) if len(found) == 1 else ()


_BROUGHT_IN = frozenset(stems("amount total price fee fare rent charge paid income"))


def _note(table: Table, columns: tuple[Column, ...]) -> str:
    """Return the note for the user: the expression that is summed, in the schema's own names."""
    price, *factors = (c.name for c in columns)
    times = "".join(f" * {name}" for name in factors[:1]) + "".join(f" * (1 - {name})" for name in factors[1:])
    return f"what was sold is the sum of {table.name}'s {price}{times}"


def pieces_of(lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the columns that say how many pieces were sold: the quantities beside a price or a total."""
    return tuple(Sense(s.table, quantity) for s in sums_of(lexicon) if (quantity := quantity_of(s.table)))


def quantity_of(table: Table) -> tuple[Column, ...]:
    """Return the one column that says how many pieces a row is of, `qty` of order lines, or nothing."""
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c)]
    found = [c for c in numbers if "quantiti" in (said := _words(c)) and said <= _QUANTITY]
    return (found[0],) if len(found) == 1 else ()


def uses_of(tables: Iterable[Table], things: Iterable[Table]) -> tuple[Sense, ...]:
    """Return the one table that refers to any of these things, whose rows are their uses, or nothing."""
    things = tuple(things)
    using = [t for t in tables if t not in things and any(refers(t, thing) for thing in things)]
    return (Sense(using[0]),) if len(using) == 1 else ()


def _columns(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the columns of a table to sum as revenue: an amount, or price, quantity and at most one discount.

    A table yields nothing where several columns could be the amount, the price or the quantity.
    """
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c)]
    own = frozenset(written_out(name_stems(table.name)))
    amounts = [c for c in numbers if _is_amount(_words(c), own)]
    prices = [c for c in numbers if _PRICED & (said := _words(c)) and said <= _PRICE]
    counts = quantity_of(table)
    discounts = [c for c in table.columns if "discount" in name_stems(c.name)]
    if len(amounts) == 1 and own & _SALES and (not counts or "total" in _words(amounts[0])):
        yield (amounts[0],)
    priced = len(prices) == 1 and counts and len(discounts) < 2 and not amounts
    if priced and table.foreign_keys and all(map(_is_share, discounts)):
        yield (prices[0], *counts, *discounts)


def _charged(table: Table) -> Iterator[tuple[Column, ...]]:
    """Yield the only amount of a table of other events, `total_price` of bookings, for where no sales are kept."""
    own = frozenset(written_out(name_stems(table.name)))
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c)]
    several = any("quantiti" in _words(c) for c in numbers)
    amounts = [c for c in numbers if _is_amount(_words(c), own)]
    amounts = amounts or [c for c in numbers if not several and _words(c) - own in ({"price"}, {"fee"}, {"fare"})]
    if len(amounts) == 1 and own & _CHARGED and table.foreign_keys:
        yield (amounts[0],)


_CHARGED = frozenset(
    map(stem, "booking reservation rental ticket subscription membership job visit stay trip appointment order".split())
)


def _words(column: Column) -> set[str]:
    """Return the stems of a column's name, without a currency: `total_eur` is a total."""
    return set(written_out(name_stems(column.name))) - _CURRENCIES


def _is_amount(words: set[str], own: frozenset[str]) -> bool:
    """Return whether a column's stems, without those of its table (`own`), name an amount: "total", "amount paid"."""
    rest = words - own
    return bool(rest) and rest <= _AMOUNT and bool(rest & {"total", "amount", "paid"})


def is_price(column: Column) -> bool:
    """Return whether a column's name says what something costs: `price_per_kg`, `hourly_rate`."""
    return bool(_words(column) & {"price", "cost", "fee", "fare", "rate", "rent", "tariff"})


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


def only_amount(table: Table) -> tuple[Column, ...]:
    """Return the one column of amounts of a table, `cost` of repairs: its only number that is no key, year or flag.

    Of several, it is the one that says what things cost, where a date says that rows are events and no things: the
    biggest house may not be the one at the greatest price.
    """
    numbers = amounts_in(table)
    if len(numbers) > 1 and any(is_date(c) for c in table.columns):
        numbers = [c for c in numbers if _words(c) - set(written_out(name_stems(table.name))) <= _COSTS]
    return tuple(numbers) if len(numbers) == 1 else ()


def _what_is_paid(table: Table) -> tuple[Column, ...]:
    """Return the one amount of a table whose name says that it was paid: `amount_paid`, beside a `fee`."""
    paid = [c for c in amounts_in(table) if "paid" in cut_name(c.name)]
    return tuple(paid) if len(paid) == 1 else ()


def amounts_in(table: Table) -> list[Column]:
    """Return the columns of a table that hold numbers which are no keys, years or flags."""
    numbers = [c for c in table.columns if is_number(c) and not is_key(table, c) and _KEYED.isdisjoint(_words(c))]
    return [c for c in numbers if not (is_year(c) or is_dated(c) or says_yes_or_no(c))]


def adds_up(mark: Mark) -> bool:
    """Return whether a mark names amounts of what happened, which are added up "per client": hours, costs, pieces.

    A noun in the plural names what is counted in a row: "sheets used", "goals".
    """
    senses = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.1 and len(s.columns) == 1]
    several = not is_singular(mark.text.split()[0]) and all(not is_key(s.table, s.column) for s in senses)
    return bool(senses) and all(is_number(s.column) and (several or _ADDED & set(_words(s.column))) for s in senses)


_ADDED = frozenset(
    stems("hour minute second quantity amount cost fee expense unit piece distance mile km weight donation")
)
_KEYED = frozenset({"id", "code", "key", "number"})
_COSTS = frozenset({"total", "amount", "price", "cost", "fee", "sum"})


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


# Whole words, as "production" and "product" have one stem.
_MASSES = frozenset(
    "stock inventory production output consumption usage attendance traffic supply demand waste rainfall".split()
)
# Stems in the names of numbers that are about the amount, and not the amount itself.
_ABOUT = frozenset(stems("price cost rate minimum maximum reorder threshold limit level target percent week number"))
MASS = "mass"  # the argument of the mark of such a word


def amount_of(table: Table) -> tuple[Column, ...]:
    """Return the one column that says how much there is of what a table is named after, or nothing."""
    if not _MASSES & set(cut_name(table.name)):
        return ()
    numbers = [c for c in table.columns if is_number(c) and not (is_key(table, c) or is_year(c) or is_dated(c))]
    found = [c for c in numbers if not _ABOUT & set(written_out(name_stems(c.name)))]
    quantities = [c for c in found if "quantiti" in written_out(name_stems(c.name))]
    found = quantities or found
    return (found[0],) if len(found) == 1 else ()


def masses(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark of a column for each word that says how much there is: "stock", the sum of `stock.qty`."""
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.lower in _MASSES and (senses := amounts_held(lexicon, token.stem)):
            yield Mark("column", place, place + 1, 1.15, token.text, MASS, senses)


def amounts_held(lexicon: Lexicon, word: str) -> tuple[Sense, ...]:
    """Return the columns that say how much there is, of the tables that a stem names and that no column does."""
    named = lexicon.find((word,))
    if any(s.columns and s.score >= 0.95 for s in named):
        return ()
    things = [s for s in named if not s.columns and s.score >= 0.8]
    return tuple(Sense(s.table, columns, s.score) for s in things if (columns := amount_of(s.table)))


def recording(tables: tuple[Table, ...], verb: str) -> tuple[Sense, ...]:
    """Return the tables that are named after a verb, given as a stem: rentals for "rented"."""
    named = {path for path, column in saying(tables, verb) if not column}
    return tuple(Sense(t) for t in tables if t.path in named)


def is_of_one(tables: Iterable[Table], one: Table, other: Table) -> bool:
    """Return whether each row of `one` has at most one row of `other`, by its keys and theirs: a film of a rental."""
    by_path = {table.path: table for table in tables}
    seen, open_ = {one.path}, [one]
    while open_:
        targets = {key.target for key in open_.pop().foreign_keys} - seen
        seen |= targets
        open_ += [by_path[path] for path in targets if path in by_path]
    return other.path in seen and other.path != one.path
