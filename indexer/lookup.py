"""Look values up in the index: by phrase, and by BM25 in all columns at once (`askwhere.indexer.scoring`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields

import numpy as np
from askwhere.frozen import frozen
from askwhere.indexer import matching, postings, segment, tables
from askwhere.indexer.scoring import (
    IndexStatistics,
    Lists,
    Postings,
    Scored,
    contains,
    joined,
    runs,
    score_segment,
    top,
)
from askwhere.indexer.values import Match
from askwhere.indexer.words import tokens, tokens_each, word_hashes
from numpy.typing import NDArray

# A value is compared with the text if the text contains this share of its words, in any form.
COVERED = 0.6
# Values of a column that are compared with the text, exactly and then nearly, at most.
COMPARED = 200
# The most bytes of a segment's words, of one length and first letter, that a misspelled word is compared with: of half
# a million words and more.
_MOST_ALIKE = 4 * 2**20
# Columns of at most `SMALL` values are compared with the text whole, smallest first, up to `SMALL_IN_ALL` values.
SMALL, SMALL_IN_ALL = 1_000, 20_000

# Returns the blobs of some keys of a table; keys without one are left out.
Fetch = Callable[[str, Sequence[int]], Mapping[int, bytes]]


@frozen
class Index:
    """An index that can be searched: its statistics, and a function that fetches blobs from its tables."""

    statistics: IndexStatistics
    fetch: Fetch

    @property
    def flags(self) -> frozenset[tuple[tuple[str, ...], str]]:
        """Return the columns of 0 and 1, as `ValueIndex.flags` does."""
        return self.statistics.flags

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """Look up phrases, as `ValueIndex.exact` does."""
        asked = list(phrases)
        words_of = dict(zip(asked, tokens_each(asked), strict=True))
        lists = self._lists({word for words in words_of.values() for word in words})
        indexed = set[str]().union(*lists)  # a phrase with any other word is no value
        holders = {
            phrase: self._holders(words, lists) for phrase, words in words_of.items() if indexed.issuperset(words)
        }
        texts = self.texts({v for values in holders.values() for v in values})
        matches = {
            phrase: tuple(
                self._match(value, texts[value], 0.0, True)
                for value in values
                if len(words_of[phrase]) == 1 or tokens(texts[value]) == words_of[phrase]
            )
            for phrase, values in holders.items()
        }
        return {phrase: found for phrase, found in matches.items() if found}

    def _holders(self, words: list[str], lists: Sequence[Lists]) -> list[int]:
        """Return the numbers of the values that contain each of `words` and have as many words."""
        holders: list[int] = []
        for ordinal, (pairs, posted) in enumerate(zip(self.statistics.codes, lists, strict=True)):
            if not words or not posted.keys() >= set(words):
                continue
            shortest, *rest = sorted((posted[word] for word in set(words)), key=lambda p: len(p.values))
            values = shortest.values[pairs.lengths[shortest.codes] == len(words)]
            for other in rest:
                values = values[contains(other.values, values)]
            numbers = values.astype(np.int64) + (ordinal << 32)
            regions = np.searchsorted(self.statistics.starts, numbers, side="right") - 1
            holders += numbers[self.statistics.live[regions]].tolist()
        return holders

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """Search as `ValueIndex.search` does.

        The postings are those of the text's words, of other forms of them, and, for words that the index lacks, of
        similar words.
        """
        asked = matching.text(text)
        lists = self._lists({*asked.words, *matching.others(asked)})
        indexed = set[str]().union(*lists)
        unknown = (
            {word for word in asked.words if word not in indexed} if len(asked.words) <= matching.MOST_WORDS else ()
        )
        near = self._lists(self._near(unknown))
        scored = self.score(asked.words, [{**b, **a} for a, b in zip(lists, near, strict=True)])
        alike = self._alike(asked)
        return self._best(asked, self._with_alike(joined(scored), alike), alike, k, fill)

    def score(self, words: Sequence[str], lists: Sequence[Lists] | None = None) -> list[Scored]:
        """Return the scores of all values that share a word with `words`, for each segment that has any.

        With `lists`, the postings by segment, values that share any other word of the lists are included. Without
        `lists` only the fields `values`, `regions` and `scores` are valid.
        """
        by_segment = self._lists(set(words)) if lists is None else lists
        return [
            score_segment(self.statistics, ordinal, posted, words, lists is not None)
            for ordinal, posted in enumerate(by_segment)
            if posted
        ]

    def _lists(self, words: Iterable[str]) -> list[Lists]:
        """Return for each segment the postings of those words that it has."""
        ordered = sorted(words)
        hashed = list(zip(ordered, word_hashes(ordered), strict=True))
        segments = self.statistics.contents.segments
        places = [
            (word, ordinal, stored.number << 32 | (hash_ >> 64 - stored.bits if stored.bits else 0))
            for word, hash_ in hashed
            for ordinal, stored in enumerate(segments)
        ]
        buckets = self.fetch(tables.POSTINGS, sorted({key for _, _, key in places}))
        lists: list[Lists] = [{} for _ in segments]
        widths = [codes.width for codes in self.statistics.codes]
        for word, ordinal, key in places:
            bucket = buckets.get(key, b"")
            encoded = word.encode("utf-8", "surrogatepass")
            if encoded in bucket and (posted := postings.find(bucket, encoded, widths[ordinal])):
                lists[ordinal][word] = Postings(*posted)
        return lists

    def _near(self, words: Iterable[str]) -> list[str]:
        """Return words of the index that are similar to misspelled ones: about as long, with the same first letter."""
        near: list[str] = []
        for word in words:
            if not matching.may_be_misspelled(word):
                continue
            encoded = word.encode()
            keys = [
                stored.number << 32 | size << 8 | encoded[0]
                for stored in self.statistics.contents.segments
                for size in range(max(len(encoded) - 2, segment.NEAR_SIZES[0]), len(encoded) + 3)
            ]
            alike = {
                w
                for key, blob in self.fetch(tables.NEAR, keys).items()
                for w in _sized_words(blob[:_MOST_ALIKE], key >> 8 & 0xFFFFFF)
            }
            near += matching.near_words(word, sorted(alike))
        return near

    def _alike(self, asked: matching.SearchedText) -> dict[int, int]:
        """Return the values of small columns that are spelled like a span of the text, with their numbers of words."""
        if not self.statistics.small:
            self._read_small()
        return {
            values[place]: n_words
            for (n_words, letter), (texts, values) in self.statistics.small.items()
            for place in matching.alike(asked, n_words, letter, texts)
        }

    def _read_small(self) -> None:
        """Read the values of small columns into `statistics.small`."""
        # The first entry holds nothing: the dictionary is not empty once the columns are read.
        small: dict[tuple[int, str], tuple[list[str], list[int]]] = {(0, ""): ([], [])}
        columns = zip(self.statistics.columns, self.statistics.starts.tolist(), strict=True)
        room, keys = SMALL_IN_ALL, dict[int, int]()
        for column, start in sorted((c for c in columns if c[0]), key=lambda c: c[0].n_values if c[0] else 0):
            room -= column.n_values if column else 0
            if column and column.n_values <= SMALL and room >= 0:
                firsts = range(start, start + column.n_values, segment.BLOCK)
                keys |= {self._block(first): first for first in firsts}
        for key, block in self.fetch(tables.VALUES, sorted(keys)).items():
            for place, words in matching.may_be_near(tokens_each(segment.values_in(block))):
                texts, values = small.setdefault((len(words), words[0][0]), ([], []))
                texts.append(" ".join(words))
                values.append(keys[key] + place)
        self.statistics.small.update(small)

    def _with_alike(self, scored: Scored, alike: Mapping[int, int]) -> Scored:
        """Return the scored values and, with a score of 0, those of `alike` that share no word with the text."""
        more = np.array(sorted(alike), np.int64)
        if len(scored.values):
            more = more[~contains(scored.values, more)]
        if not len(more):
            return scored
        lengths, zeros = np.array([alike[value] for value in more.tolist()], np.float64), np.zeros(len(more))
        regions = (np.searchsorted(self.statistics.starts, more, side="right") - 1).astype(np.int32)
        both = joined([scored, Scored(more, regions, zeros, zeros, zeros, lengths)])
        order = np.argsort(both.values)
        return Scored(*(getattr(both, f.name)[order] for f in fields(Scored)))

    def _best(
        self, asked: matching.SearchedText, scored: Scored, alike: Collection[int], k: int, fill: bool
    ) -> list[Match]:
        """Return the `k` best values of each column: exact matches, near matches, then the highest scores.

        Scores only select candidates for a match; their texts are read and compared (`_verified`).
        """
        exact = self._verified(
            scored, scored.n_same >= scored.lengths, k, lambda words: matching.is_exact(words, asked)
        )
        exact_places = {place for places in exact.values() for place in places}
        room = np.array([len(exact.get(r, ())) < k for r in range(len(self.statistics.columns))], bool)
        near_enough = scored.n_covered >= COVERED * scored.lengths
        if alike:
            near_enough |= contains(np.array(sorted(alike)), scored.values)
        near_enough &= room[scored.regions]
        near_enough[list(exact_places)] = False
        near = self._verified(scored, near_enough, k, lambda words: matching.is_near(words, asked))
        # A value that shares only other forms of words with the text is a near match or is not returned.
        shown = np.where(scored.n_same > 0, scored.scores, -np.inf)
        chosen: dict[int, list[tuple[int, float, bool]]] = {}  # for each region: value, score, exact
        for region, first, last in runs(scored.regions):
            places = exact.get(region, []) + near.get(region, [])
            if len(places) < k:
                highest = top(shown, first, last, k + len(places))
                places += [p for p in highest if p not in places and shown[p] > -np.inf]
            chosen[region] = [(int(scored.values[p]), float(scored.scores[p]), p in exact_places) for p in places[:k]]
        if fill:
            chosen = {
                region: self._filled(region, chosen.get(region, []), k)
                for region in range(len(self.statistics.columns))
            }
        best = [best for region in sorted(chosen) if self.statistics.live[region] for best in chosen[region]]
        texts = self.texts(value for value, _, _ in best)
        return [self._match(value, texts[value], score, is_exact) for value, score, is_exact in best]

    def _filled(self, region: int, chosen: list[tuple[int, float, bool]], k: int) -> list[tuple[int, float, bool]]:
        """Return a column's chosen values, filled up to `k` with its first other values."""
        column, taken = self.statistics.columns[region], {value for value, _, _ in chosen}
        start = int(self.statistics.starts[region])
        first = range(start, start + min(2 * k, column.n_values if column else 0))
        return (chosen + [(value, 0.0, False) for value in first if value not in taken])[:k]

    def _verified(
        self, scored: Scored, candidates: NDArray[np.bool_], k: int, fits: Callable[[list[str]], bool]
    ) -> dict[int, list[int]]:
        """Return the first `k` candidates of each region that fit, as places in `scored`, longest and best first.

        Texts are read in growing batches, until each region has `k` values or has had `COMPARED` candidates.
        """
        places = np.flatnonzero(candidates & self.statistics.live[scored.regions])
        # Longest first, then best, then by value: a column's numbers are in the order of its values.
        order = np.lexsort((places, -scored.scores[places], -scored.lengths[places], scored.regions[places]))
        places = places[order]
        pending = {r: places[a:b].tolist()[:COMPARED] for r, a, b in runs(scored.regions[places])}
        verified: dict[int, list[int]] = {}
        at, step = 0, 2 * k
        while pending:
            batch = {region: waiting[at : at + step] for region, waiting in pending.items()}
            texts = self.texts({int(scored.values[p]) for ps in batch.values() for p in ps})
            for region, ps in batch.items():
                fitting = [p for p in ps if fits(tokens(texts[int(scored.values[p])]))]
                verified.setdefault(region, []).extend(fitting[: k - len(verified.get(region, ()))])
            at, step = at + step, step * 4
            pending = {r: waiting for r, waiting in pending.items() if len(waiting) > at and len(verified[r]) < k}
        return verified

    def texts(self, values: Iterable[int]) -> dict[int, str]:
        """Return the texts of values by their numbers."""
        keys = {value: self._block(value) for value in values}
        blocks = self.fetch(tables.VALUES, sorted(set(keys.values())))
        return {value: segment.value_in(blocks[key], value % segment.BLOCK) for value, key in keys.items()}

    def _block(self, value: int) -> int:
        """Return the key of the block that contains a value."""
        return self.statistics.contents.segments[value >> 32].number << 32 | (value & 0xFFFFFFFF) // segment.BLOCK

    def _match(self, value: int, text: str, score: float, exact: bool) -> Match:
        """Return the match of a value by its number, with its column."""
        column = self.statistics.columns[int(np.searchsorted(self.statistics.starts, value, side="right")) - 1]
        assert column is not None  # values in gaps are never returned
        return Match(column.path, column.name, text, score, exact, column.n_values)


def _sized_words(blob: bytes, size: int) -> list[str]:
    """Return the words of a blob, each of `size` bytes."""
    return [blob[i : i + size].decode("utf-8", "replace") for i in range(0, len(blob), size)]
