"""From a question to its readings: cut into marks, draft, bind, compose; refuse what is left over."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.bind import WAYS, bindings
from askwhere.reader.compose import compose
from askwhere.reader.cursor import Stuck
from askwhere.reader.dates import typed
from askwhere.reader.draft import Draft
from askwhere.reader.flags import Truths, truths
from askwhere.reader.grammar import draft
from askwhere.reader.held import in_a_list
from askwhere.reader.joins import Edge, Graph, Path, Tree
from askwhere.reader.lexicon import Lexicon
from askwhere.reader.likely import beside, features, learned, likely, repeats
from askwhere.reader.place import Cut, Lattice, cuts, lattice
from askwhere.reader.query import Ground, Impossible, LeftOut
from askwhere.reader.refuse import misread, refusal
from askwhere.reader.scope import settled, tables_of
from askwhere.reader.search import EMPTY, Way, class_of, ways
from askwhere.reader.seconds import with_seconds
from askwhere.reader.tokens import plain, tokenise
from askwhere.reader.verbs import says
from askwhere.reader.views import calls, repeating, tables_alone
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named

LONGEST = 100  # words; a question beyond that is a text
SECONDS = 2.0  # of processor time, so that an answer does not depend on what else the machine does
_TIE = 0.04
_LEAST = -0.9
_UNLIKELY = -6.0  # of readings that a search finds, in which a word without a place costs more
_SAID = 0.3
# No reading of a search is surer: the grammar was written while reading Spider, which the weights are learned on; of
# other questions a search reads fewer rightly.
_SEARCHED = 0.75
LEAST_SEARCHED = 2 / 3  # and for the same reason one is answered with only if it is twice as likely right as wrong
_PLAIN = 0.9  # how likely a reading is of which no search is to be learned from


@dataclass(frozen=True)
class Reading:
    """One way to read a question, and how likely it is right (0 to 1), by its `features`.

    `notes` say what was guessed, joins without declared keys and other spellings, and which words were left out. It is
    `whole` where each word has its place at once, with no search for what to leave out or to read otherwise.
    """

    sql: str
    score: float
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    whole: bool = True
    features: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)


_Found = tuple[Reading, tuple[str, ...]]  # and what tells its query from others


@dataclass(frozen=True)
class _Known:
    catalog: Catalog
    lexicon: Lexicon
    graph: Graph
    numerals: frozenset[tuple[Path, str]]
    denying: frozenset[tuple[Path, str]]
    listed: Callable[[Path, str, str], bool] = lambda *_: False
    views: frozenset[Path] = frozenset()  # that repeat other tables
    alone: _Known | None = None  # the same without these views
    given: Catalog | None = None  # the catalog before columns of text that hold dates were told


_KNOWN: OrderedDict[int, _Known] = OrderedDict()


def _known(catalog: Catalog, values: ValueIndex) -> _Known:
    """The lexicon and the join graph of a catalog, kept for the last few catalogs."""
    known = _KNOWN.get(id(catalog))
    if known is None or known.given is not catalog:
        dated = typed(catalog, values)
        known = _knowledge(with_seconds(dated), _numerals(values), _denying(values), truths(dated, values))
        known = replace(known, given=catalog)
        _KNOWN[id(catalog)] = known
        while len(_KNOWN) > 8:
            _KNOWN.popitem(last=False)
    return known


def _knowledge(
    catalog: Catalog, numerals: frozenset[tuple[Path, str]], denying: frozenset[tuple[Path, str]], flags: Truths
) -> _Known:
    views = repeating(catalog)
    alone = _knowledge(tables_alone(catalog, views), numerals, denying, flags) if views else None
    graph = Graph(catalog, views)
    return _Known(catalog, Lexicon(catalog, views, flags), graph, numerals, denying, views=views, alone=alone)


def _numerals(values: ValueIndex) -> frozenset[tuple[Path, str]]:
    """The columns of text that hold small whole numbers: those may be compared as numbers."""
    return _holding(values, [str(n) for n in range(1000)])


def _denying(values: ValueIndex) -> frozenset[tuple[Path, str]]:
    """The columns that say in words that there is nothing: what is missing there may be either."""
    return _holding(values, ["no", "none", "n/a", "nil", "nothing", "not available", "-"])


def _holding(values: ValueIndex, words: list[str]) -> frozenset[tuple[Path, str]]:
    found = values.exact(words)
    return frozenset((match.table, match.column) for matches in found.values() for match in matches)


def read(
    question: str, catalog: Catalog, values: ValueIndex, dialect: str, hint: str | None = None
) -> tuple[Reading, ...]:
    """The readings of a question, best first; several only where they fit equally well.

    `dialect` is the name of one. A `hint` is for models: the reader goes by the question alone.
    Raises `Unread` when a word finds no place or the sentence is not understood.
    """
    known = replace(_known(catalog, values), listed=lambda *held: in_a_list(values, *held))
    text = plain(question)
    tokens = tokenise(text) if len(text) <= 2_000 else ()
    if not any(t.kind not in ("mark", "own") for t in tokens) or not catalog.tables:
        raise refusal(catalog, (), _empty(text, catalog))
    if len(tokens) > LONGEST:
        raise refusal(catalog, (), _too_long)
    words = lattice(text, tokens, known.lexicon, known.catalog, values)
    found = cuts(words)
    if known.alone and not calls(found[:1], known.views):
        alone = replace(known.alone, listed=known.listed)
        try:
            tables = lattice(text, tokens, alone.lexicon, alone.catalog, values)
            return _understood(tables, cuts(tables), alone, dialect)
        except Unread:
            pass  # what the tables do not answer, a view may
    return _understood(words, found, known, dialect)


def _understood(words: Lattice, found: list[Cut], known: _Known, dialect: str) -> tuple[Reading, ...]:
    """The likeliest readings of a question, several only where they fit equally well. Raises `Unread`."""
    stuck: list[str] = []
    best = _plainly(found, known, dialect, stuck)
    if any(not r.sql for r in best):
        raise refusal(known.catalog, _hidden_words(found, known.lexicon))
    if len(best) > 1 or (best and best[0].confidence >= learned().least):
        return best
    searched = _searched(words, found, known, dialect)
    if any(not r.sql for r in searched[:1]):
        raise refusal(known.catalog, _hidden_words(found, known.lexicon))
    likeliest = max((r for r in (*best, *searched) if r.sql), key=lambda r: r.confidence, default=None)
    if likeliest and likeliest.confidence >= (learned().least if likeliest.whole else LEAST_SEARCHED):
        return (likeliest,)
    unknown = [m for m in found[0].marks if m.kind == "unknown"]
    unplaced = [m.text for m in unknown if class_of(m) not in EMPTY] or [m.text for m in unknown]
    raise refusal(known.catalog, unplaced) if unplaced else misread(stuck)


def possible(
    question: str, catalog: Catalog, values: ValueIndex, dialect: str
) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """The readings of a question's best cuts that fit equally well, and those of a search for what is doubtful.

    All of them are to learn from, however unlikely.
    """
    known = replace(_known(catalog, values), listed=lambda *held: in_a_list(values, *held))
    text = plain(question)
    words = lattice(text, tokenise(text), known.lexicon, known.catalog, values)
    found = cuts(words)
    best = _plainly(found, known, dialect, [])
    sure = len(best) == 1 and best[0].confidence >= _PLAIN
    return best, () if sure else _searched(words, found, known, dialect)


def _weighed(found: Iterable[_Found], searched: bool) -> tuple[Reading, ...]:
    """The readings, best first, each query once, and with their confidence."""
    kept: dict[tuple[str, ...], Reading] = {}
    for reading, alike in found:
        if alike not in kept or kept[alike].score < reading.score:
            kept[alike] = reading
    ranked = sorted(kept.values(), key=lambda r: -r.score)
    return tuple(_among(one, [r.score for r in ranked if r is not one], searched) for one in ranked)


def _among(one: Reading, others: list[float], searched: bool) -> Reading:
    told = beside(one.features, one.score, others, searched)
    chance = min(likely(told), _SEARCHED) if searched else likely(told)
    return replace(one, features=told, confidence=round(chance, 4), whole=not searched)


def _plainly(found: list[Cut], known: _Known, dialect: str, stuck: list[str]) -> tuple[Reading, ...]:
    """The best readings of the cuts in which every word has a place and all go together; else where they are stuck."""
    ranked = _weighed(_of_cuts(found, known, dialect, stuck), searched=False)
    return tuple(r for r in ranked if r.score >= max(ranked[0].score - _TIE, _LEAST))


def _searched(words: Lattice, found: list[Cut], known: _Known, dialect: str) -> tuple[Reading, ...]:
    """The readings that leave words out, or cut them otherwise than the best cuts do, best first."""
    return _weighed(_of_search(words, found, known, dialect), searched=True)


def _of_cuts(found: list[Cut], known: _Known, dialect: str, stuck: list[str]) -> Iterator[_Found]:
    deadline = time.thread_time() + SECONDS
    best = _LEAST + _TIE
    for cut in found:
        if time.thread_time() > deadline:
            return
        if any(m.kind == "unknown" for m in cut.marks):
            continue
        try:
            meaning = draft(cut.marks, known.lexicon)
        except Stuck as error:
            stuck += [error.mark.text] if cut is found[0] and error.mark.kind not in _SAYING_NOTHING else []
            continue
        for reading, alike in _readings(meaning, Way(cut.score, cut.marks), found[0], known, dialect, best - _TIE):
            best = max(best, reading.score)
            yield reading, alike


def _of_search(words: Lattice, found: list[Cut], known: _Known, dialect: str) -> Iterator[_Found]:
    deadline = time.thread_time() + SECONDS
    for way, meaning in ways(words, found, known.lexicon):
        readings = _readings(meaning, way, found[0], known, dialect, _UNLIKELY)
        yield from (one for one in readings if one[0].score > _UNLIKELY)
        if time.thread_time() > deadline:
            return


def _hidden_words(found: list[Cut], lexicon: Lexicon) -> list[str]:
    """The words that may name a hidden column, as if they found no place."""
    return [m.text for cut in found[:1] for m in cut.marks if any(lexicon.hides(s) for s in m.senses)]


# Kinds of marks that are no use in a message: they only show where the sentence broke off.
_SAYING_NOTHING = ("stop", "end", "comma", "and", "or", "fill", "be", "prep", "have", "rel", "open", "all")
_too_long = f"The built-in reader reads questions of up to {LONGEST} words; this one is longer."


def _empty(text: str, catalog: Catalog) -> str:
    if not catalog.tables:
        return "There is no table to ask about in this database."
    return _too_long if len(text) > 2_000 else "There is no question here: ask about the tables of this database."


def _readings(meaning: Draft, way: Way, best: Cut, known: _Known, dialect: str, floor: float) -> list[_Found]:
    """The readings of one draft that score at least `floor`, which rises to just below the best of them."""
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
            fit = fits - _far(tree, said)
            if fit < floor:
                continue
            if any(known.lexicon.hides(sense) for sense in binding.senses):
                found.append((Reading("", round(fit, 4)), ("hidden",)))
                floor = max(floor, fit - _TIE)
                continue
            if not repeats(way, binding.senses):
                continue
            try:
                made = compose(asked, binding.senses, tree, ground)
            except LeftOut:
                return found  # what fits less well is not what is meant either
            except Impossible:
                continue
            sql = made.query.sql(dialect=dialect)
            told = features(way, most, asked, binding.senses, tree)
            told |= {"fit": binding.score, "doubt": meaning.doubt + made.doubt, "far": _far(tree, said)}
            reading = Reading(sql, round(fit - made.doubt, 4), (*made.notes, *_without(way)), features=told)
            found.append((reading, _alike(sql, tree, named(dialect))))
            floor = max(floor, fit - made.doubt - _TIE)
    return found


def _without(way: Way) -> tuple[str, ...]:
    """What to say of the words that were left out."""
    words = [repr(m.text) for m in way.left_out if m.text.isalnum() or " " in m.text]
    return (f"left out: {', '.join(words)}",) if words else ()


def _far(tree: Tree, said: frozenset[Path]) -> float:
    """What a way of joins costs, less where it leads through a table that a verb says: "rented", the rentals."""
    through = bool(said) and any({edge.child, edge.parent} & said for edge in tree.edges)
    # Rows that only say which of two tables' rows go together are one join, as a key would be.
    between = Counter(edge.child for edge in tree.edges if edge.between)
    return 0.15 * (tree.cost - sum(n == 2 for n in between.values())) - (_SAID if through else 0.0)


def _alike(sql: str, tree: Tree, dialect: Dialect) -> tuple[str, ...]:
    """What two texts of one query share: joins commute, and the columns that a join sets equal are one."""
    for edge in tree.edges:
        child, parent = (dialect.written(path[-1]) for path in (edge.child, edge.parent))
        for one, other in zip(edge.columns, edge.target_columns, strict=True):
            sql = sql.replace(f"{child}.{dialect.written(one)}", f"{parent}.{dialect.written(other)}")
    return (*sorted(map(repr, tree.edges)), *sorted(sql.replace(",", " ").split()))


def _favoured(meaning: Draft, graph: Graph) -> frozenset[Edge]:
    """The keys that a way or a verb leads along.

    "From Rome" over the origin, "to Rome" over the destination; "rented by" over the rentals, and not over the store;
    "the original language" over the `original_language_id`.
    """
    names = frozenset[tuple[Path, str]]().union(*map(graph.saying, meaning.verbs))
    edges = {edge for found in graph.edges.values() for edge in found} if names else set()
    done = {e for e in edges if {(e.child, ""), (e.parent, ""), *((e.child, c) for c in e.columns)} & names}
    done |= {e for e, role in graph.roles.items() if any(says(word, said) for word in role for said in meaning.words)}
    ways = set(meaning.toward) or {slot.prep for slot in meaning.slots} & set(WAYS)
    if len(ways) != 1:
        return frozenset(done)
    way = WAYS[ways.pop()]
    edges = {edge for found in graph.edges.values() for edge in found}
    return frozenset(done | {e for e in edges if any(way.search(c) for c in e.columns)})


__all__ = ["Reading", "Unread", "read"]
