"""Make candidates of the built-in reader's readings."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from askwhere import reader
from askwhere.cells import counted
from askwhere.errors import Unread
from askwhere.pipeline.asking import Asker, since
from askwhere.pipeline.confidence import SURE, odds
from askwhere.pipeline.facts import Candidate, Linked

if TYPE_CHECKING:
    from askwhere.reader.refusing.helping import Keys

REFINES = "It sounds like a refinement of another question: name that with follows := '…'."


def from_reader(linked: Linked, asker: Asker, keys_of: Keys) -> tuple[Candidate, ...]:
    """Return the built-in reader's readings as candidates; reading is a step of the trace.

    Raise `Unread` where the reader refuses, with questions or declarations of keys that help; `keys_of` returns the
    keys that may join some tables. If the question seems to be a follow-up, the error says how to name the earlier
    question.
    """
    try:
        return candidates(read(linked, asker))
    except Unread as exc:
        refines = reader.refines(linked.question)
        if linked.earlier and refines:
            raise
        from askwhere.reader.refusing.helping import helped  # takes time to load

        other = REFINES if refines else ""
        raise helped(exc, linked.question, linked.catalog, linked.values, linked.dialect, keys_of, other) from None


def read(linked: Linked, asker: Asker) -> tuple[reader.Reading, ...]:
    """Return the readings; reading is a step of the trace, which has their notes. Raise `Unread`."""
    began = time.monotonic()
    try:
        earlier = [(earlier.question, earlier.sql) for earlier in linked.earlier]
        readings = reader.read_after(linked.question, earlier, linked.catalog, linked.values, linked.dialect)
    except Unread as exc:
        asker.note("read", exc.reason, since(began))
        raise
    notes = dict.fromkeys(note for reading in readings for note in reading.notes)
    asker.note("read", counted(len(readings), "reading") + (f": {'; '.join(notes)}" if notes else ""), since(began))
    return readings


def candidates(readings: tuple[reader.Reading, ...]) -> tuple[Candidate, ...]:
    """Return readings as candidates, whose weights add up to the odds that one of them is right.

    A completion, of weight 1, is assumed to be right in half of all cases. A reading is assumed to be right as often as
    the reader says, but at most with probability `SURE`, its rate on databases that it was not developed with. The
    readings of one question share the weight equally.
    """
    return tuple(
        Candidate(r.sql, "reader", odds(min(r.confidence, SURE)) / len(readings), likely=r.confidence, notes=r.notes)
        for r in readings
    )


def sure(readings: tuple[reader.Reading, ...]) -> tuple[Candidate, ...]:
    """Return readings as candidates if the reader is sure enough of the best one; else none."""
    return candidates(readings) if max((r.confidence for r in readings), default=0.0) >= SURE else ()


def reading_once(linked: Linked, asker: Asker) -> Callable[[], tuple[reader.Reading, ...]]:
    """Return a function that returns the readings, none where the reader refuses; it reads the question once."""

    @cache
    def read_once() -> tuple[reader.Reading, ...]:
        try:
            return read(linked, asker)
        except Unread:
            return ()

    return read_once
