"""Read a question: find cuts, parse each to a draft, bind its slots, compose queries and score them.

If no reading is likely enough, the search leaves words out or reads them otherwise; if that fails, too, the question is
refused.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.bind import WAYS, bindings
from askwhere.reader.distinctions import distinctions
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import draft
from askwhere.reader.likely import beside, features, learned, likely, repeats
from askwhere.reader.marking.lists import in_a_list
from askwhere.reader.marking.place import Cut, Lattice, cuts, lattice
from askwhere.reader.marking.views import calls, repeating, tables_alone
from askwhere.reader.omitted import DataWords, leaves_a_state, omitted
from askwhere.reader.refining import Meaning, chosen
from askwhere.reader.refuse import misread, refusal
from askwhere.reader.schema.joins import Edge, Graph, Impossible, Path, Tree
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.roles import with_roles, with_seconds
from askwhere.reader.search import Way, takes_a_thing_for_a_value, ways
from askwhere.reader.skipping import EMPTY, class_of
from askwhere.reader.words.dates import typed
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import plain, tokenise
from askwhere.reader.words.types import Truths, truths
from askwhere.reader.words.verbs import names_doer, says
from askwhere.reader.writing.compose import compose
from askwhere.reader.writing.query import Ground, LeftOut
from askwhere.reader.writing.scope import settled, tables_of
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named

LONGEST = 100  # words in a question; more are refused
SECONDS = 2.0  # processor time for parsing, so that the answer does not depend on the load of the machine
TIE = 0.04
LEAST = -6.0  # the least score of a reading; each word that is left out costs much
_SAID = 0.3
_PLAIN = 0.9  # from this confidence on, `possible` makes no search


@dataclass(frozen=True)
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


_Found = tuple[Reading, tuple[str, ...]]  # a reading and the key of its query, from `_alike`


@dataclass(frozen=True)
class Known:
    """What is derived from a catalog once, for all questions about it."""

    catalog: Catalog
    lexicon: Lexicon
    graph: Graph
    numerals: frozenset[tuple[Path, str]]
    denying: frozenset[tuple[Path, str]]
    listed: Callable[[Path, str, str], bool] = lambda *_: False
    words: DataWords | None = None
    views: frozenset[Path] = frozenset()  # those over other tables of the catalog
    without_views: Known | None = None  # the same for the catalog without these views
    given: Catalog | None = None  # the catalog as it was passed in, before text columns with dates got a date type
    flags: frozenset[tuple[Path, str]] = frozenset()  # see `ValueIndex.flags`


_KNOWN: OrderedDict[int, Known] = OrderedDict()


def known_of(catalog: Catalog, values: ValueIndex) -> Known:
    """Return the lexicon, join graph and column facts of a catalog, from a cache of the last eight catalogs."""
    known = _KNOWN.get(id(catalog))
    if known is None or known.given is not catalog or known.flags != values.flags:
        known = _KNOWN[id(catalog)] = _derived(catalog, values)
        while len(_KNOWN) > 8:
            _KNOWN.popitem(last=False)
    return _looking_up(values, known)


def known_from(catalog: Catalog, values: ValueIndex) -> Known:
    """Return the lexicon, join graph and column facts of a catalog that is not kept."""
    return _looking_up(values, _derived(catalog, values))


def _looking_up(values: ValueIndex, known: Known) -> Known:
    """Return what is known of a catalog, and of it without its views, with what looks its values up."""
    without_views = _looking_up(values, known.without_views) if known.without_views else None
    words = DataWords(values, known.catalog)
    return replace(known, without_views=without_views, listed=partial(in_a_list, values), words=words)


def _derived(catalog: Catalog, values: ValueIndex) -> Known:
    """Return what is derived from a catalog, and from values that do not change with the question."""
    dated = typed(catalog, values)
    known = _knowledge(with_roles(with_seconds(dated)), _numerals(values), _denying(values), truths(dated, values))
    return replace(known, given=catalog, flags=values.flags)


def _knowledge(
    catalog: Catalog, numerals: frozenset[tuple[Path, str]], denying: frozenset[tuple[Path, str]], flags: Truths
) -> Known:
    """Return the lexicon, join graph and column facts of a catalog, and the same without its views."""
    views = repeating(catalog)
    without = _knowledge(tables_alone(catalog, views), numerals, denying, flags) if views else None
    graph = Graph(catalog, views)
    return Known(catalog, Lexicon(catalog, views, flags), graph, numerals, denying, views=views, without_views=without)


def _numerals(values: ValueIndex) -> frozenset[tuple[Path, str]]:
    """Return the text columns that hold whole numbers below 1000, which may be compared as numbers."""
    return _holding(values, [str(n) for n in range(1000)])


def _denying(values: ValueIndex) -> frozenset[tuple[Path, str]]:
    """Return the columns that have words for no value ("none", "n/a"), in which NULL may mean this or unknown."""
    return _holding(values, ["no", "none", "n/a", "nil", "nothing", "not available", "-"])


def _holding(values: ValueIndex, words: list[str]) -> frozenset[tuple[Path, str]]:
    """Return the columns, as (table, name), that hold any of some words as a value."""
    found = values.exact(words)
    return frozenset((match.table, match.column) for matches in found.values() for match in matches)


def read(
    question: str, catalog: Catalog, values: ValueIndex, dialect: str, hint: str | None = None
) -> tuple[Reading, ...]:
    """Return the readings of a question, best first; several only if their scores are equal or nearly so.

    `dialect` is the name of the SQL dialect. `hint` is for models and not used here. Raises `Unread` if no reading is
    likely enough, with the words that have no place in the database.
    """
    known = known_of(catalog, values)
    text = plain(question)
    tokens = tokenise(text) if len(text) <= 2_000 else ()
    if not any(t.kind not in ("mark", "own") for t in tokens) or not catalog.tables:
        raise refusal((), _empty(text, catalog))
    if len(tokens) > LONGEST:
        raise refusal((), _too_long)
    words = lattice(text, tokens, known.lexicon, known.catalog, values)
    found = cuts(words)
    if known.without_views and not calls(found[:1], known.views):
        tables = lattice(text, tokens, known.without_views.lexicon, known.without_views.catalog, values)
        try:
            return _understood(tables, cuts(tables), known.without_views, dialect)
        except Unread:
            if not any(m.kind == "unknown" for m in cuts(tables)[0].marks):
                raise  # the tables have all words, so that a view could only have them in another sense
    return _understood(words, found, known, dialect)


def _understood(words: Lattice, found: list[Cut], known: Known, dialect: str) -> tuple[Reading, ...]:
    """Return the best readings of the cuts, or else of the search. Raises `Unread` if none is likely enough."""
    stuck: list[str] = []
    best = plainly(found, known, dialect, stuck)
    if any(not r.sql for r in best):
        raise refusal(_hidden_words(found, known.lexicon))
    if sum(r.confidence for r in best) >= learned().least:  # of readings that tie, one is right
        return best
    searched = _searched(words, found, known, dialect)
    if any(not r.sql for r in searched[:1]):
        raise refusal(_hidden_words(found, known.lexicon))
    likeliest = max((r for r in (*best, *searched) if r.sql), key=lambda r: r.confidence, default=None)
    if likeliest and likeliest.confidence >= learned().least:
        return (likeliest,)
    unknown = [m for m in found[0].marks if m.kind == "unknown"]
    unplaced = [m.text for m in unknown if class_of(m) not in EMPTY] or [m.text for m in unknown]
    raise refusal(unplaced) if unplaced else misread(stuck)


def possible(
    question: str, catalog: Catalog, values: ValueIndex, dialect: str
) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """Return all readings of a question, however unlikely: those of its cuts, and those of the search.

    The weights are learned on them (`tests/benchmarks/reader_weights.py`). There is no search if the only reading of
    the cuts is almost certain.
    """
    known = known_of(catalog, values)
    text = plain(question)
    words = lattice(text, tokenise(text), known.lexicon, known.catalog, values)
    found = cuts(words)
    best = plainly(found, known, dialect, [])
    sure = len(best) == 1 and best[0].confidence >= _PLAIN
    return best, () if sure else _searched(words, found, known, dialect)


def weighed(found: Iterable[_Found], searched: bool) -> tuple[Reading, ...]:
    """Return the readings with their confidence, best first, one for each query."""
    kept: dict[tuple[str, ...], Reading] = {}
    for reading, alike in found:
        if alike not in kept or kept[alike].score < reading.score:
            kept[alike] = reading
    ranked = sorted(kept.values(), key=lambda r: -r.score)
    return tuple(_among(one, [r.score for r in ranked if r is not one], searched) for one in ranked)


def _among(one: Reading, others: list[float], searched: bool) -> Reading:
    """Return a reading with the features and the confidence that it has beside `others`, the scores of the rest."""
    told = beside(one.features, one.score, others, searched)
    return replace(one, features=told, confidence=round(likely(told), 4), whole=not searched)


def plainly(found: list[Cut], known: Known, dialect: str, stuck: list[str]) -> tuple[Reading, ...]:
    """Return the best readings of the cuts without unknown words, all whose scores are within `TIE` of the best.

    Appends to `stuck` the text of the mark at which parsing the best cut failed.
    """
    ranked = weighed(_of_cuts(found, known, dialect, stuck), searched=False)
    even = [r for r in ranked if r.score >= max(ranked[0].score - TIE, LEAST)]
    return _told_apart([r for r in even if not any(o.tables < r.tables and o.valued == r.valued for o in even)])


def _told_apart(even: list[Reading]) -> tuple[Reading, ...]:
    """Return readings that tie with notes on the words that they take differently."""
    if len(even) < 2:
        return tuple(even)
    notes = distinctions([r.meaning.draft if r.meaning else Draft() for r in even])
    return tuple(replace(r, notes=tuple(dict.fromkeys((*r.notes, *own)))) for r, own in zip(even, notes, strict=True))


def _searched(words: Lattice, found: list[Cut], known: Known, dialect: str) -> tuple[Reading, ...]:
    """Return the readings that leave words out, or cut them otherwise than the best cuts, best first."""
    return weighed(_of_search(words, found, known, dialect), searched=True)


def _of_cuts(found: list[Cut], known: Known, dialect: str, stuck: list[str]) -> Iterator[_Found]:
    """Yield the readings of each cut without unknown words, until the time limit."""
    deadline = time.thread_time() + SECONDS
    best = LEAST + TIE
    for cut in found:
        if time.thread_time() > deadline:
            return
        if any(m.kind == "unknown" for m in cut.marks):
            continue
        if takes_a_thing_for_a_value(cut.marks, "of the"):
            continue
        try:
            meaning = draft(cut.marks, known.lexicon)
        except Stuck as error:
            stuck += [error.mark.text] if cut is found[0] and error.mark.kind not in _SAYING_NOTHING else []
            continue
        for reading, alike in readings_of(meaning, Way(cut.score, cut.marks), found[0], known, dialect, best - TIE):
            best = max(best, reading.score)
            yield reading, alike


def _of_search(words: Lattice, found: list[Cut], known: Known, dialect: str) -> Iterator[_Found]:
    """Yield the readings of each way that the search finds, until the time limit."""
    deadline = time.thread_time() + SECONDS
    for way, meaning in ways(words, found, known.lexicon):
        readings = readings_of(meaning, way, found[0], known, dialect, LEAST)
        yield from (one for one in readings if one[0].score > LEAST)
        if time.thread_time() > deadline:
            return


def _hidden_words(found: list[Cut], lexicon: Lexicon) -> list[str]:
    """Return the words of the best cut that may name a hidden column, to be refused like unknown words."""
    return [m.text for cut in found[:1] for m in cut.marks if any(lexicon.hides(s) for s in m.senses)]


# Kinds of marks that a message does not name, as they tell the user nothing.
_SAYING_NOTHING = ("stop", "end", "comma", "and", "or", "fill", "be", "prep", "have", "rel", "open", "all")
_too_long = f"The built-in reader reads questions of up to {LONGEST} words; this one is longer."


def _empty(text: str, catalog: Catalog) -> str:
    """Return the message for a question that cannot be read at all: no tables, no words, or too long."""
    if not catalog.tables:
        return "There is no table to ask about in this database."
    return _too_long if len(text) > 2_000 else "There is no question here: ask about the tables of this database."


def readings_of(meaning: Draft, way: Way, best: Cut, known: Known, dialect: str, floor: float) -> list[_Found]:
    """Return the readings of one draft that score at least `floor`, or `TIE` less than the best of them.

    A reading of a hidden column has no SQL. `way` is the sequence of marks that was parsed, `best` the best cut.
    """
    cut, most = way.score - best.score, sum(m.score for m in best.marks if m.kind != "unknown")
    found: list[_Found] = []
    favoured = _favoured(meaning, known.graph)
    said = frozenset(path for verb in meaning.verbs for path, column in known.graph.saying(verb) if not column)
    ground = Ground(known.graph, dialect, known.numerals, known.denying, known.listed, favoured)
    for binding in bindings(meaning, known.graph)[:6]:
        asked = settled(meaning, binding.senses, known.graph)
        fits = cut + binding.score - meaning.doubt
        if fits + (_SAID if said else 0.0) < floor:
            break
        for tree in known.graph.trees(tables_of(asked, binding.senses), favoured):
            far = _far(tree, said, known.graph)
            fit = fits - far
            if fit < floor:
                continue
            if any(known.lexicon.hides(sense) for sense in binding.senses):
                found.append((Reading("", round(fit, 4)), ("hidden",)))
                floor = max(floor, fit - TIE)
                continue
            if not repeats(way, binding.senses):
                continue
            if leaves_a_state(way, binding.senses, tree, known.graph, known.words):
                continue
            try:
                made = compose(asked, binding.senses, tree, ground)
            except LeftOut:
                return found  # bindings that fit less well are no better
            except Impossible:
                continue
            sql = made.query.sql(dialect=dialect)
            told = features(way, most, asked, binding.senses, tree, known.graph)
            told |= {k: v for k, v in omitted(way, known.words).items() if v}
            told |= {"fit": binding.score, "doubt": meaning.doubt + made.doubt, "far": far}
            notes, read_as = (*made.notes, *_without(way)), Meaning(chosen(meaning, binding.senses), way)
            reading = Reading(sql, round(fit - made.doubt, 4), notes, features=told, meaning=read_as)
            valued = frozenset((s.table.path, c.name) for s in binding.senses if s.value is not None for c in s.columns)
            reading = replace(reading, tables=frozenset(tables_of(asked, binding.senses)), valued=valued)
            found.append((reading, _alike(sql, tree, named(dialect))))
            floor = max(floor, fit - made.doubt - TIE)
    return found


def _without(way: Way) -> tuple[str, ...]:
    """Return the note on the words that were left out, or no note."""
    words = [repr(m.text) for m in way.left_out if m.text.isalnum() or " " in m.text]
    return (f"left out: {', '.join(words)}",) if words else ()


def _far(tree: Tree, said: frozenset[Path], graph: Graph) -> float:
    """Return the penalty for the joins of a tree, less a bonus if they use a table in `said`.

    `said` are the tables that verbs of the question name: the rentals of "rented". A table that only says what codes
    mean is as near as the codes.
    """
    through = bool(said) and any({edge.child, edge.parent} & said for edge in tree.edges)
    tree = replace(tree, cost=tree.cost - sum(edge.cost for edge in tree.edges if graph.only_decodes(edge, tree)))
    # Two joins through a junction table count as one.
    between = Counter(edge.child for edge in tree.edges if edge.between)
    return 0.15 * (tree.cost - sum(n == 2 for n in between.values())) - (_SAID if through else 0.0)


def _alike(sql: str, tree: Tree, dialect: Dialect) -> tuple[str, ...]:
    """Return a key that is equal for two texts of one query.

    It has the joins and the words of the text, both sorted, and columns that a join sets equal are written as one.
    """
    for edge in tree.edges:
        child, parent = (dialect.written(path[-1]) for path in (edge.child, edge.parent))
        for one, other in zip(edge.columns, edge.target_columns, strict=True):
            sql = sql.replace(f"{child}.{dialect.written(one)}", f"{parent}.{dialect.written(other)}")
    return (*sorted(map(repr, tree.edges)), *sorted(sql.replace(",", " ").split()))


def _favoured(meaning: Draft, graph: Graph) -> frozenset[Edge]:
    """Return the foreign keys that words of the question name, which break ties between joins of equal cost.

    "From Rome" favours the key to the origin, "to Rome" the destination, "rented by" those of the rentals over the
    store's, "sent by" the key to the sender, and "the original language" the key `original_language_id`.
    """
    names = frozenset[tuple[Path, str]]().union(*map(graph.saying, meaning.verbs))
    edges = {edge for found in graph.edges.values() for edge in found}
    done = {e for e in edges if {(e.child, ""), (e.parent, ""), *((e.child, c) for c in e.columns)} & names}
    done |= {e for e, role in graph.roles.items() if any(says(word, said) for word in role for said in meaning.words)}
    ways = set(meaning.toward) or {slot.prep for slot in meaning.slots} & set(WAYS)
    if not ways:
        done |= {
            e
            for e in edges
            if any(names_doer(e.columns, verb) for verb in {*meaning.verbs, *(meaning.words & LINKING)})
        }
    if len(ways) != 1:
        return frozenset(done)
    way = WAYS[ways.pop()]
    return frozenset(done | {e for e in edges if any(way.search(c) for c in e.columns)})


__all__ = ["Reading", "Unread", "read"]
