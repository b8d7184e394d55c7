"""Settle which conditions define the share that is asked for, and which restrict all rows."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import PORTION, Term, Test
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.rates import RATES
from askwhere.reader.schema.senses import paths_of
from askwhere.reader.words.english import STATES
from askwhere.reader.words.names import name_stems

_DEFINING = ("be", "have", "link", "not", "rel", "prep")  # behind one of these a condition defines a share
_WITHIN = ("in", "from", "for", "of", "at", "on")


def settle_share(state: Cursor) -> None:
    """Move the conditions that define the share from the draft's tests to its `share`.

    "What percentage of the orders in 2023 was cancelled" keeps the year as a test on all rows; where nothing else is
    said, the only place or time defines the share. Raise `Stuck` if no condition is left to define it.
    """
    thing = state.part
    if thing is None:
        return
    sums = thing.kind in ("money", "column")
    kinds = _DEFINING if sums else _DEFINING[:-1]  # "of the revenue from members"
    so = next((m.start for m in state.marks if m.start >= thing.end and m.kind in kinds), None)
    plain = [group for group in state.out.tests if not any(t.term.counts for t in group)]
    later = [group for group in plain if so is not None and _begins(state, group) > so and not _is_when(state, group)]
    early = [group for group in plain if not _is_when(state, group) and not _is_where(state, group)]
    early = [] if thing.kind == "money" else early  # "billable hours" are a share of the hours
    rated = [group for group in plain if _begins(state, group) == state.rated]  # "pass rate of theory tests"
    state.out.share = rated or later or early or _in_a_state(state, plain)
    compared = any(t.term.agg == "share" for group in state.out.tests for t in group)
    if not state.out.share and state.out.groups and len(state.out.outputs) == 1 and not compared:
        state.out.outputs = [replace(state.out.outputs[0], agg=PORTION)]  # "share of orders by status"
        return
    only = [group for group in plain if not _is_when(state, group)] or plain
    if not state.out.share and len(only) == 1:
        state.out.share = only  # "percentage of customers from Oslo", "share of orders in 2023"
    if not state.out.share and not plain:
        state.out.share = _that_have_rows(state)  # "share of tenants with a lease"
    ranked = any(key.term.agg == "share" for key in state.out.order)  # "the shop with the highest share of …"
    if not state.out.share or (len(state.out.outputs) != 1 and not ranked):
        raise Stuck(thing)
    # The pass rate of tests is of those that have a result.
    known = [[Test(t.term, "null", negated=True)] for group in rated for t in group if _is_outcome(state, thing, t)]
    state.out.tests = [group for group in state.out.tests if group not in state.out.share] + known


def _that_have_rows(state: Cursor) -> list[list[Test]]:
    """Return the test that rows of the only other thing named are there, "with a lease", which then is not joined."""
    out = state.out
    named = [m for m in out.mentions if m != out.focus and not out.slots[m].senses[0].columns]
    if len(named) != 1 or out.slots[named[0]].prep not in ("with", "have") or out.groups:
        return []
    out.mentions.remove(named[0])
    return [[Test(Term(named[0]), "lacks", negated=True)]]


def _begins(state: Cursor, group: list[Test]) -> int:
    """Return the position of the first word of a condition."""
    return min((state.out.slots[t.term.slot].start for t in group if t.term.slot is not None), default=0)


def _is_when(state: Cursor, group: list[Test]) -> bool:
    """Return whether a condition is about time, which restricts all rows rather than the share."""
    dated = {m.start for m in state.marks if m.kind in ("days", "when", "number", "between")}
    return any(t.op == "during" or (t.term.slot is not None and state.out.slots[t.term.slot].start in dated)
               for t in group)  # fmt: skip


def _is_where(state: Cursor, group: list[Test]) -> bool:
    """Return whether a condition follows a preposition ("orders from Rome"), which also restricts all rows."""
    return any(t.term.slot is not None and state.out.slots[t.term.slot].prep in _WITHIN for t in group)


def _in_a_state(state: Cursor, tests: list[list[Test]]) -> list[list[Test]]:
    """Return the tests of a state that things are in, "the share of turbines in repair by site", and of no place."""
    slots = {id(group): state.out.slots[t.term.slot] for group in tests for t in group[:1] if t.term.slot is not None}
    states = [g for g in tests if (slot := slots.get(id(g))) and slot.prep == "in" and not _is_when(state, g)]
    return [g for g in states if all(STATES & set(name_stems(c.name)) for s in slots[id(g)].senses for c in s.columns)]


def _is_outcome(state: Cursor, thing: Mark, test: Test) -> bool:
    """Return whether a rate is of a value of the thing's own that rows may not have yet, unlike a state: `result`."""
    slot = state.out.slots[test.term.slot or 0]
    stated = any(STATES & set(name_stems(c.name)) for s in slot.senses for c in s.columns)
    rate = test.op == "is" and slot.text.split()[-1] in RATES
    return rate and not stated and paths_of(slot.senses) <= paths_of(thing.senses)
