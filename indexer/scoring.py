"""Score the values of all columns by BM25, one segment at a time.

Scores are those of rank-bm25's `BM25Okapi` within each column, with k1 1.5, b 0.75 and epsilon 0.25. A value has a
number: its segment's place in the index, shifted by 32 bits, plus its number in the segment. Numpy does the work, over
arrays with an item per posting or value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer import matching, postings, segment
from askwhere.indexer.postings import Pairs
from askwhere.indexer.tables import FLAG, Contents, StoredColumn
from askwhere.indexer.words import I64
from numpy.typing import NDArray

K1, B, EPSILON = 1.5, 0.75, 0.25
TABLE = 1 << 23  # the most factors of a segment that are kept as a table, of 64 MB, and not computed for each posting
# Packs two counts into one sum: far above the number of words of a value, far below where doubles round whole numbers.
_PACKED = 1 << 20
F64 = NDArray[np.float64]


@frozen
class IndexStatistics:
    """The statistics of an index as arrays, one item per region.

    A region is a range of value numbers: a column, or a gap between columns that are searched. `starts` are the first
    numbers.
    """

    contents: Contents
    columns: tuple[StoredColumn | None, ...]  # None for a gap
    starts: I64
    codes: tuple[Pairs, ...]  # of each segment, what its codes stand for
    flags: frozenset[tuple[tuple[str, ...], str]]  # see `ValueIndex.flags`
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
    def averages(self) -> F64:
        """Return the mean number of words of a value in each region."""
        return np.array([c.n_words / c.n_values if c and c.n_words else 1.0 for c in self.columns])

    @cached_property
    def factors(self) -> tuple[F64 | None, ...]:
        """Return the term frequency factor of BM25 for each segment, by region of the segment and code (`Pairs`).

        A segment has None if there are so many that the factor is computed for each posting instead.
        """
        return tuple(
            _factor(pairs.times, pairs.lengths, self.averages[regions, None])
            if len(pairs.times) * (regions.stop - regions.start) <= TABLE
            else None
            for pairs, regions in zip(self.codes, self.regions, strict=True)
        )


def _factor(times: NDArray[np.uint32], lengths: NDArray[np.uint32], averages: F64) -> F64:
    """Return BM25's term frequency factor for words that occur `times` times in values of `lengths` words."""
    often = times.astype(np.float64)
    return np.asarray(often * (K1 + 1) / (often + K1 * (1 - B + B * (lengths / averages))))


def index_statistics(contents: Contents, searched: Iterable[tuple[tuple[str, ...], str]]) -> IndexStatistics:
    """Return the statistics of an index for the `searched` columns, each given as (path of the table, column)."""
    sought = set(searched)
    columns: list[StoredColumn | None] = []
    starts: list[int] = []
    columns_of = grouped((c.segment, c) for c in contents.columns if not c.left_out)
    for ordinal, stored in enumerate(contents.segments):
        end = 0
        for column in sorted(columns_of.get(stored.number, ()), key=lambda c: c.first):
            if column.first > end:
                columns.append(None)
                starts.append(ordinal << 32 | end)
            columns.append(column if (column.path, column.name) in sought else None)
            starts.append(ordinal << 32 | column.first)
            end = column.first + column.n_values + -column.n_values % segment.BLOCK
        columns.append(None)
        starts.append(ordinal << 32 | end)
    codes = tuple(Pairs.unpack(s.pairs) for s in contents.segments)
    flags = frozenset((c.path, c.name) for c in contents.columns if c.left_out == FLAG) & sought
    return IndexStatistics(contents, tuple(columns), np.array(starts, np.int64), codes, flags)


@frozen
class Scored:
    """The values that share a word with a text, as parallel arrays in order of their numbers."""

    values: I64
    regions: NDArray[np.int32]
    scores: F64
    n_same: F64  # how many of the value's words are in the text unchanged
    n_covered: F64  # how many are in it in any form, stop words not counted
    lengths: F64  # how many words the value has


@frozen
class Postings:
    """The values that contain a word: their numbers in the segment, in order, and the code of each (`Pairs`)."""

    values: NDArray[np.uint32]
    codes: postings.Codes


# Postings by word.
Lists = dict[str, Postings]


def contains(values: NDArray[np.integer], sought: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which of `sought` are among the sorted `values`."""
    places = np.minimum(np.searchsorted(values, sought), len(values) - 1)
    return np.asarray(values[places] == sought, bool)


def joined(parts: Sequence[Scored]) -> Scored:
    """Return the values of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    zeros = np.zeros(0)
    empty = Scored(np.zeros(0, np.int64), np.zeros(0, np.int32), zeros, zeros, zeros, zeros)
    return Scored(*(np.concatenate([getattr(part, f.name) for part in (empty, *parts)]) for f in fields(Scored)))


def score_segment(
    statistics: IndexStatistics, ordinal: int, posted: Lists, asked: Sequence[str], details: bool
) -> Scored:
    """Return the scores of all values in the postings of one segment.

    `ordinal` is the segment's place in the index, `posted` has the postings of each word, and `asked` the words of the
    text. `posted` may have words that are not in `asked`: these do not count for the score. Without `details` only
    `values`, `regions` and `scores` are valid.
    """
    in_segment, pairs, base = statistics.regions[ordinal], statistics.codes[ordinal], ordinal << 32
    lists = list(posted.values())
    counts = [asked.count(word) for word in posted]  # 0 for words that are not in the text
    end = 1 + max(int(postings.values[-1]) for postings in lists)
    ends = np.append(np.minimum(statistics.starts[in_segment][1:] - base, end), end)  # of the regions in the segment
    merged = _merged(lists, end, len(pairs.times).bit_length())
    ends = ends.astype(merged.values.dtype)
    gains = _gains(statistics, ordinal, merged, ends, _weights(statistics, in_segment, lists, ends, counts))
    first, more = _firsts(merged.values)
    values, scores = merged.values.take(first), _sums(gains, first, more)
    regions = np.repeat(np.arange(in_segment.start, in_segment.stop, dtype=np.int32), _sizes(values, ends))
    numbers = values.astype(np.int64)
    numbers += base
    if not details:
        return Scored(numbers, regions, scores, scores, scores, scores)
    covering = [word not in matching.STOP_WORDS or not n for word, n in zip(posted, counts, strict=True)]
    # One sum for both counts: words that the text has as they are, plus `_PACKED` times those that are not stop words.
    kinds = np.array(
        [bool(count) + _PACKED * covers for count, covers in zip(counts, covering, strict=True)], np.float64
    )
    both = _sums(pairs.times[merged.codes] * kinds[merged.words], first, more)
    n_covered = np.floor(both / _PACKED)
    lengths = pairs.lengths[merged.codes[first]].astype(np.float64)
    return Scored(numbers, regions, scores, both - n_covered * _PACKED, n_covered, lengths)


@frozen
class _Merged:
    """The postings of several words as parallel arrays, in order of their values and then of the words."""

    values: NDArray[Any]
    words: NDArray[Any]  # places in the list of words
    codes: NDArray[Any]


def _merged(lists: Sequence[Postings], end: int, code_bits: int) -> _Merged:
    """Return the postings of all words; their values are below `end`, and their codes have at most `code_bits` bits.

    Each posting becomes one number with the value, the word and the code in its bits, so that one sort brings the
    postings of a value together. Sorting numbers of 32 bits takes half the time.
    """
    low_bits = code_bits + len(lists).bit_length()
    dtype: Any = np.uint32 if end << low_bits <= 1 << 32 else np.uint64
    keys = np.empty(sum(len(p.values) for p in lists), dtype)
    place = 0
    for number, word in enumerate(lists):
        part = keys[place : place + len(word.values)]
        np.left_shift(word.values, dtype(low_bits), out=part)
        part |= word.codes
        part |= dtype(number << code_bits)
        place += len(part)
    keys.sort()
    values = keys >> dtype(low_bits)
    codes = keys & dtype((1 << code_bits) - 1)
    keys &= dtype((1 << low_bits) - 1)
    return _Merged(values, keys >> dtype(code_bits), codes)


def _weights(
    statistics: IndexStatistics, regions: slice, lists: Sequence[Postings], ends: NDArray[Any], counts: Sequence[int]
) -> F64:
    """Return the inverse document frequency of each word times its count in the text: an array of regions by words."""
    holders = np.empty((len(ends), len(lists)), np.int64)  # values that contain a word, by region and word
    for number, word in enumerate(lists):
        holders[:, number] = word.values.searchsorted(ends.astype(word.values.dtype))
    holders[1:] -= holders[:-1].copy()
    idf = np.log(np.maximum(statistics.n_values[regions, None] - holders, 0) + 0.5) - np.log(holders + 0.5)
    return np.asarray(np.where(idf < 0, statistics.floors[regions, None], idf) * np.array(counts))


def _gains(statistics: IndexStatistics, ordinal: int, merged: _Merged, ends: NDArray[Any], weights: F64) -> F64:
    """Return what each posting adds to the score of its value: the word's weight times its term frequency factor."""
    pairs, dtype = statistics.codes[ordinal], ends.dtype.type
    sizes = _sizes(merged.values, ends)
    regions = np.arange(len(ends), dtype=dtype)
    gains = weights.ravel().take(merged.words + np.repeat(regions * dtype(weights.shape[1]), sizes))
    table = statistics.factors[ordinal]
    if table is not None:
        gains *= table.ravel().take(merged.codes + np.repeat(regions * dtype(len(pairs.times)), sizes))
    else:
        averages = np.repeat(statistics.averages[statistics.regions[ordinal]], sizes)
        gains *= _factor(pairs.times.take(merged.codes), pairs.lengths.take(merged.codes), averages)
    return np.asarray(gains)


def _sizes(values: NDArray[Any], ends: NDArray[Any]) -> NDArray[Any]:
    """Return how many of the sorted `values` are in each region; `ends` are the regions' ends."""
    return np.diff(values.searchsorted(ends), prepend=0)


def _firsts(ordered: NDArray[np.unsignedinteger]) -> tuple[I64, I64]:
    """Return the places where a number differs from the one before it, and all other places."""
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new), np.flatnonzero(~new)


def _sums(parts: F64, first: I64, more: I64) -> F64:
    """Return the sum of each run of numbers: `first` are the runs' first places, `more` the others.

    Most runs have one number; so it is fastest to add the others one by one.
    """
    sums = parts.take(first)
    np.add.at(sums, more - np.arange(1, len(more) + 1), parts.take(more))
    return sums


def runs(regions: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Return (region, first place, place after the last) for each run of equal regions; they are sorted."""
    if not len(regions):
        return []
    present = np.arange(regions[0], regions[-1] + 2, dtype=np.int32)
    bounds = pairwise(regions.searchsorted(present).tolist())
    return [(region, first, last) for region, (first, last) in enumerate(bounds, int(present[0])) if first < last]


def top(scores: F64, first: int, last: int, k: int) -> list[int]:
    """Return the places of the `k` best scores from `first` up to `last`, best first; of equal scores the first."""
    run = scores[first:last]
    if len(run) > k:
        least = np.partition(run, len(run) - k)[len(run) - k]
        places = np.flatnonzero(run >= least)
    else:
        places = np.arange(len(run))
    return [first + int(p) for p in places[np.argsort(-run[places], kind="stable")][:k]]
