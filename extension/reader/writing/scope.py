"""Decide which tables the main query of a bound draft joins, which of these by LEFT JOIN, and what subqueries test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import inf

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Draft, Key, Term, Test
from askwhere.reader.marking.marks import says_score
from askwhere.reader.marking.numeric import is_of_what_happened
from askwhere.reader.schema.edges import Edge, Path, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import is_the_name, is_thing, key_columns, name_columns
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.types import is_dated, is_number
from askwhere.reader.words.verbs import names_an_act, names_who

_OF_ROWS = ("", "of", "by", "for")  # prepositions before a thing that every row has: "payments by customers"
_TOTAL = frozenset({"total", "totals", "sum"})  # words that say of a column that it is added up


def tables_of(draft: Draft, senses: tuple[Sense, ...]) -> tuple[Path, ...]:
    """Return the paths of the tables that the main query joins; the table that the question asks about is first."""
    slots = [draft.focus] if draft.focus is not None else []
    slots += [slot for t in draft.outputs for slot in t.slots] + draft.groups
    nested = only_nested(draft, senses)
    counted = {t.term.slot for t in draft.every_test if t.term.counts}
    slots += [m for m in draft.mentions if m in counted or draft.slots[m].start < nested.get(senses[m].table.path, inf)]
    slots += [slot for k in draft.order for slot in k.term.slots]
    if draft.both and both_test_subject(draft, senses):
        slots += [test.term.slot for pair in draft.both for test in pair if test.term.slot is not None]
    for group in (*draft.tests, *draft.share, draft.periods):
        for test in group:
            slots += [] if is_absence(test, draft, senses) else slots_of(test)
    tables = [senses[s].table for s in slots]
    # A second table (see `roles`) is joined to nothing but the table that it stands for.
    paths = [t.path for t in tables] + [t.path[:-1] for t in tables if is_second(t)]
    paths += [t.foreign_keys[0].target for t in tables if is_role(t)]  # the table whose key gives the role
    return tuple(dict.fromkeys(paths))


def needed(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> Tree:
    """Return a tree without its idle ends: tables that are mentioned, but neither shown nor tested.

    An inner join to them would only lose the rows whose key is NULL: orders without a customer in "how many orders did
    customers place". What rows have or are in is not idle, nor is what a participle names: "flights were delayed".
    """
    mentioned = [(m, draft.slots[m]) for m in draft.mentions]
    idle = {m for m, slot in mentioned if slot.prep in _OF_ROWS and not (slot.verb or names_an_act(slot.text))}
    used = {*tables_of(replace(draft, mentions=[m for m in draft.mentions if m not in idle]), senses)}
    used |= {path[:-1] for path in used} | {s.table.path for s in senses if is_second(s.table)}
    return trimmed(tree, used)


def trimmed(tree: Tree, used: set[Path]) -> Tree:
    """Return a tree without the ends that are not `used` and to which a key refers, so that no row matches several."""
    edges = list(tree.edges)
    while spare := next((e for e in edges if e.parent not in used and e.parent in ends_of(edges)), None):
        edges.remove(spare)
    return replace(tree, edges=tuple(edges))


def ends_of(edges: Iterable[Edge]) -> set[Path]:
    """Return the tables that just one of the edges joins."""
    times = Counter(path for edge in edges for path in (edge.child, edge.parent))
    return {path for path, number in times.items() if number == 1}


def only_nested(draft: Draft, senses: tuple[Sense, ...]) -> dict[Path, int]:
    """Return the tables that subqueries test, each with the index of the word behind which it is for these alone."""
    absences = [t for t in draft.every_test if is_absence(t, draft, senses)]
    starts = {senses[s].table.path: draft.slots[s].start for t in absences for s in slots_of(t)}
    if draft.both and not both_test_subject(draft, senses):
        starts |= {senses[s].table.path: 0 for pair in draft.both for t in pair for s in slots_of(t)}
    return starts


def slots_of(test: Test) -> list[int]:
    """Return the slots that a test uses: its term's, its operands' and those that it mentions."""
    operands = [slot for o in test.operand if isinstance(o, Term) for slot in o.slots]
    return [*test.term.slots, *operands, *test.mentions]


def single_tests(groups: Iterable[list[Test]], *ops: str) -> list[Test]:
    """Return the tests that have no alternatives; with `ops` only those with one of these operators."""
    return [group[0] for group in groups if len(group) == 1 and (not ops or group[0].op in ops)]


def tables_of_terms(terms: Iterable[Term], senses: tuple[Sense, ...]) -> set[Path]:
    """Return the tables that terms are of; of a formula over two slots that of the first."""
    return {senses[term.slot].table.path for term in terms if term.slot is not None}


def both_test_subject(draft: Draft, senses: tuple[Sense, ...]) -> bool:
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


def settled_by_senses(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> Draft:
    """Return the draft with what only its senses decide: which columns are added up, and what "A and B" means.

    Two tests that no row of a column can pass become a "both", or alternatives if each row asked for has one value of
    that column: "albums by Queen and U2".
    """
    draft = _ranked_by_sums(_computed_over_rows(_added_up(draft, senses), senses, graph), senses, graph)
    single = [test for test in single_tests(draft.tests) if not test.negated]
    for place, test in enumerate(single):
        others = [other for other in single[place + 1 :] if _exclude_each_other(test, other, senses)]
        if others and not draft.both:
            kept = [group for group in draft.tests if not any(group[0] is t for t in (test, *others))]
            if _are_alternatives(draft, senses, test, others[0], graph):
                return replace(draft, tests=[*kept, [test, *others]])
            return replace(draft, tests=kept, both=[(test, *others)])
    return draft


def _added_up(draft: Draft, senses: tuple[Sense, ...]) -> Draft:
    """Return the draft with sums tested instead of totals of single rows, where another test counts these rows.

    So "more than 5 invoices and a total over 40" is 40 for all invoices together, and not for each of them.
    """
    counted = {senses[t.term.slot].table.path for t in draft.every_test if t.term.rows and t.term.slot is not None}

    def with_sum(test: Test) -> Test:
        slot = test.term.slot
        if slot is None or test.term.counts or test.op == "is" or not senses[slot].columns:
            return test
        total = bool(_TOTAL & set(draft.slots[slot].text.split())) and is_number(senses[slot].column)
        summed = total and senses[slot].table.path in counted
        return replace(test, term=replace(test.term, agg="sum")) if summed else test

    return replace(draft, tests=[[with_sum(t) for t in group] for group in draft.tests]) if counted else draft


def _computed_over_rows(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> Draft:
    """Return the draft with sums in formulas over two columns, where each thing has several rows of these.

    The cost per click of a campaign is the sum of the costs of all days, divided by the sum of their clicks.
    """
    about = about_table(draft, senses)
    shown = [senses[t.slot] for t in draft.outputs if t.slot is not None and t.other is None and not t.counts]
    # Several rows may share what names none of them: "which category has the highest stock value".
    shared = bool(shown) and not any(map(is_thing, shown))

    def with_sum(term: Term) -> Term:
        if term.other is None or term.agg:
            return term
        if draft.focus is None:
            same = any(s.columns == senses[slot].columns for s in shown for slot in term.slots)
            return replace(term, agg="sum") if shared and not same else term
        several = _has_several(about, (senses[slot].table for slot in term.slots), graph)
        return replace(term, agg="sum") if several else term

    order = [replace(key, term=with_sum(key.term)) for key in draft.order]
    ranked = [key.term for key in order if key.term.other is not None and key.term.agg] if draft.ranked else []
    outputs = [with_sum(t) for t in draft.outputs]
    return replace(
        draft,
        outputs=[*outputs, *(t for t in ranked if t not in outputs)],
        order=order,
        tests=[[replace(t, term=with_sum(t.term)) for t in group] for group in draft.tests],
    )


def _has_several(about: Table, tables: Iterable[Table], graph: Graph) -> bool:
    """Return whether a row of a table may match several of other tables, which can be joined to it in one way."""
    trees = graph.trees((about.path, *(table.path for table in tables)))
    return len(trees) == 1 and graph.fans_out(trees[0], about.path)


def _ranked_by_sums(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> Draft:
    """Return the draft ranked by the sum of a column, or by the average of a score, where each thing has several rows.

    "Which warehouse has the most stock" is the one with the greatest sum of `stock.qty`. "Top 3 importers by duty",
    where the declarations have their names in a column, are those with the greatest sums of duty.
    """
    about = about_table(draft, senses)
    only = draft.outputs[0].slot if len(draft.outputs) == 1 and not draft.outputs[0].counts else None
    named = senses[only] if only is not None and draft.focus is None and _names_parties(senses[only]) else None

    def with_sum(key: Key) -> Key:
        slot = key.term.slot
        if slot is not None and named and not key.term.counts and not draft.groups and draft.ranked:
            summed = senses[slot].table is named.table and is_of_what_happened(senses[slot].column)
            return replace(key, term=Term(slot, agg="sum")) if summed else key
        if slot is None or key.term.counts or not senses[slot].columns or senses[slot].table is about:
            return key
        score = says_score(senses[slot].column)
        rated = score and draft.slots[slot].text.endswith("rated")  # "best rated product", where reviews have stars
        if not key.term.distinct and not rated:
            return key
        several = _has_several(about, [senses[slot].table], graph)
        return replace(key, term=Term(slot, agg="avg" if score else "sum")) if several else key

    order = [with_sum(key) for key in draft.order]
    sums = [key.term for key in order if key.term.agg and key not in draft.order]
    ranked_by = (sums if draft.ranked else []) or _own_amounts(draft, senses)
    return replace(draft, order=order, outputs=[*draft.outputs, *ranked_by])


def _own_amounts(draft: Draft, senses: tuple[Sense, ...]) -> list[Term]:
    """Return the columns of things that these are ranked by and that are not shown: "top 5 cities by population"."""
    about = about_table(draft, senses)
    if not draft.ranked or draft.focus is None or len(draft.outputs) != 1 or draft.outputs[0].counts or draft.groups:
        return []
    shown = {c for t in draft.outputs if t.slot is not None for c in senses[t.slot].columns or name_columns(about)}
    keys = [k.term for k in draft.order if not (k.term.counts or k.term.formula or k.term.other)]
    slots = (term.slot for term in keys if term.slot is not None)
    return [Term(s) for s in slots if senses[s].table is about and set(senses[s].columns) - shown]


def _names_parties(sense: Sense) -> bool:
    """Return whether a sense is a column of events for the names of who takes part: `importer_name` of declarations."""
    events = any(map(is_dated, sense.table.columns))
    if len(sense.columns) != 1 or is_the_name(sense.table, sense.columns) or not events:
        return False
    return "name" in full_stems(sense.column.name) or any(map(names_who, cut_name(sense.column.name)))


def _are_alternatives(draft: Draft, senses: tuple[Sense, ...], test: Test, other: Test, graph: Graph) -> bool:
    """Return whether "A and B" means the rows with either, as each row asked for has just one such value.

    - A column of another table: if each row is joined to one row of that, "albums by Queen and U2".
    - Its name or key: always; another column of its own: if rows are asked for, or numbers over them, "names of
      suppliers in Germany and France".
    - Two ranges without a common value: never, as they are of different rows.
    """
    about = about_table(draft, senses)
    sense = senses[test.term.slot or 0]
    if test.op not in ("is", "=", "during"):
        return False
    if sense.table is not about:
        trees = graph.trees((about.path, sense.table.path))
        return len(trees) == 1 and bool(trees[0].edges) and not graph.fans_out(trees[0], about.path)
    listed = _are_side_by_side(draft, test, other)
    return _shows_rows(draft, senses, listed) or sense.column in (*name_columns(about), *key_columns(about))


def _are_side_by_side(draft: Draft, one: Test, other: Test) -> bool:
    """Return whether the values of two tests stand side by side: "in Rome and Oslo"."""
    first, second = draft.slots[one.term.slot or 0], draft.slots[other.term.slot or 0]
    return one.op != "is" or 0 < second.start - first.start - len(first.text.split()) <= 2


def _shows_rows(draft: Draft, senses: tuple[Sense, ...], listed: bool) -> bool:
    """Return whether the question asks for rows of the table that it is about, or for numbers over them.

    If the values stand side by side (`listed`), it may also ask for a column of these rows, "phones of suppliers".
    """
    about = about_table(draft, senses)
    shown = [t for t in draft.outputs if t.slot is not None and senses[t.slot].table is about]
    return draft.star is not None or any(t.counts or _shows_thing(draft, senses, t.slot or 0, listed) for t in shown)


def _shows_thing(draft: Draft, senses: tuple[Sense, ...], slot: int, listed: bool) -> bool:
    """Return whether an output is a thing or its name or, with `listed`, a column that is said to be its own."""
    sense, owner = senses[slot], draft.slots[slot].owner if draft.slots[slot].firm else None
    own = listed and owner is not None and senses[owner].table is sense.table
    return not sense.columns or own or bool(set(sense.columns) & {*name_columns(sense.table)})


def _exclude_each_other(one: Test, other: Test, senses: tuple[Sense, ...]) -> bool:
    """Return whether two tests of one column exclude each other: two values, or ranges that do not meet."""
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
    if one.op == other.op == "during":
        return one.operand != other.operand
    ops = {one.op[:1]: values[0], other.op[:1]: values[1]}
    low, high = ops.get(">"), ops.get("<")
    return isinstance(low, (int, float)) and isinstance(high, (int, float)) and low >= high


def is_absence(test: Test, draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a test is that no row of another table passes something, which is written as NOT IN."""
    if test.op == "lacks":
        return True
    about = about_table(draft, senses)
    return (
        test.negated
        and test.op in ("is", "=", "like", "between", "during", ">", ">=", "<", "<=")
        and not (test.term.counts or test.of_rows)
        and test.term.slot is not None
        and senses[test.term.slot].table is not about
    )


def preserved_table(draft: Draft, senses: tuple[Sense, ...]) -> Path | None:
    """Return the table whose rows are all shown with `keeps`: the only one that is shown or grouped by, None for more.

    Where nothing is counted, "bands and their drummers", it is the one that is shown first.
    """
    shown = [t.slot for t in draft.outputs if not t.counts and t.slot is not None]
    if shown and len(shown) == len(draft.outputs) and not draft.groups:
        return senses[shown[0]].table.path
    slots = {*shown, *draft.groups}
    tables = {senses[slot].table.path for slot in slots}
    return next(iter(tables)) if len(tables) == 1 and not any(draft.slots[slot].part for slot in slots) else None


def optional_tables(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> frozenset[Path]:
    """Return the tables of a tree to join by LEFT JOIN, so that rows without a match count as well."""
    tables = tree.paths
    if draft.keeps:
        return frozenset(tables - {preserved_table(draft, senses)})
    if not draft.share:
        return frozenset()
    used = set(tables_of(replace(draft, share=[]), senses))
    return frozenset(tables - used - trimmed(tree, used).paths)


def shown_columns(term: Term, senses: tuple[Sense, ...]) -> list[tuple[Path, str]]:
    """Return the columns, as (table, name), that a term without an aggregate shows."""
    if term.slot is None or term.counts:
        return []
    sense = senses[term.slot]
    return [(sense.table.path, c.name) for c in sense.columns or name_columns(sense.table)]
