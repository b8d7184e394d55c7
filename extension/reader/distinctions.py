"""Tell readings that fit a question equally well apart, by the words that they take for different things."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.reader.grammar.draft import Draft
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.senses import spoken


def distinctions(drafts: Sequence[Draft]) -> list[tuple[str, ...]]:
    """Return a note on each word that one of the drafts takes for another table or column than others, by draft.

    The slots of a draft have one sense each.
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
