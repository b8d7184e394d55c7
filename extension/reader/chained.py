"""Read a question that follows others: as a refinement of the last of them, or as a question by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.following import FollowUp, follow_up, is_likely_part
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.known import Known, known_of
from askwhere.reader.likely import learned
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut, cuts, lattice
from askwhere.reader.read import read, weighed
from askwhere.reader.readings import LEAST, TIE, Reading, readings_of
from askwhere.reader.refining import AGGREGATES, BEGINNINGS, Meaning, refined, together
from askwhere.reader.refuse import refusal
from askwhere.reader.words.tokens import tokenise

_PLACED = re.compile(r"(?i)\A(?:(?:for|in|from|of|by|with|at|on|the)\b *)+")
ALONE = "read as a question of its own"  # so a note begins
_SAID_NOTHING = ("fill", "all", "comma", "be")


def read_after(
    question: str, earlier: Sequence[tuple[str, str]], catalog: Catalog, values: ValueIndex, dialect: str
) -> tuple[Reading, ...]:
    """Return the readings of a question, best first, as `read` does; a note says whether it was read as a refinement.

    `earlier` are the questions before it, oldest first, each with the query that answered it. A question that says that
    it refines the last of them ("the same for 2022") is read so first, any other by itself first. Raise `Unread`
    for what was tried first.
    """
    if not earlier:
        return read(question, catalog, values, dialect)
    said = follow_up(question)
    ways = (_refining, _alone) if refines(question) else (_alone, _refining)
    failed: list[Unread] = []
    for way in ways:
        try:
            return way(question, said, earlier, catalog, values, dialect)
        except Unread as exc:
            failed.append(exc)
    raise failed[0]


def refines(question: str) -> bool:
    """Return whether a question is likelier to refine the one before it than to be complete by itself."""
    return is_likely_part(follow_up(question))


def _alone(
    question: str,
    said: FollowUp,
    earlier: Sequence[tuple[str, str]],
    catalog: Catalog,
    values: ValueIndex,
    dialect: str,
) -> tuple[Reading, ...]:
    """Return the readings of the question by itself. Raise `Unread`, also where its words point to the one before."""
    if said.pointing:
        raise refusal((), _unclear(question, earlier[-1][0]))
    note = f"{ALONE}, which does not refine “{earlier[-1][0]}”"
    return tuple(replace(r, notes=(*r.notes, note)) for r in read(question, catalog, values, dialect))


def _refining(
    question: str,
    said: FollowUp,
    earlier: Sequence[tuple[str, str]],
    catalog: Catalog,
    values: ValueIndex,
    dialect: str,
) -> tuple[Reading, ...]:
    """Return the readings of the question as a refinement of the last of the earlier ones. Raise `Unread`."""
    asked, sql = earlier[-1]
    base = _reading_of(asked, sql, earlier[:-1], catalog, values, dialect)
    if base is None or base.meaning is None:
        raise refusal((), f"The built-in reader can refine only what it read itself, and not “{asked}”.")
    known = _known_to(base.meaning, known_of(catalog, values))
    tokens = tokenise(said.text)
    words = lattice(said.text, tokens, known.lexicon, known.catalog, values)
    found = cuts(words) if tokens else [Cut(0.0, ())]
    found = [*_other_value(said.text, base.meaning, values), *found]
    # "And by month?" after groups may add a group or replace it: both are readings, and neither is likelier.
    hows = ("and", "and also") if said.how == "and" and base.meaning.draft.groups else (said.how,)
    best = {r.sql: r for how in hows for r in _best(base, replace(said, how=how), found, known, dialect)}
    chance = min((base.confidence, *(r.confidence for r in best.values())))
    sure = tuple(replace(r, confidence=chance) for r in best.values())
    if not sure or (len(sure) == 1 and sure[0].confidence < learned().least):
        unknown = [m.text for cut in found[:1] for m in cut.marks if m.kind == "unknown"]
        raise refusal(unknown, "" if unknown else _unclear(question, asked))
    return tuple(replace(r, notes=(*r.notes, f"read as a refinement of “{asked}”")) for r in sure)


def _unclear(question: str, asked: str) -> str:
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


def _known_to(meaning: Meaning, known: Known) -> Known:
    """Return what is known of the catalog with or without its views, as the reading was made."""
    tables = [s.table for slot in meaning.draft.slots for s in slot.senses]
    without = known.without_views
    return without if without and all(without.graph.tables.get(t.path) is t for t in tables) else known


def _best(base: Reading, said: FollowUp, found: Sequence[Cut], known: Known, dialect: str) -> list[Reading]:
    """Return the best readings of a follow-up's cuts as refinements of `base`: those whose scores are nearly equal."""
    assert base.meaning is not None
    least = LEAST + min(base.score, 0.0)
    drawn = _drawn(base.meaning, said, found, known, dialect, least)
    readings = [one for one in weighed(drawn, searched=False) if one.sql]
    return [r for r in readings if r.score >= max(readings[0].score - TIE, least)]


def _drawn(
    before: Meaning, said: FollowUp, found: Sequence[Cut], known: Known, dialect: str, least: float
) -> Iterator[tuple[Reading, tuple[str, ...]]]:
    """Yield the readings of each cut of a follow-up, as a refinement of the meaning of the question before."""
    for cut in found:
        if not _begins(cut.marks, said):
            continue
        way, start = together(before.way, cut.marks, cut.score)
        most = Cut(way.score, way.marks)
        try:
            meaning = refined(before.draft, way, start, said.how, known.lexicon)
        except Stuck:
            continue
        yield from readings_of(meaning, way, most, known, dialect, least)


def _other_value(text: str, before: Meaning, values: ValueIndex) -> list[Cut]:
    """Return a follow-up that is another value of a column that was tested before, as a cut: "what about R?"."""
    phrase = _PLACED.sub("", text)
    tested = [s for slot in before.draft.slots for s in slot.senses if s.value is not None and len(s.columns) == 1]
    written = {(m.table, m.column): m.value for m in values.exact([phrase]).get(phrase, ())} if phrase else {}
    senses = tuple(
        replace(s, value=written[s.table.path, s.column.name], score=1.0, note="", respelt=False)
        for s in tested
        if (s.table.path, s.column.name) in written
    )
    size = len(tokenise(phrase))
    return [Cut(1.0 * size, (Mark("value", 0, size, 1.0 * size, phrase, senses=senses),))] if senses else []


def _begins(marks: Sequence[Mark], said: FollowUp) -> bool:
    """Return whether the first mark can begin a follow-up, or other words, "what about", show that it is one."""
    if any(m.kind == "unknown" for m in marks):
        return False
    first = next((m.kind for m in marks if m.kind not in _SAID_NOTHING), "")
    if first in AGGREGATES:
        alone = all(m.kind in (*AGGREGATES, *_SAID_NOTHING) for m in marks)
        return alone or said.how != "" or said.pointing
    return first in BEGINNINGS or said.how not in ("", "and") or (said.pointing and first != "open")


__all__ = ["read_after", "refines"]
