"""Read a question that follows others: as a refinement of the last of them, or as a question by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.following import REFINES, FollowUp, follow_up, is_likely_part
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.known import Known, known_of
from askwhere.reader.likely import learned
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut, cuts, lattice
from askwhere.reader.read import bounded_tokens, read, weighed
from askwhere.reader.readings import LEAST, TIE, KeyedReading, Reading, readings_of
from askwhere.reader.refining import AGGREGATES, BEGINNINGS, Meaning, refined, together
from askwhere.reader.refuse import refusal
from askwhere.reader.words.tokens import tokenise

_BEFORE_VALUE = re.compile(r"(?i)\A(?:(?:for|in|from|of|by|with|at|on|the)\b *)+")
ALONE = "read as a question of its own"  # the beginning of the note on an answer that refines nothing
_FILLERS = ("fill", "all", "comma", "be")


def read_after(
    question: str, earlier: Sequence[tuple[str, str]], catalog: Catalog, values: ValueIndex, dialect: str
) -> tuple[Reading, ...]:
    """Return the readings of a question, best first, as `read` does; a note says whether it was read as a refinement.

    `earlier` are the questions before it, oldest first, each with the query that answered it. A question that says that
    it refines the last of them ("the same for 2022") is read so first, any other by itself first. If neither succeeds,
    raise the `Unread` of the first.
    """
    if not earlier:
        return read(question, catalog, values, dialect)
    bounded_tokens(question)  # follow-ups are as short as other questions
    follow = follow_up(question)
    ways = (_refining, _alone) if refines(question) else (_alone, _refining)
    failed: list[Unread] = []
    for way in ways:
        try:
            return way(question, follow, earlier, catalog, values, dialect)
        except Unread as exc:
            failed.append(exc)
    raise failed[0]


def refines(question: str) -> bool:
    """Return whether a question is likelier to refine the one before it than to be complete by itself."""
    return is_likely_part(follow_up(question))


def _alone(
    question: str,
    follow: FollowUp,
    earlier: Sequence[tuple[str, str]],
    catalog: Catalog,
    values: ValueIndex,
    dialect: str,
) -> tuple[Reading, ...]:
    """Return the readings of the question by itself. Raise `Unread`, also if it needs the answer before ("those")."""
    if follow.pointing:
        raise refusal((), _unclear(question, earlier[-1][0]))
    note = f"{ALONE}, which does not refine “{earlier[-1][0]}”"
    return tuple(replace(r, notes=(*r.notes, note)) for r in read(question, catalog, values, dialect))


def _refining(
    question: str,
    follow: FollowUp,
    earlier: Sequence[tuple[str, str]],
    catalog: Catalog,
    values: ValueIndex,
    dialect: str,
) -> tuple[Reading, ...]:
    """Return the readings of the question as a refinement of the last of the earlier ones.

    Raise `Unread` if the reader did not answer that one, or if no refinement of it is likely enough.
    """
    asked, sql = earlier[-1]
    base = _reading_of(asked, sql, earlier[:-1], catalog, values, dialect)
    if base is None or base.meaning is None:
        raise refusal((), f"The built-in reader can refine only what it read itself, and not “{asked}”.")
    known = _known_by(base.meaning, known_of(catalog, values))
    tokens = tokenise(follow.text)
    words = lattice(follow.text, tokens, known.lexicon, known.catalog, values)
    best_cuts = cuts(words) if tokens else [Cut(0.0, ())]
    best_cuts = [*_other_value(follow.text, base.meaning, values), *best_cuts]
    # "And by month?" after groups may add a group or replace it: both are readings, and neither is likelier.
    hows = ("and", "and also") if follow.how == "and" and base.meaning.draft.groups else (follow.how,)
    best = {r.sql: r for how in hows for r in _best(base, replace(follow, how=how), best_cuts, known, dialect)}
    confidence = min((base.confidence, *(r.confidence for r in best.values())))  # no surer than what it refines
    readings = tuple(replace(r, confidence=confidence) for r in best.values())
    if not readings or (len(readings) == 1 and confidence < learned().least):
        unknown = [m.text for cut in best_cuts[:1] for m in cut.marks if m.kind == "unknown"]
        raise refusal(unknown, "" if unknown else _unclear(question, asked))
    return tuple(replace(r, notes=(*r.notes, f"{REFINES} “{asked}”")) for r in readings)


def _unclear(question: str, asked: str) -> str:
    """Return the reason to refuse a question: it is not clear how it refines the question `asked`."""
    return f"The built-in reader could not tell how “{question[:80]}” refines “{asked[:80]}”. Ask the whole question."


def _reading_of(
    asked: str, sql: str, earlier: Sequence[tuple[str, str]], catalog: Catalog, values: ValueIndex, dialect: str
) -> Reading | None:
    """Return the reading of an earlier question whose query answered it; None where something else answered it."""
    try:
        readings = read_after(asked, earlier, catalog, values, dialect)
    except Unread:
        return None
    return next((r for r in readings if r.sql == sql), None)


def _known_by(meaning: Meaning, known: Known) -> Known:
    """Return what is known of the catalog without its views if the meaning was read so, else what is known of all."""
    tables = [s.table for slot in meaning.draft.slots for s in slot.senses]
    without = known.without_views
    return without if without and all(without.graph.tables.get(t.path) is t for t in tables) else known


def _best(base: Reading, follow: FollowUp, best_cuts: Sequence[Cut], known: Known, dialect: str) -> list[Reading]:
    """Return the best readings of a follow-up's cuts as refinements of `base`: those whose scores are nearly equal."""
    assert base.meaning is not None
    least = LEAST + min(base.score, 0.0)
    refinements = _refinements(base.meaning, follow, best_cuts, known, dialect, least)
    ranked = [r for r in weighed(refinements, searched=False) if r.sql]
    return [r for r in ranked if r.score >= max(ranked[0].score - TIE, least)]


def _refinements(
    before: Meaning, follow: FollowUp, best_cuts: Sequence[Cut], known: Known, dialect: str, least: float
) -> Iterator[KeyedReading]:
    """Yield the readings of each cut of a follow-up as a refinement of `before`, those that score at least `least`."""
    for cut in best_cuts:
        if not _may_refine(cut.marks, follow):
            continue
        way, start = together(before.way, cut.marks, cut.score)
        try:
            meaning = refined(before.draft, way, start, follow.how, known.lexicon)
        except Stuck:
            continue
        yield from readings_of(meaning, way, Cut(way.score, way.marks), known, dialect, least)


def _other_value(text: str, before: Meaning, values: ValueIndex) -> list[Cut]:
    """Return a cut for a follow-up that is only another value of a column that is tested in `before`: "what about R?".

    The lattice would take such a value for other words; there is no cut if the text is no such value.
    """
    phrase = _BEFORE_VALUE.sub("", text)
    tested = [s for slot in before.draft.slots for s in slot.senses if s.value is not None and len(s.columns) == 1]
    written = {(m.table, m.column): m.value for m in values.exact([phrase]).get(phrase, ())} if phrase else {}
    senses = tuple(
        replace(s, value=written[s.table.path, s.column.name], score=1.0, note="", respelt=False)
        for s in tested
        if (s.table.path, s.column.name) in written
    )
    size = len(tokenise(phrase))
    return [Cut(1.0 * size, (Mark("value", 0, size, 1.0 * size, phrase, senses=senses),))] if senses else []


def _may_refine(marks: Sequence[Mark], follow: FollowUp) -> bool:
    """Return whether all words are known, and the first mark or the words taken off show that it is a follow-up."""
    if any(m.kind == "unknown" for m in marks):
        return False
    first = next((m.kind for m in marks if m.kind not in _FILLERS), "")
    if first in AGGREGATES:
        alone = all(m.kind in (*AGGREGATES, *_FILLERS) for m in marks)
        return alone or follow.how != "" or follow.pointing
    return first in BEGINNINGS or follow.how not in ("", "and") or (follow.pointing and first != "open")


__all__ = ["read_after", "refines"]
