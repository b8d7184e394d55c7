"""Find words that a reading leaves out or passes over although values of the database contain them.

Such a word, "yoga", or a verb for a state of the rows, "delivered", restricts the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex, tokens
from askwhere.indexer.word_forms import singular
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.spellings import participles, same_states
from askwhere.reader.marking.values import is_kind
from askwhere.reader.schema.edges import Path, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import with_listed
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.search import Way
from askwhere.reader.skipping import EMPTY, class_of
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import is_act, names_doer, says_when

# Words that may stand before any noun without restricting it.
_FREE = frozenset("single entire whole different same full main overall general usual normal typical actual".split())

# Stems of verbs for how something ended, and of nouns for what only winners have.
_DECIDING = frozenset(stems("win won lose lost pass fail"))
_WON = frozenset(stems("award prize medal trophy title championship"))


class DataWords:
    """The words in the values of a database, each looked up once.

    `states` returns the paths of the tables for whose rows a word is a state or kind, `is_in_a_value` whether it is a
    word of any value.
    """

    def __init__(self, values: ValueIndex, catalog: Catalog) -> None:
        self.states: Callable[[str], frozenset[Path]] = cache(
            lambda word: with_listed(
                {m.table for m in values.exact([word]).get(word, ()) if is_kind(m, catalog)}, catalog.tables
            )
        )
        self.is_in_a_value: Callable[[str], bool] = cache(
            lambda word: any(stem(word) in map(stem, tokens(m.value)) for m in values.search(singular(word), 1))
        )


def omission_features(way: Way, words: DataWords | None) -> dict[str, float]:
    """Return the features of unknown words that a reading leaves out: how many a value has, how many restrict."""
    if words is None:
        return {}
    left = [m.text for m in way.left_out if m.kind == "unknown" and class_of(m) not in EMPTY]
    return {
        "left out: in a value": float(sum(words.is_in_a_value(word) for word in left)),
        "left out: says something": float(sum(word.lower() not in _FREE for word in left)),
    }


def leaves_a_state(way: Way, senses: tuple[Sense, ...], tree: Tree, graph: Graph, words: DataWords | None) -> bool:
    """Return whether a verb names a state of rows that the query reads, but the query does not test it.

    "Parcels that Bo lost" are not all of his where `status` holds "lost", and the races that somebody won are not all
    that he rode in, whatever the data holds. A name that the query uses may say the verb: `lost_on`.
    """
    if words is None:
        return False
    used = {(s.table.path, c.name) for s in senses for c in s.columns}
    used |= {(s.table.path, "") for s in senses}
    used |= {(edge.child, column) for edge in tree.edges for column in ("", *edge.columns)}
    joined = {path for path, _ in used}
    spoken = paths_of(senses)
    timed = any(m.kind == "elapsed" for m in way.read)  # "how many days pass between …"
    for place, mark in enumerate(way.read):
        if mark.kind not in ("link", "column"):
            continue
        verb = mark.text.lower()
        of_doer = place and way.read[place - 1].kind == "rel"  # "who played in Rome": who, and not the rows of the act
        forms = (verb, *participles(verb), *same_states(verb))
        stated = frozenset[Path]().union(*map(words.states, forms))
        decides = mark.kind == "link" and stem(verb) in _DECIDING and not timed
        if decides and not stated and not _has_outcome(stem(verb), senses, graph):
            return True
        if not stated:
            continue
        named = bool(graph.saying(stem(verb)) & used) or any(
            says_when(c.name, stem(verb)) for s in senses for c in s.columns if is_dated(c)
        )
        unread = mark.kind == "column" and not any(
            (s.table.path, c.name) in used for s in mark.senses for c in s.columns
        )
        if (mark.kind == "link" or unread) and stated & (spoken if of_doer else joined) and not named:
            return True
        if mark.kind == "column" and is_act(verb) and _is_of_another_table(mark, place, way, senses, stated):
            return True
    return False


def _has_outcome(verb: str, senses: tuple[Sense, ...], graph: Graph) -> bool:
    """Return whether a name of the schema says the verb, `winner_id`, or the query reads what only winners have."""
    doers = (c.name for table in graph.tables.values() for c in table.columns)
    won = any(_WON & set(full_stems(s.table.name)) for s in senses)
    return won or bool(graph.saying(verb)) or names_doer(doers, verb)


def _is_of_another_table(mark: Mark, place: int, way: Way, senses: tuple[Sense, ...], stated: frozenset[Path]) -> bool:
    """Return whether a verb was read as a column of another table, although the things beside it have it as a state.

    "Parcels that were returned" are not those of customers with a `returned_on` where their own status holds it.
    """
    near = [m for m in (*way.read[:place][::-1], *way.read[place + 1 :]) if m.kind == "table"][:1]
    things = {s.table.path for m in near for s in m.senses if s.score >= m.senses[0].score - 0.1}
    read = {s.table.path for s in senses if any((s.table, s.columns) == (o.table, o.columns) for o in mark.senses)}
    return bool(things & stated) and bool(read) and not read & things
