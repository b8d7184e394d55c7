"""Reject conditions on a thing that would test other rows: a place or a size that is stored in another table.

"Employees in France" must not become employees with an order that was shipped to France.
"""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Draft, Slot
from askwhere.reader.schema.edges import Path, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import foreign_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.measures import MEASURES, SIZES
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.writing.scope import about_table

_PLACES = frozenset(map(stem, "city town country state region province nation continent district county".split()))
_THERE = frozenset("live locat base stay stai situat resid born bear work speak spoke come came".split())
_COST = ("cost", "costs", "costing")  # of what things cost themselves
_BEFORE_PLACES = ("in", "from", "of", "")  # prepositions


def borrowed(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> bool:
    """Return whether a place or size of a thing would be tested in a table that the question never names.

    - A place: if the thing has several rows there, or a column of its own for such places, unless a verb speaks of the
      other table ("customers who ordered from France").
    - A size ("longest", "longer than"): if the thing has several rows there, as the longest album is not the album of
      the longest track.
    """
    named = {s.table.path for s in senses if not s.columns}
    for slot, sense in _tested(draft, senses):
        thing = _thing(draft, senses, slot)
        if sense.table.path in named or sense.table is thing:
            continue
        if sense.value is None or not _is_place(sense) or slot.prep not in _BEFORE_PLACES:
            continue
        several = graph.meets_several(tree, thing.path, sense.table.path)
        if (several or _has_own_place(thing, sense)) and not _verb_may_name(draft, graph, sense.table.path):
            return True
    for slot, sense in _measured(draft, senses):
        thing = _thing(draft, senses, slot)
        unnamed = sense.table.path not in named and sense.table is not thing
        if unnamed and graph.meets_several(tree, thing.path, sense.table.path):
            return True
    return False


def _tested(draft: Draft, senses: tuple[Sense, ...]) -> Iterator[tuple[Slot, Sense]]:
    """Yield the slots that are tested for a value, each with its sense."""
    for test in (t for t in draft.every_test if t.op == "is" and t.term.slot is not None):
        yield draft.slots[test.term.slot or 0], senses[test.term.slot or 0]


def _measured(draft: Draft, senses: tuple[Sense, ...]) -> Iterator[tuple[Slot, Sense]]:
    """Yield the slots of columns that an adjective or "cost" measures things by ("longest"), each with its sense."""
    terms = [k.term for k in draft.order] + [t.term for t in draft.every_test]
    for term in terms:
        if term.slot is None or term.counts:
            continue
        text = draft.slots[term.slot].text
        if tuple(text.split()) in MEASURES or text in SIZES or text in _COST:
            yield draft.slots[term.slot], senses[term.slot]


def _thing(draft: Draft, senses: tuple[Sense, ...], slot: Slot) -> Table:
    """Return the table of a slot's owner, or else the one that the question is about."""
    return senses[slot.owner].table if slot.owner is not None else about_table(draft, senses)


def _is_place(sense: Sense) -> bool:
    """Return whether a column is named as one of places: city, country, region …"""
    return bool(sense.columns) and bool(_PLACES & set(name_stems(sense.column.name)))


def _has_own_place(thing: Table, sense: Sense) -> bool:
    """Return whether the table has a column of its own, no foreign key, for the same kind of place as the sense."""
    keys = foreign_columns(thing)
    own = {word for c in thing.columns if c.name.lower() not in keys for word in name_stems(c.name)}
    return bool(_PLACES & own & set(name_stems(sense.column.name)))


def _verb_may_name(draft: Draft, graph: Graph, path: Path) -> bool:
    """Return whether a verb of the question may speak of the rows of the table at `path`.

    So may any verb but those for where things are, "live", and these if the table is named after them.
    """
    verbs = set(draft.verbs)
    return bool(verbs - _THERE) or any((path, "") in graph.saying(verb) for verb in verbs)
