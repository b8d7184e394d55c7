"""Make the readings of one draft: bind its slots, join its tables, compose the queries and score them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from askwhere.frozen import frozen
from askwhere.reader.bind import WAYS, bindings
from askwhere.reader.distinctions import other_dates
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.known import Known
from askwhere.reader.likely import features, uses_names_left_out
from askwhere.reader.marking.place import Cut
from askwhere.reader.omitted import leaves_a_state, omission_features
from askwhere.reader.refining import Meaning, chosen
from askwhere.reader.schema.edges import Edge, Impossible, Path, Tree
from askwhere.reader.schema.joins import Graph, pairs_of
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.search import Way
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.verbs import names_doer, says
from askwhere.reader.writing.compose import compose
from askwhere.reader.writing.query import DatabaseFacts, LeftOut
from askwhere.reader.writing.scope import settled_by_senses, tables_of
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named

TIE = 0.04  # readings of one question tie if their scores differ by no more
LEAST = -6.0  # the least score of a reading; each word that is left out costs much
_BINDINGS = 6  # of a draft, the best ones, that are written as queries
_BY_VERB = 0.3  # what the score gains from a join that a verb of the question names: over the rentals for "rented"
_PER_JOIN = 0.15  # what it loses for each join


@frozen
class Reading:
    """One query for a question, with its confidence: the probability from 0 to 1 that it is right.

    The confidence is computed from `features`. `notes` say what was guessed: joins without declared keys, other
    spellings, words that were left out. `score` ranks the readings of one question. `whole` is false if the search
    found the reading. `tables` are those that it joins, `valued` the columns, as (table, name), of values that
    the question names.
    """

    sql: str
    score: float
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    whole: bool = True
    features: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)
    meaning: Meaning | None = field(default=None, repr=False, compare=False)
    tables: frozenset[Path] = field(default_factory=frozenset, repr=False, compare=False)
    valued: frozenset[tuple[Path, str]] = field(default_factory=frozenset, repr=False, compare=False)


KeyedReading = tuple[Reading, tuple[str, ...]]  # a reading, and the key of its query as `_key_of_query` returns it


def readings_of(meaning: Draft, way: Way, best: Cut, known: Known, dialect: str, floor: float) -> list[KeyedReading]:
    """Return the readings of one draft that score at least `floor`, or `TIE` less than the best of them.

    `way` is the sequence of marks that was parsed, `best` the best cut. A reading of a hidden column has no SQL.
    """
    cut, most = way.score - best.score, sum(m.score for m in best.marks if m.kind != "unknown")
    readings: list[KeyedReading] = []
    favoured = _favoured(meaning, known.graph)
    by_verb = frozenset(path for verb in meaning.verbs for path, column in known.graph.saying(verb) if not column)
    facts = DatabaseFacts(known.graph, dialect, known.numerals, known.denying, known.listed, favoured)
    for binding in bindings(meaning, known.graph)[:_BINDINGS]:
        asked = settled_by_senses(meaning, binding.senses, known.graph)
        before_joins = cut + binding.score - meaning.doubt
        if before_joins + (_BY_VERB if by_verb else 0.0) < floor:
            break
        wanted = tables_of(asked, binding.senses)
        for tree in known.graph.trees(wanted, favoured):
            far = _far(tree, {*wanted}, by_verb, known.graph)
            fit = before_joins - far
            if fit < floor:
                continue
            if any(known.lexicon.hides(sense) for sense in binding.senses):
                readings.append((Reading("", round(fit, 4)), ("hidden",)))
                floor = max(floor, fit - TIE)
                continue
            if (
                not uses_names_left_out(way, binding.senses)
                or (way.left_out and _shows_a_flag(asked, binding.senses, known.lexicon))
                or leaves_a_state(way, binding.senses, tree, known.graph, known.words)
            ):
                continue
            try:
                made = compose(asked, binding.senses, tree, facts)
            except LeftOut:
                return readings  # bindings that fit less well are no better
            except Impossible:
                continue
            sql = made.query.sql(dialect=dialect, copy=False)
            evidence = features(way, most, asked, binding.senses, tree, known.graph)
            evidence |= {k: v for k, v in omission_features(way, known.words).items() if v}
            evidence |= {"fit": binding.score, "doubt": meaning.doubt + made.doubt, "far": far}
            reading = Reading(
                sql,
                round(fit - made.doubt, 4),
                (*made.notes, *other_dates(asked, binding.senses), *_without(way)),
                features=evidence,
                meaning=Meaning(chosen(meaning, binding.senses), way),
                tables=frozenset(wanted),
                valued=frozenset(
                    (s.table.path, c.name) for s in binding.senses if s.value is not None for c in s.columns
                ),
            )
            readings.append((reading, _key_of_query(sql, tree, named(dialect))))
            floor = max(floor, fit - made.doubt - TIE)
    return readings


def _shows_a_flag(draft: Draft, senses: tuple[Sense, ...], lexicon: Lexicon) -> bool:
    """Return whether only a yes or no is shown: "frozen accounts", without the word for the accounts, is `frozen`."""
    shown = [senses[t.slot] for t in draft.outputs if t.slot is not None and not t.counts]
    return len(shown) == len(draft.outputs) == 1 and lexicon.truth(shown[0]) is not None


def _without(way: Way) -> tuple[str, ...]:
    """Return the note on the words that were left out, or no note."""
    words = [repr(m.text) for m in way.left_out if m.text.isalnum() or " " in m.text]
    return (f"left out: {', '.join(words)}",) if words else ()


def _far(tree: Tree, wanted: set[Path], by_verb: frozenset[Path], graph: Graph) -> float:
    """Return what a reading's score loses for the joins between the `wanted` tables; it gains if a verb names one.

    `by_verb` are the tables that verbs of the question name: the rentals for "rented". Joins to a table that only says
    what codes mean are free, and two joins through a table that lists pairs, as of authors and books, count as one.
    """
    through = any({edge.child, edge.parent} & by_verb for edge in tree.edges)
    cost = tree.cost - sum(edge.cost for edge in tree.edges if graph.ends_in_codes(edge, tree))
    cost -= sum(pair <= wanted for pair in pairs_of(tree.edges))
    return _PER_JOIN * cost - (_BY_VERB if through else 0.0)


def _key_of_query(sql: str, tree: Tree, dialect: Dialect) -> tuple[str, ...]:
    """Return a key that two texts of the same query share: its joins and the words of its text, both sorted.

    Columns that a join sets equal are written as one, so that `a.id` and `b.a_id` do not make two queries.
    """
    for edge in tree.edges:
        child, parent = (dialect.written(path[-1]) for path in (edge.child, edge.parent))
        for one, other in zip(edge.columns, edge.target_columns, strict=True):
            sql = sql.replace(f"{child}.{dialect.written(one)}", f"{parent}.{dialect.written(other)}")
    return (*sorted(map(repr, tree.edges)), *sorted(sql.replace(",", " ").split()))


def _favoured(meaning: Draft, graph: Graph) -> frozenset[Edge]:
    """Return the foreign keys that words of the question name, which break ties between joins of equal cost.

    - "from Rome", "to Rome": the key to the origin, or to the destination;
    - "rented by": the keys of the rentals, and not those of the store;
    - "sent by": the key to the sender;
    - "the original language": the key `original_language_id`.
    """
    names = frozenset[tuple[Path, str]]().union(*map(graph.saying, meaning.verbs))
    edges = {edge for of_table in graph.edges.values() for edge in of_table}
    favoured = {e for e in edges if {(e.child, ""), (e.parent, ""), *((e.child, c) for c in e.columns)} & names}
    favoured |= {
        e
        for e, role in graph.roles.items()
        # "Friends" names the table of friends, and not the key to a friend in it.
        if any(says(word, asked) and not says(e.child[-1], asked) for word in role for asked in meaning.words)
    }
    ways = set(meaning.toward) or {slot.prep for slot in meaning.slots} & set(WAYS)
    if not ways:
        favoured |= {
            e
            for e in edges
            if any(names_doer(e.columns, verb) for verb in {*meaning.verbs, *(meaning.words & LINKING)})
        }
    if len(ways) != 1:
        return frozenset(favoured)
    way = WAYS[ways.pop()]
    return frozenset(favoured | {e for e in edges if any(way.search(c) for c in e.columns)})
