"""Rank customers and sales by revenue where a question only says that they are the best: "top 5 customers"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import END, Cursor
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.revenue import sums_of
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import PATRONS
from askwhere.reader.words.measures import AMOUNT, SIZE
from askwhere.reader.words.tokens import is_singular, stem

_BEST = ("best", "the best", "top", "biggest", "largest", "greatest", "highest")
_BEHIND = ("end", "stop", "prep", "each", "comma", "period")
_BY = ("by", "in terms of", "based on", "according to")
_RANKING = ("sup", "supcount", "superlative", "order", "count", "agg", "average", "money", "common")
_DOUBT = 0.2  # that something else makes them the best


def rank_by_revenue(state: Cursor) -> None:
    """Write "the best customers" as "customers by revenue", with "top 5" as it is, where nothing else ranks them.

    Without a number and in the plural all of them are listed.
    """
    marks = state.marks
    place = next((i for i, m in enumerate(marks) if m.kind == "sup" and m.text in _BEST), None)
    if place is None or any(m.kind in ("order", "each") for m in marks[:place]):
        return
    before = next((m for m in reversed(marks[:place]) if m.kind != "fill"), END)
    number = marks[place + 1 : place + 2] if marks[place + 1 : place + 2] and marks[place + 1].kind == "number" else ()
    at = place + 1 + len(number)
    if place + 1 < len(marks) and marks[place + 1].kind == "period":
        _rank_period(state, place)
        return
    thing, behind = ((*marks, END, END)[at + i] for i in (0, 1))
    sums = sums_of(state.lexicon) if thing.kind == "table" and behind.kind in _BEHIND else ()
    by_revenue = behind.text == "by" and (*marks, END, END)[at + 2].kind == "money"
    ranked = not by_revenue and (behind.text in _BY or any(m.kind in _RANKING for m in marks[at + 1 :]))
    if not sums or ranked or not _may_be_ranked(state, thing, sums):
        return
    end = thing.end
    by = (Mark("prep", end, end, 0.0, "by", "by"), Mark("money", end, end, 0.0, "revenue", "", sums))
    rest = marks[at + 3 :] if by_revenue else marks[at + 1 :]
    number = (before,) if before.kind == "number" else number  # "the 5 best customers"
    lead = marks[: place - 1] if before.kind == "number" else marks[:place]
    top: tuple[Mark, ...] = (Mark("sup", place, place, 0.9, "top", "max"), *number)
    if not number and not is_singular(thing.text):
        top = ()  # all of them, the best first
    state.marks = (*lead, *top, thing, *by, *rest)
    state.out.doubt += 0.0 if by_revenue else _DOUBT


def _rank_period(state: Cursor, place: int) -> None:
    """Write "the best month" as "month with the highest revenue"; `place` is that of "best"."""
    marks, sums = state.marks, sums_of(state.lexicon)
    period, rest = marks[place + 1], marks[place + 2 :]
    by_revenue = [m.text for m in rest[:1]] == ["by"] and [m.kind for m in rest[1:2]] == ["money"]
    rest = rest[2:] if by_revenue else rest
    if not sums or any(m.kind in (*_RANKING, "table", "column") for m in rest):
        return
    end = period.end
    highest = Mark("sup", end, end, 0.9, "highest", "max")
    revenue = Mark("money", end, end, 0.0, "revenue", "", sums)
    state.marks = (*marks[:place], period, Mark("prep", end, end, 0.9, "with", "with"), highest, revenue, *rest)
    state.out.doubt += 0.0 if by_revenue else _DOUBT


def _may_be_ranked(state: Cursor, thing: Mark, sums: tuple[Sense, ...]) -> bool:
    """Return whether things are customers, or what is sold by, and have no size or amount of their own."""
    tables = {s.table.path for s in thing.senses if s.score >= 0.9}
    measured = (s for words in (*SIZE.words, *AMOUNT.words) for s in state.lexicon.named(words))
    if any(s.columns and s.table.path in tables and s.score >= 0.5 for s in measured):
        return False
    sold = {path for s in sums for path in (s.table.path, *(k.target for k in s.table.foreign_keys))}
    customers = any(stem(word) in PATRONS for word in thing.text.split())
    return customers or bool(tables & sold)
