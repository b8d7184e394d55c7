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
from askwhere.reader.readings import LEAST, TIE, KeyedReading, Reading, readings_of
from askwhere.reader.refuse import misread, refusal
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.senses import spoken
from askwhere.reader.schema.text_columns import unreadable
from askwhere.reader.search import Way, parsed_ways, takes_a_thing_for_a_value
from askwhere.reader.skipping import EMPTY, class_of
from askwhere.reader.two_lists import read_two_lists
from askwhere.reader.words.tokens import Token, plain, tokenise

LONGEST = 100  # words in a question; more are refused
_LONGEST_TEXT = 2_000  # characters; more are not even split into words
# Seconds of processor time for the cuts of a question, for the search, and for what helps after a refusal, each. The
# limits on the numbers of cuts and of parsed sequences mostly end these far sooner.
SECONDS = 2.0
_MEANINGS = 6  # words of a question that a refusal explains
_PLAIN = 0.9  # from this confidence on, `possible` makes no search
# Kinds of marks at which parsing may fail, but that a refusal does not quote: "could not fit “the”" helps nobody.
_NOT_QUOTED = ("stop", "end", "comma", "and", "or", "fill", "be", "prep", "have", "rel", "open", "all")
_too_long = f"The built-in reader reads questions of up to {LONGEST} words; this one is longer."


def read(question: str, catalog: Catalog, values: ValueIndex, dialect: str) -> tuple[Reading, ...]:
    """Return the readings of a question, best first: one, or several if their scores differ by at most `TIE`.

    `dialect` is the name of the SQL dialect. Raise `Unread` if no reading is likely enough, with the words that have
    no place in the database.
    """

    def read_list(asked: str) -> tuple[Reading, ...]:
        return _read_one(asked, catalog, values, dialect)

    try:
        readings = _read_one(question, catalog, values, dialect)
    except Unread:
        if both := read_two_lists(question, catalog, dialect, read_list):
            return (both,)
        raise
    # "Towns with a depot but no donor" are those of two tables with towns of their own, and not of depots that have no
    # donor over some other table.
    both = read_two_lists(question, catalog, dialect, read_list, own=True)
    return (both,) if both else readings


def _read_one(question: str, catalog: Catalog, values: ValueIndex, dialect: str) -> tuple[Reading, ...]:
    """Return the readings of a question that is answered by one query. Raise `Unread`."""
    known = known_of(catalog, values)
    text = plain(question)
    tokens = bounded_tokens(text) if catalog.tables else ()
    if not any(t.kind not in ("mark", "own") for t in tokens):
        raise _no_question(catalog)
    words = lattice(text, tokens, known.lexicon, known.catalog, values)
    best_cuts = cuts(words)
    if known.without_views and not name_view(best_cuts[:1], known.views):
        tables = lattice(text, tokens, known.without_views.lexicon, known.without_views.catalog, values)
        try:
            return _likely_readings(tables, cuts(tables), known.without_views, dialect)
        except Unread:
            if not any(m.kind == "unknown" for m in cuts(tables)[0].marks):
                raise  # the tables have all words, so that a view could only have them in another sense
    return _likely_readings(words, best_cuts, known, dialect)


def _likely_readings(words: Lattice, best_cuts: list[Cut], known: Known, dialect: str) -> tuple[Reading, ...]:
    """Return the readings of the cuts or, if these are not likely enough, the likeliest of all and of the search.

    Raise `Unread` if that is not likely enough either, or if the best readings are of a hidden column.
    """
    stuck: list[str] = []
    best = readings_of_cuts(best_cuts, known, dialect, stuck)
    if any(not r.sql for r in best):
        raise refusal(_hidden_words(best_cuts, known.lexicon))
    if sum(r.confidence for r in best) >= learned().least:  # of readings that tie, one is right
        return best
    searched = _searched(words, best_cuts, known, dialect)
    if any(not r.sql for r in searched[:1]):
        raise refusal(_hidden_words(best_cuts, known.lexicon))
    likeliest = max((r for r in (*best, *searched) if r.sql), key=lambda r: r.confidence, default=None)
    if likeliest and likeliest.confidence >= learned().least:
        return (likeliest,)
    if why := _unreadable(best_cuts[0]):
        raise refusal((), why)
    unknown = [m for m in best_cuts[0].marks if m.kind == "unknown"]
    unplaced = [m.text for m in unknown if class_of(m) not in EMPTY] or [m.text for m in unknown]
    raise refusal(unplaced) if unplaced else misread(stuck, (_guesses if stuck else _meanings)(best_cuts[0]))


def _guesses(cut: Cut) -> list[str]:
    """Return the notes on the words of a cut whose senses are all guessed, such as “staff” for a table of people."""
    return [m.senses[0].note for m in cut.marks if m.senses and all(f" {READ_AS} " in s.note for s in m.senses)]


def _meanings(cut: Cut) -> list[str]:
    """Return a note on each word of a cut that names a table or column, or is a value: what it was first read as."""
    told = [m for m in cut.marks if m.kind in ("table", "column", "value") and m.senses]
    return [f"“{m.text}” {READ_AS} {spoken(m.senses[0])}" for m in told][:_MEANINGS]


def possible(
    question: str, catalog: Catalog, values: ValueIndex, dialect: str
) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """Return all readings of a question, however unlikely: those of its cuts, and those of the search.

    `tests/benchmarks/reader_weights.py` learns the weights on them. There is no search if the only reading of
    the cuts is almost certain.
    """
    known = known_of(catalog, values)
    text = plain(question)
    words = lattice(text, tokenise(text), known.lexicon, known.catalog, values)
    best_cuts = cuts(words)
    best = readings_of_cuts(best_cuts, known, dialect, [])
    sure = len(best) == 1 and best[0].confidence >= _PLAIN
    return best, () if sure else _searched(words, best_cuts, known, dialect)


def weighed(readings: Iterable[KeyedReading], searched: bool) -> tuple[Reading, ...]:
    """Return the readings with their confidence, best first, and of those with the same key only the best.

    `searched` says whether the search found them, rather than the cuts; its readings are weighed differently.
    """
    best: dict[tuple[str, ...], Reading] = {}
    for reading, key in readings:
        if key not in best or best[key].score < reading.score:
            best[key] = reading
    ranked = sorted(best.values(), key=lambda r: -r.score)
    return tuple(_with_confidence(r, [other.score for other in ranked if other is not r], searched) for r in ranked)


def _with_confidence(reading: Reading, others: list[float], searched: bool) -> Reading:
    """Return a reading with its rank among `others`, the scores of the rest, as features, and with its confidence."""
    features = with_rank(reading.features, reading.score, others, searched)
    return replace(reading, features=features, confidence=round(likely(features), 4), whole=not searched)


def readings_of_cuts(best_cuts: list[Cut], known: Known, dialect: str, stuck: list[str]) -> tuple[Reading, ...]:
    """Return the best reading of all cuts without unknown words, and those that tie with it (`TIE`).

    Append to `stuck` the text of the mark at which parsing the best cut failed.
    """
    ranked = weighed(_of_cuts(best_cuts, known, dialect, stuck), searched=False)
    tied = [r for r in ranked if r.score >= max(ranked[0].score - TIE, LEAST)]
    # Of two with the same values, the one that joins fewer tables is meant: the other reads no more of the question.
    return _with_distinctions([r for r in tied if not any(o.tables < r.tables and o.valued == r.valued for o in tied)])


def _with_distinctions(tied: list[Reading]) -> tuple[Reading, ...]:
    """Return readings that tie, each with notes on the words that another one takes for something else."""
    if len(tied) < 2:
        return tuple(tied)
    notes = distinctions([r.meaning.draft if r.meaning else Draft() for r in tied])
    return tuple(replace(r, notes=tuple(dict.fromkeys((*r.notes, *own)))) for r, own in zip(tied, notes, strict=True))


def _searched(words: Lattice, best_cuts: list[Cut], known: Known, dialect: str) -> tuple[Reading, ...]:
    """Return the readings that leave words out, or cut them otherwise than the best cuts, best first."""
    return weighed(_of_search(words, best_cuts, known, dialect), searched=True)


def _of_cuts(best_cuts: list[Cut], known: Known, dialect: str, stuck: list[str]) -> Iterator[KeyedReading]:
    """Yield the readings of each cut without unknown words, until the time limit."""
    deadline = time.thread_time() + SECONDS
    best = LEAST + TIE
    for cut in best_cuts:
        if time.thread_time() > deadline:
            return
        if any(m.kind == "unknown" for m in cut.marks) or takes_a_thing_for_a_value(cut.marks, "of the"):
            continue
        try:
            meaning = draft(cut.marks, known.lexicon)
        except Stuck as error:
            stuck += [error.mark.text] if cut is best_cuts[0] and error.mark.kind not in _NOT_QUOTED else []
            continue
        for reading, key in readings_of(meaning, Way(cut.score, cut.marks), best_cuts[0], known, dialect, best - TIE):
            best = max(best, reading.score)
            yield reading, key


def _of_search(words: Lattice, best_cuts: list[Cut], known: Known, dialect: str) -> Iterator[KeyedReading]:
    """Yield the readings of each way that the search finds, until the time limit."""
    deadline = time.thread_time() + SECONDS
    for way, meaning in parsed_ways(words, best_cuts, known.lexicon):
        readings = readings_of(meaning, way, best_cuts[0], known, dialect, LEAST)
        yield from ((reading, key) for reading, key in readings if reading.score > LEAST)
        if time.thread_time() > deadline:
            return


def _unreadable(cut: Cut) -> str:
    """Return the sentence that says why a column of text that a cut names cannot be compared; "" if all can.

    If it names none, and a date is compared or grouped by, the column may be any one of the tables that it names.
    """
    senses = [mark.senses[0] for mark in cut.marks if mark.senses]
    dated = any(m.days or m.kind in ("when", "each", "period", "superlative") for m in cut.marks)
    named = [(s.table, s.columns or (s.table.columns if dated else ())) for s in senses]
    texts = [(table, c, why) for table, columns in named for c in columns if (why := unreadable(c))]
    texts.sort(key=lambda text: (text[0], (text[1],)) not in named)  # those that are named themselves first
    return "".join(f"{table.name}.{c.name} {why}, so it is not compared or sorted." for table, c, why in texts[:1])


def _hidden_words(best_cuts: list[Cut], lexicon: Lexicon) -> list[str]:
    """Return the words of the best cut that may name a hidden column, to be refused like unknown words."""
    return [m.text for cut in best_cuts[:1] for m in cut.marks if any(lexicon.hides(s) for s in m.senses)]


def bounded_tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a question. Raise `Unread` for one that is so long that reading it would take seconds."""
    tokens = tokenise(text) if len(text) <= _LONGEST_TEXT else ()
    if len(tokens) > LONGEST or len(text) > _LONGEST_TEXT:
        raise refusal((), _too_long)
    return tokens


def _no_question(catalog: Catalog) -> Unread:
    """Return the error for a text without words or a database without tables, which no model reads either."""
    asked = "There is no question here: ask about the tables of this database."
    reason = asked if catalog.tables else "There is no table to ask about in this database."
    return Unread(reason, reason)


__all__ = ["Reading", "Unread", "read"]
