"""Reject counts, sums and averages that no question asks for: of what each group has one, or of the wrong rows."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Draft, Term
from askwhere.reader.marking.formulas import REVENUE
from askwhere.reader.marking.mass_nouns import MASS_NOUNS
from askwhere.reader.marking.numeric import column_words, is_of_one_piece, numbers_in, says_pieces
from askwhere.reader.schema.edges import Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import (
    dated_headers,
    events,
    is_the_name,
    key_columns,
    name_columns,
    own_dates,
    own_key,
    refers,
)
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated, says_yes_or_no
from askwhere.reader.words.verbs import PARTICLES
from askwhere.reader.writing.scope import shown_columns, single_tests, tables_of_terms


def adds_up_repeated(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> bool:
    """Return whether a sum adds the amount of one row several times.

    The total of an order, added up by product, counts once for each product of the order; by customer, once for each
    line, if the question names lines as well. "The value of amendments" would count that of a contract once for each
    amendment, where these have a value of their own.
    """
    groups = {senses[slot].table.path for slot in draft.groups}
    groups |= {senses[slot].table.path for slot in draft.mentions} if groups else set()
    slots = [t.slot for t in draft.terms if t.agg == "sum" and t.slot is not None]
    if any(graph.meets_several(tree, senses[s].table.path, group) for s in slots for group in groups):
        return True
    owned = ((s, senses[owner].table) for s in slots if (owner := draft.slots[s].owner) is not None)
    return any(
        graph.meets_several(tree, senses[s].table.path, owner.path)
        and any(sense.columns and sense.table is owner for sense in draft.slots[s].senses)
        for s, owner in owned
    )


def adds_up_unit_prices(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a sum adds what one piece costs, `unit_price`, which is no amount that was spent on anything."""
    plain = (t.slot for t in draft.terms if t.agg == "sum" and t.slot is not None and t.other is None and not t.formula)
    return any(is_of_one_piece(c) and "unit" in column_words(c) for slot in plain for c in senses[slot].columns)


def counts_a_mass(draft: Draft) -> bool:
    """Return whether rows are counted for a mass noun, which asks how much there is: "output per site" is no count."""
    slots = (draft.slots[t.slot] for t in draft.outputs if t.rows and t.slot is not None)
    return any(slot.text.lower() in MASS_NOUNS for slot in slots)


def counts_rows_for_pieces(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether rows are counted of which each says how many pieces there are of what is asked for.

    - "How many rolls did we bake" is no number of rows of `bake`, which each have a `good_qty` and a `scrap_qty`.
    - "Crates" are no rows of `crt_mv`, which says how many are `crt_in` and `crt_out`.
    """
    valued = [(slot, s.table) for slot, s in zip(draft.slots, senses, strict=True) if s.value is not None]
    for place in (t.slot for t in draft.outputs if t.rows and t.slot is not None):
        counted, table = draft.slots[place], senses[place].table
        of_rows = [(slot, of) for slot, of in valued if slot.owner == place]  # values that restrict the counted rows
        # The value is the noun, "rolls", and the counted table is that of a verb behind it, "bake".
        by_verb = any(of != table and slot.start + len(slot.text.split()) < counted.start for slot, of in of_rows)
        by_noun = any(slot.start == counted.start for slot, _ in of_rows)
        acts = [table] if by_verb else [s.table for s in senses if refers(s.table, table)] if by_noun else []
        if any(says_pieces(column) for act in acts for column in numbers_in(act)):
            return True
        own = name_stems(table.name)
        rest = [set(words[1:]) for c in numbers_in(table) if (words := name_stems(c.name))[:1] == own[:1]]
        if senses[place].is_loose and len(own) > 1 and any(words and words <= PARTICLES for words in rest):
            return True
    return False


def computes_with_flags(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a flag is added up or averaged: "total overtime hours" are no sum of `overtime_flg`.

    Or the first few are chosen by one: what was "redone the most" has not the greatest `redo`.
    """
    slots = [t.slot for t in draft.outputs if t.slot is not None and t.agg in ("sum", "avg", "min", "max")]
    chosen_by = [key.term for key in draft.order] if draft.limit is not None else []
    slots += [t.slot for t in chosen_by if t.slot is not None and not t.rows and t.agg != "count"]
    return any(says_yes_or_no(column) for slot in slots for column in senses[slot].columns[:1])


def averages_one(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether an average is of the one row with a certain name: "average price of tea" in a list of drinks."""
    averaged = [senses[t.slot].table for t in draft.outputs if t.agg == "avg" and t.slot is not None]
    named = [senses[t.term.slot or 0] for t in single_tests(draft.tests, "is")]
    return any(s.table is table and is_the_name(table, s.columns) for s in named for table in averaged)


def counts_one(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether the query counts rows of which each group has one: "courses of more than one department"."""
    shown = {c for t in draft.outputs for c in shown_columns(t, senses)}
    groups = {senses[g].table.path for g in draft.groups if not senses[g].columns}
    keys = own_key(about)
    if draft.focus is not None and keys and shown & {(about.path, c.name) for c in (*keys, *name_columns(about))}:
        groups.add(about.path)
    counted = tables_of_terms((t for t in _counts(draft) if t.rows), senses)
    if not tree.edges:
        shown_counts = tables_of_terms((t for t in draft.outputs if t.rows), senses)
        return about.path in groups & (shown_counts | (counted if draft.focus is not None else set()))
    return any(one != other and not graph.meets_several(tree, one, other) for one in groups for other in counted)


def _counts(draft: Draft) -> Iterator[Term]:
    """Yield the aggregate terms of the tests and of the order."""
    yield from (t.term for t in draft.every_test if t.term.counts)
    yield from (k.term for k in draft.order if k.term.counts)


def counts_itself(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether rows are counted within themselves: values of a column, of which each row of its table has one.

    Or rows of the table itself, for a word that is only guessed to name it: "donors with four donations" read as
    donors with four donors.
    """
    if draft.focus is None:
        return False
    rows = [senses[t.slot] for t in _counts(draft) if t.rows and t.slot is not None and t.slot != draft.focus]
    if any(s.table is about and s.is_loose for s in rows):
        return True
    grouped = {senses[g].table.path for g in draft.groups if not senses[g].columns}
    if draft.keeps and any(s.table.path in grouped for s in rows):
        return True
    shown = {c for t in draft.outputs for c in shown_columns(t, senses)}
    one = shown & {(about.path, c.name) for c in (*key_columns(about), *name_columns(about))}
    return bool(one) and any(t.agg == "count" and senses[t.slot or 0].table is about for t in _counts(draft))


def counts_answers(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether the values of a flag are counted: "more than one official language"."""
    slots = (t.slot for t in _counts(draft) if t.agg == "count" and t.slot is not None)
    return any(senses[s].value is None and any(map(says_yes_or_no, senses[s].columns)) for s in slots)


def dates_another_event(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> bool:
    """Return whether rows are grouped by the date of another event: "customers per year" by dates of orders.

    A date of a table that the question names, directly or by a verb, is allowed, and so is that of the orders or
    invoices whose lines are added up.
    """
    done = {path for verb in draft.verbs for path, _ in graph.saying(verb)}
    spoken = {s.table.path for s, slot in zip(senses, draft.slots, strict=True) if not slot.part}
    sums = {senses[t.slot].table for t in draft.shown_or_sorted if t.agg == "sum" and t.slot is not None}
    spoken = spoken.union(*(dated_headers(table, graph.tables.values()) for table in sums))
    added = tables_of_terms((t for t in draft.shown_or_sorted if t.formula == REVENUE), senses)
    owners = (graph.tables[edge.parent] for path in added for edge in graph.edges[path])
    spoken |= {owner.path for owner in owners if own_dates(owner) or len(events(owner)) == 1}
    periods = (senses[g].table.path for g in draft.groups if draft.slots[g].part)
    return any(path not in spoken | done for path in periods)


def joins_by_another(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether things joined when people of another table did: "birds that joined in 2024" by `hire_date`.

    Rows of events, which refer to the things, may say when these joined, and so may a table that the question names.
    """
    named = {s.table.path for s in senses if not s.columns}
    joined = bool(_JOINING & set(draft.verbs))
    said = [(senses[t.slot], draft.slots[t.slot]) for t in draft.terms if t.slot is not None and not t.counts]
    said = [(s, slot) for s, slot in said if joined or stem(slot.text) in _JOINING]
    dates = [s.table for s, _ in said if s.columns and is_dated(s.column)]
    return any(t is not about and t.path not in named and not _refers_to_others(t) for t in dates)


_JOINING = frozenset(map(stem, "joined hired registered enrolled recruited".split()))


def _refers_to_others(table: Table) -> bool:
    """Return whether a table has a key to another one."""
    return any(key.target[: len(table.path)] != table.path for key in table.foreign_keys)


def counts_itself_by_name(draft: Draft, senses: tuple[Sense, ...], tree: Tree, about: Table) -> bool:
    """Return whether rows are counted that must all have one name, over a join: "how many countries border France"."""
    counted = tables_of_terms((t for t in draft.outputs if t.rows), senses)
    names = {(about.path, c.name) for c in name_columns(about)}
    named = (t.term for t in single_tests(draft.tests, "is") if not t.negated)
    return bool(tree.edges) and about.path in counted and any(names & set(shown_columns(t, senses)) for t in named)


def counts_what_is_tested(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether the values of a column are counted that must equal one value: "how many friends does Ann have"."""
    counted = {
        (senses[t.slot].table.path, c.name)
        for t in draft.outputs
        if t.agg == "count" and t.slot is not None
        for c in senses[t.slot].columns
    }
    tested = (t.term for t in single_tests(draft.tests, "is", "=") if not t.negated)
    return any(counted & set(shown_columns(term, senses)) for term in tested)
