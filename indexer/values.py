"""The distinct values of text columns, found by phrase or by BM25: what a word of a question may stand for.

`ValueIndex` is the interface that linking and the reader use. `MemoryIndex` keeps everything in memory and is built
within a time budget; columns it did not reach are named in `left_out`.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from askwhere.engine import Engine
from askwhere.indexer.catalog import Catalog

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

_WORD = re.compile(r"[^\W_]+")


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

    def search(self, text: str, k: int = 2) -> list[Match]:
        """The `k` best values of each column for `text`: exact before near, then score, then value."""

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """For each phrase that some column holds as a whole value: every such column and value.

        Compared by `tokens`, so without case, accents and punctuation.
        """


def tokens(text: str) -> list[str]:
    """The words of a text: case folded, accents dropped, runs of letters and digits.

    >>> tokens("Saint-Étienne, 2nd")
    ['saint', 'etienne', '2nd']
    """
    folded = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(ch for ch in folded if not unicodedata.combining(ch)))


class MemoryIndex:
    """Values in memory, read column by column until `seconds` are spent or a column has `per_column` values."""

    def __init__(self, engine: Engine, catalog: Catalog, seconds: float = 2.0, per_column: int = 20_000) -> None:
        self.left_out: list[tuple[tuple[str, ...], str]] = []
        self._columns: list[tuple[tuple[str, ...], str, list[str]]] = []
        self._phrases: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._scorers: dict[int, BM25Okapi] = {}
        deadline = time.monotonic() + seconds
        for table in sorted(catalog.tables, key=lambda t: t.rows or 0):
            for column in table.columns:
                if time.monotonic() > deadline:
                    self.left_out.append((table.path, column.name))
                    continue
                found = engine.values(table, column, per_column + 1)
                if len(found) > per_column:
                    self.left_out.append((table.path, column.name))
                if found:
                    self._add(table.path, column.name, found[:per_column])

    def _add(self, table: tuple[str, ...], column: str, values: list[str]) -> None:
        number = len(self._columns)
        self._columns.append((table, column, values))
        for place, value in enumerate(values):
            # A whole value that is longer than this is prose: nobody writes it into a question.
            if len(value) <= 200:
                self._phrases[" ".join(tokens(value))].append((number, place))

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """See `ValueIndex.exact`."""
        found = {}
        for phrase in phrases:
            places = self._phrases.get(" ".join(tokens(phrase)))
            if places and tokens(phrase):
                found[phrase] = tuple(self._match(number, place, 0.0, True) for number, place in places)
        return found

    def search(self, text: str, k: int = 2) -> list[Match]:
        """See `ValueIndex.search`; scores are rank-bm25's `BM25Okapi` of that column alone."""
        words = tokens(text)
        mentioned = self._mentioned(words)
        return [match for number in range(len(self._columns)) for match in self._best(number, words, mentioned, k)]

    def _mentioned(self, words: list[str]) -> set[tuple[int, int]]:
        """Column and place of every value that stands in the text as a whole."""
        longest = 12  # words; a longer value is not named whole in a question
        spans = (
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, min(len(words), start + longest) + 1)
        )
        return {place for span in spans for place in self._phrases.get(span, ())}

    def _best(self, number: int, words: list[str], mentioned: set[tuple[int, int]], k: int) -> list[Match]:
        scores = self._scorer(number).get_scores(words) if words else []
        matches = [
            self._match(number, place, float(score), (number, place) in mentioned)
            for place, score in enumerate(scores)
            if score or (number, place) in mentioned
        ]
        return sorted(matches, key=lambda m: (not m.exact, -m.score, m.value))[:k]

    def _scorer(self, number: int) -> BM25Okapi:
        from rank_bm25 import BM25Okapi  # numpy comes with it: only when a text is searched

        if number not in self._scorers:
            self._scorers[number] = BM25Okapi([tokens(value) or [""] for value in self._columns[number][2]])
        return self._scorers[number]

    def _match(self, number: int, place: int, score: float, exact: bool) -> Match:
        table, column, values = self._columns[number]
        return Match(table, column, values[place], score, exact)
