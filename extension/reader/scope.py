"""What a bound draft is about: the tables of its query, and which tests are of rows that must not be there."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.draft import Draft, Term, Test
from askwhere.reader.joins import Graph, Path
from askwhere.reader.lexicon import Sense
from askwhere.reader.naming import key_columns, name_columns
from askwhere.reader.seconds import is_second


def tables_of(draft: Draft, senses: tuple[Sense, ...]) -> tuple[Path, ...]:
    """The tables of the main query, the one that the question is about first."""
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
    # Managers are those whom an employee refers to: a second table goes with its first.
    paths = [t.path for t in tables] + [t.path[:-1] for t in tables if is_second(t)]
    return tuple(dict.fromkeys(paths))


def apart(draft: Draft, senses: tuple[Sense, ...]) -> dict[Path, int]:
    """The tables that subqueries test, and from which word on they are spoken of only there."""
    away = [t for group in draft.tests for t in group if is_lacking(t, draft, senses)]
    found = {senses[s].table.path: draft.slots[s].start for t in away for s in slots_of(t)}
    if draft.both and not within(draft, senses):
        found |= {senses[s].table.path: 0 for pair in draft.both for t in pair for s in slots_of(t)}
    return found


def slots_of(test: Test) -> list[int]:
    """The slots that a test speaks of."""
    found = [test.term.slot] if test.term.slot is not None else []
    found += [o.slot for o in test.operand if isinstance(o, Term) and o.slot is not None]
    return [*found, *test.mentions]


def within(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Whether the two halves of "both" test the rows that are asked for, and not others joined to them."""
    about = about_table(draft, senses)
    return all(
        senses[test.term.slot].table is about for pair in draft.both for test in pair if test.term.slot is not None
    )


def about_table(draft: Draft, senses: tuple[Sense, ...]) -> Table:
    """The table whose rows the question asks for."""
    if draft.focus is not None:
        return senses[draft.focus].table
    shown = [t.slot for t in draft.outputs if t.slot is not None]
    return senses[shown[0] if shown else 0].table


def settled(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> Draft:
    """The draft with two tests of one column that no row can pass together taken as "both"."""
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
    """Whether "France and Germany" are of two rows of what is asked for, so that either may be meant by each row."""
    about = about_table(draft, senses)
    sense = senses[test.term.slot or 0]
    if test.op != "is":
        return False
    if sense.table is not about:  # "albums by Queen and U2": an album has one artist
        trees = graph.trees((about.path, sense.table.path))
        return len(trees) == 1 and bool(trees[0].edges) and not graph.fans_out(trees[0], about.path)
    return sense.column in (*name_columns(about), *key_columns(about))


def _clash(one: Test, other: Test, senses: tuple[Sense, ...]) -> bool:
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
    """Whether a test is that there is no such row in another table."""
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
