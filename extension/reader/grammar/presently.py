"""Read what is so now or no more, "current contracts", "who has a lease now", and what is late, "overdue orders"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.formulas import days_of
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Sense
from askwhere.reader.schema.naming import events
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.english import written_out
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated

NOW = frozenset({"now", "right now", "currently", "presently", "at the moment", "at present"})


def ending(tables: Iterable[Table]) -> tuple[Sense, ...]:
    """Return the dates at which rows end, of the tables that say when theirs begin and end."""
    return tuple(Sense(table, pair.columns[:1]) for table in tables for pair in days_of(table))


def behind(state: Cursor) -> None:
    """Put "current", "late", "free" and "empty" behind the thing that they describe, where conditions stand."""
    marks = list(state.marks)
    for place, (mark, thing) in enumerate(pairwise(tuple(marks))):
        if thing.kind == "table" and (
            mark.kind in ("current", "overdue") or mark.argument == "free" or mark.text == "empty"
        ):
            marks[place : place + 2] = thing, mark
    state.marks = tuple(marks)


def still(state: Cursor) -> None:
    """Read "that are still running": the thing spoken of has not ended, or has for "expired". Raises `Stuck`."""
    mark, thing = state.take(), state.about()
    tables = [s.table for s in state.out.slots[thing].senses if not s.columns] if thing is not None else []
    dates = ending(tables)
    if not dates:
        raise Stuck(mark)
    _lasts(state, mark, dates, thing, (mark.argument == "past") != state.negated)


def _lasts(state: Cursor, mark: Mark, dates: tuple[Sense, ...], thing: int | None, over: bool) -> None:
    """Test that a thing has not ended: its end is not known or is to come; or, if `over`, that it has."""
    term, today = Term(state.slot(replace(mark, kind="column", senses=dates), thing, True)), Bound(present="day")
    state.negated = False
    state.test(Test(term, "<" if over else "lasts", (today,)))


_DUE = frozenset(map(stem, "due promised required planned expected scheduled deadline target agreed".split()))
_DONE = "delivered delivery completed completion finished returned return collected closed shipped arrived arrival"
_FULFILLED = frozenset(map(stem, f"{_DONE} done actual resolved".split()))


def overdue(state: Cursor) -> None:
    """Read "late", done after the date at which it was due, and "overdue", not done by then. Raises `Stuck`."""
    mark, thing = state.take(), state.about()
    tables = [s.table for s in state.out.slots[thing].senses if not s.columns] if thing is not None else []
    found = [(_dated(table, _DUE), _dated(table, _FULFILLED, _DUE)) for table in tables]
    pairs = [(due[0], done[0]) for due, done in found if len(due) == len(done) == 1]
    if not pairs or state.negated:
        raise Stuck(mark)
    column = replace(mark, kind="column")
    due, done = (Term(state.slot(replace(column, senses=dates), thing, True)) for dates in zip(*pairs, strict=True))
    if mark.argument == "open":
        state.test(Test(done, "null"))
        state.test(Test(due, "<", (Bound(present="day"),)))
    else:
        state.test(Test(done, ">", (due,)))


def _dated(table: Table, words: frozenset[str], others: frozenset[str] = frozenset()) -> tuple[Sense, ...]:
    """Return the dates of a table whose names have one of the stems `words`, and none of `others`."""
    names = ((c, set(written_out(name_stems(c.name)))) for c in events(table) if is_dated(c))
    return tuple(Sense(table, (c,)) for c, name in names if words & name and not others & name)


def settle_now(state: Cursor) -> None:
    """Take only what has not ended of the first thing that ends, where the question says "now"."""
    said = next((m for m in state.marks if m.text in NOW and m.kind == "fill"), None)
    if said is None:
        return
    for place, slot in enumerate(state.out.slots):
        dates = ending({s.table.path: s.table for s in slot.senses if s.score >= slot.senses[0].score - 0.1}.values())
        if dates:
            _lasts(state, said, dates, None if slot.senses[0].columns else place, False)
            return
