"""Count what often makes a reading wrong though all words fit: features for its confidence."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.reader.grammar.draft import Draft, Nested, Term, Test
from askwhere.reader.schema.edges import Edge, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.naming import events, foreign_columns, is_thing, key_columns, name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.types import is_number, is_text, says_yes_or_no
from askwhere.reader.words.verbs import names_an_act


def risk_features(draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph) -> dict[str, float]:
    """Return the features by name, also those that are 0: numbers of outputs, tests and joins that are at risk."""
    plain = [t for t in draft.outputs if t.slot is not None and not t.counts and not t.formula]
    tests = draft.every_test
    return {
        "read as short": float(sum(READ_AS in s.note and s.chance == 1 for s in senses)),
        "shown by a key": float(sum(_by_key(senses[t.slot or 0]) for t in plain)),
        "shows a flag": float(sum(any(map(says_yes_or_no, senses[t.slot or 0].columns)) for t in plain)),
        "shows an act": float(sum(names_an_act(draft.slots[t.slot or 0].text or "-") for t in plain)),
        "shows no thing": float(bool(plain) and not any(is_thing(senses[t.slot or 0]) for t in plain)),
        "a date of several": float(
            sum(_one_of_several(draft, senses, slot) for slot in set(_slots_of_dates(draft, senses)))
        ),
        "a key of several": float(sum(_keys_between(graph, edge) > 1 for edge in tree.edges)),
        "not held": float(sum(_not_held(senses, t) for t in tests)),
        "counted for each": float(bool(draft.groups) and any(t.rows for t in draft.outputs) and bool(tree.edges)),
        "computed": float(any(t.formula for t in draft.outputs)),
        "compared": float(sum(t.op in ("<", "<=", ">", ">=", "between") and not t.term.counts for t in tests)),
        "counts tested": float(sum(t.term.counts for t in tests)),
        "own group": float(any(isinstance(o, Nested) and o.among is not None for t in tests for o in t.operand)),
        "sums a column": float(any(t.agg == "sum" and not t.formula for t in draft.outputs)),
        "limited": float(draft.limit is not None and draft.limit > 1),
        "ranked by a count": float(any(k.term.counts for k in draft.order)),
    }


def _by_key(sense: Sense) -> bool:
    """Return whether a thing is shown by its key, or a column that is a key to another thing, by its name at least."""
    if not sense.columns:
        return name_columns(sense.table) == key_columns(sense.table)
    undeclared = name_stems(sense.column.name)[-1:] == ("id",) and sense.column not in key_columns(sense.table)
    return undeclared or sense.column.name.lower() in foreign_columns(sense.table)


def _slots_of_dates(draft: Draft, senses: tuple[Sense, ...]) -> Iterator[int]:
    """Yield the slots whose columns are dates of a row, `events`, that are tested or grouped by."""
    terms: list[Term] = [t.term for t in draft.every_test] + [Term(g) for g in draft.groups]
    for term in terms:
        sense = senses[term.slot] if term.slot is not None and not term.counts else None
        if sense and any(column in events(sense.table) for column in sense.columns):
            yield term.slot or 0


def _one_of_several(draft: Draft, senses: tuple[Sense, ...], slot: int) -> bool:
    """Return whether the table of a date has others, and the words of its slot do not say which one is meant."""
    text = draft.slots[slot].text.lower()
    return len(events(senses[slot].table)) > 1 and not any(word in text for word in ("date", "time", "year of"))


def _keys_between(graph: Graph, edge: Edge) -> int:
    """Return how many keys lead from the child of an edge to its parent."""
    return sum((e.child, e.parent) == (edge.child, edge.parent) for e in graph.edges[edge.child])


def _not_held(senses: tuple[Sense, ...], test: Test) -> bool:
    """Return whether a column of text is compared with a text of the question, which is none of its known values."""
    column = senses[test.term.slot].columns[:1] if test.term.slot is not None and not test.term.counts else ()
    return test.op in ("=", "!=") and bool(column) and is_text(column[0]) and not is_number(column[0])
