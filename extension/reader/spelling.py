"""Find the names of a schema that a misspelt word is likely meant for: "attendnance" for `attendance`."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import OSA

_SHORTEST, _LONG = 4, 8  # letters from which one edit is allowed, and two
_CHANCE = 0.8  # that a word so near in spelling is meant, shared by all names that are as near


def alike(word: str, names: Iterable[str]) -> list[tuple[str, float]]:
    """Return the names with the fewest edits from a word, each with the chance that it is meant.

    They begin with the same letter; words of four letters may have one edit, of eight letters two.

    >>> alike("benifit", ["benefit", "budget"]), alike("naem", ["name", "near"]), alike("cat", ["car"])
    ([('benefit', 0.8)], [('name', 0.8)], [])
    """
    most = (len(word) >= _SHORTEST) + (len(word) >= _LONG)
    near = [n for n in names if n[:1] == word[:1] and abs(len(n) - len(word)) <= most and len(n) >= _SHORTEST]
    found = {name: OSA.distance(word, name) for name in near}
    least = min(found.values(), default=most + 1)
    best = [name for name, many in found.items() if many == least <= most]
    return [(name, _CHANCE / len(best)) for name in best]
