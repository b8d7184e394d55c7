"""Reject joins that mean something else than the question, and queries without what its verbs name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.schema.edges import Edge, Path, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import events, own_dates
from askwhere.reader.schema.roles import LEADING, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.writing.scope import ends_of, tables_of_terms


def left_out(
    verbs: Iterable[str], senses: tuple[Sense, ...], edges: Iterable[Edge], graph: Graph, about: Table
) -> bool:
    """Return whether a verb names a table or column that the query does not use: "sold" without the sales.

    `senses` and `edges` are what the query uses, and `about` is the table whose rows are asked for.
    """
    used = {(about.path, ""), *((s.table.path, "") for s in senses)}
    used |= {(s.table.path, c.name) for s in senses for c in s.columns}
    # The first date of a thing says the verb as well: "which jobs did Ann order", "who ordered no jobs".
    things = (about, *(s.table for s in senses if not s.columns))
    used |= {(t.path, c.name) for t in things for c in (own_dates(t) or events(t))[:1]}
    for edge in edges:
        used |= {(edge.child, ""), (edge.parent, ""), *((edge.child, c) for c in edge.columns)}
    targets = {key.target for key in about.foreign_keys} & graph.tables.keys()  # excluded tables are not in the graph
    seconds = {path for path in targets if is_second(graph.tables[path])}
    led = any((path, "") in used for path in seconds)
    if seconds and not led and any(verb in LEADING and not graph.saying(verb) & used for verb in verbs):
        return True  # "employees who report to Ann" needs a join to the table of those above them
    verbs = [verb for verb in verbs if not (led and verb in LEADING)]
    return any(named and not named & used for named in map(graph.saying, verbs))


def joins_unrelated(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph, about: Table) -> bool:
    """Return whether two tables are joined only because their rows belong to the same row of a third.

    The students and courses of one department are no courses that the students take. It is allowed if the third table

    - is the one asked for: "departments with students and courses";
    - is tested, but not named: "cities in Asia where Chinese is spoken", both of which are facts about the country;
    - is named, and only values are tested: "actors in comedy films";
    - is grouped by, where both are counted: "number of trucks and crews per depot".
    """
    children: dict[Path, set[Path]] = defaultdict(set)
    for edge in tree.edges:
        if not graph.is_unique(edge):
            children[edge.parent].add(edge.child)
    named = {s.table.path for s in senses if not s.columns}
    tested = tables_of_terms((t.term for g in draft.tests for t in g), senses)
    counted = tables_of_terms((t for t in draft.outputs if t.rows), senses)
    grouped = {senses[group].table.path for group in draft.groups if len(counted) > 1}
    values = {t.op for t in draft.every_test} == {"is"}
    allowed = {about.path, *grouped, *(tested - named), *(named if values else ())}
    return any(len(of_parent) > 1 for parent, of_parent in children.items() if parent not in allowed)


def who_is_far(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> bool:
    """Return whether "who" is found over three joins or more by a verb that no name says: "who looks after Ann"."""
    asked = any(slot.text == "who" for slot in draft.slots)
    named = [
        s for s, slot in zip(senses, draft.slots, strict=True) if not s.columns and slot.text not in ("who", "person")
    ]
    return asked and not named and len(tree.edges) > 2 and not any(map(graph.saying, draft.verbs))


def done_elsewhere(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> bool:
    """Return whether a verb was read as a table that nothing else in the query needs.

    "Students who live in Oslo", where the city is a column of students, are not those with a room in a dormitory.
    """
    if draft.both or any(k.term.slot is None for k in draft.order):
        return False
    spoken = [m for m in draft.mentions if not senses[m].columns and draft.slots[m].verb and m != draft.focus]
    last = max((slot.start for slot, sense in zip(draft.slots, senses, strict=True) if sense.columns), default=0)
    flags = {t.term.slot for t in draft.every_test if t.op == "true"}
    named = any(sense.value is not None for slot, sense in enumerate(senses) if slot not in flags)
    spoken = [m for m in spoken if named or draft.slots[m].start < last]
    others = {s.table.path for i, s in enumerate(senses) if i not in spoken}
    return any(senses[m].table.path in ends_of(tree.edges) - others for m in spoken)
