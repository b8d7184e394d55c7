"""Note what else the words of a question may be: other things for readings that tie, another date of the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.engine import Column
from askwhere.reader.grammar.dating import happens
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.marking.formulas import span_of
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense, spoken
from askwhere.reader.words.types import is_dated


def distinctions(drafts: Sequence[Draft]) -> list[tuple[str, ...]]:
    """Return for each draft the notes on the words for which another has a different table or column.

    The slots of a draft have one sense each. A note is `“start” read as trip.start_date`.
    """
    taken = [{(slot.start, slot.text): spoken(slot.senses[0]) for slot in draft.slots if slot.text} for draft in drafts]
    return [
        tuple(
            f"“{text}” {READ_AS} {name}"
            for (start, text), name in own.items()
            if any(other.get((start, text), name) != name for other in taken)
        )
        for own in taken
    ]


def other_dates(draft: Draft, senses: Sequence[Sense]) -> tuple[str, ...]:
    """Return a note for each date that was chosen among several of its table's, which the question does not name.

    `senses` has one for each slot. A note is `goes by orders.ordered_on, and not by orders.shipped_on`. When rows begin
    and when they end are no alternatives, nor is what is still to come.
    """
    notes: dict[str, None] = {}
    for slot, sense in zip(draft.slots, senses, strict=True):
        offered = {s.column.name for s in slot.senses if s.table.path == sense.table.path and len(s.columns) == 1}
        others = [c for c in _alternatives(sense) if c.name in offered and c.name != sense.column.name]
        if others:
            names = " or ".join(spoken(Sense(sense.table, (c,))) for c in others)
            notes[f"goes by {spoken(sense)}, and not by {names}"] = None
    return tuple(notes)


def _alternatives(date: Sense) -> list[Column]:
    """Return the dates of a table at which something happens, for a sense that is one of them; nothing for others.

    A beginning and an end alone are no alternatives.
    """
    dates = [c for c in events(date.table) if is_dated(c) and happens(Sense(date.table, (c,)))]
    names, spans = {c.name for c in dates}, {c.name for pair in span_of(date.table) for c in pair.columns}
    chosen = date.columns[0].name if len(date.columns) == 1 else ""
    return dates if chosen in names and not (chosen in spans and names <= spans) else []
