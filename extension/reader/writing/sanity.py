"""Rules that reject queries which cannot be what was asked, however well the words fit.

Each rule is a function over the draft, its senses, and the joins. A new rule needs a line in `doubt`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Draft, Term, Test
from askwhere.reader.marking.formulas import REVENUE
from askwhere.reader.marking.numeric import is_key
from askwhere.reader.schema.joins import Edge, Graph, Path, Tree
from askwhere.reader.schema.naming import events, is_the_name, key_columns, name_columns, own_dates, own_key
from askwhere.reader.schema.roles import LEADING, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import asks_for_key
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_date, is_year, says_yes_or_no
from askwhere.reader.writing.borrowed import borrowed
from askwhere.reader.writing.scope import about_table, within

_WAY = {"from", "to"}
_NAMING = ("called", "named", "whose")
_RANGES = ("between", "<", "<=", ">", ">=")
_SURE = 9.0  # so much doubt that no reading is accepted
_UNLIKELY = 0.6  # so much that another reading is taken where there is one


def doubt(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> float:
    """Return how unlikely it is that a bound draft with these joins is what was asked.

    0 means no objection, and `_SURE` that a rule rejects it.
    """
    about = about_table(draft, senses)
    if unrelated(draft, senses, tree, graph, about) or _counts_one(draft, senses, tree, graph, about):
        return _SURE
    if _counts_itself(draft, senses, about) or _noun_as_value(draft, senses, about):
        return _SURE
    if _undated(draft, senses, graph) or borrowed(draft, senses, tree, graph):
        return _SURE
    if _counts_answers(draft, senses) or _counts_itself_by_name(draft, senses, tree, about):
        return _SURE
    if _counts_what_is_tested(draft, senses) or _denied_of_rows(draft, senses, tree, graph, about):
        return _SURE
    if _both_of_another(draft, senses, about) or _done_elsewhere(draft, senses, tree):
        return _SURE
    if any({draft.slots[t.term.slot].prep for t in g if t.term.slot is not None} >= _WAY for g in draft.tests):
        return _SURE  # "from A to B" are no alternatives of one column
    if _adds_up_repeated(draft, senses, tree, graph):
        return _SURE
    if _within_and_not(draft, senses, about):
        return _SURE
    if _averages_one(draft, senses):
        return _UNLIKELY
    if _tested_twice(draft, senses) or _missing_yet_tested(draft, senses) or _guessed_again(senses):
        return _SURE
    if _ranges_over_keys(draft, senses) or _lacks_a_name(draft, senses) or _computes_with_flags(draft, senses):
        return _SURE
    return _answered(draft, senses)


def _adds_up_repeated(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> bool:
    """Return whether amounts of one table are added up by groups of which a row may be in several.

    The total of an order, added up by product, counts once for each product of the order.
    """
    groups = {senses[slot].table.path for slot in draft.groups}
    terms = (*draft.outputs, *(key.term for key in draft.order), *(t.term for tests in draft.tests for t in tests))
    added = {senses[t.slot].table.path for t in terms if t.agg == "sum" and t.slot is not None}
    return any(graph.meets_several(tree, one, group) for one in added for group in groups)


def _ranges_over_keys(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a key that no word names is compared: "sales between 2022 and 2023" are no keys of sales."""
    ranged = (t.term.slot for g in draft.tests for t in g if t.op in _RANGES and not t.term.counts)
    slots = ((draft.slots[slot], senses[slot]) for slot in ranged if slot is not None)
    keys = (slot for slot, s in slots if any(is_key(s.table, c) for c in s.columns[:1]))
    return any(not asks_for_key(slot.text) for slot in keys)


def _computes_with_flags(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether what is yes or no is added up or averaged: "total overtime hours" are no sum of `overtime_flg`."""
    slots = (t.slot for t in draft.outputs if t.slot is not None and t.agg in ("sum", "avg", "min", "max"))
    return any(says_yes_or_no(column) for slot in slots for column in senses[slot].columns[:1])


def _lacks_a_name(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether things are told apart by whether they have a name, which no word says: "players with a title"."""
    asked = (t.term.slot for g in (*draft.tests, *draft.share) for t in g if t.op == "null" and not t.term.counts)
    slots = ((draft.slots[slot], senses[slot]) for slot in asked if slot is not None)
    named = (slot for slot, s in slots if s.columns and set(s.columns) <= set(name_columns(s.table)))
    return any("name" not in slot.text for slot in named)


def _guessed_again(senses: tuple[Sense, ...]) -> bool:
    """Return whether a word is guessed to name a table that another word names: in "yoga classes" it says which."""
    named = {s.table.path for s in senses if not s.columns and s.chance == 1}
    return any(s.chance < 1 and not s.columns and s.table.path in named for s in senses)


def _missing_yet_tested(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether a column must lack a value and pass a test: "unpaid bills over 2000" by the date of payment."""
    single = [(g[0], senses[g[0].term.slot]) for g in draft.tests if len(g) == 1 and g[0].term.slot is not None]
    columns = [((s.table.path, s.columns), t.op == "null" and not t.negated) for t, s in single if s.columns]
    missing = {column for column, empty in columns if empty}
    return any(column in missing and not empty for column, empty in columns)


def _averages_one(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether an average is of the one row that a name tells: the price of tea in a list has no average."""
    averaged = [senses[t.slot].table for t in draft.outputs if t.agg == "avg" and t.slot is not None]
    named = [senses[g[0].term.slot or 0] for g in draft.tests if len(g) == 1 and g[0].op == "is"]
    return any(s.table is table and is_the_name(table, s.columns) for s in named for table in averaged)


def _within_and_not(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether "in 2020 but not in 2021" is of one date of each thing, or of two: what was done then is meant."""
    tests = [(t, False) for g in draft.tests for t in g] + [(t, True) for g in draft.tests for o in g for t in o.tests]
    dated = [(t, lacks) for t, lacks in tests if t.op in ("=", "during") and _is_of_a_date(t, senses)]
    dates = {out: {(senses[t.term.slot or 0].table, senses[t.term.slot or 0].columns) for t, lacks in dated
                   if (t.negated != lacks) is out and (not out or draft.slots[t.term.slot or 0].text.isdigit())}
             for out in (True, False)}  # fmt: skip
    return all(dates.values()) and (dates[True] != dates[False] or any(table is about for table, _ in dates[True]))


def _is_of_a_date(test: Test, senses: tuple[Sense, ...]) -> bool:
    """Return whether a date or year is tested."""
    columns = senses[test.term.slot].columns if test.term.slot is not None and not test.term.counts else ()
    return any(is_date(c) or is_year(c) for c in columns)


def _tested_twice(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether one column must equal one value twice: "which consultant is the oldest consultant"."""
    single = [g[0] for g in draft.tests if len(g) == 1 and g[0].op == "is" and g[0].term.slot is not None]
    said = [(senses[t.term.slot or 0].table.path, senses[t.term.slot or 0].columns, senses[t.term.slot or 0].value)
            for t in single]  # fmt: skip
    return any(one in said[:place] for place, one in enumerate(said))


def left_out(
    verbs: Iterable[str], senses: tuple[Sense, ...], edges: Iterable[Edge], graph: Graph, about: Table
) -> bool:
    """Return whether a verb names a table or column that the query does not use: "sold" without the sales.

    `senses` and `edges` are what the query uses, and `about` is the table whose rows are asked for.
    """
    used = {(about.path, ""), *((s.table.path, "") for s in senses)}
    used |= {(s.table.path, c.name) for s in senses for c in s.columns}
    acts = (about, *(s.table for s in senses if not s.columns))  # "which jobs did Ann order", "who ordered no jobs"
    used |= {(t.path, c.name) for t in acts for c in (own_dates(t) or events(t))[:1]}
    for edge in edges:
        used |= {(edge.child, ""), (edge.parent, ""), *((edge.child, c) for c in edge.columns)}
    targets = {key.target for key in about.foreign_keys} & graph.tables.keys()  # excluded tables are not in the graph
    seconds = {path for path in targets if is_second(graph.tables[path])}
    led = any((path, "") in used for path in seconds)
    if LEADING & set(verbs) and seconds and not led:
        return True  # "employees who report to Ann" needs a join to the table of those above them
    verbs = [verb for verb in verbs if not (led and verb in LEADING)]
    return any(found and not found & used for found in map(graph.saying, verbs))


def unrelated(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether two tables are joined only because their rows belong to the same row of a third.

    The students and courses of one department are no courses that the students take. It is allowed if the third table
    is the one asked for ("departments with students and courses") or has conditions but is not named ("cities in Asia
    where Chinese is spoken", where both are facts about the country).
    """
    children: dict[Path, set[Path]] = defaultdict(set)
    for edge in tree.edges:
        if not graph.is_unique(edge):
            children[edge.parent].add(edge.child)
    named = {s.table.path for s in senses if not s.columns}
    tested = {senses[t.term.slot].table.path for g in draft.tests for t in g if t.term.slot is not None}
    return any(
        len(found) > 1 for parent, found in children.items() if parent != about.path and parent not in tested - named
    )


def _counts_one(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether the query counts rows of which each group has one: "courses of more than one department"."""
    if not tree.edges:
        return False
    shown = {c for t in draft.outputs for c in _columns(t, senses)}
    groups = {senses[g].table.path for g in draft.groups if not senses[g].columns}
    keys = own_key(about)
    if draft.focus is not None and keys and shown & {(about.path, c.name) for c in (*keys, *name_columns(about))}:
        groups.add(about.path)
    counted = {senses[t.slot].table.path for t in _counts(draft) if t.rows and t.slot is not None}
    return any(one != other and not graph.meets_several(tree, one, other) for one in groups for other in counted)


def _counts(draft: Draft) -> Iterator[Term]:
    """Yield the aggregate terms of the tests and of the order."""
    yield from (t.term for group in draft.tests for t in group if t.term.counts)
    yield from (k.term for k in draft.order if k.term.counts)


def _counts_itself(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether a column's values are counted for each row of its own table, which has just one value."""
    if draft.focus is None:
        return False
    shown = {c for t in draft.outputs for c in _columns(t, senses)}
    one = shown & {(about.path, c.name) for c in (*key_columns(about), *name_columns(about))}
    return bool(one) and any(t.agg == "count" and senses[t.slot or 0].table is about for t in _counts(draft))


def _counts_answers(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether the values of a yes-or-no column are counted: "more than one official language"."""
    slots = (t.slot for t in _counts(draft) if t.agg == "count" and t.slot is not None)
    return any(senses[s].value is None and any(map(says_yes_or_no, senses[s].columns)) for s in slots)


def _undated(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> bool:
    """Return whether rows are grouped by the date of another event: "customers per year" by dates of orders.

    A date of a table that the question names, directly or by a verb, is allowed, and so is that of the orders or
    invoices whose lines are added up as revenue.
    """
    done = {path for verb in draft.verbs for path, _ in graph.saying(verb)}
    spoken = {s.table.path for s, slot in zip(senses, draft.slots, strict=True) if not slot.part}
    added = {senses[t.slot].table.path for t in draft.outputs if t.formula == REVENUE and t.slot is not None}
    spoken |= {edge.parent for path in added for edge in graph.edges[path] if own_dates(graph.tables[edge.parent])}
    periods = (senses[g].table.path for g in draft.groups if draft.slots[g].part)
    return any(path not in spoken | done for path in periods)


def _counts_itself_by_name(draft: Draft, senses: tuple[Sense, ...], tree: Tree, about: Table) -> bool:
    """Return whether the rows counted over a join are restricted to one name: "how many countries border France"."""
    counted = (senses[t.slot].table.path for t in draft.outputs if t.rows and t.slot is not None)
    names = {(about.path, c.name) for c in name_columns(about)}
    single = (g[0].term for g in draft.tests if len(g) == 1 and g[0].op == "is" and not g[0].negated)
    return bool(tree.edges) and about.path in counted and any(names & set(_columns(t, senses)) for t in single)


def _counts_what_is_tested(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Return whether values are counted in a column that must equal one value: "how many friends does Ann have"."""
    counted = {
        (senses[t.slot].table.path, c.name)
        for t in draft.outputs
        if t.agg == "count" and t.slot is not None
        for c in senses[t.slot].columns
    }
    single = (g[0].term for g in draft.tests if len(g) == 1 and g[0].op in ("is", "=") and not g[0].negated)
    return any(counted & set(_columns(term, senses)) for term in single)


def _denied_of_rows(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether a negated test is on rows of which a shown row may have several.

    "People not in Chess as a club" is one: the question may mean that none of these rows passes the test, which a
    condition on the joined rows does not say.
    """
    shown = {senses[t.slot].table.path for t in draft.outputs if t.slot is not None and not t.counts}
    denied = [t for g in draft.tests for t in g if t.negated and t.term.slot is not None and t.op != "lacks"]
    rows = {senses[t.term.slot or 0].table.path for t in denied} & {about.path}
    if not tree.edges or any(t.slot is not None and draft.slots[t.slot].firm for t in draft.outputs):
        return False
    return any(one != other and graph.meets_several(tree, one, other) for one in shown for other in rows)


def _both_of_another(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether the table that "both" is about is not the one whose columns are shown."""
    shown = {senses[t.slot].table.path for t in draft.outputs if t.slot is not None and not t.counts}
    return bool(draft.both) and not within(draft, senses) and bool(shown) and about.path not in shown


def _done_elsewhere(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> bool:
    """Return whether a verb was read as a table that the query could do without.

    "Students who live in Oslo", where the city is a column of students, are not those with a room in a dormitory.
    """
    if draft.both or any(k.term.slot is None for k in draft.order):
        return False
    spoken = [m for m in draft.mentions if not senses[m].columns and draft.slots[m].verb and m != draft.focus]
    last = max((slot.start for slot, sense in zip(draft.slots, senses, strict=True) if sense.columns), default=0)
    named = any(sense.value is not None for sense in senses)
    spoken = [m for m in spoken if named or draft.slots[m].start < last]
    others = {s.table.path for i, s in enumerate(senses) if i not in spoken}
    ends = {
        p for e in tree.edges for p in (e.child, e.parent) if sum(p in (o.child, o.parent) for o in tree.edges) == 1
    }
    return any(senses[m].table.path in ends - others for m in spoken)


def _noun_as_value(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Return whether a question's only noun, in lower case, was read as a capitalised value of another table."""
    if draft.focus is not None:
        return False
    for test in (t for group in draft.tests for t in group if t.op == "is" and t.term.slot is not None):
        said, sense = draft.slots[test.term.slot or 0].text, senses[test.term.slot or 0]
        spelt = str(sense.value)
        kind = said == spelt.lower() and not is_singular(said)  # a plural may be a category: "beverages", `Beverages`
        if said.islower() and " " not in said and not (spelt.islower() or kind) and sense.table is not about:
            return True
    return False


def _answered(draft: Draft, senses: tuple[Sense, ...]) -> float:
    """Return the penalty for a question that states its own answer, as "the name of France" does.

    It is `_SURE`, or 0.3 if other columns are shown as well.
    """
    shown = {c for t in draft.outputs if not t.counts for c in _columns(t, senses)}
    tests = [g[0] for g in draft.tests if len(g) == 1 and g[0].op in ("is", "=") and not g[0].negated]
    plain = [t.term for t in tests if not t.term.counts and t.term.slot is not None]
    said = {c for t in plain if draft.slots[t.slot or 0].prep not in _NAMING for c in _columns(t, senses)}
    if not shown & said:
        return 0.0
    return _SURE if shown <= said else 0.3


def _columns(term: Term, senses: tuple[Sense, ...]) -> list[tuple[Path, str]]:
    """Return the columns, as (table, name), that a term without an aggregate shows."""
    if term.slot is None or term.counts:
        return []
    sense = senses[term.slot]
    return [(sense.table.path, c.name) for c in sense.columns or name_columns(sense.table)]
