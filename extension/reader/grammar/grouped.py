"""Complete the groups of a draft: the key of each group, and what is counted, averaged or sorted per group.

Each rule is a function of the state of reading, which raises `Stuck` for a draft that has several meanings or none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.marking.records import is_of_one
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import key_columns, name_columns
from askwhere.reader.schema.roles import is_role
from askwhere.reader.schema.senses import paths_of
from askwhere.reader.words.tokens import is_singular

_EACH = frozenset({"each", "every"})  # "the most orders per month" may be an average


def settle_average(state: Cursor) -> None:
    """Average over all rows where "per thing" names those that are averaged: "the average price per product"."""
    out = state.out
    only = out.only_output
    if not out.order and only.agg == "avg" and only.slot is not None and not out.fold:
        best = out.slots[only.slot].senses[0].score
        averaged = {s.table.path for s in out.slots[only.slot].senses if s.columns and s.score >= best - 0.1}
        out.groups = [g for g in out.groups if averaged - _things(state, g)]


def count_things(state: Cursor) -> None:
    """Count the things that stand beside an aggregate of each group: "sales and revenue per store"."""
    out = state.out
    if not out.groups or not any(t.counts for t in out.outputs) or out.order:
        return
    grouped = set[Path]().union(*(_things(state, g) for g in out.groups))
    for place, term in enumerate(out.outputs):
        slot = out.slots[term.slot] if term.slot is not None and not term.counts and not term.formula else None
        if slot and not slot.senses[0].columns and not _things(state, term.slot or 0) & grouped:
            if is_singular(slot.text.split()[-1]):
                raise Stuck(state.marks[-1])
            out.outputs[place] = Term(term.slot, rows=True)


def _things(state: Cursor, slot: int) -> set[Path]:
    """Return the tables whose rows a slot names."""
    return {s.table.path for s in state.out.slots[slot].senses if not s.columns}


def settle_groups(state: Cursor) -> None:
    """Settle a draft that has groups, but shows no count.

    "Customers per country" shows one; "the name of each customer" loses its group; "the cheapest book in each
    category" becomes the first of each group. Raise `Stuck` for others.
    """
    out = state.out
    if out.groups and len(out.order) == 1 and out.order[0].term.counts and _is_by_letters(state):
        out.order = [replace(out.order[0], term=Term(out.groups[0]))]  # "number of loans per branch, alphabetically"
    if _is_first_of_each(state):
        out.of_each = True
        return
    shown = any(t.counts for t in out.outputs) or any(k.term.counts for k in out.order)
    tested = any(t.term == Term(None, rows=True) for group in out.tests for t in group)  # "that appear twice"
    if not out.groups or shown or (tested and out.groups == [t.slot for t in out.outputs]):
        return
    if out.focus is None and _each(state):
        return
    if _are_several_things(state) and any(m.kind == "each" and "per" in m.text for m in state.marks):
        out.outputs = [Term(t.slot, rows=True) for t in out.outputs]  # "calls and visits per agent"
        return
    only = out.outputs[0] if len(out.outputs) == 1 else None
    if (
        only
        and only.slot is not None
        and out.limit is None
        and all(key.term == only for key in out.order)
        and not out.slots[only.slot].senses[0].columns
    ):
        if not out.several and not any(m.kind == "each" and "per" in m.text for m in state.marks):
            raise Stuck(state.marks[-1])  # "the address of each shop" asks for no count
        out.outputs = [Term(only.slot, rows=True)]
        by = Term(out.groups[0]) if _is_by_letters(state) else out.outputs[0]
        out.order = [replace(key, term=by) for key in out.order]
        return
    if _shows_parents(state):
        out.focus, out.groups = out.groups[0], []
        return
    owners = {out.slots[t.slot].owner for t in out.outputs if t.slot is not None} | {out.focus}
    if out.limit is not None or not all(_same_thing(state, g, owners) for g in out.groups):
        raise Stuck(state.marks[-1])
    out.groups = []


def _is_by_letters(state: Cursor) -> bool:
    """Return whether groups are sorted by their names, "loans per branch, alphabetically", and not by how many."""
    said = [m.text for m in state.marks if m.kind in ("direction", "order")]
    return len(said) == 1 and bool(_BY_LETTERS.search(said[0]))


_BY_LETTERS = re.compile("alphabet|lexicograph|a to z|z to a")


def _are_several_things(state: Cursor) -> bool:
    """Return whether two or more things in the plural are shown, and nothing else, in no order."""
    out = state.out
    slots = [out.slots[t.slot] for t in out.outputs if t.slot is not None and not t.counts]
    plain = len(slots) == len(out.outputs) > 1 and not out.order and out.limit is None
    return plain and all(not s.senses[0].columns and not is_singular(s.text.split()[-1]) for s in slots)


def _shows_parents(state: Cursor) -> bool:
    """Return whether things and columns are shown of which each row of the only group has one.

    So in "the sender and receiver of each message", "the price and the company of each crossing".
    """
    out = state.out
    rows = [s.table for s in out.slots[out.groups[0]].senses if not s.columns]
    slots = [out.slots[t.slot] for t in out.outputs if t.slot is not None and not t.counts]
    things = [slot for slot in slots if not slot.senses[0].columns]
    plain = len(slots) == len(out.outputs) and len(out.groups) == 1 and bool(things) and not out.order
    return (
        plain
        and out.limit is None
        and all(
            any(_has_one(state, row, s.table) or s.table is row for row in rows for s in slot.senses) for slot in slots
        )
    )


def _has_one(state: Cursor, row: Table, thing: Table) -> bool:
    """Return whether a row of one table is of at most one row of another, which may be a role (see `roles`)."""
    if is_role(thing):
        return thing.foreign_keys[0].target == row.path
    return is_of_one(state.lexicon.tables, row, thing)


def _is_first_of_each(state: Cursor) -> bool:
    """Return whether the first of each group are asked for: "the cheapest product in each category".

    Raise `Stuck` where the first by a count or a sum are asked for, and the group is neither shown nor such a group.
    """
    out = state.out
    if out.limit is None or not out.groups or not out.order or any(t.counts for t in out.outputs):
        return False
    plain = [t.slot for t in out.outputs if t.slot is not None]
    groups = [group for group in out.groups if group not in plain]
    if not groups:
        return False  # "which month had the most orders"
    shown = {out.slots[slot].owner if slot != out.focus else slot for slot in plain}
    one = len(out.order) == len(groups) == 1 and not out.passed and out.star is None
    things: set[int | None] = {out.focus} if out.focus is not None else {*plain}
    said = not out.slots[groups[0]].part or any(m.kind == "period" and _EACH & {*m.text.split()} for m in state.marks)
    if one and said and shown == {out.focus} and not _same_thing(state, groups[0], things):
        out.groups = groups
        return True
    if out.order[0].term.counts:
        raise Stuck(state.marks[-1])
    return False


def _each(state: Cursor) -> bool:
    """Make the only group the focus, if its table has all columns shown; return whether that was done.

    "The names and ages for each member" are columns of the members, and nothing is grouped.
    """
    out = state.out
    tables = {s.table.path for s in out.slots[out.groups[0]].senses if not s.columns}
    slots = [t.slot for t in out.outputs if t.slot is not None]
    shown = {slot: tuple(s for s in out.slots[slot].senses if s.table.path in tables) for slot in slots}
    if len(out.groups) > 1 or out.limit is not None or not all(shown.values()):
        return False
    out.focus, out.groups = out.groups[0], []
    for place, slot in enumerate(out.slots):
        if place in shown:
            out.slots[place] = replace(slot, senses=shown[place], owner=out.focus, firm=True)
        elif place != out.focus and slot.owner is None:
            out.slots[place] = replace(slot, owner=out.focus)
    return True


def show_things_of_each(state: Cursor) -> None:
    """Show the things, too, where a title asks for columns of each without its name: "price of each boat"."""
    out = state.out
    told = any(m.kind in ("open", "rel", "order", "distinct") for m in state.marks)
    each = any(m.kind == "each" for m in state.marks)
    if told or not each or out.groups or out.focus is None or out.distinct or out.limit is not None:
        return
    plain = [t.slot for t in out.outputs if t.slot is not None and t == Term(t.slot)]
    owned = [slot for slot in plain if out.slots[slot].owner == out.focus and out.slots[slot].senses[0].columns]
    things = [s.table for s in out.slots[out.focus].senses]
    names = {c for t in things for c in (*name_columns(t), *key_columns(t))}
    shown = {c for slot in owned for s in out.slots[slot].senses for c in s.columns}
    named = all(name_columns(t) != key_columns(t) for t in things)
    if named and len(owned) == len(out.outputs) and not names & shown:
        out.outputs = [Term(out.focus), *out.outputs]


def _same_thing(state: Cursor, group: int, owners: set[int | None]) -> bool:
    """Return whether the slot `group` may be the same table as one of the `owners` of what is shown."""
    mine = {s.table.path for s in state.out.slots[group].senses if not s.columns}
    return any(mine & paths_of(state.out.slots[o].senses) for o in owners if o is not None)


def settle_fold(state: Cursor) -> None:
    """Raise `Stuck` for an average over groups that are not exactly one, or beside something else."""
    out = state.out
    if out.fold and (len(out.groups) != 1 or len(out.outputs) != 1 or out.order or out.limit is not None):
        raise Stuck(state.marks[-1])


def settle_periods(state: Cursor) -> None:
    """Sort by the periods that are grouped by. Raise `Stuck` where the first of them, or in each, may be meant."""
    out = state.out
    periods = [slot for slot in out.groups if out.slots[slot].part]
    asked = out.limit == 1 and any(t.slot in periods for t in out.outputs) and out.order[0].term.counts
    if out.of_each:
        return
    if periods and not asked and (out.limit is not None or not any(t.counts for t in out.outputs)):
        raise Stuck(state.marks[-1])
    if not out.order:
        by_year = sorted(periods, key=lambda slot: out.slots[slot].part != "year")  # a year, then what is in it
        out.order = [Key(Term(slot)) for slot in by_year]
