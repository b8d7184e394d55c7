"""What a query cannot have been meant to say, whatever the words were taken for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from askwhere.engine import Table
from askwhere.reader.borrowed import borrowed
from askwhere.reader.draft import Draft, Term
from askwhere.reader.flags import says_yes_or_no
from askwhere.reader.joins import Edge, Graph, Path, Tree
from askwhere.reader.lexicon import Sense
from askwhere.reader.naming import key_columns, name_columns, own_key
from askwhere.reader.scope import about_table, within
from askwhere.reader.seconds import LEADING, is_second
from askwhere.reader.sequence import own_dates
from askwhere.reader.tokens import is_singular

_WAY = {"from", "to"}
_NAMING = ("called", "named", "whose")
_SURE = 9.0  # more doubt than any reading survives


def doubt(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> float:
    """How unlikely it is that a bound draft, joined so, is what was asked; 0 where nothing speaks against it."""
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
        return _SURE  # from one place to another is no way of either
    return _answered(draft, senses)


def left_out(
    verbs: Iterable[str], senses: tuple[Sense, ...], edges: Iterable[Edge], graph: Graph, about: Table
) -> bool:
    """Whether something was done that a table or column is about, and no join uses it: "sold", without the sales."""
    used = {(about.path, ""), *((s.table.path, "") for s in senses)}
    used |= {(s.table.path, c.name) for s in senses for c in s.columns}
    for edge in edges:
        used |= {(edge.child, ""), (edge.parent, ""), *((edge.child, c) for c in edge.columns)}
    targets = {key.target for key in about.foreign_keys} & graph.tables.keys()  # others are excluded
    seconds = {path for path in targets if is_second(graph.tables[path])}
    led = any((path, "") in used for path in seconds)
    if LEADING & set(verbs) and seconds and not led:
        return True  # "employees who report to Ann" are of two rows
    verbs = [verb for verb in verbs if not (led and verb in LEADING)]
    return any(found and not found & used for found in map(graph.saying, verbs))


def unrelated(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Whether two tables are joined only because rows of both belong to one row of a third.

    Students and courses of one department are no courses that the students take. But what is asked for may have
    both (departments with students and courses), and something may be said of the third alone (cities in Asia where
    Chinese is spoken, both of which is said of the country).
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
    """Whether things are counted of which each group can only have one: "courses of more than one department"."""
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
    yield from (t.term for group in draft.tests for t in group if t.term.counts)
    yield from (k.term for k in draft.order if k.term.counts)


def _counts_itself(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Whether the values of a column are counted for each row of its own table: there is one."""
    if draft.focus is None:
        return False
    shown = {c for t in draft.outputs for c in _columns(t, senses)}
    one = shown & {(about.path, c.name) for c in (*key_columns(about), *name_columns(about))}
    return bool(one) and any(t.agg == "count" and senses[t.slot or 0].table is about for t in _counts(draft))


def _counts_answers(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Whether yes and no are counted, as in "more than one official language": there are never more than two."""
    slots = (t.slot for t in _counts(draft) if t.agg == "count" and t.slot is not None)
    return any(senses[s].value is None and any(map(says_yes_or_no, senses[s].columns)) for s in slots)


def _undated(draft: Draft, senses: tuple[Sense, ...], graph: Graph) -> bool:
    """Whether things are grouped by when something else was done: "customers per year", by dates of orders."""
    done = {path for verb in draft.verbs for path, _ in graph.saying(verb)}
    spoken = {s.table.path for s, slot in zip(senses, draft.slots, strict=True) if not slot.part}
    added = {senses[t.slot].table.path for t in draft.outputs if t.money and t.slot is not None}
    spoken |= {edge.parent for path in added for edge in graph.edges[path] if own_dates(graph.tables[edge.parent])}
    periods = (senses[g].table.path for g in draft.groups if draft.slots[g].part)
    return any(path not in spoken | done for path in periods)


def _counts_itself_by_name(draft: Draft, senses: tuple[Sense, ...], tree: Tree, about: Table) -> bool:
    """Whether things are counted of which one is named, beside others: "how many countries border France"."""
    counted = (senses[t.slot].table.path for t in draft.outputs if t.rows and t.slot is not None)
    names = {(about.path, c.name) for c in name_columns(about)}
    alone = (g[0].term for g in draft.tests if len(g) == 1 and g[0].op == "is" and not g[0].negated)
    return bool(tree.edges) and about.path in counted and any(names & set(_columns(t, senses)) for t in alone)


def _counts_what_is_tested(draft: Draft, senses: tuple[Sense, ...]) -> bool:
    """Whether the different values of a column are counted that must be one: "how many friends does Ann have"."""
    counted = {
        (senses[t.slot].table.path, c.name)
        for t in draft.outputs
        if t.agg == "count" and t.slot is not None
        for c in senses[t.slot].columns
    }
    alone = (g[0].term for g in draft.tests if len(g) == 1 and g[0].op in ("is", "=") and not g[0].negated)
    return any(counted & set(_columns(term, senses)) for term in alone)


def _denied_of_rows(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Whether of the several rows of something one is denied, where none may be so: "people not in Chess as a club"."""
    shown = {senses[t.slot].table.path for t in draft.outputs if t.slot is not None and not t.counts}
    denied = [t for g in draft.tests for t in g if t.negated and t.term.slot is not None and t.op != "lacks"]
    rows = {senses[t.term.slot or 0].table.path for t in denied} & {about.path}
    if not tree.edges or any(t.slot is not None and draft.slots[t.slot].firm for t in draft.outputs):
        return False
    return any(one != other and graph.meets_several(tree, one, other) for one in shown for other in rows)


def _both_of_another(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Whether something else is asked for than what two things are said of: "teams with both a … and a …"."""
    shown = {senses[t.slot].table.path for t in draft.outputs if t.slot is not None and not t.counts}
    return bool(draft.both) and not within(draft, senses) and bool(shown) and about.path not in shown


def _done_elsewhere(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> bool:
    """Whether a verb was taken for a table that the question's other tables go together without.

    The students who "live in" a city that is a column of theirs are not those who have a room in a dormitory.
    """
    if draft.both or any(k.term.slot is None for k in draft.order):
        return False
    spoken = [m for m in draft.mentions if not senses[m].columns and draft.slots[m].verb]
    last = max((slot.start for slot, sense in zip(draft.slots, senses, strict=True) if sense.columns), default=0)
    named = any(sense.value is not None for sense in senses)
    spoken = [m for m in spoken if named or draft.slots[m].start < last]
    others = {s.table.path for i, s in enumerate(senses) if i not in spoken}
    ends = {
        p for e in tree.edges for p in (e.child, e.parent) if sum(p in (o.child, o.parent) for o in tree.edges) == 1
    }
    return any(senses[m].table.path in ends - others for m in spoken)


def _noun_as_value(draft: Draft, senses: tuple[Sense, ...], about: Table) -> bool:
    """Whether the only noun of a question, in small letters, was taken for a value of another table."""
    if draft.focus is not None:
        return False
    for test in (t for group in draft.tests for t in group if t.op == "is" and t.term.slot is not None):
        said, sense = draft.slots[test.term.slot or 0].said, senses[test.term.slot or 0]
        spelt = str(sense.value)
        kind = said == spelt.lower() and not is_singular(said)  # "beverages" may well be the category `Beverages`
        if said.islower() and " " not in said and not (spelt.islower() or kind) and sense.table is not about:
            return True
    return False


def _answered(draft: Draft, senses: tuple[Sense, ...]) -> float:
    """How much of what is asked for was said already: "the name of France"."""
    shown = {c for t in draft.outputs if not t.counts for c in _columns(t, senses)}
    tests = [g[0] for g in draft.tests if len(g) == 1 and g[0].op in ("is", "=") and not g[0].negated]
    plain = [t.term for t in tests if not t.term.counts and t.term.slot is not None]
    said = {c for t in plain if draft.slots[t.slot or 0].prep not in _NAMING for c in _columns(t, senses)}
    if not shown & said:
        return 0.0
    return 1.0 if shown <= said else 0.3


def _columns(term: Term, senses: tuple[Sense, ...]) -> list[tuple[Path, str]]:
    if term.slot is None or term.counts:
        return []
    sense = senses[term.slot]
    return [(sense.table.path, c.name) for c in sense.columns or name_columns(sense.table)]
