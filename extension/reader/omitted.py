"""Count the words that a reading does without although the data knows them: features for its confidence.

A word that some value contains, "yoga", or a verb that is a state of the rows, "delivered", restricts the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from askwhere.indexer.values import ValueIndex, tokens
from askwhere.reader.joins import Path
from askwhere.reader.search import EMPTY, Way, class_of
from askwhere.reader.tokens import stem
from askwhere.reader.verbs import names_an_act

# Words that may stand before any noun without restricting it.
_FREE = frozenset("single entire whole different same full main overall general usual normal typical actual".split())


class DataWords:
    """Look words up in the values of a database, each once: the tables that hold one, and whether a value has it."""

    def __init__(self, values: ValueIndex) -> None:
        self.tables_holding: Callable[[str], frozenset[Path]] = cache(
            lambda word: frozenset(m.table for m in values.exact([word]).get(word, ()))
        )
        self.is_in_a_value: Callable[[str], bool] = cache(
            lambda word: any(stem(word) in map(stem, tokens(m.value)) for m in values.search(word, 1))
        )


def omitted(way: Way, tables: Iterable[Path], words: DataWords | None) -> dict[str, float]:
    """Return the features by name: words left out by what the data knows of them, and states taken for mere verbs."""
    if words is None:
        return {}
    left = [m.text for m in way.left_out if m.kind == "unknown" and class_of(m) not in EMPTY]
    joined = set(tables)
    verbs = [m.text for m in way.read if m.kind in ("link", "column") and names_an_act(m.text)]
    return {
        "left out: in a value": float(sum(words.is_in_a_value(word) for word in left)),
        "left out: says something": float(sum(word.lower() not in _FREE for word in left)),
        "a state left aside": float(sum(bool(words.tables_holding(word) & joined) for word in verbs)),
    }
