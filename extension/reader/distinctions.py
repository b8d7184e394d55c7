"""Note how readings that fit a question equally well differ: by the words that they take for different things."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.reader.grammar.draft import Draft
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.senses import spoken


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
