"""Decide what a bound draft is about: the tables of its main query, and the tests that become subqueries."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.draft import Draft, Term, Test
from askwhere.reader.joins import Graph, Path
from askwhere.reader.lexicon import Sense
from askwhere.reader.naming import key_columns, name_columns
from askwhere.reader.seconds import is_second


def tables_of(draft: Draft, senses: tuple[Sense, ...]) -> tuple[Path, ...]:
    """Return the paths of the tables that the main query joins; the table that the question asks about is first."""
    slots = [draft.focus] if draft.focus is not None else []
    slots += [t.slot for t in draft.outputs if t.slot is not None] + draft.groups
    away = apart(draft, senses)
    counted = {t.term.slot for group in draft.tests for t in group if t.term.counts}
    slots += [m for m in draft.mentions if m in counted or draft.slots[m].start < away.get(senses[m].table.path, 1_000)]
    slots += [k.term.slot for k in draft.order if k.term.slot is not None]
    slots += [
        t.slot
        for pair in draft.both
        for test in pair
        for t in [test.term]
        if t.slot is not None and within(draft, senses)
    ]
    for group in (*draft.tests, *draft.share):
        for test in group:
            slots += [] if is_lacking(test, draft, senses) else slots_of(test)
    tables = [senses[s].table for s in slots]
    # A second table (see `seconds`) is only joined to the table that it stands for, which must then be there too.
    paths = [t.path for t in tables] + [t.path[:-1] for t in tables if is_second(t)]
    return tuple(dict.fromkeys(paths))


def apart(draft: Draft, senses: tuple[Sense, ...]) -> dict[Path, int]:
    """Return the tables that subqueries test, each with the position of the word from which on only they use it."""
    away = [t for group in draft.tests for t in group if is_lacking(t, draft, senses)]
    found = {senses[s].table.path: draft.slots[s].start for t in away for s in slots_of(t)}
    if draft.both and not within(draft, senses):
        found |= {senses[s].table.path: 0 for pair in draft.both for t in pair for s in slots_of(t)}
    return found


def slots_of(test: Test) -> list[int]:
    """Return the slots that a test uses: its term's, its operands' and those that it mentions."""
    found = [test.term.slot] if test.term.slot is not None else []
    found += [o.slot for o in test.operand if isinstance(o, Term) and o.slot is not None]
    return [*found, *test.mentions]


def within(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether both tests of each "both" are on the table that the question asks about, not on joined rows."""
    about = about_table(draft, senses)
    return all(
        senses[test.term.slot].table is about for pair in draft.both for test in pair if test.term.slot is not None
    )


def about_table(draft: Draft, senses: tuple[Sense, ...]) -> Table:
    """Return the table whose rows the question asks for."""
    if draft.focus is not None:
        return senses[draft.focus].table
    shown = [t.slot for t in draft.outputs if t.slot is not None]
    return senses[shown[0] if shown else 0].table


def settled(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> Draft:
    """Return the draft with two tests that no single row can pass combined, as a pair of "both" or as alternatives.

    They are alternatives if each row asked for has one value: "albums by Queen and U2".
    """
    single = [group[0] for group in draft.tests if len(group) == 1 and not group[0].negated]
    for place, one in enumerate(single):
        for other in single[place + 1 :]:
            if not draft.both and _clash(one, other, senses):
                kept = [group for group in draft.tests if group[0] is not one and group[0] is not other]
                if _of_one_row(draft, senses, one, graph):
                    return replace(draft, tests=[*kept, [one, other]])
                return replace(draft, tests=kept, both=[(one, other)])
    return draft


def _of_one_row(draft: Draft, senses: tuple[Sense, ...], test: Test, graph: Graph) -> bool:
    """Return whether "A and B" means the rows with either, as each row has just one such value.

    This is its name or key, or the value of the one row that it is joined to.
    """
    about = about_table(draft, senses)
    sense = senses[test.term.slot or 0]
    if test.op != "is":
        return False
    if sense.table is not about:  # "albums by Queen and U2": an album has one artist
        trees = graph.trees((about.path, sense.table.path))
        return len(trees) == 1 and bool(trees[0].edges) and not graph.fans_out(trees[0], about.path)
    return sense.column in (*name_columns(about), *key_columns(about))


def _clash(one: Test, other: Test, senses: tuple[Sense, ...]) -> bool:
    """Return whether two tests of one column exclude each other: different values, or a range without any."""
    if one.term.slot is None or other.term.slot is None or one.term.counts or other.term.counts:
        return False
    first, second = senses[one.term.slot], senses[other.term.slot]
    if first.table is not second.table or not first.columns or first.columns != second.columns:
        return False
    values = [
        s.value if t.op == "is" else t.operand[0] if t.operand else None for s, t in ((first, one), (second, other))
    ]
    if one.op in ("is", "=") and other.op in ("is", "="):
        return str(values[0]) != str(values[1])
    ops = {one.op[:1]: values[0], other.op[:1]: values[1]}
    low, high = ops.get(">"), ops.get("<")
    return isinstance(low, (int, float)) and isinstance(high, (int, float)) and low >= high


def is_lacking(test: Test, draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a test means that no row of another table passes it, so that it needs a subquery with NOT."""
    if test.op == "lacks":
        return True
    about = about_table(draft, senses)
    return (
        test.negated
        and test.op in ("is", "=", "like", "between", ">", ">=", "<", "<=")
        and not test.term.counts
        and test.term.slot is not None
        and (senses[test.term.slot].table is not about)
    )
