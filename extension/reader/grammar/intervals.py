"""Rewrite intervals and limits: "from 2019 to 2021" is "between 2019 and 2021", "to reorder" is below a level."""

from __future__ import annotations

import re
from dataclasses import replace

from askwhere.reader.grammar.cursor import END, Cursor, mark_at
from askwhere.reader.grammar.lateness import LATE
from askwhere.reader.grammar.patterns import (
    ANYTHING,
    Marks,
    Place,
    Rule,
    either,
    maybe,
    of_argument,
    of_kind,
    of_text,
    rewrite,
)
from askwhere.reader.marking.formulas import TIMES, days_of, names_end, says_stay, span_of
from askwhere.reader.marking.marks import AGO, UPPER, Mark, is_column_of, is_recent_year, is_timely, looks_like_year
from askwhere.reader.schema.naming import events, limited_by, refers, stock_levels
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import day_ago, of_year_beside
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_year
from askwhere.reader.words.units import columns_in_unit

_BEFORE_AMOUNTS = ("from", "of", "of a", "in", "with", "has", "have")
_TO = frozenset({"to", "until", "till", "through"})


@rewrite(maybe("prep"), "number", maybe(of_text(*_TO)), "number")
def say_between(place: Place, within: Mark, first: Mark, to: Mark, second: Mark) -> Marks | None:
    """Write "from 5 to 9", "price 5 to 9", "with 5-9 beds", "2019 to 2021" and so on as "between 5 and 9"."""
    led = place.last.kind == "column" if within is END else within.text in _BEFORE_AMOUNTS
    counted = within.text != "with" or place.next.kind in ("table", "column", "unit", "fill")  # "with 5 to 9 beds"
    years = is_recent_year(first) and is_recent_year(second)
    joined = to is not END or second.argument == UPPER
    if not _ascend(first, second) or not (years or (led and counted and joined)):
        return None
    between = Mark("between", first.start, first.start, 0.9, "between")
    return between, first, Mark("and", second.start, second.start, 0.9, "and"), second


@rewrite(of_text("by", kind="prep"), either("days", looks_like_year))
def say_until(_: Place, by: Mark, time: Mark) -> Marks:
    """Write "returned by 1 June" as "returned up to and with 1 June"."""
    return Mark("when", by.start, by.end, by.score, "by", "<="), time


@rewrite("comp", of_argument(AGO, kind="days"))
def say_before_or_after(_: Place, than: Mark, time: Mark) -> Marks | None:
    """Write "ordered more than 30 days ago" as "ordered before 30 days ago"."""
    when = _COMPARED_AGO.get(than.argument)
    return (replace(than, kind="when", argument=when), replace(time, days=day_ago(time.text.split()))) if when else None


_COMPARED_AGO = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@rewrite(
    "agg|average", of_kind("column", lambda m: is_column_of(m, is_year)), "when", looks_like_year, before="prep|have"
)
def compare_average_year(_: Place, average: Mark, year: Mark, when: Mark, number: Mark) -> Marks:
    """Take "before" for "below" in "makers with an average built year before 1950"."""
    return average, year, replace(when, kind="comp", text="below" if when.argument.startswith("<") else "above"), number


def list_times(state: Cursor) -> None:
    """Write "January, February or March 2024" as "January 2024 or February 2024 or March 2024"."""
    marks = list(state.marks)
    for place in range(len(marks) - 1, 1, -1):
        first, between, second = marks[place - 2 : place + 1]
        if not (first.days and second.days and between.kind in ("comma", "and", "or")):
            continue
        behind = mark_at(tuple(marks), place + 1)
        if between.kind == "comma" and behind.kind in ("and", "or"):
            marks[place - 1] = replace(between, kind=behind.kind, text=behind.text)
        marks[place - 2] = replace(first, days=of_year_beside(first.days, second.days))
    state.marks = tuple(marks)


def _ascend(first: Mark, second: Mark) -> bool:
    """Return whether two marks are numbers, the smaller one first."""
    numbers = first.kind == second.kind == "number" and first.number is not None and second.number is not None
    return numbers and (first.number or 0) < (second.number or 0)


@rewrite("comp", ANYTHING, "unit|period")
def say_weeks_and_years_in_days(place: Place, comp: Mark, number: Mark, unit: Mark) -> Marks | None:
    """Write "more than 2 weeks" as "more than 14 days", but where no date follows and a column may be in weeks.

    So with "longer than a year" of what begins and ends: what ends on the same day of the next year is not longer.
    """
    amount, behind = 1 if number.text in ("a", "an", "one") else number.number, place.next
    if not isinstance(amount, int):
        return None
    dated = behind.kind == "when" or behind.argument == "to" or behind.text in LATE
    size = _days_in(unit.text, amount, comp.argument)
    thing = next((m for m in reversed(place.before) if m.kind == "table"), END)
    # The minutes of matches are not those of the tournament, which begins and ends.
    lasting = [s.table for s in thing.senses if not s.columns and span_of(s.table)]
    if not size or not (dated or not columns_in_unit(lasting or place.lexicon.tables, unit.text)):
        return None
    return comp, replace(number, kind="number", number=size), Mark("elapsed", unit.start, unit.end, unit.score, "days")


@rewrite("comp", "number", of_kind("column", lambda m: m.text.lower() in TIMES))
def take_hours_for_unit(place: Place, than: Mark, number: Mark, hours: Mark) -> Marks | None:
    """Take "longer than 10 hours" for a length of things that begin and end, and not for `hours` of other rows."""
    thing = next((m for m in reversed(place.before) if m.kind == "table"), END)
    last = any(stem(word) in _LASTING for m in (*place.before, than) for word in m.text.split())
    own = [s.table for s in thing.senses if not s.columns]
    theirs = last and any(map(span_of, own)) and not paths_of(hours.senses) & {t.path for t in own}
    told = replace(hours, kind="elapsed", argument=TIMES[hours.text.lower()], senses=())
    return (than, number, told) if theirs else None


_LASTING = frozenset(map(stem, "take took last lasted longer shorter".split()))


@rewrite(of_text("days", "nights"), "each", "table", before="end|open|fill")
def add_up_stays(place: Place, days: Mark, each: Mark, thing: Mark) -> Marks | None:
    """Write "nights per guest", where these have stays, as the total of their lengths per guest."""
    theirs = (t for t in place.lexicon.tables if any(refers(t, s.table) for s in thing.senses if not s.columns))
    stays = tuple(pair for table in theirs for pair in days_of(table) if says_stay(pair))
    total = Mark("agg", days.start, days.start, 0.9, "total", "sum")
    own = paths_of(days.senses) & paths_of((*stays, *thing.senses))  # `nights` of the stays are added up anyhow
    lengths = replace(days, kind="lasting", argument="", senses=stays)
    return (total, lengths, each, thing) if len(stays) == 1 and not own else None


def _days_in(unit: str, amount: int, compared: str) -> int:
    """Return the days of some weeks, months of 30 days, or years; 0 for other units.

    Years have the most days that leap years allow for '>' and '<=', and else the fewest.
    """
    if unit in ("week", "weeks"):
        return 7 * amount
    if unit in ("month", "months"):
        return 30 * amount if amount % 12 else _days_in("years", amount // 12, compared)
    leap = 1 if compared in (">", "<=") else 0
    return (1461 * amount + 3 * leap) // 4 if unit in ("year", "years") else 0


def say_reorder(state: Cursor) -> None:
    """Write "products to reorder", "products low on stock" as "products below the reorder level", if they have one."""
    marks = tuple(m for m in state.marks if m.kind != "stop")
    thing = next((place for place in range(len(marks) - 2, -1, -1) if marks[place].kind == "table"), None)
    if thing is None:
        return
    behind = marks[thing + 1 :]
    plain = all(m.kind in _SAYING_NEED or _OF_STOCK.fullmatch(m.text.lower()) for m in behind)
    if not (plain and _REORDERED.search(" ".join(m.text.lower() for m in behind))):
        return
    tables = [s.table for s in marks[thing].senses if not s.columns]
    levels = tuple(Sense(t, (c,)) for t in tables for c in stock_levels(t) if limited_by(t, c))
    if levels:
        last = marks[-1]
        below = Mark("comp", last.start, last.start, 0.9, "below", "<")
        level = Mark("column", last.start, last.end, last.score, last.text, senses=levels)
        state.marks = (*marks[: thing + 1], below, level)


_OF_STOCK = re.compile(r"(?:reorder|restock)(?:ing|ed)?|low|short|(?:(?:on|in|of) )?stock")
_REORDERED = re.compile(r"\b(?:(?:to|need|be) (?:reorder|restock)(?:ing|ed)?|(?:low|short)(?: (?:on|in|of) stock)?)\Z")
_SAYING_NEED = ("fill", "rel", "link", "prep", "have", "be", "open", "current")


@rewrite(
    maybe("rel|open"),
    "be|have|own",
    maybe("be|have"),
    maybe("fill"),
    of_kind("column", lambda m: all(map(is_timely, m.senses))),
    maybe("fill"),
    of_text("longest", kind="superlative"),
    before="table|value",
)
def say_earliest(place: Place, *found: Mark) -> Marks | None:
    """Write "which station has been open the longest" as "with the lowest opened", where no date says until when."""
    since, longest = found[4], found[6]
    if any(map(names_end, (c for s in since.senses for c in events(s.table)))):
        return None
    having = Mark("prep", since.start, since.start, 0.0, "with the", "with")
    return having, replace(longest, kind="sup", text="lowest", argument="min", measure=None), since


RULES: tuple[Rule, ...] = (
    compare_average_year,
    say_earliest,
    say_reorder,
    say_weeks_and_years_in_days,
    take_hours_for_unit,
    add_up_stays,
    say_between,
    say_until,
    say_before_or_after,
    list_times,
)
