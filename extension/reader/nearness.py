"""How near words are to each other in what they mean: `wage` is near `salary`, from vectors of English words.

The vectors are made from those of all-MiniLM-L6-v2 (Apache-2.0; `tests/benchmarks/word_vectors.py`), the words from
SCOWL. They are read when a word is first looked for.
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
    """The row of each stem."""
    text = pkgutil.get_data("askwhere.reader", WORDS) or b""
    return {word: row for row, word in enumerate(text.decode().split())}


@cache
def _vectors() -> np.ndarray[Any, Any]:
    from importlib import resources

    import numpy as np

    with resources.as_file(resources.files("askwhere.reader") / VECTORS) as path:
        return np.asarray(np.load(path, mmap_mode="r"))


def is_english(word: str) -> bool:
    """Whether a stem is of a word that there is a vector of."""
    return word in _rows()


class Nearness:
    """How near other words are to those of a schema, all of them as stems."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [word for word in words if is_english(word)]
        self._directions = _directions(self._words)

    def nearest(self, word: str, many: int = 2) -> list[tuple[str, float]]:
        """The nearest words of the schema and how near they are (a cosine), nearest first; none of a word unknown."""
        if not self._words or not is_english(word):
            return []
        near = self._directions @ _directions([word])[0]
        return [(self._words[i], float(near[i])) for i in near.argsort()[::-1][:many]]


def _directions(words: Sequence[str]) -> np.ndarray[Any, Any]:
    """The vectors of words, each of length 1."""
    import numpy as np

    rows = _rows()
    found = _vectors()[[rows[word] for word in words]].astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))
