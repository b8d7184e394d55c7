"""Doubt queries that are hardly what was asked, however well the words fit.

Each rule is a predicate over the draft, its senses, and the joins. A new rule needs a line in `doubt`.
"""

from __future__ import annotations

from itertools import combinations

from askwhere.engine import Column, Table
from askwhere.reader.grammar.draft import Draft, Test
from askwhere.reader.marking.numeric import is_key
from askwhere.reader.schema.edges import Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.denials import is_denied
from askwhere.reader.words.english import says_percent, stems
from askwhere.reader.words.names import asks_for_key, cut_name, full_stems
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_date, is_number, is_year, says_yes_or_no
from askwhere.reader.writing.borrowed import borrowed
from askwhere.reader.writing.counted import (
    adds_up_repeated,
    adds_up_unit_prices,
    averages_one,
    computes_with_flags,
    counts_a_mass,
    counts_answers,
    counts_itself,
    counts_itself_by_name,
    counts_one,
    counts_rows_for_pieces,
    counts_what_is_tested,
    dates_another_event,
    joins_by_another,
)
from askwhere.reader.writing.joining import done_elsewhere, joins_unrelated, who_is_far
from askwhere.reader.writing.scope import about_table, both_test_subject, shown_columns, single_tests, tables_of_terms

_WAY = {"from", "to"}
_IN_A_YEAR = {"per", "a", "each", "this", "last", "prev", "previous"}  # `hours_this_year` are amounts
_NAMING = ("called", "named", "whose")
_COUNT = "count"  # as a stem
_RANGES = ("between", "<", "<=", ">", ">=")
_REJECTED = 9.0  # so much doubt that no reading is accepted
_UNLIKELY = 0.6  # so much that another reading is taken where there is one
_STATED = 0.3  # the doubt where only a part of what is shown is stated by the question itself


def doubt(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> float:
    """Return what a bound draft with these joins loses of its score: 0 without an objection, `_REJECTED` at most."""
    about = about_table(draft, senses)
    if (
        joins_unrelated(draft, senses, tree, graph, about)
        or counts_one(draft, senses, tree, graph, about)
        or counts_itself(draft, senses, about)
        or _noun_as_value(draft, senses, about)
        or dates_another_event(draft, senses, graph)
        or joins_by_another(draft, senses, about)
        or borrowed(draft, senses, tree, graph)
        or counts_answers(draft, senses)
        or counts_itself_by_name(draft, senses, tree, about)
        or counts_what_is_tested(draft, senses)
        or _denied_of_rows(draft, senses, tree, graph, about)
        or _both_of_another(draft, senses, about)
        or _both_of_two_columns(draft, senses)
        or done_elsewhere(draft, senses, tree)
        or who_is_far(draft, senses, tree, graph)
        or _from_and_to(draft)
        or adds_up_repeated(draft, senses, tree, graph)
        or adds_up_unit_prices(draft, senses)
        or _within_and_not(draft, senses, about)
    ):
        return _REJECTED
    if averages_one(draft, senses):
        return _UNLIKELY
    if (
        _tested_twice(draft, senses)
        or _yes_and_no(draft, senses)
        or _shows_years_as_ages(draft, senses)
        or _of_two_values(draft, senses)
        or _missing_yet_tested(draft, senses)
        or _measured_before_its_end(draft, senses)
        or _guessed_again(senses)
        or _ranges_over_keys(draft, senses)
        or _lacks_a_name(draft, senses)
        or computes_with_flags(draft, senses)
        or counts_a_mass(draft)
        or counts_rows_for_pieces(draft, senses)
        or _adds_up_no_amounts(draft, senses)
        or _groups_by_a_count(draft, senses)
        or _sorts_by_a_flag(draft, senses)
    ):
        return _REJECTED
    return _states_answer(draft, senses, tree)


def _from_and_to(draft: Draft) -> bool:
    """Return whether "from A to B" was read as alternatives, A or B, of one column."""
    return any({draft.slots[t.term.slot].prep for t in g if t.term.slot is not None} >= _WAY for g in draft.tests)


def _ranges_over_keys(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a key is compared that no word names: "sales between 2022 and 2023" are no keys of sales."""
    ranged = (t.term.slot for g in draft.tests for t in g if t.op in _RANGES and not t.term.counts)
    slots = ((draft.slots[slot], senses[slot]) for slot in ranged if slot is not None)
    keys = (slot for slot, s in slots if any(is_key(s.table, c) for c in s.columns[:1]))
    return any(not asks_for_key(slot.text) for slot in keys)


def _lacks_a_name(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether the column that names things must be NULL or not, without a word for it: "players with a title".

    "How many pianos have no serial number" has one, where that is their name; a list of these would show nothing.
    """
    asked = (t.term.slot for g in (*draft.tests, *draft.share) for t in g if t.op == "null" and not t.term.counts)
    slots = ((draft.slots[slot], senses[slot]) for slot in asked if slot is not None)
    named = ((slot, s) for slot, s in slots if s.columns and set(s.columns) <= set(name_columns(s.table)))
    counted = all(term.counts for term in draft.outputs)
    unsaid = (slot for slot, s in named if not (counted and {*full_stems(s.columns[0].name)} <= {*stems(slot.text)}))
    return any("name" not in slot.text for slot in unsaid)


def _adds_up_no_amounts(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether years are added up, `rent_year` for a "total rent", or percentages that no word calls so.

    A "total commission" is no sum of `comm_pct`.
    """
    slots = [t.slot for t in draft.shown_or_sorted if t.agg == "sum" and not t.formula]
    named = [(draft.slots[s].text, senses[s].column) for s in slots if s is not None and senses[s].columns]
    percent = any(says_percent(" ".join(cut_name(column.name))) and not says_percent(text) for text, column in named)
    return percent or any(is_year(column) and not _IN_A_YEAR & set(cut_name(column.name)) for _, column in named)


def _groups_by_a_count(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether rows are grouped by how many things each has: a price "per word" is not for each `word_count`."""
    slots = [(draft.slots[group], senses[group]) for group in draft.groups]
    counts = [slot for slot, s in slots if s.columns and _COUNT in full_stems(s.column.name) and is_number(s.column)]
    return any(_COUNT not in stems(slot.text) for slot in counts)


def _sorts_by_a_flag(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a list is sorted by a flag that it does not show: "commits by bots" are those of bots."""
    keys = [key.term for key in draft.order if key.term not in draft.outputs and not key.term.counts]
    sorted_by = [senses[term.slot].columns for term in keys if term.slot is not None]
    return any(len(columns) == 1 and says_yes_or_no(columns[0]) for columns in sorted_by)


def _guessed_again(senses: tuple[Sense, ...]) -> bool:
    """Return whether a word is guessed to name a table that another one names: "yoga" in "yoga classes" says which."""
    named = {s.table.path for s in senses if not s.columns and s.chance == 1}
    return any(s.chance < 1 and not s.columns and s.table.path in named for s in senses)


def _missing_yet_tested(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a column must be NULL and pass another test: "unpaid bills over 2000", by the date of payment."""
    single = [(t, senses[t.term.slot]) for t in single_tests(draft.tests) if t.term.slot is not None]
    columns = [((s.table.path, s.columns), t.op == "null" and not t.negated) for t, s in single if s.columns]
    missing = {column for column, empty in columns if empty}
    return any(column in missing and not empty for column, empty in columns)


def _measured_before_its_end(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether the time up to an end is computed of what must not have ended: "the longest open ticket"."""
    lasting = (senses[t.term.slot] for t in draft.every_test if t.op == "lasts" and t.term.slot is not None)
    ends = {(s.table.path, column) for s in lasting for column in s.columns}
    measured = (senses[t.slot] for t in draft.terms if t.formula and t.slot is not None)
    return any((s.table.path, column) in ends for s in measured for column in s.columns)


def _within_and_not(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether "in 2020 but not in 2021" tests two different dates, or the only date of each thing."""
    outer = draft.every_test
    tests = [(t, t.negated) for t in outer] + [(inner, not inner.negated) for t in outer for inner in t.tests]
    dated = [(t, denied) for t, denied in tests if t.op in ("=", "during") and _is_of_a_date(t, senses)]
    included = {_column_of(t, senses) for t, denied in dated if not denied}
    excluded = {_column_of(t, senses) for t, denied in dated if denied and draft.slots[t.term.slot or 0].text.isdigit()}
    if not included or not excluded:
        return False
    return included != excluded or any(table is about for table, _ in excluded)


def _column_of(test: Test, senses: tuple[Sense, ...]) -> tuple[Table, tuple[Column, ...]]:
    """Return the table and the columns of the slot that is tested."""
    sense = senses[test.term.slot or 0]
    return sense.table, sense.columns


def _is_of_a_date(test: Test, senses: tuple[Sense, ...]) -> bool:
    """Return whether a date or year is tested."""
    columns = senses[test.term.slot].columns if test.term.slot is not None and not test.term.counts else ()
    return any(is_date(c) or is_year(c) for c in columns)


def _tested_twice(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether one column must equal one value twice: "which consultant is the oldest consultant"."""
    values = (senses[t.term.slot or 0] for t in single_tests(draft.tests, "is"))
    tested = [(s.table.path, s.columns, s.value) for s in values]
    return any(column in tested[:place] for place, column in enumerate(tested))


def _shows_years_as_ages(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether years are shown, or averaged, where the question asks for ages: "average age" of `year_built`."""
    shown = (t.slot for t in draft.outputs if t.slot is not None and not t.formula)
    aged = (senses[slot] for slot in shown if {"age", "ages"} & set(draft.slots[slot].text.split()))
    return any(is_year(column) for sense in aged for column in sense.columns)


def _yes_and_no(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a flag must be set and not set: "the deposit was not paid", of `deposit_paid`."""
    flags = [(*_column_of(t, senses), t.negated) for t in single_tests(draft.tests, "true")]
    return any((table, columns, not negated) in flags for table, columns, negated in flags)


def _of_two_values(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether rows of a share must have two values in one column: "through the web shop", `web` and `shop`."""
    columns = [_column_of(t, senses) for t in single_tests(draft.share, "is") if not t.negated]
    return any(first == second for first, second in combinations(columns, 2))


def _denied_of_rows(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether a negated test is of rows of which a shown row may have several: "people not in Chess as a club".

    The question may mean that none of these rows passes the test, and a condition on joined rows does not say so. But
    "people with failed tests" have at least one.
    """
    shown = tables_of_terms((t for t in draft.outputs if not t.counts), senses)
    denied = [t for g in draft.tests for t in g if _denies(t) and t.term.slot is not None and t.op != "lacks"]
    denied = [t for t in denied if not _names_denial(draft, senses, t.term.slot or 0)]
    rows = {senses[t.term.slot or 0].table.path for t in denied} & {about.path}
    if not tree.edges or any(t.slot is not None and draft.slots[t.slot].firm for t in draft.outputs):
        return False
    return any(one != other and graph.meets_several(tree, one, other) for one in shown for other in rows)


def _denies(test: Test) -> bool:
    """Return whether a test denies something of a row. That a value is not NULL, "paid bills", denies nothing."""
    return test.negated != (test.op == "null")


def _names_denial(draft: Draft, senses: tuple[Sense, ...], place: int) -> bool:
    """Return whether the word of a slot denies what it names by itself: "failed", of `passed`."""
    return is_denied(draft.slots[place].text, senses[place].columns, senses[place].value)


def _both_of_another(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether "both" tests rows of the table that the question is about, but others are shown."""
    shown = tables_of_terms((t for t in draft.outputs if not t.counts), senses)
    return bool(draft.both) and not both_test_subject(draft, senses) and bool(shown) and about.path not in shown


def _both_of_two_columns(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a "both" compares two different columns: "picked in both 2022 and 2024"."""
    pairs = ([_column_of(t, senses) for t in pair if t.op in ("=", "during")] for pair in draft.both)
    return any(first != second for pair in pairs for first, second in combinations(pair, 2))


def _noun_as_value(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether a question's only noun, in lower case, was read as a capitalised value of another table."""
    if draft.focus is not None:
        return False
    for test in (t for t in draft.every_test if t.op == "is" and t.term.slot is not None):
        slot, sense = draft.slots[test.term.slot or 0], senses[test.term.slot or 0]
        if slot.owner in draft.groups or (slot.prep and slot.prep not in _NAMING):
            continue  # "pints per bartender", "revenue from lettuce"
        noun, value = slot.text, str(sense.value)
        kind = noun == value.lower() and not is_singular(noun)  # a plural may be a category: "beverages", `Beverages`
        if noun.islower() and " " not in noun and not (value.islower() or kind) and sense.table is not about:
            return True
    return False


def _states_answer(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> float:
    """Return the doubt where a question would state its own answer, as "the name of France" does.

    It is `_REJECTED`, or `_STATED` if other columns are shown as well. A month of a year is not stated by the year.
    A key that is tested states the one that it refers to.
    """
    whole = [t for t in draft.outputs if not t.counts and (t.slot is None or draft.slots[t.slot].part in ("", "year"))]
    shown = {c for t in whole for c in shown_columns(t, senses)}
    tests = [t for t in single_tests(draft.tests, "is", "=") if not t.negated]
    plain = [t.term for t in tests if not t.term.counts and t.term.slot is not None]
    stated = {c for t in plain if draft.slots[t.slot or 0].prep not in _NAMING for c in shown_columns(t, senses)}
    keys = {((e.child, c), (e.parent, t)) for e in tree.edges for c, t in zip(e.columns, e.target_columns, strict=True)}
    stated |= {target for column, target in keys if column in stated}
    if not shown & stated:
        return 0.0
    return _REJECTED if shown <= stated and len(whole) == sum(not t.counts for t in draft.outputs) else _STATED
