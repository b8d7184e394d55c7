"""Read a question: find cuts, parse each to a draft, make its readings, and take the best.

If no reading is likely enough, the search leaves words out or reads them otherwise; if that fails, too, the question is
refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.distinctions import distinctions
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import draft
from askwhere.reader.known import Known, known_of
from askwhere.reader.likely import learned, likely, with_rank
from askwhere.reader.marking.place import Cut, Lattice, cuts, lattice
from askwhere.reader.marking.views import name_view
from askwhere.reader.readings import LEAST, TIE, Found, Reading, readings_of
from askwhere.reader.refuse import misread, refusal
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.text_columns import unreadable
from askwhere.reader.search import Way, parsed_ways, takes_a_thing_for_a_value
from askwhere.reader.skipping import EMPTY, class_of
from askwhere.reader.words.tokens import plain, tokenise

LONGEST = 100  # words in a question; more are refused
# Processor time for parsing, and again for what helps after a refusal: far more than the counts of what is tried take.
SECONDS = 2.0
_PLAIN = 0.9  # from this confidence on, `possible` makes no search
# Kinds of marks that a message does not name, as they tell the user nothing.
_SAYING_NOTHING = ("stop", "end", "comma", "and", "or", "fill", "be", "prep", "have", "rel", "open", "all")
_too_long = f"The built-in reader reads questions of up to {LONGEST} words; this one is longer."


def read(question: str, catalog: Catalog, values: ValueIndex, dialect: str) -> tuple[Reading, ...]:
    """Return the readings of a question, best first; several only if their scores are equal or nearly so.

    `dialect` is the name of the SQL dialect. Raise `Unread` if no reading is likely enough, with the words that have
    no place in the database.
    """
    known = known_of(catalog, values)
    text = plain(question)
    tokens = tokenise(text) if len(text) <= 2_000 else ()
    if not any(t.kind not in ("mark", "own") for t in tokens) or not catalog.tables:
        raise _empty(text, catalog)
    if len(tokens) > LONGEST:
        raise refusal((), _too_long)
    words = lattice(text, tokens, known.lexicon, known.catalog, values)
    found = cuts(words)
    if known.without_views and not name_view(found[:1], known.views):
        tables = lattice(text, tokens, known.without_views.lexicon, known.without_views.catalog, values)
        try:
            return _understood(tables, cuts(tables), known.without_views, dialect)
        except Unread:
            if not any(m.kind == "unknown" for m in cuts(tables)[0].marks):
                raise  # the tables have all words, so that a view could only have them in another sense
    return _understood(words, found, known, dialect)


def _understood(words: Lattice, found: list[Cut], known: Known, dialect: str) -> tuple[Reading, ...]:
    """Return the best readings of the cuts, or else of the search. Raise `Unread` if none is likely enough."""
    stuck: list[str] = []
    best = readings_of_cuts(found, known, dialect, stuck)
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
    if why := _unreadable(found[0]):
        raise refusal((), why)
    unknown = [m for m in found[0].marks if m.kind == "unknown"]
    unplaced = [m.text for m in unknown if class_of(m) not in EMPTY] or [m.text for m in unknown]
    raise refusal(unplaced) if unplaced else misread(stuck, _guesses(found[0]))


def _guesses(cut: Cut) -> list[str]:
    """Return the notes on the words of a cut that only a guess places."""
    return [m.senses[0].note for m in cut.marks if m.senses and all(f" {READ_AS} " in s.note for s in m.senses)]


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
    best = readings_of_cuts(found, known, dialect, [])
    sure = len(best) == 1 and best[0].confidence >= _PLAIN
    return best, () if sure else _searched(words, found, known, dialect)


def weighed(found: Iterable[Found], searched: bool) -> tuple[Reading, ...]:
    """Return the readings with their confidence, best first, one for each query."""
    kept: dict[tuple[str, ...], Reading] = {}
    for reading, alike in found:
        if alike not in kept or kept[alike].score < reading.score:
            kept[alike] = reading
    ranked = sorted(kept.values(), key=lambda r: -r.score)
    return tuple(_among(one, [r.score for r in ranked if r is not one], searched) for one in ranked)


def _among(one: Reading, others: list[float], searched: bool) -> Reading:
    """Return a reading with the features and the confidence that it has beside `others`, the scores of the rest."""
    told = with_rank(one.features, one.score, others, searched)
    return replace(one, features=told, confidence=round(likely(told), 4), whole=not searched)


def readings_of_cuts(found: list[Cut], known: Known, dialect: str, stuck: list[str]) -> tuple[Reading, ...]:
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


def _of_cuts(found: list[Cut], known: Known, dialect: str, stuck: list[str]) -> Iterator[Found]:
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


def _of_search(words: Lattice, found: list[Cut], known: Known, dialect: str) -> Iterator[Found]:
    """Yield the readings of each way that the search finds, until the time limit."""
    deadline = time.thread_time() + SECONDS
    for way, meaning in parsed_ways(words, found, known.lexicon):
        readings = readings_of(meaning, way, found[0], known, dialect, LEAST)
        yield from (one for one in readings if one[0].score > LEAST)
        if time.thread_time() > deadline:
            return


def _unreadable(cut: Cut) -> str:
    """Return why a column that a cut names, or else a date of a table that it names, cannot be compared; else ""."""
    senses = [mark.senses[0] for mark in cut.marks if mark.senses]
    dated = any(m.days or m.kind in ("when", "each", "period", "superlative") for m in cut.marks)
    named = [(s.table, s.columns or (s.table.columns if dated else ())) for s in senses]
    found = [(table, c, why) for table, columns in named for c in columns if (why := unreadable(c))]
    said = next(((table, c, why) for table, c, why in found if (table, (c,)) in named), None) or next(iter(found), None)
    return f"{said[0].name}.{said[1].name} {said[2]}, so it is not compared or sorted." if said else ""


def _hidden_words(found: list[Cut], lexicon: Lexicon) -> list[str]:
    """Return the words of the best cut that may name a hidden column, to be refused like unknown words."""
    return [m.text for cut in found[:1] for m in cut.marks if any(lexicon.hides(s) for s in m.senses)]


def _empty(text: str, catalog: Catalog) -> Unread:
    """Return the error for what cannot be read at all: no tables or no words, which no model reads either; too long."""
    if catalog.tables and len(text) > 2_000:
        return refusal((), _too_long)
    asked = "There is no question here: ask about the tables of this database."
    reason = asked if catalog.tables else "There is no table to ask about in this database."
    return Unread(reason, reason)


__all__ = ["Reading", "Unread", "read"]
