"""Find the word of a schema that is nearest in meaning to a given word, by cosine: `wage` is near `salary`.

The vectors are derived from the input vectors of all-MiniLM-L6-v2 (Apache-2.0; see `tests/benchmarks/word_vectors.py`)
for English words from SCOWL. Both files are read when the first word is looked up.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

VECTORS, WORDS = "vectors.npy", "vectors.txt"


@cache
def _rows() -> dict[str, int]:
    """Return the row of the matrix of vectors for each stem."""
    text = pkgutil.get_data("askwhere.reader", WORDS) or b""
    return {word: row for row, word in enumerate(text.decode().split())}


@cache
def _vectors() -> np.ndarray[Any, Any]:
    """Return the matrix of vectors, mapped into memory: one row of 8-bit integers for each stem."""
    from importlib import resources

    import numpy as np

    with resources.as_file(resources.files("askwhere.reader") / VECTORS) as path:
        return np.asarray(np.load(path, mmap_mode="r"))


def is_english(word: str) -> bool:
    """Return whether there is a vector for a stem."""
    return word in _rows()


class Nearness:
    """The stems of one schema that have vectors, to be compared with other stems."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [word for word in words if is_english(word)]
        self._directions = _directions(self._words)

    def nearest(self, word: str, many: int = 2) -> list[tuple[str, float]]:
        """Return the `many` nearest stems of the schema with their cosines, nearest first.

        The list is empty for a word that has no vector.
        """
        if not self._words or not is_english(word):
            return []
        near = self._directions @ _directions([word])[0]
        return [(self._words[i], float(near[i])) for i in near.argsort()[::-1][:many]]


def _directions(words: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return the vectors of some stems as a matrix of float32 with rows of length 1."""
    import numpy as np

    rows = _rows()
    found = _vectors()[[rows[word] for word in words]].astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))
