"""Read what is late: "overdue orders", "parcels delivered late"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.patterns import Marks, Place, of_kind, rewrite
from askwhere.reader.marking.formulas import DUE, names_beginning, names_end
from askwhere.reader.marking.marks import Mark, is_timely
from askwhere.reader.marking.numeric import amounts_in
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import called_after_act, says_when

_DONE = "delivered delivery completed completion finished returned return collected closed shipped arrived arrival"
_PAID = "paid payment settled departed departure landed handed submitted dispatched sent"
FULFILLED = frozenset(map(stem, f"{_DONE} {_PAID} done actual resolved".split()))

LATE = ("late", "too late", "overdue", "past due", "behind schedule", "delayed")
_DELAYS = frozenset(map(stem, "late delay lateness".split()))


@rewrite("overdue", of_kind("column", lambda m: is_timely(m.senses[0])))
def say_late_acts(_: Place, late: Mark, act: Mark) -> Marks | None:
    """Write "late deliveries", where a date says the delivery, as "late orders delivered": what they are dates of."""
    dated = (s for s in act.senses if is_timely(s) and due_dates(s.table, [stem(act.text)]))
    rows = tuple(Sense(s.table, score=s.score) for s in dated)
    if not rows:
        return None
    return replace(act, kind="table", text=rows[0].table.name, senses=rows), replace(act, kind="link", senses=()), late


def overdue(state: Cursor) -> None:
    """Read "late", done after the date at which it was due, and "overdue", not done by then. Raise `Stuck`.

    A column of how late things were says it, too: `delay_min` is more than 0.
    """
    mark = state.take()
    if state.negated or (state.peek().argument == "in" and state.peek(1).kind == "days"):
        raise Stuck(mark)  # "overdue on 1 June" is not said by what is missing now
    if mark.argument != "open" and (delays := _delays(state)):
        state.test(Test(Term(state.slot(replace(mark, kind="column", senses=delays), state.about(), True)), ">", (0,)))
        return
    require_lateness(state, mark, lateness(state, mark))


def _delays(state: Cursor) -> tuple[Sense, ...]:
    """Return the only column, of the thing spoken of, that holds how late its rows were; nothing without one."""
    thing = state.about()
    tables = [s.table for s in state.out.slots[thing].senses if not s.columns] if thing is not None else []
    delays = [Sense(t, (c,)) for t in tables for c in amounts_in(t) if _DELAYS & set(full_stems(c.name))]
    return tuple(delays) if len({s.table.path for s in delays}) == len(delays) else ()


def require_lateness(state: Cursor, mark: Mark, pairs: tuple[Sense, ...], days: int = 0) -> None:
    """Test that the first date of `pairs` is after the second, or for "overdue" that it is missing, the second past.

    What is overdue was due more than so many `days` ago.
    """
    done, due = (Term(_date(state, mark, pairs, n)) for n in (0, 1))
    if mark.argument == "open":
        state.test(Test(done, "null"))
        state.test(Test(due, "<", (Bound(present="day", shift=-days),)))
    else:
        state.test(Test(done, ">", (due,)))


def _date(state: Cursor, mark: Mark, pairs: tuple[Sense, ...], place: int) -> int:
    """Return a new slot for the date at `place` of each pair."""
    senses = tuple(Sense(s.table, (s.columns[place],)) for s in pairs)
    return state.slot(replace(mark, kind="column", senses=senses), state.about(), True)


def lateness(state: Cursor, mark: Mark) -> tuple[Sense, ...]:
    """Return the date of what was done and the date at which it was due, in each table of what the question is about.

    That is the thing spoken of last, or else the one asked for, or that whose amount is: "total overdue invoices". A
    verb of the question chooses among several dates: "trains that arrived late". Raise `Stuck` at `mark` where there
    are no such dates.
    """
    verbs = [stem(m.text.split()[-1]) for m in state.marks if m.kind in ("link", "column", "table")]
    shown = [t.slot for t in state.out.outputs if t.agg] if state.about() is None else []
    for thing in (t for t in (state.about(), state.out.focus, *shown) if t is not None):
        tables = [s.table for s in state.out.slots[thing].senses if not s.columns or thing in shown]
        found = [(table, due_dates(table, verbs)) for table in tables]
        if pairs := tuple(Sense(table, pairs[0]) for table, pairs in found if len(pairs) == 1):
            return pairs
    raise Stuck(mark)


def due_dates(table: Table, verbs: Sequence[str] = ()) -> list[tuple[Column, Column]]:
    """Return the pairs of dates of a table, each of what was done and when it was due, that `verbs` may be about.

    Where no date is called due, that of an end is, beside one of an act: `end_date` beside `returned_on`.
    """
    dates = [(c, set(full_stems(c.name))) for c in events(table) if is_dated(c)]
    dates = [(c, words | {"return"} if "back" in words else words) for c, words in dates]
    due = [(c, words - DUE) for c, words in dates if words & DUE]
    others = [(c, words) for c, words in dates if not words & DUE]
    done = [(c, words - {"actual"}) for c, words in others if words & FULFILLED]
    if not due:
        ends = [(c, words) for c, words in dates if names_end(c)]
        due = [(c, words) for c, words in ends if not called_after_act(c.name)]
        done = [(c, words) for c, words in ends if called_after_act(c.name)]
    elif not done:  # any other act, rather one that is listed behind when it was due: `due_on`, `fitted_on`
        acts = [(c, words) for c, words in others if called_after_act(c.name) and not names_beginning(c)]
        first = min((table.columns.index(c) for c, _ in due), default=0)
        done = [(c, words) for c, words in acts if table.columns.index(c) > first] or acts
    pairs = [(one, other, rest & words) for one, words in done for other, rest in due]
    alike = [(one, other) for one, other, shared in pairs if shared - _TIMES]
    found = alike or [(one, other) for one, other, _ in pairs]
    said = [(one, other) for one, other in found if any(says_when(one.name, verb) for verb in verbs)]
    return said or found


_TIMES = frozenset(map(stem, "date time day dt at on".split()))
