"""Look values up in the index: by phrase, and by BM25 in all columns at once.

Scores are those of rank-bm25's `BM25Okapi` within each column, with k1 1.5, b 0.75 and epsilon 0.25. A value has a
number: its segment's place in the index, shifted by 32 bits, plus its number in the segment. Numpy does the work, one
segment at a time, over arrays with an item per posting or value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from askwhere.indexer import bridge, postings, segment, tables
from askwhere.indexer.postings import Pairs
from askwhere.indexer.tables import Contents, StoredColumn
from askwhere.indexer.values import Match
from askwhere.indexer.words import I64, tokens, tokens_each, word_hashes
from numpy.typing import NDArray

K1, B, EPSILON = 1.5, 0.75, 0.25
F64 = NDArray[np.float64]
# The share of a value's words that a text must contain, in any form, for the value to be compared with it.
COVERED = 0.6
# Values of a column that are compared with the text, exactly and then nearly, at most.
COMPARED = 200
# All values of columns of at most so many are compared with the text, smallest columns first, up to so many in all.
SMALL, SMALL_IN_ALL = 1_000, 20_000

# Returns the blobs of some keys of a table; keys without one are left out.
Fetch = Callable[[str, Sequence[int]], Mapping[int, bytes]]


@dataclass(frozen=True)
class Frame:
    """The statistics of an index as arrays, one item per region.

    A region is a range of value numbers: a column, or a gap between columns that are searched. `starts` are the first
    numbers.
    """

    contents: Contents
    columns: tuple[StoredColumn | None, ...]  # None for a gap
    starts: I64
    codes: tuple[Pairs, ...]
    # The values of small columns by number of words and first letter: texts, and the numbers of the values. Read once.
    small: dict[tuple[int, str], tuple[list[str], list[int]]] = field(default_factory=dict)

    @cached_property
    def regions(self) -> tuple[slice, ...]:
        """Return the regions of each segment."""
        cuts = np.searchsorted(self.starts, np.arange(len(self.codes) + 1) << 32).tolist()
        return tuple(slice(a, b) for a, b in pairwise(cuts))

    @cached_property
    def n_values(self) -> F64:
        """Return the number of values of each region; very large for a gap."""
        return np.array([c.n_values if c else 1e18 for c in self.columns], np.float64)

    @cached_property
    def floors(self) -> F64:
        """Return what replaces negative inverse document frequencies in each region, as BM25Okapi does."""
        return np.array([EPSILON * c.sum_idf / max(c.n_distinct, 1) if c else 0.0 for c in self.columns])

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        """Return which regions are columns that are searched."""
        return np.array([c is not None for c in self.columns], bool)

    @cached_property
    def factors(self) -> tuple[F64, ...]:
        """Return the term frequency factor of BM25 for each segment, by region of the segment and code (`Pairs`)."""
        found = []
        for pairs, own in zip(self.codes, self.regions, strict=True):
            averages = [c.n_words / c.n_values if c and c.n_words else 1.0 for c in self.columns[own]]
            times = pairs.times.astype(np.float64)
            lengths = pairs.lengths / np.array(averages)[:, None]
            found.append(times * (K1 + 1) / (times + K1 * (1 - B + B * lengths)))
        return tuple(found)


def frame(contents: Contents, wanted: Iterable[tuple[tuple[str, ...], str]]) -> Frame:
    """Return the statistics of an index for the `wanted` columns, as (path of the table, column)."""
    searched = set(wanted)
    columns: list[StoredColumn | None] = []
    starts: list[int] = []
    for ordinal, stored in enumerate(contents.segments):
        end = 0
        own = [c for c in contents.columns if c.segment == stored.number and not c.left_out]
        for column in sorted(own, key=lambda c: c.first):
            if column.first > end:
                columns.append(None)
                starts.append(ordinal << 32 | end)
            columns.append(column if (column.path, column.name) in searched else None)
            starts.append(ordinal << 32 | column.first)
            end = column.first + column.n_values + -column.n_values % segment.BLOCK
        columns.append(None)
        starts.append(ordinal << 32 | end)
    codes = tuple(Pairs.unpack(s.pairs) for s in contents.segments)
    return Frame(contents, tuple(columns), np.array(starts, np.int64), codes)


@dataclass(frozen=True)
class Scored:
    """The values that share a word with a text, as parallel arrays in order of their numbers."""

    values: I64
    regions: NDArray[np.int32]
    scores: F64
    n_same: F64  # of a value's words that the text has as they are
    n_covered: F64  # the same with other forms of words, and without stop words
    lengths: F64  # words of the value


@dataclass(frozen=True)
class Postings:
    """The values that contain a word: their numbers in the segment, in order, and the code of each (`Pairs`)."""

    values: NDArray[np.uint32]
    codes: postings.Codes


# Postings by word.
Lists = dict[str, Postings]


@dataclass(frozen=True)
class Index:
    """An index that can be searched: its statistics, and a function that fetches blobs from its tables."""

    frame: Frame
    fetch: Fetch

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """Look up phrases, as `ValueIndex.exact` does."""
        asked = list(phrases)
        split = dict(zip(asked, tokens_each(asked), strict=True))
        lists = self._lists({word for words in split.values() for word in words})
        known = set[str]().union(*lists)
        found = {phrase: self._holders(words, lists) for phrase, words in split.items() if known.issuperset(words)}
        texts = self.texts({v for values in found.values() for v in values})
        matches = {
            phrase: tuple(
                self._match(value, texts[value], 0.0, True)
                for value in values
                if len(split[phrase]) == 1 or tokens(texts[value]) == split[phrase]
            )
            for phrase, values in found.items()
        }
        return {phrase: match for phrase, match in matches.items() if match}

    def _holders(self, words: list[str], lists: Sequence[Lists]) -> list[int]:
        """Return the numbers of the values that have as many words as `words`, and contain each of them."""
        found: list[int] = []
        for ordinal, (pairs, own) in enumerate(zip(self.frame.codes, lists, strict=True)):
            if not words or not own.keys() >= set(words):
                continue
            lists_ = [own[words[0]]] if len(words) == 1 else [own[word] for word in set(words)]
            shortest, *rest = sorted(lists_, key=lambda p: len(p.values)) if len(lists_) > 1 else lists_
            values = shortest.values[pairs.lengths[shortest.codes] == len(words)]
            for other in rest:
                values = values[_contains(other.values, values)]
            numbers = values.astype(np.int64) + (ordinal << 32)
            regions = np.searchsorted(self.frame.starts, numbers, side="right") - 1
            found += numbers[self.frame.live[regions]].tolist()
        return found

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """Search as `ValueIndex.search` does.

        The postings are those of the text's words, of other forms of them, and, for words that the index lacks, of
        similar words.
        """
        asked = bridge.text(text)
        lists = self._lists({*asked.words, *bridge.others(asked)})
        known = {word for own in lists for word in own}
        unknown = {word for word in asked.words if word not in known} if len(asked.words) <= bridge.MOST_WORDS else ()
        near = self._lists(self._near(unknown))
        scored = self.score(asked.words, [{**b, **a} for a, b in zip(lists, near, strict=True)])
        alike = self._alike(asked)
        return self._best(asked, self._with_alike(_joined(scored), alike), alike, k, fill)

    def score(self, words: Sequence[str], lists: Sequence[Lists] | None = None) -> list[Scored]:
        """Return the scores of all values that share a word with `words`, for each segment that has any.

        With `lists`, the postings by segment, also those that share another word of these. Without `lists` only the
        fields `values`, `regions` and `scores` are valid.
        """
        found = self._lists(set(words)) if lists is None else lists
        return [_scored(self.frame, ordinal, own, words, lists is not None) for ordinal, own in enumerate(found) if own]

    def _lists(self, words: Iterable[str]) -> list[Lists]:
        """Return the postings of each word that the index has, for each segment."""
        ordered = sorted(words)
        hashed = list(zip(ordered, word_hashes(ordered), strict=True))
        segments = self.frame.contents.segments
        places = [
            (word, ordinal, stored.number << 32 | (hash_ >> 64 - stored.bits if stored.bits else 0))
            for word, hash_ in hashed
            for ordinal, stored in enumerate(segments)
        ]
        buckets = self.fetch(tables.POSTINGS, sorted({key for _, _, key in places}))
        found: list[Lists] = [{} for _ in segments]
        widths = [codes.width for codes in self.frame.codes]
        for word, ordinal, key in places:
            bucket = buckets.get(key, b"")
            encoded = word.encode("utf-8", "surrogatepass")
            if encoded in bucket and (one := postings.find(bucket, encoded, widths[ordinal])):
                found[ordinal][word] = Postings(*one)
        return found

    def _near(self, words: Iterable[str]) -> list[str]:
        """Return words of the index that are similar to misspelled ones: about as long, with the same first letter."""
        found: list[str] = []
        for word in words:
            if not bridge.may_be_misspelled(word):
                continue
            encoded = word.encode()
            keys = [
                stored.number << 32 | size << 8 | encoded[0]
                for stored in self.frame.contents.segments
                for size in range(max(len(encoded) - 2, segment.NEAR_SIZES[0]), len(encoded) + 3)
            ]
            known = {w for key, blob in self.fetch(tables.NEAR, keys).items() for w in _cut(blob, key >> 8 & 0xFFFFFF)}
            found += bridge.near_words(word, sorted(known))
        return found

    def _alike(self, asked: bridge.Text) -> dict[int, int]:
        """Return the values of small columns that are spelled like a span of the text, with their numbers of words."""
        if not self.frame.small:
            self._read_small()
        return {
            values[place]: n_words
            for (n_words, letter), (whole, values) in self.frame.small.items()
            for place in bridge.alike(asked, n_words, letter, whole)
        }

    def _read_small(self) -> None:
        """Read the values of small columns into `frame.small`."""
        # The first entry holds nothing: the dictionary is not empty once the columns are read.
        small: dict[tuple[int, str], tuple[list[str], list[int]]] = {(0, ""): ([], [])}
        columns = zip(self.frame.columns, self.frame.starts.tolist(), strict=True)
        room, keys = SMALL_IN_ALL, dict[int, int]()
        for column, start in sorted((c for c in columns if c[0]), key=lambda c: c[0].n_values if c[0] else 0):
            room -= column.n_values if column else 0
            if column and column.n_values <= SMALL and room >= 0:
                firsts = range(start, start + column.n_values, segment.BLOCK)
                keys |= {self._block(first): first for first in firsts}
        for key, block in self.fetch(tables.VALUES, sorted(keys)).items():
            for place, words in bridge.may_be_near(tokens_each(segment.values_in(block))):
                whole, values = small.setdefault((len(words), words[0][0]), ([], []))
                whole.append(" ".join(words))
                values.append(keys[key] + place)
        self.frame.small.update(small)

    def _with_alike(self, scored: Scored, alike: Mapping[int, int]) -> Scored:
        """Return the scored values and, with a score of 0, those of `alike` that share no word with the text."""
        more = np.array(sorted(alike), np.int64)
        if len(scored.values):
            more = more[~_contains(scored.values, more)]
        if not len(more):
            return scored
        lengths, none = np.array([alike[value] for value in more.tolist()], np.float64), np.zeros(len(more))
        regions = (np.searchsorted(self.frame.starts, more, side="right") - 1).astype(np.int32)
        both = _joined([scored, Scored(more, regions, none, none, none, lengths)])
        order = np.argsort(both.values)
        return Scored(*(getattr(both, f.name)[order] for f in fields(Scored)))

    def _best(self, asked: bridge.Text, scored: Scored, alike: Iterable[int], k: int, fill: bool) -> list[Match]:
        """Return the `k` best values of each column: exact matches, near matches, then the highest scores.

        Scores only select candidates for a match; their texts are read and compared (`_verified`).
        """
        exact = self._verified(scored, scored.n_same >= scored.lengths, k, lambda words: bridge.is_exact(words, asked))
        exact_places = {place for places in exact.values() for place in places}
        room = np.array([len(exact.get(r, ())) < k for r in range(len(self.frame.columns))], bool)
        near_enough = (scored.n_covered >= COVERED * scored.lengths) | np.isin(scored.values, list(alike))
        near_enough &= room[scored.regions]
        near_enough[list(exact_places)] = False
        near = self._verified(scored, near_enough, k, lambda words: bridge.is_near(words, asked))
        # A value that shares only other forms of words with the text is a near match or is not returned.
        shown = np.where(scored.n_same > 0, scored.scores, -np.inf)
        chosen: dict[int, list[tuple[int, float, bool]]] = {}  # for each region: value, score, exact
        for region, first, last in _runs(scored.regions):
            places = exact.get(region, []) + near.get(region, [])
            if len(places) < k:
                best = _top(shown, first, last, k + len(places))
                places += [p for p in best if p not in places and shown[p] > -np.inf]
            chosen[region] = [(int(scored.values[p]), float(scored.scores[p]), p in exact_places) for p in places[:k]]
        if fill:
            chosen = {
                region: self._filled(region, chosen.get(region, []), k) for region in range(len(self.frame.columns))
            }
        found = [one for region, some in sorted(chosen.items()) if self.frame.live[region] for one in some]
        texts = self.texts(value for value, _, _ in found)
        return [self._match(value, texts[value], score, is_exact) for value, score, is_exact in found]

    def _filled(self, region: int, chosen: list[tuple[int, float, bool]], k: int) -> list[tuple[int, float, bool]]:
        """Return a column's chosen values, filled up to `k` with its first other values."""
        column, taken = self.frame.columns[region], {value for value, _, _ in chosen}
        start = int(self.frame.starts[region])
        first = range(start, start + min(2 * k, column.n_values if column else 0))
        return (chosen + [(value, 0.0, False) for value in first if value not in taken])[:k]

    def _verified(
        self, scored: Scored, candidates: NDArray[np.bool_], k: int, fits: Callable[[list[str]], bool]
    ) -> dict[int, list[int]]:
        """Return the first `k` candidates of each region that fit, as places in `scored`, longest and best first.

        Texts are read in growing batches, until each region has `k` values or has had `COMPARED` candidates.
        """
        places = np.flatnonzero(candidates & self.frame.live[scored.regions])
        # Longest first, then best, then by value: a column's numbers are in the order of its values.
        order = np.lexsort((places, -scored.scores[places], -scored.lengths[places], scored.regions[places]))
        places = places[order]
        pending = {r: places[a:b].tolist()[:COMPARED] for r, a, b in _runs(scored.regions[places])}
        found: dict[int, list[int]] = {}
        at, step = 0, 2 * k
        while pending:
            batch = {region: own[at : at + step] for region, own in pending.items()}
            texts = self.texts({int(scored.values[p]) for ps in batch.values() for p in ps})
            for region, ps in batch.items():
                fitting = [p for p in ps if fits(tokens(texts[int(scored.values[p])]))]
                found.setdefault(region, []).extend(fitting[: k - len(found.get(region, ()))])
            at, step = at + step, step * 4
            pending = {r: w for r, w in pending.items() if len(w) > at and len(found[r]) < k}
        return found

    def texts(self, values: Iterable[int]) -> dict[int, str]:
        """Return the texts of values by their numbers."""
        keys = {value: self._block(value) for value in values}
        blocks = self.fetch(tables.VALUES, sorted(set(keys.values())))
        return {value: segment.value_in(blocks[key], value % segment.BLOCK) for value, key in keys.items()}

    def _block(self, value: int) -> int:
        """Return the key of the block that contains a value."""
        return self.frame.contents.segments[value >> 32].number << 32 | (value & 0xFFFFFFFF) // segment.BLOCK

    def _match(self, value: int, text: str, score: float, exact: bool) -> Match:
        column = self.frame.columns[int(np.searchsorted(self.frame.starts, value, side="right")) - 1]
        assert column is not None  # values in gaps are never returned
        return Match(column.path, column.name, text, score, exact)


def _contains(values: NDArray[np.integer], wanted: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which of `wanted` are among the sorted `values`."""
    places = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.asarray(values[places] == wanted, bool)


def _joined(parts: Sequence[Scored]) -> Scored:
    """Return the values of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    amounts = np.zeros(0)
    none = Scored(np.zeros(0, np.int64), np.zeros(0, np.int32), amounts, amounts, amounts, amounts)
    return Scored(*(np.concatenate([getattr(part, f.name) for part in (none, *parts)]) for f in fields(Scored)))


def _scored(frame_: Frame, ordinal: int, found: Lists, asked: Sequence[str], details: bool) -> Scored:
    """Return the scores of all values in the postings of one segment.

    `ordinal` is the segment's place in the index, `found` has the postings of each word, and `asked` the words of the
    text. `found` may have words that are not in `asked`: these do not count for the score. Without `details` only
    `values`, `regions` and `scores` are valid.
    """
    own, pairs, base = frame_.regions[ordinal], frame_.codes[ordinal], ordinal << 32
    lists = list(found.values())
    counts = [asked.count(word) for word in found]  # 0 for words that are not in the text
    code_bits, word_bits = len(pairs.times).bit_length(), len(lists).bit_length()
    low_bits = code_bits + word_bits
    end = 1 + max(int(one.values[-1]) for one in lists)
    # Each posting becomes one number with the value, the word and the code in its bits, so that one sort brings the
    # postings of a value together. Sorting numbers of 32 bits takes half the time.
    kind: Any = np.uint32 if end << low_bits <= 1 << 32 else np.uint64
    ends = np.append(np.minimum(frame_.starts[own][1:] - base, end), end).astype(kind)
    holders = np.empty((len(ends), len(lists)), np.int64)  # values that contain a word, by region and word
    keys = np.empty(sum(len(p.values) for p in lists), kind)
    place = 0
    for number, one in enumerate(lists):
        holders[:, number] = one.values.searchsorted(ends.astype(one.values.dtype))
        part = keys[place : place + len(one.values)]
        np.left_shift(one.values, kind(low_bits), out=part)
        part |= one.codes
        part |= kind(number << code_bits)
        place += len(part)
    holders[1:] -= holders[:-1].copy()
    n_values = frame_.n_values[own, None]
    idf = np.log(np.maximum(n_values - holders, 0) + 0.5) - np.log(holders + 0.5)
    weights = np.zeros((len(ends), 1 << word_bits))
    weights[:, : len(lists)] = np.where(idf < 0, frame_.floors[own, None], idf) * np.array(counts)
    # Sorted, the postings of a value are next to each other, in the order of the words.
    keys.sort()
    values = keys >> kind(low_bits)
    sizes = np.diff(values.searchsorted(ends), prepend=0)
    codes = keys & kind((1 << code_bits) - 1)
    keys &= kind((1 << low_bits) - 1)
    words = keys >> kind(code_bits)
    regions = np.arange(len(ends), dtype=kind)
    gains = weights.ravel().take(words + np.repeat(regions << kind(word_bits), sizes))
    gains *= frame_.factors[ordinal].ravel().take(codes + np.repeat(regions * kind(len(pairs.times)), sizes))
    first, more = _firsts(values)
    values, scores = values.take(first), _sums(gains, first, more)
    sizes = np.diff(values.searchsorted(ends), prepend=0)
    regions = np.repeat(np.arange(own.start, own.stop, dtype=np.int32), sizes)
    numbers = values.astype(np.int64)
    numbers += base
    if not details:
        return Scored(numbers, regions, scores, scores, scores, scores)
    covering = [word not in bridge.STOP_WORDS or not n for word, n in zip(found, counts, strict=True)]
    # One sum for both counts: words that the text has as they are, plus `_MILLION` times those that are not stop
    # words.
    kinds = np.array(
        [bool(count) + _MILLION * covers for count, covers in zip(counts, covering, strict=True)], np.float64
    )
    both = _sums(pairs.times[codes] * kinds[words], first, more)
    n_covered = np.floor(both / _MILLION)
    lengths = pairs.lengths[codes[first]].astype(np.float64)
    return Scored(numbers, regions, scores, both - n_covered * _MILLION, n_covered, lengths)


def _firsts(ordered: NDArray[np.unsignedinteger]) -> tuple[I64, I64]:
    """Return the places of the first occurrence of each number, and those of the others."""
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new), np.flatnonzero(~new)


def _sums(parts: F64, first: I64, more: I64) -> F64:
    """Return the sum of each run of numbers: `first` are the runs' first places, `more` the others.

    Most runs have one number, so that adding the others one by one is the fastest way.
    """
    sums = parts.take(first)
    np.add.at(sums, more - np.arange(1, len(more) + 1), parts.take(more))
    return sums


_MILLION = 1 << 20


def _runs(regions: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Return (region, first place, place after the last) for each run of equal regions; they are sorted."""
    if not len(regions):
        return []
    present = np.arange(regions[0], regions[-1] + 2, dtype=np.int32)
    bounds = pairwise(regions.searchsorted(present).tolist())
    return [(region, first, last) for region, (first, last) in enumerate(bounds, int(present[0])) if first < last]


def _top(scores: F64, first: int, last: int, k: int) -> list[int]:
    """Return the places of the `k` best scores from `first` up to `last`, best first, of equal ones the first."""
    own = scores[first:last]
    if len(own) > k:
        least = np.partition(own, len(own) - k)[len(own) - k]
        places = np.flatnonzero(own >= least)
    else:
        places = np.arange(len(own))
    return [first + int(p) for p in places[np.argsort(-own[places], kind="stable")][:k]]


def _cut(blob: bytes, size: int) -> list[str]:
    """Return the words of a blob, each of `size` bytes."""
    return [blob[i : i + size].decode("utf-8", "replace") for i in range(0, len(blob), size)]
