"""Define the interface of a value index, which finds the values of columns that words of a question may mean.

Linking and the reader use it. `askwhere.indexer.index` implements it for an index in the database file,
`askwhere.indexer.build` for one that is built in memory within a time limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from askwhere.frozen import frozen


@frozen
class Match:
    """A value of a column, which has `many` different ones.

    `score` is its BM25 score; `exact` is true if the text contains the value.
    """

    table: tuple[str, ...]
    column: str
    value: str
    score: float = 0.0
    exact: bool = False
    many: int = 0


class ValueIndex(Protocol):
    """An index of the distinct values of columns."""

    @property
    def flags(self) -> frozenset[tuple[tuple[str, ...], str]]:
        """Return the columns of numbers, as (path of the table, name), that hold 0 and 1 and no other number."""

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """Return the `k` best values of each column for `text`.

        Values that the text contains exactly come first, then those that it contains nearly; of both the longer first.
        The others follow by score, then by value. With `fill`, a column with fewer than `k` values that share a word
        with the text is filled up with its first other values.
        """

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """Return the columns and values that are equal to each phrase, by phrase; phrases without any are left out.

        They are compared by `tokens`, so without case, accents and punctuation.
        """


def tokens(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits, case folded, without accents.

    >>> tokens("Saint-Étienne, 2nd")
    ['saint', 'etienne', '2nd']
    """
    from askwhere.indexer import words  # loads numpy

    return words.tokens(text)
