"""Write English for generated questions: articles, plurals, lists."""

from __future__ import annotations

from collections.abc import Sequence

_IRREGULAR = {"people": "people", "person": "people", "aircraft": "aircraft", "child": "children", "man": "men"}
_SOUND = {"hour": "an", "honour": "an", "uni": "a", "use": "a", "one": "a"}


def a(words: str) -> str:
    """Return words with 'a' or 'an' before them; plurals unchanged."""
    if words.endswith("s") and not words.endswith("ss"):
        return words
    article = next((choice for start, choice in _SOUND.items() if words.startswith(start)), None)
    return f"{article or ('an' if words[0].lower() in 'aeiou' else 'a')} {words}"


def plural(words: str) -> str:
    """Return the plural of a column's words."""
    if words in _IRREGULAR:
        return _IRREGULAR[words]
    head, of, rest = words.partition(" of ")
    if of and head != "number":
        return f"{plural(head)} of {rest}"
    if words.endswith(("s", "x", "ch", "sh")):
        return words if words.endswith("s") else f"{words}es"
    if words.endswith("y") and words[-2:-1] not in tuple("aeiou"):
        return f"{words[:-1]}ies"
    return f"{words}s"


def listed(words: Sequence[str]) -> str:
    """Return words as a list, such as 'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
