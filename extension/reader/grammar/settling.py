"""Settle a draft once all marks are read: give slots their owners, and settle shares, groups, totals and periods.

`RULES` are applied in turn, each a function of the state of reading. A rule raises `Stuck` for a draft that has several
meanings or none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.contrasting import settle_change, settle_contrast
from askwhere.reader.grammar.cursor import END, Cursor, Stuck
from askwhere.reader.grammar.draft import PORTION, Term, Test
from askwhere.reader.grammar.grouped import (
    count_things,
    settle_average,
    settle_fold,
    settle_groups,
    settle_periods,
    show_things_of_each,
)
from askwhere.reader.grammar.growth import settle_growth
from askwhere.reader.grammar.operations import settle_computed
from askwhere.reader.grammar.portions import settle_share
from askwhere.reader.grammar.presently import settle_now
from askwhere.reader.marking.formulas import PRODUCT, RATIO
from askwhere.reader.marking.marks import BY_US, is_recent_year, key_of, looks_like_year
from askwhere.reader.marking.numeric import amounts_in
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import is_name, key_columns, name_columns
from askwhere.reader.words.dates import OF_YEAR, has_part
from askwhere.reader.words.english import HAVING
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_moment
from askwhere.reader.words.verbs import AUXILIARY

_DAYS = ("day", "days", "date", "dates")
_DOES = AUXILIARY | HAVING | {"are", "were"}


def settle(state: Cursor) -> None:
    """Apply all rules to the draft in `state.out`. Raise `Stuck`."""
    for rule in RULES:
        rule(state)


def _nothing_open(state: Cursor) -> None:
    """Raise `Stuck` where a "not" or an "or" has no test behind it."""
    if state.negated or state.either:
        raise Stuck(state.marks[-1])


def _ranked(state: Cursor) -> None:
    """Show the computed term that the top few are chosen by: "top 3 customers by number of orders"."""
    by = state.ranked_by
    if by is not None and by.counts and not any(t.counts for t in state.out.outputs):
        state.out.outputs.append(by)


def _counted(state: Cursor) -> None:
    """Give columns beside a count to the thing that the count is for, and not to what is counted.

    In "the name and the number of loans of each member" the name is the member's.
    """
    out = state.out
    if len(out.outputs) < 2 or out.outputs[0].counts or not out.outputs[-1].rows:
        return
    counted = out.outputs[-1].slot
    others = [s for s in (*out.groups, *out.mentions) if s != counted and not out.slots[s].senses[0].columns]
    for term in out.outputs:
        slot = out.slots[term.slot] if term.slot is not None and not term.counts else None
        if slot and term.slot is not None and others and slot.owner is None and slot.senses[0].columns:
            out.slots[term.slot] = replace(slot, owner=others[0], firm=True)


def _named_owners(state: Cursor) -> None:
    """Make the row named behind a column that is shown its owner: in "the price of copper" that is copper's own."""
    out = state.out
    shown = [t.slot for t in out.outputs if t.slot is not None and not t.counts and not t.formula]
    if len(out.outputs) != 1 or len(shown) != 1 or out.focus is not None or out.groups:
        return
    place, slot = shown[0], out.slots[shown[0]]
    named = [g[0].term.slot for g in out.tests if len(g) == 1 and g[0].op == "is" and g[0].term.slot is not None]
    owners = [n for n in named if out.slots[n].prep == "of" and all(is_name(s) for s in out.slots[n].senses[:1])]
    if slot.owner is None and len(slot.senses) > 1 and slot.senses[0].columns and len(owners) == 1:
        out.slots[place] = replace(slot, owner=owners[0], firm=True)


def _owners(state: Cursor) -> None:
    """Make the focus the owner of each slot that has none."""
    out = state.out
    for place, slot in enumerate(out.slots):
        if slot.owner is None and out.focus is not None and place != out.focus:
            out.slots[place] = replace(slot, owner=out.focus)


def _precedence(state: Cursor) -> None:
    """Raise `Stuck` for "A and B or C" over several columns, as the precedence is open.

    It is clear where a relative word begins the alternatives and all else is before it: "from Rome who smoke or drink".
    """
    tests = state.out.tests
    mixed = [group for group in tests if len(group) > 1 and not _alike(state, group)]
    if len(tests) > 1 and mixed and not (len(mixed) == 1 and _is_apart(state, mixed[0])):
        raise Stuck(state.marks[-1])


def _is_apart(state: Cursor, alternatives: list[Test]) -> bool:
    """Return whether a relative word stands before some tests and behind all others of the draft."""
    others = [test for group in state.out.tests if group is not alternatives for test in group]
    if any(test.term.slot is None for test in (*alternatives, *others)):
        return False
    first = min(state.out.slots[test.term.slot or 0].start for test in alternatives)
    last = max(state.out.slots[test.term.slot or 0].start for test in others)
    return any(mark.kind == "rel" and last < mark.start < first for mark in state.marks)


def _alike(state: Cursor, tests: list[Test]) -> bool:
    """Return whether all of these tests may be of the same column, so that the "or" between them is clear."""
    slots = [state.out.slots[t.term.slot] for t in tests if t.term.slot is not None]
    columns = [{(s.table.path, s.columns) for s in slot.senses} for slot in slots]
    return bool(columns) and bool(set.intersection(*columns))


def _limits(state: Cursor) -> None:
    """Note whether ties are asked for. Raise `Stuck` for the first few, or "the second", without an order."""
    out = state.out
    if out.limit is not None and (not out.order or out.limit > 1_000_000):
        raise Stuck(state.marks[-1])
    if out.passed and (out.limit != 1 or len(out.order) != 1):
        raise Stuck(state.marks[-1])
    if "all" in out.tied and out.limit is None:
        raise Stuck(state.marks[-1])
    out.ties = (out.several or "all" in out.tied) and out.limit == 1 and not out.passed


_COMPARING = ("<", "<=", ">", ">=", "between", "during")


def _known(state: Cursor) -> None:
    """Leave out rows without a value of the groups, or of what is shown: "skip the ones without a rating".

    Raise `Stuck` where neither is a column, or none that is named.
    """
    mark, out = state.known, state.out
    if mark is None:
        return
    named = {key_of(s) for s in mark.senses}
    shown = [t.slot for t in out.outputs if t.slot is not None and not t.rows and t.slot not in out.groups]
    shared = [test.term.slot for group in out.share for test in group if test.term.slot is not None]
    slots = shared or [slot for slot in (*out.groups, *shown) if out.slots[slot].senses[0].columns]
    if named:
        slots = [slot for slot in slots if named & {key_of(s) for s in out.slots[slot].senses if s.columns}]
    elif any(slot in out.groups for slot in slots):
        slots = [slot for slot in slots if slot in out.groups]
    if not slots and not any(test.op in _COMPARING for group in out.tests for test in group):
        raise Stuck(mark)  # what is compared has a value
    out.tests += [[Test(Term(slot), "null", negated=True)] for slot in slots]


def _amounts(state: Cursor) -> None:
    """Add up a column of amounts, "the number of hours", in groups or if shown alone; else show it as it is."""
    out = state.out
    added = bool(out.groups) or sum(not t.counts for t in out.outputs) == 1
    made = {
        t: replace(t, agg="sum" if added and not _is_of_the_group(state, t) else "", distinct=False)
        for t in out.outputs
        if t.distinct and not t.counts
    }
    out.outputs = [made.get(t, t) for t in out.outputs]
    out.order = [replace(key, term=made.get(key.term, key.term)) for key in out.order]


def _is_of_the_group(state: Cursor, term: Term) -> bool:
    """Return whether each row of the only group has the amount itself, and a name: "seats per vehicle" are no sum."""
    out = state.out
    group = out.slots[out.groups[0]].senses if len(out.groups) == 1 else ()
    amounts = out.senses_at(term.slot)
    near = {s.table.path for s in amounts if s.score >= amounts[0].score - 0.1}
    if not group or any(s.columns for s in group):
        return False
    table = group[0].table
    return near == {table.path} and name_columns(table) != key_columns(table)


def _total(state: Cursor) -> None:
    """Add up a column that was called a total: "the total amount of all invoices".

    Raise `Stuck` for "the total amount" alone, which may be that of each row or of all.
    """
    out = state.out
    only = out.only_output
    if out.order or only.slot is None or only.counts or only.slot not in state.totals:
        return
    if state.totals[only.slot] or any(out.slots[slot].part for slot in out.groups):
        out.outputs = [replace(only, agg="sum")]
    elif not out.groups:
        raise Stuck(state.marks[-1])


def _altogether(state: Cursor) -> None:
    """Compare the sum over the rows of each thing, and show it: "who logged more than 40 hours in total, with hours".

    An amount of the thing itself is none: "rivers longer than 500 km in total".
    """
    out = state.out
    if _spent_by_us(state) or (state.altogether and _is_an_amount(state)):
        out.outputs = [replace(out.outputs[0], agg="sum")]
    worth = [t for t in out.outputs if t.formula == PRODUCT and not t.agg]
    if state.altogether and worth and not (out.groups or out.order):
        out.outputs = [replace(t, agg="sum") for t in worth]  # "what are the parts in stock worth in total"
    compared = any(_amounts_compared(state, test) for group in out.tests for test in group)
    if state.altogether and compared and any(t.rows for t in out.outputs):
        raise Stuck(state.marks[-1])  # "how many riders were fined more than 300 in total"
    if not state.altogether or any(t.counts for t in out.outputs):
        return
    own = {s.table.path for t in out.outputs for s in out.slots[t.slot or 0].senses if not s.columns}
    if any(t.rows for group in out.tests for test in group for t in [test.term]):
        out.outputs = [replace(t, agg="sum") if _is_of_others(state, t, own) else t for t in out.outputs]
    added = set[tuple[object, ...]]()
    for group in out.tests:
        for place, test in enumerate(group):
            columns = _amounts_compared(state, test)
            if columns and not own & {path for path, _ in columns}:
                group[place] = replace(test, term=replace(test.term, agg="sum"))
                added |= columns
    shown = [t for t in out.outputs if added and t.slot is not None and _columns(state, t.slot) & added]
    out.outputs = [replace(t, agg="sum") if t in shown else t for t in out.outputs]
    if added and out.focus is None:
        out.groups += [t.slot for t in out.outputs if t.slot is not None and not t.agg]


def _is_an_amount(state: Cursor) -> bool:
    """Return whether a column of amounts is all that is shown: "what have we spent in total"."""
    only = state.out.outputs[0] if len(state.out.outputs) == 1 and not state.out.order else Term(None)
    senses = state.out.slots[only.slot].senses[:1] if only.slot is not None and not only.counts else ()
    return any(len(s.columns) == 1 and s.column in amounts_in(s.table) for s in senses) and not only.formula


def _is_of_others(state: Cursor, term: Term, own: set[Path]) -> bool:
    """Return whether a term is a plain column of amounts of other things than those in `own`."""
    senses = state.out.slots[term.slot].senses[:1] if term.slot is not None and not term.counts else ()
    return any(len(s.columns) == 1 and s.column in amounts_in(s.table) and s.table.path not in own for s in senses)


def _spent_by_us(state: Cursor) -> bool:
    """Return whether it is asked what something cost us, or what we spent: the sum of the amounts."""
    words = [word for m in state.marks for word in m.text.split()]
    return words[0] == "what" and bool({"us", "we"} & {*words}) and state.out.limit is None and _is_an_amount(state)


def _amounts_compared(state: Cursor, test: Test) -> set[tuple[object, ...]]:
    """Return the columns of amounts, as (table, name), that a test compares with a number; none for other tests."""
    slot = test.term.slot
    if slot is None or test.term.counts or test.op not in ("<", "<=", ">", ">=", "between"):
        return set()
    senses = [s for s in state.out.slots[slot].senses if s.columns]
    return _columns(state, slot) if senses and all(s.column in amounts_in(s.table) for s in senses[:1]) else set()


def _columns(state: Cursor, slot: int) -> set[tuple[object, ...]]:
    """Return the columns, as (table, name), that the best senses of a slot name."""
    senses = state.out.slots[slot].senses
    return {key_of(s) for s in senses if s.columns and s.score >= senses[0].score - 0.05}


def _one_row(state: Cursor) -> None:
    """Raise `Stuck` for "the lowest price and the name": for each name, or of the cheapest thing?"""
    out = state.out
    first = out.outputs[0] if out.outputs else None
    if first and first.agg not in ("", "count") and not out.groups and not all(t.counts for t in out.outputs):
        raise Stuck(state.marks[-1])


def _days(state: Cursor) -> None:
    """Take the day of a column of times where a day is shown beside a count: "which day had the most rentals"."""
    out = state.out
    if not any(t.counts for t in out.shown_or_sorted):
        return
    for place in (t.slot for t in out.outputs if t.slot is not None and not t.counts):
        slot = out.slots[place]
        dated = all(len(s.columns) == 1 and has_part(s.column, "day") for s in slot.senses)
        if slot.text in _DAYS and dated and any(is_moment(s.column) for s in slot.senses):
            out.slots[place] = replace(slot, part="day")


_TOGETHER = ("together", "combined")


def _numbered_periods(state: Cursor) -> None:
    """Show the number of a quarter or month where the year is shown beside it, or is said not to matter.

    "orders per year and quarter", "orders by month, all years together". A quarter has its number also where the
    question names one year, "orders per quarter of 2023", or all.
    """
    out = state.out
    years = [m for m in state.marks if looks_like_year(m) or m.kind == "days"]
    one_year = len(years) == 1 and is_recent_year(years[0])
    beside = any(out.slots[slot].part == "year" for slot in out.groups)
    over_years = [
        m.text for m in state.marks if m.kind == "fill" and m.text.split()[-1] in _TOGETHER and "years" in m.text
    ]
    beside = beside or bool(over_years)
    any_year = one_year or any(m.kind == "fill" and m.text.endswith("all years") for m in state.marks)
    for slot in out.groups:
        part = out.slots[slot].part
        if part in OF_YEAR and (beside or (part == "quarter" and any_year)):
            out.slots[slot] = replace(out.slots[slot], part=OF_YEAR[part])


def _once(state: Cursor) -> None:
    """Note that equal rows are shown once: "which towns do we ship to", "the towns we ship to"."""
    only = state.out.outputs[0] if len(state.out.outputs) == 1 else None
    plain = only is not None and not only.counts and only.slot is not None
    there = plain and _asks_what_there_is(state)
    state.out.once = (only is not None and _asks_which(state)) or there or (plain and _ends_with_preposition(state))


def _asks_which(state: Cursor) -> bool:
    """Return whether the question begins with "which", a column, and an auxiliary verb."""
    if len(state.marks) < 2:
        return False
    asked, what, does = (*state.marks, END)[:3]
    done = what.argument == BY_US or bool(_DOES & set(does.text.split()[:1]))
    return asked.text in ("which", "what") and what.kind == "column" and done


def _asks_what_there_is(state: Cursor) -> bool:
    """Return whether the question is "what kinds of boats are there"."""
    asked, what = (*state.marks, END, END)[:2]
    last = next((m for m in state.marks[::-1] if m.kind != "stop"), END)
    return asked.text in ("which", "what") and what.kind == "column" and last.text in _THERE


_THERE = ("there", "are there", "is there", "exist", "exists", "do we have", "we have")


def _ends_with_preposition(state: Cursor) -> bool:
    """Return whether the last word of the question is a preposition."""
    return next((m.kind for m in state.marks[::-1] if m.kind != "stop"), "") == "prep"


def _in_percent(state: Cursor) -> None:
    """Raise `Stuck` where percent are asked for, but no share, change or column of percentages is shown or sorted."""
    out = state.out
    computed = out.change or any(t.agg in ("share", PORTION) or t.formula == RATIO for t in out.shown_or_sorted)
    columns = (c for t in out.outputs if t.slot is not None for s in out.slots[t.slot].senses for c in s.columns)
    if out.percent and not computed and not any(_PERCENTAGES & set(full_stems(c.name)) for c in columns):
        raise Stuck(state.marks[-1])


_PERCENTAGES = frozenset(map(stem, "percent percentage pct rate share discount tax vat".split()))


def _yes_or_no(state: Cursor) -> None:
    """Raise `Stuck` for a question for yes or no that shows more than one thing, or has groups or a limit."""
    out = state.out
    if out.whether and (len(out.outputs) != 1 or out.groups or out.limit is not None):
        raise Stuck(state.marks[-1])


RULES: tuple[Callable[[Cursor], None], ...] = (
    _nothing_open,
    settle_now,
    settle_contrast,
    settle_share,
    settle_computed,
    _ranked,
    _counted,
    _named_owners,
    _owners,
    _precedence,
    _limits,
    _amounts,
    _total,
    _altogether,
    _numbered_periods,
    _one_row,
    settle_average,
    count_things,
    settle_groups,
    show_things_of_each,
    settle_fold,
    settle_periods,
    _known,
    _days,
    settle_growth,
    settle_change,
    _in_percent,
    _once,
    _yes_or_no,
)
