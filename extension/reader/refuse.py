"""Build the error for a question that is refused: the words at fault, and how to set a model."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.errors import Unread
from askwhere.reader.schema.lexicon import READ_AS

MODEL = (
    "A language model may read it: `askwhere model list` names some for this machine, and"
    " SELECT ask_set('model', 'NAME') sets one."
)


def refusal(words: Iterable[str], reason: str = "") -> Unread:
    """Return the error for a question by its words that have no place in the database, or with another `reason`."""
    unplaced = tuple(dict.fromkeys(word for word in words if word))
    return _unread(reason or _unplaced(unplaced), unplaced)


def misread(words: Iterable[str], guesses: Iterable[str] = ()) -> Unread:
    """Return the error for a question whose words are all known, but that the grammar or composer could not read.

    `words` are those at which parsing failed. `guesses` are notes on words that were guessed, “staff” read as people.
    """
    listed = tuple(dict.fromkeys(word for word in words if word))
    known = f"The built-in reader knows the words of this question, but could not fit {_quoted(listed)} into a query."
    guessed = ", and ".join(note.replace(f" {READ_AS} ", f" was {READ_AS} ", 1) for note in dict.fromkeys(guesses))
    reason = known if listed else _unplaced(())
    return _unread(f"{reason} In it, {guessed}." if guessed else reason, listed)


def refusal_text(reason: str, *advice: str) -> str:
    """Return the message of a refusal: why, then what can be done, each in a line, at last to set a model."""
    return "\n".join([reason, *advice, MODEL]) if advice else f"{reason} {MODEL}"


def _unread(reason: str, words: tuple[str, ...]) -> Unread:
    """Return the error with a reason, the words at fault, and the advice to set a model."""
    return Unread(refusal_text(reason), reason, words)


def _quoted(words: tuple[str, ...]) -> str:
    """Return up to eight words in quotation marks, separated by commas."""
    return ", ".join(f"“{word}”" for word in words[:8])


def _unplaced(words: tuple[str, ...]) -> str:
    """Return the first sentence of the message, which names the words that have no place, if there are any."""
    if not words:
        return "The built-in reader could not tell how the words of this question go together."
    return f"The built-in reader could not place {_quoted(words)} in this database."
