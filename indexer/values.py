"""The distinct values of text columns, found by phrase or by BM25: what a word of a question may stand for.

`ValueIndex` is the interface that linking and the reader use; `askwhere.indexer.index` gives the one that is in the
database file, `askwhere.indexer.memory` one that is read into memory within a time budget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Match:
    """One value of one column. `score` is BM25's; `exact` says that the text itself holds the value."""

    table: tuple[str, ...]
    column: str
    value: str
    score: float = 0.0
    exact: bool = False


class ValueIndex(Protocol):
    """What a word or phrase of a question may stand for in the data."""

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """The `k` best values of each column for `text`.

        Those that stand in it exactly come before those that do nearly, of both the longer first; then by score, then
        by value. With `fill`, columns that have too few which share a word with the text give their first others too.
        """

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """For each phrase that some column holds as a whole value: every such column and value.

        Compared by `tokens`, so without case, accents and punctuation.
        """


def tokens(text: str) -> list[str]:
    """The words of a text: case folded, accents dropped, runs of letters and digits.

    >>> tokens("Saint-Étienne, 2nd")
    ['saint', 'etienne', '2nd']
    """
    from askwhere.indexer import words  # numpy comes with it: only when values are looked at

    return words.tokens(text)
