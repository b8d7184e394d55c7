"""Read how much an amount changed between two periods: "growth of revenue from 2022 to 2023 in percent".

The question is read as if it asked for the amount of the earlier period; the later one is then put beside it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.reader.grammar.cursor import END, Cursor, Stuck, mark_at
from askwhere.reader.grammar.dating import by_days
from askwhere.reader.grammar.draft import Test
from askwhere.reader.marking.marks import Mark, is_amount, is_recent_year, is_timely
from askwhere.reader.words.dates import day_spans
from askwhere.reader.words.english import says_percent
from askwhere.reader.words.money import BILLED
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_date

_FROM = ("from", "between")
_TO = ("to", "until")
_LEADS = ("open", "fill", "prep", "their")  # what may stand before the amount
_AMOUNTS = ("table", "column", "money", "count", "agg")
_AGGREGATES = ("agg", "average", "count", "money", "much", "sup", "margin")


def note_growth(state: Cursor) -> None:
    """Write "growth of sales from 2022 to 2023" as "number of sales in 2022", and keep the two periods.

    Nothing is done where no two periods are named, or where the change from each period to the next is asked for.
    Raise `Stuck` where more than one amount is named, or none is asked for.
    """
    grows = next((m for m in state.marks if m.kind in ("change", "grows")), END)
    if grows is END:
        return
    marks = tuple(part for m in state.marks for part in _parted(m))
    place = next((i for i in range(len(marks)) if _are_two(marks, i)), None)
    if place is None or any(m.kind == "period" for m in marks):
        return
    asks = any(m.kind == "growth" for m in marks)
    listed = any(one.kind == "and" and other.kind in _AMOUNTS for one, other in pairwise(marks[:place]))
    if listed or (grows.kind == "grows" and not asks):
        raise Stuck(grows)  # "customers whose orders grew" asks for no amount, "of orders and visits" for two
    earlier, later = marks[place], marks[place + 2]
    state.growth = (earlier, later)
    percent = state.out.percent or any(_has_percent(m) for m in marks)
    state.out.change = "percent" if percent else "amount"
    start = place - (place > 0 and marks[place - 1].kind in ("prep", "between"))
    within = Mark("prep", earlier.start, earlier.start, 0.9, "in", "in")
    rest = (*marks[:start], within, earlier, *marks[place + 3 :])
    rest = tuple(
        m
        for m in rest
        if m.kind not in ("change", "grows", "growth", "percent") and not (m.kind in _EMPTY and _has_percent(m))
    )
    while rest and rest[0].kind in _LEADS:
        rest = rest[1:]
    state.marks = (*_aggregated(rest), *rest)


_EMPTY = ("fill", "unit", "unknown")  # kinds of marks that say nothing else than "in percent"


def _has_percent(mark: Mark) -> bool:
    """Return whether a mark has a word for percent, or "rate"."""
    return says_percent(mark.text) or "rate" in mark.text.split()


def _parted(mark: Mark) -> tuple[Mark, ...]:
    """Return the marks of the two periods in "between May 2023 and May 2024", and other marks as they are."""
    words = mark.text.split()
    spans = [span for start, _, span in day_spans(words) if start] if mark.days and words[0] in _FROM else []
    if len(spans) != 2:
        return (mark,)
    earlier, later = (replace(mark, days=span) for span in spans)
    return earlier, replace(mark, kind="prep", text="to", argument="to", days=None), later


def _are_two(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether two periods stand at a place, the earlier first: "2022 to 2023", "between May and June 2023"."""
    before = mark_at(marks, place - 1)
    three = marks[place : place + 3]
    if len(three) < 3 or before.kind == "when":
        return False
    one, joining, other = three
    joined = joining.text == "and" if before.text == "between" else joining.text in _TO
    if one.days is not None and other.days is not None:
        fixed = not one.days.first.recurs and one.days.first.day and other.days.first.day
        return joined and bool(fixed) and one.days.first.day < other.days.first.day
    years = isinstance(one.number, int) and isinstance(other.number, int) and one.number < other.number
    return joined and years and is_recent_year(one) and is_recent_year(other)


def _aggregated(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return the mark of the aggregate that the question leaves out: a sum of amounts, or a count of things."""
    said = marks[0] if marks else END
    if said.kind in _AGGREGATES:
        return ()
    money = said.kind == "table" and stem(said.text.split()[-1]) in BILLED
    if money or (said.kind == "column" and is_amount(said)):
        return (Mark("agg", said.start, said.start, 0.9, "total", "sum"),)
    return (Mark("count", said.start, said.start, 0.9, "number of"),) if said.kind == "table" else ()


def settle_growth(state: Cursor) -> None:
    """Move the test of the earlier period out of the draft's tests, and keep it with that of the later one.

    Raise `Stuck` where the question asks for more than one number, alone or for each thing.
    """
    if state.growth is None:
        return
    out, (earlier, later) = state.out, state.growth
    valued = earlier.kind == "value"
    dated = [g for g in out.tests if len(g) == 1 and _is_of(g[0], earlier, state)]
    counted = [t for t in out.outputs if t.counts]
    timely = all(is_timely(s) for g in dated for s in out.slots[g[0].term.slot or 0].senses)
    dates = (c for slot in out.groups for s in out.slots[slot].senses for c in s.columns if is_date(c))
    by_date = not valued and (not timely or any(dates))
    ordered = any(key.term.slot not in out.groups for key in out.order)
    if by_date or len(dated) != 1 or len(counted) != 1 or ordered or out.limit is not None or out.both or out.keeps:
        raise Stuck(earlier)
    out.tests = [g for g in out.tests if g is not dated[0]]
    first = dated[0][0]
    if valued:
        slot = state.slot(later, out.slots[first.term.slot or 0].owner)
        out.periods = (first, replace(first, term=replace(first.term, slot=slot)))
        return
    second = by_days(first.term, "=", later) if later.days else replace(first, operand=(later.number or 0,))
    out.periods = (first, second)


def _is_of(test: Test, mark: Mark, state: Cursor) -> bool:
    """Return whether a test says that a date is in the period of a mark, or that a column has its value."""
    if mark.kind == "value":
        return test.op == "is" and state.out.slots[test.term.slot or 0].start == mark.start and not test.negated
    if mark.days is not None:
        return test.op == "during" and test.operand == (mark.days.first, mark.days.end)
    return test.op == "=" and test.operand == (mark.number,)
