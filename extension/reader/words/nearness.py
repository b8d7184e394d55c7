"""Find the words of a schema that a word is likely meant for: near in meaning (`wage`, `salary`), or misspelt.

The vectors are derived from the input vectors of all-MiniLM-L6-v2 and from WordNet (see
`tests/benchmarks/word_vectors.py`) for English words from SCOWL. Both files are read when the first word is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rapidfuzz.distance import OSA

if TYPE_CHECKING:
    import numpy as np

VECTORS, WORDS = "vectors.npy", "vectors.txt"
# Fitted to the synonyms in Spider-Syn's training questions, half as many of them beside a schema without their name.
_SHARPNESS, _NOTHING = 16.0, 0.34
_MOST, _LEAST = 3, 0.15  # the most stems to return, and the least chance of each


@cache
def _rows() -> dict[str, int]:
    """Return the row of the matrix of vectors for each stem."""
    text = Path(__file__).with_name(WORDS).read_text("utf-8")
    return {word: row for row, word in enumerate(text.split())}


@cache
def _vectors() -> np.ndarray[Any, Any]:
    """Return the matrix of vectors, mapped into memory: one row of 8-bit integers for each stem."""
    import numpy as np

    return np.asarray(np.load(Path(__file__).with_name(VECTORS), mmap_mode="r"))


def is_english(word: str) -> bool:
    """Return whether there is a vector for a stem."""
    return word in _rows()


class Nearness:
    """The stems of one schema that have vectors, to be compared with other stems."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [word for word in words if is_english(word)]
        self._directions = _directions(self._words)

    def likely(self, word: str) -> list[tuple[str, float]]:
        """Return up to `_MOST` stems of the schema with the chance that a word is meant for each, likeliest first.

        The chances are a softmax of `_SHARPNESS` * cosine over all stems and the case that the word is meant for none
        of them, whose cosine is `_NOTHING`; so a chance is less where others are as near. Chances below `_LEAST` are
        left out. A word without a vector is near to nothing.
        """
        if not self._words or not is_english(word):
            return []
        import numpy as np

        near = self._directions @ _directions([word])[0]
        shares = np.exp(_SHARPNESS * (near - _NOTHING))
        shares /= 1 + shares.sum()
        best = [(self._words[i], float(shares[i])) for i in shares.argsort()[::-1][:_MOST]]
        return [(name, chance) for name, chance in best if chance >= _LEAST]


def _directions(words: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return the vectors of some stems as a matrix of float32 with rows of length 1."""
    import numpy as np

    rows = _rows()
    vectors = _vectors()[[rows[word] for word in words]].astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


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
    edits = {name: OSA.distance(word, name) for name in near}
    least = min(edits.values(), default=most + 1)
    best = sorted(name for name, number in edits.items() if number == least <= most)
    return [(name, _CHANCE / len(best)) for name in best]
