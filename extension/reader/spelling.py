"""Find the names of a schema that a misspelt word is likely meant for: "attendnance" for `attendance`."""

from __future__ import annotations

from collections.abc import Iterable

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
    found = {name: edits(word, name) for name in near}
    least = min(found.values(), default=most + 1)
    best = [name for name, many in found.items() if many == least <= most]
    return [(name, _CHANCE / len(best)) for name in best]


def edits(one: str, other: str) -> int:
    """Return how many letters to insert, leave out, replace, or swap with the next, so that one word becomes the other.

    >>> edits("naem", "name"), edits("progrect", "project"), edits("wine", "vine")
    (1, 2, 1)
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        row = [i + 1]
        for j, theirs in enumerate(other):
            row.append(min(last[j + 1] + 1, row[j] + 1, last[j] + (letter != theirs)))
            if i and j and letter == other[j - 1] and one[i - 1] == theirs:
                row[-1] = min(row[-1], before[j - 1] + 1)
        before, last = last, row
    return last[-1]
