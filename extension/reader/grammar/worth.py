"""Read what is held or ordered in money: "value of the stock" is quantity times price, "order value" what was sold."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.amounts import WORTH
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Cursor, mark_at
from askwhere.reader.grammar.operations import COMPUTED
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_kind, of_text, rewrite
from askwhere.reader.marking.formulas import PRODUCT
from askwhere.reader.marking.marks import Mark, is_amount, is_numeric, looks_like_year
from askwhere.reader.marking.narrowing import COSTS
from askwhere.reader.marking.numeric import STOCKS, adds_up, amounts_in, column_words, is_price, only_amount
from askwhere.reader.marking.revenue import charged_for, sums_of
from askwhere.reader.schema.naming import dated_headers, events, is_name, is_thing, key_columns, name_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import AUXILIARY, names_an_act, says

_PRICES = frozenset(stems("price cost"))
_PAID = frozenset(stems("cost purchase buy buying"))  # of what we pay for a thing, and not of what it sells for
_PRICE_WORDS = frozenset(stems("price cost unit list purchase sell sale retail wholesale each per piece item buy net"))
_SMALL = ("fill", "their", "all", "whole", "open", "be", "agg")
_PERIODS = ("each", "period")


def _is_act(mark: Mark) -> bool:
    """Return whether a mark's words name an act: "paid"."""
    return names_an_act(mark.text)


def take_own_revenue(state: Cursor) -> None:
    """Take "revenue from jobs" for the amount of the jobs where they have one, though payments are kept as well."""
    marks = state.marks
    place = next((i for i, m in enumerate(marks) if m.kind == "money"), len(marks))
    behind = [m for m in marks[place + 1 :] if m.kind not in ("fill", "all", "value", "link")]
    if len(behind) < 2 or behind[0].argument not in ("from", "of") or behind[1].kind != "table":
        return
    thing = behind[1]
    tables = [s.table for s in thing.senses if not s.columns and s.score >= thing.senses[0].score - 0.1]
    own = tuple(one for table in tables if events(table) for one in charged_for(table))
    if len(own) == 1 and all(s.table not in tables for s in marks[place].senses):
        state.marks = (*marks[:place], replace(marks[place], senses=own), *marks[place + 1 :])


def ask_price(state: Cursor) -> None:
    """Write "what does a stool cost", "how much is a stool" as "price of a stool", where stools have one price."""
    marks = tuple(m for m in state.marks if m.kind not in ("fill", "stop"))
    if len(marks) != 3 or marks[0].text.split()[-1] not in _ASKS_PRICE:
        return
    cost, thing = sorted(marks[1:], key=lambda m: m.kind == "value")
    asks = (
        cost is marks[2] and cost.text in COSTS if marks[0].kind == "open" else cost.text in COSTS or cost.kind == "be"
    )
    if not asks or thing.kind != "value":
        return
    own_key = [s for s in thing.senses if is_thing(s)]
    goods = [s for s in thing.senses if name_columns(s.table) != key_columns(s.table)]
    goods = [s for s in goods if is_name(s)] or own_key or goods
    sold = [
        (s.table, [c for c in amounts_in(s.table) if is_price(c) and not _PAID & {*full_stems(c.name)}]) for s in goods
    ]
    if prices := tuple(Sense(table, (columns[0],)) for table, columns in sold if len(columns) == 1):
        price = Mark("column", 0, 0, cost.score, "price", senses=prices)
        state.marks = (price, Mark("prep", 0, 0, 0.0, "of", "of"), thing)


_ASKS_PRICE = AUXILIARY | {"much"}


def add_up_what_was_done(state: Cursor) -> None:
    """Write "amount invoiced per month", "in May" or "by client" as "total amount invoiced per month".

    The participle is named after the table of the amounts or one of its dates; not where other words are before it.
    """
    marks = (*state.marks, END, END)
    place = next((i for i, m in enumerate(marks) if m.kind not in ("open", "be", "fill")), 0)
    amount, act, behind, then = (*marks, END, END)[place : place + 4]
    if act.kind == "column" and names_an_act(act.text):  # "units produced" are not those of another table
        tables = {s.table.path for s in act.senses}
        amount = replace(amount, senses=tuple(s for s in amount.senses if s.table.path in tables) or amount.senses)
    if not (amount.kind == "column" and adds_up(amount) and names_an_act(act.text) and act.argument != "denied"):
        return
    tables = paths_of(amount.senses)
    named = act.kind in ("table", "column") and all(
        s.table.path in tables and all(map(is_dated, s.columns)) for s in act.senses
    )
    named = named or (act.kind == "link" and any(says(s.table.name, stem(act.text)) for s in amount.senses))
    by = behind.text == "by" and then.kind in ("table", "column")
    if "period" in (behind.kind, then.kind) and act.kind == "column":
        return  # of the month in which it was paid, or invoiced
    if named and (
        by or behind.kind in _PERIODS or (behind.text == "in" and (then.kind == "days" or looks_like_year(then)))
    ):
        total = Mark("agg", amount.start, amount.start, 0.0, "total", "sum")
        state.marks = (*state.marks[:place], total, amount, *state.marks[place + 1 :])


@rewrite("much", of_kind("fill", lambda m: m.text.split()[-1] == "we"), of_kind("column", adds_up), before="end")
def add_up_what_we_did(_: Place, much: Mark, we: Mark, amount: Mark) -> Marks:
    """Write "how much have we refunded", where an amount is called so, as "total refund"."""
    return replace(much, kind="agg", text="total", argument="sum"), amount


@rewrite(of_kind("column", is_amount), of_kind("link|column|table", _is_act))
def take_amount_of_act(place: Place, amount: Mark, act: Mark) -> Marks | None:
    """Take "amount paid" for that of the payments, where other tables have an amount as well."""
    own = tuple(s for s in amount.senses if any(w.startswith(stem(act.text)) for w in full_stems(s.table.name)))
    if not own or len(own) == len(amount.senses):
        return None
    taken = replace(amount, senses=own)
    return (taken,) if place.next.kind in (*SENTENCE_ENDS, "comma", *_PERIODS) else (taken, act)


@rewrite(of_kind("column", is_amount), of_kind("column", lambda m: m.text == "used" or _is_act(m)))
def drop_use(place: Place, amount: Mark, act: Mark) -> Marks | None:
    """Drop what amounts are for, "water used", where it would be taken for a flag of other rows, `machines.in_use`."""
    flags, tables = place.state.flags(act), paths_of(amount.senses)
    own = any(s.table.path in tables or act.text in cut_name(s.column.name) for s in flags)
    return (amount,) if flags and not own else None


def add_up_costs(state: Cursor) -> None:
    """Write "how much did we spend on repairs" and "how much did repairs cost" as "total cost of repairs".

    Repairs have one amount, and it says what they cost.
    """
    marks = tuple(m for m in state.marks if m.kind != "fill")
    if mark_at(marks, 0).kind != "much":
        return
    spent = mark_at(marks, 1).text in _SPENT
    place = 1 + spent + (spent and mark_at(marks, 2).text in _FOR)
    thing, behind = mark_at(marks, place), mark_at(marks, place + 1)
    costs = not spent and stem(behind.text) == stem("cost")
    if thing.kind != "table" or not (spent or costs):
        return
    amounts = (Sense(s.table, columns, s.score) for s in thing.senses for columns in [only_amount(s.table)] if columns)
    if paid := tuple(s for s in amounts if _PRICES & column_words(s.column)):
        total = Mark("agg", 0, 0, 0.9, "total", "sum"), Mark("column", 0, 0, 0.9, "cost", senses=paid)
        of = Mark("prep", thing.start, thing.start, 0.9, "of", "of")
        state.marks = (*total, of, thing, *marks[place + 1 + costs :])


_SPENT = ("spend", "spent", "pay", "paid")
_FOR = ("on", "for")


def value_in_money(state: Cursor) -> None:
    """Write "value of the stock" as quantity times price, and "order value" as what was sold, per order or in all."""
    _value_of_stock(state)
    _value_of_orders(state)


def _value_of_stock(state: Cursor) -> None:
    """Replace the words for the value of what is held, with "at cost" behind them, by one mark."""
    marks = state.marks
    said = next((i for i, m in enumerate(marks) if m.kind == "worth" or _says_value(m)), None)
    held = None if said is None else _held_beside(marks, said)
    if said is None or held is None:
        return
    behind = max(said, held) + 1
    told, end = _at_price(marks, behind)
    first = marks[held]
    pairs = [(s, price) for s in first.senses if _is_held(s) for price in _prices(state, s.table, told)]
    best = [pair for pair in pairs if pair[0].score >= max(s.score for s, _ in pairs) - 0.05]
    if len(best) != 1:
        return
    (one, price), span = best[0], marks[min(said, held)]
    second = replace(first, senses=(price,), text="price")
    parts = (replace(first, senses=(one,)), second)
    computed = Mark(COMPUTED, span.start, marks[end - 1].end, 0.0, "value", PRODUCT, (one,), parts=parts)
    rest = marks[end:]
    start = min(said, held)
    while start and marks[start - 1].kind in ("fill", "all", "their", "be", "much", "agg"):
        start -= 1  # "how much is all our"
    state.marks = (*marks[:start], computed, *rest)


def _says_value(mark: Mark) -> bool:
    """Return whether a mark is "value" or "worth", and names no column."""
    return mark.text in ("value", "worth", "value of", "the value of") and mark.kind not in ("column", "table", "value")


def _held_beside(marks: tuple[Mark, ...], said: int) -> int | None:
    """Return the place of the column of what is held beside "value": before it, or behind "of"."""
    before = next((i for i in range(said - 1, -1, -1) if marks[i].kind not in ("fill", "be")), None)
    if before is not None and marks[before].kind == "column" and any(map(_is_held, marks[before].senses)):
        return before
    after = next((i for i in range(said + 1, len(marks)) if marks[i].kind not in (*_SMALL, "prep")), None)
    of = any(m.argument == "of" for m in marks[said + 1 : after]) if after is not None else False
    held = after is not None and marks[after].kind == "column" and any(map(_is_held, marks[after].senses))
    return after if of and held else None


def _is_held(sense: Sense) -> bool:
    """Return whether a sense is a column that says how many pieces are held: `stock_qty`, `qty` of `stock`."""
    if len(sense.columns) != 1 or sense.column not in amounts_in(sense.table):
        return False
    words = column_words(sense.column)
    return bool(words & STOCKS) and not words & (_PRICES | {"minimum", "maximum", "reorder"})


def _at_price(marks: tuple[Mark, ...], place: int) -> tuple[frozenset[str], int]:
    """Return the stems of a price named by "at cost", "at list price" from a place on, and where they end."""
    if place + 1 < len(marks) and marks[place].text.split()[:1] == ["at"]:
        words = frozenset(stem(w) for w in marks[place + 1].text.split())
        if words & _PRICES:
            return words, place + 2
    return frozenset(), place


def _prices(state: Cursor, table: Table, told: frozenset[str]) -> list[Sense]:
    """Return what a piece costs, in the table of what is held or in one that it has a key to; the only such column."""
    targets = {key.target for key in table.foreign_keys}
    tables = [table, *(t for t in state.lexicon.tables if t.path in targets and t is not table)]
    for one in tables:
        priced = [c for c in amounts_in(one) if _PRICES & (words := column_words(c)) and words <= _PRICE_WORDS]
        if told:
            priced = [c for c in priced if told <= column_words(c)] or [
                c for c in priced if told & _PRICES & column_words(c)
            ]
        if priced:
            return [Sense(one, (c,), 1.0) for c in priced]
    return []


def _value_of_orders(state: Cursor) -> None:
    """Write "order value per customer" as revenue per customer, "value of each order" as revenue per order."""
    marks = state.marks
    for place, mark in enumerate(marks):
        if mark.kind in ("column", "value") or mark.text not in WORTH:
            continue
        before, after = mark_at(marks, place - 1), marks[place + 1 : place + 4]
        if before.kind == "table" and (sums := _sold_by(state, before)):
            each = after[:1] and after[0].kind in _PERIODS
            aggregated = place > 1 and marks[place - 2].kind in ("agg", "average")
            if aggregated or (not each and mark.text in ("amount", "amounts")):
                return  # "average order value" is read by `Counting`
            thing = (
                () if each else (Mark("each", before.start, before.start, 0.9, "per"), replace(before, end=before.end))
            )
            money = replace(mark, kind="money", senses=sums)
            state.marks = (*marks[: place - 1], money, *thing, *marks[place + 1 :])
            return
        of = len(after) > 1 and after[0].kind == "each" and after[0].text.startswith("of ") and after[1].kind == "table"
        if of and (sums := _sold_by(state, after[1])):
            start = place - (before.kind == "agg" and before.argument == "sum")
            state.marks = (*marks[:start], replace(mark, kind="money", senses=sums), *marks[place + 1 :])
            return


def _sold_by(state: Cursor, mark: Mark) -> tuple[Sense, ...]:
    """Return the total of orders, or the price and quantity of their lines, where a mark names orders with lines."""
    things = {s.table.path for s in mark.senses if not s.columns and events(s.table)}
    sums = sums_of(state.lexicon)
    tables = state.lexicon.tables
    lines = tuple(
        s
        for s in sums
        if things & ({k.target for k in s.table.foreign_keys} if len(s.columns) > 1 else dated_headers(s.table, tables))
    )
    return (tuple(s for s in sums if s.table.path in things) or lines) if lines else ()


@rewrite(
    either(of_text("what does", "what do"), "much"),
    maybe("fill"),
    "table",
    "value",
    of_kind("column", is_numeric),
)
def say_cost_of_one(_: Place, asks: Mark, does: Mark, thing: Mark, value: Mark, cost: Mark) -> Marks | None:
    """Write "what does part X4 cost" as "what does X4 cost", where the value is the name or key of a part."""
    own = tuple(s for s in value.senses if s.table.path in paths_of(thing.senses) and is_thing(s))
    return (asks, *([does] if does is not END else []), replace(value, senses=own), cost) if own else None


RULES: tuple[Rule, ...] = (
    say_cost_of_one,
    value_in_money,
    take_own_revenue,
    add_up_what_was_done,
    add_up_what_we_did,
    add_up_costs,
    take_amount_of_act,
    ask_price,
    drop_use,
)
