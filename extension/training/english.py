"""Write the plural of English words."""

from __future__ import annotations

_IRREGULAR = {"people": "people", "person": "people", "aircraft": "aircraft", "child": "children", "man": "men"}


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
