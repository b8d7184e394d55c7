"""Read what ranks things where a question does not name it: revenue, the scores of reviews, and rates of pay."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.cursor import END, NAME_ENDS, Cursor
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_timely, says_score
from askwhere.reader.marking.numeric import adds_up, amounts_in, column_words, is_by_time, is_price
from askwhere.reader.marking.revenue import EARNING, GAINED, SPENDING, sums_of
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import ADVERBS, EVERY
from askwhere.reader.words.english import BY, PATRONS
from askwhere.reader.words.measures import AMOUNT, ATTENDED, SIZE, SIZES
from askwhere.reader.words.money import WAGES
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_number, is_year
from askwhere.reader.words.verbs import names_an_act

_BEST = ("best", "the best", "top", "biggest", "largest", "greatest", "highest")
_RANKING = ("sup", "supcount", "superlative", "order", "count", "agg", "average", "money", "common")
_HIGHEST = ("highest", "lowest", "best", "worst", "top", "biggest", "largest", "smallest")
_NAMED = 0.65  # the least score of a table that a word names
_ASKING_A_RATE = GAINED | {stem("charge")}  # verbs of those who are paid by the hour
_OWN_NAME = 0.5  # the least score of a column that a word for size or amount names
_PART_OF_NAME = 0.4  # and of one where the word is a part of its name
_DOUBT = 0.2  # that something else makes them the best


def _is_we(mark: Mark) -> bool:
    """Return whether a mark is "we" or "did we"."""
    return mark.kind == "fill" and mark.text.split()[-1] == "we"


def rank_by_revenue(state: Cursor) -> None:
    """Write "the best customers" as "customers by revenue", and "the best month" as "month with the highest revenue".

    Only where nothing else ranks them.
    """
    marks = state.marks
    place = next((i for i, m in enumerate(marks) if m.kind == "sup" and m.text in _BEST), None)
    if place is None or any(m.kind in ("order", "each") for m in marks[:place]):
        return
    if [_is_revenue(m) or m.kind for m in marks[place + 1 : place + 3]] == [True, "period"]:  # "best sales month"
        state.marks = (*marks[: place + 1], *marks[place + 2 :])
        _rank_periods(state, place)
    elif [m.kind for m in marks[place + 1 : place + 2]] == ["period"]:
        _rank_periods(state, place)
    else:
        _rank_things(state, place)


@rewrite(of_text(*_HIGHEST, kind="sup"), "column", everywhere=True)
def take_amounts(_: Place, highest: Mark, named: Mark) -> Marks:
    """Take "highest sales" for the amount of the sales, and not for their last date, where both are called so."""
    amounts = tuple(s for s in named.senses if not is_timely(s) or is_year(s.column))
    return highest, replace(named, senses=amounts or named.senses)


@rewrite("sup", of_kind("column", adds_up), behind="end|stop|prep|days|number")
def add_up_by_period(place: Place, most: Mark, amount: Mark) -> Marks | None:
    """Write "which month had the most hours" as "… the most total hours": what adds up is added up for each period."""
    kinds = [m.kind for m in place.before if m.kind not in ("fill", "have", "open", "rel", "prep")]
    total = Mark("agg", amount.start, amount.start, 0.9, "total", "sum")
    return (most, total, amount) if kinds[:1] == ["period"] and {*kinds[1:]} <= {"days", "number"} else None


def say_rated(state: Cursor) -> None:
    """Write "tours with the best reviews", "which tour has the worst ratings" as "best rated tours"."""
    marks = state.marks
    for place, mark in enumerate(marks):
        before = place - (2 if place and marks[place - 1].kind == "fill" else 1)
        if before < 1:
            continue
        thing, having = marks[before - 1 : before + 1]
        rated = mark.kind == "superlative" and mark.text.split()[-1] in _RATINGS
        if rated and thing.kind in ("table", "column") and (having.kind == "have" or having.argument == "with"):
            scores = _scores_of_reviews(state) if mark.text.split()[-1] in _REVIEWS else ()
            end = mark.end
            if scores:  # the reviews of a hotel are no stars of its own
                first = "highest" if mark.argument == "max" else "lowest"
                highest = Mark("sup", mark.start, end, 0.9, first, mark.argument)
                average = Mark("average", end, end, 0.9, "average", "avg")
                score = Mark("column", end, end, 0.9, scores[0].column.name, senses=scores)
                state.marks = (*marks[:place], highest, average, score, *marks[place + 1 :])
                return
            said = "best rated" if mark.argument == "max" else "worst rated"
            best = replace(mark, start=thing.start, end=thing.start, text=said)
            state.marks = (*marks[: before - 1], best, thing, *marks[place + 1 :])
            return


def _scores_of_reviews(state: Cursor) -> tuple[Sense, ...]:
    """Return the scores that tables of reviews give."""
    tables = [s.table for s in state.lexicon.named(("review",)) if not s.columns and s.score >= _NAMED]
    return tuple(Sense(t, (c,)) for t in tables for c in amounts_in(t) if says_score(c))


_REVIEWS = ("reviews", "feedback")
_RATINGS = (*_REVIEWS, "ratings", "rating")


@rewrite(lambda m: stem(m.text) == "bring", of_text("in"), "sup")
def drop_in_behind_bring(place: Place, brings: Mark, within: Mark, most: Mark) -> Marks | None:
    """Write "brings in the most" as "brings the most"."""
    return (brings, most) if place.before else None


@rewrite(lambda m: m.kind == "table" or (m.kind, m.text) == ("column", "sales"))
def take_totals_of_periods(place: Place, sales: Mark) -> Marks | None:
    """Take "sales" for revenue where the rows of `monthly_sales` are totals, and no sales: "sales per shop".

    "Monthly sales per shop" are those of each month.
    """
    said = stem(sales.text.split()[-1]) == "sale" and place.last.kind not in ("agg", "sup")
    if not said or not any(_is_of_periods(s.table) for s in sales.senses):
        return None
    tables = paths_of(sales.senses)
    sums = tuple(s for s in sums_of(place.lexicon) if s.table.path in tables and _is_of_periods(s.table))
    if not sums or tables - paths_of(sums):
        return None
    first = sales.text.split()[0]
    each = (part for part, adverb in ADVERBS.items() if adverb == first)
    period = tuple(Mark("period", sales.start, sales.start, 0.9, first, part) for part in each)
    return *period, replace(_revenue(sales.start, sums), end=sales.end)


def _is_of_periods(table: Table) -> bool:
    """Return whether rows of a table are totals of days or months by its name: `daily_sales`."""
    return not _PERIODIC.isdisjoint(full_stems(table.name))


_PERIODIC = frozenset(map(stem, (*EVERY.values(), "annual")))


@rewrite("table", of_kind("superlative", lambda m: stem(m.text.split()[0]) == "earn"))
def say_earning(place: Place, thing: Mark, earns: Mark) -> Marks | None:
    """Write "earns the most" of things, which have no salary, as a verb and "the most"."""
    if paths_of(place.lexicon.persons()) & {s.table.path for s in thing.senses if s.score >= _NAMED}:
        return None
    verb = Mark("link", earns.start, earns.start, 0.0, earns.text.split()[0])
    return thing, verb, Mark("sup", earns.start, earns.end, earns.score, "the most", earns.argument)


@rewrite("much", _is_we, lambda m: stem(m.text) in EARNING - SPENDING, maybe(of_text("in")), behind="prep")
def say_revenue(place: Place, much: Mark, we: Mark, verb: Mark, within: Mark) -> Marks | None:
    """Write "how much did we earn from tours" as "revenue from tours": what we earn is nobody's wage.

    So with "how much did we bring in from tours".
    """
    sums = sums_of(place.lexicon)
    return (_revenue(verb.end, sums),) if sums else None


def say_total_paid(state: Cursor) -> None:
    """Write "total paid in cash" as "how much was paid in cash": a sum of what was done without its amount."""
    total, verb, behind = (*state.marks, END, END, END)[:3]
    done = verb.kind in ("column", "link") and stem(verb.text) in EARNING and names_an_act(verb.text)
    if total.argument == "sum" and done and behind.kind in (*NAME_ENDS, "when", "days"):
        much = Mark("much", total.start, total.end, total.score, "how much")
        was = Mark("be", verb.start, verb.start, 0.0, "was")
        state.marks = (much, was, *state.marks[1:])


@rewrite(either(of_text("paid"), of_kind("link", lambda m: stem(m.text) in _ASKING_A_RATE)), "comp|more|between")
def say_wages(place: Place, verb: Mark, than: Mark) -> Marks | None:
    """Take "earn", "charge" or "paid" before a comparison for the rate that people are paid by: "paid under 13".

    Of the people just before it, else of all; those who have no rate pay something to others.
    """
    before = next((m for m in reversed(place.before) if m.kind in ("table", "value")), END)
    people = before.senses or place.lexicon.persons()
    tables = {s.table.path: s.table for s in people if s.score >= _NAMED}
    columns = [(t, c) for t in tables.values() for c in amounts_in(t)]
    rates = tuple(Sense(t, (c,)) for t, c in columns if is_by_time(c) and _is_wage(c))
    return (replace(verb, kind="column", senses=rates), than) if rates else None


def _is_wage(column: Column) -> bool:
    """Return whether a column's name says what people are paid: `hourly_rate`, `weekly_pay`."""
    return is_price(column) or not _WAGES.isdisjoint(column_words(column))


_WAGES = frozenset({"pay", *WAGES})


def _rank_things(state: Cursor, place: int) -> None:
    """Rank the things behind "best", whose place is given, by revenue: all of them, or the first few of "top 5"."""
    marks = state.marks
    number = tuple(m for m in marks[place + 1 : place + 2] if m.kind == "number")
    at = place + 1 + len(number)
    thing, behind, amount = (*marks, END, END, END)[at : at + 3]
    sums = sums_of(state.lexicon) if thing.kind == "table" and behind.kind in NAME_ENDS else ()
    by_revenue = behind.text == "by" and amount.kind == "money"
    ranked = not by_revenue and (behind.text in BY or any(m.kind in _RANKING for m in marks[at + 1 :]))
    if not sums or ranked or not _may_be_ranked(state, thing, marks[place].text in SIZES, sums):
        return
    lead, rest = marks[:place], marks[at + 3 if by_revenue else at + 1 :]
    before = next((m for m in reversed(lead) if m.kind != "fill"), END)
    if before.kind == "number":  # "the 5 best customers"
        lead, number = lead[:-1], (before,)
    top = (Mark("sup", place, place, 0.9, "top", "max"), *number) if number or is_singular(thing.text) else ()
    by = Mark("prep", thing.end, thing.end, 0.0, "by", "by")
    state.marks = (*lead, *top, thing, by, _revenue(thing.end, sums), *rest)
    state.out.doubt += 0.0 if by_revenue else _DOUBT


def _rank_periods(state: Cursor, place: int) -> None:
    """Choose the period behind "best", whose place is given, by the highest revenue."""
    marks, sums = state.marks, sums_of(state.lexicon)
    period, rest = marks[place + 1], marks[place + 2 :]
    by_revenue = any(map(_is_revenue, rest[1:2])) and rest[0].text in ("by", "for", "in terms of")
    rest = rest[2:] if by_revenue else rest
    if not sums or any(m.kind in (*_RANKING, "table", "column") for m in rest):
        return
    end = period.end
    highest = Mark("prep", end, end, 0.9, "with", "with"), Mark("sup", end, end, 0.9, "highest", "max")
    state.marks = (*marks[:place], period, *highest, _revenue(end, sums), *rest)
    state.out.doubt += 0.0 if by_revenue else _DOUBT


def _is_revenue(mark: Mark) -> bool:
    """Return whether a mark is of revenue, or of "sales", by which the best month is chosen."""
    return mark.kind == "money" or mark.text == "sales"


def _revenue(place: int, sums: tuple[Sense, ...]) -> Mark:
    """Return a mark for "revenue" at a place where the question does not name it."""
    return Mark("money", place, place, 0.0, "revenue", "", sums)


def _may_be_ranked(state: Cursor, thing: Mark, by_size: bool, sums: tuple[Sense, ...]) -> bool:
    """Return whether things are customers, or what is sold by, and have no size or amount of their own.

    With `by_size` they are called the largest, and their size may also be the end of a name: `floor_area_sqm`.
    """
    tables = {s.table.path for s in thing.senses if s.score >= 0.9}
    least = _PART_OF_NAME if by_size else _OWN_NAME
    measured = (s for words in (*SIZE.words, *AMOUNT.words, *ATTENDED.words) for s in state.lexicon.named(words))
    if any(s.columns and s.table.path in tables and s.score >= least and is_number(s.column) for s in measured):
        return False
    sold = {path for s in sums for path in (s.table.path, *(k.target for k in s.table.foreign_keys))}
    customers = any(stem(word) in PATRONS for word in thing.text.split())
    return customers or bool(tables & sold)


@rewrite(of_argument("sum", kind="agg"), "money")
def drop_total(_: Place, total: Mark, money: Mark) -> Marks:
    """Write "total takings" as "takings", which are added up."""
    return (money,)


RULES: tuple[Rule, ...] = (
    drop_total,
    take_totals_of_periods,
    drop_in_behind_bring,
    say_earning,
    say_total_paid,
    say_revenue,
    say_wages,
    say_rated,
    take_amounts,
    add_up_by_period,
    rank_by_revenue,
)
