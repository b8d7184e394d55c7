"""Encode posting lists as bytes: the values that contain a word, how often they do, and how long they are.

A bucket has the words whose hashes begin with the same bits. Its bytes are:

    u32 number of words, u32 size of the words' text
    the words, each with a zero before it, and one after the last
    for each word: u32 number of postings | width << 30, u32 number of large gaps, u32 first value
    the large gaps of all words, as u32; the gaps in two bytes; the gaps in one byte
    the codes of all postings

A gap is the difference between successive values of a word. The width of a word's gaps is one byte or two, whichever
takes less room; 255 or 65,535 then stands for the next of the large gaps. With width 0 all gaps are large.

A code is the number of a pair (occurrences of the word in the value, words in the value) in the table `Pairs`. Codes
have one byte for at most 256 pairs, two for at most 65,536, else four. All numbers are little-endian.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from askwhere.frozen import frozen
from askwhere.indexer.words import I64, U8, U64, Texts, Words, ordered, ranges
from numpy.typing import NDArray

# The least large gap, for a width of one byte and of two.
_LARGE = (255, 65_535)
# Postings that are encoded at a time, so that the work stays in the processor's cache.
_PART = 1 << 17
# Masks the number of postings in `number of postings | width << 30`.
_COUNT = (1 << 30) - 1
Codes = NDArray[np.unsignedinteger]
_CODES: tuple[type[np.uint8] | type[np.uint16] | type[np.uint32], ...] = (np.uint8, np.uint16, np.uint32)


@frozen
class Lists:
    """The posting lists of several words: the number of postings of each word, and value and code of all postings.

    The postings of one word follow those of the word before.
    """

    counts: I64
    values: NDArray[np.uint32]
    codes: Codes


@frozen
class Pairs:
    """The table of codes: for each, how often the word occurs in the value, and how many words the value has."""

    times: NDArray[np.uint32]
    lengths: NDArray[np.uint32]

    @property
    def width(self) -> int:
        """Return the bytes of one code."""
        return np.dtype(_code_type(len(self.times))).itemsize

    def pack(self) -> bytes:
        """Return the table as bytes: all times, then all lengths, as u32."""
        return self.times.astype("<u4").tobytes() + self.lengths.astype("<u4").tobytes()

    @staticmethod
    def unpack(packed: bytes) -> Pairs:
        """Return the table that `pack` packed."""
        both = np.frombuffer(packed, "<u4").reshape(2, -1)
        return Pairs(both[0], both[1])


def _code_type(n: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    return _CODES[0 if n <= 256 else 1 if n <= 65_536 else 2]


def invert(texts: Texts) -> tuple[Words, Lists, Pairs]:
    """Return the distinct words of texts, their posting lists and the table of codes.

    A value's number is its place in `texts`.
    """
    holders = np.repeat(np.arange(len(texts.lengths), dtype=np.uint32), texts.lengths)
    longest = int(texts.lengths.max(initial=0)) + 1
    lengths = texts.lengths.astype(np.int32 if longest < 1 << 15 else np.int64)
    parts = []
    for order, new in ordered(texts.words):
        values = holders.take(order)
        begins = new.copy()  # a posting begins where the word or the value changes
        begins[1:] |= values[1:] != values[:-1]
        first = np.flatnonzero(begins)
        values = values[first]
        times = np.diff(first, append=len(order)).astype(lengths.dtype)
        counts = np.diff(np.flatnonzero(new[first]), append=len(first))
        parts.append((order[new], counts, values, times * longest + lengths.take(values)))
    del holders
    nothing = [np.zeros(0, kind) for kind in (np.int64, np.int64, np.uint32, np.int32)]
    places, counts, values, pairs = (np.concatenate(arrays) for arrays in zip(nothing, *parts, strict=True))
    del parts
    codes_known, codes = _coded(pairs)
    kept = Pairs((codes_known // longest).astype(np.uint32), (codes_known % longest).astype(np.uint32))
    return texts.words.take(places), Lists(counts, values, codes), kept


def _coded(numbers: NDArray[np.signedinteger]) -> tuple[I64, Codes]:
    """Return the distinct numbers, sorted, and for each number its place among them."""
    size = int(numbers.max(initial=0)) + 1
    if size > 1 << 22:
        known, codes = np.unique(numbers, return_inverse=True)
        return known, codes.astype(_code_type(len(known)))
    # A table of all numbers up to the largest is faster than sorting, while it is small.
    present = np.zeros(size, bool)
    present[numbers] = True
    known = np.flatnonzero(present)
    codes_of: Codes = (np.cumsum(present) - 1).astype(_code_type(len(known)))
    return known, codes_of.take(numbers)


def encode(words: Words, lists: Lists, pairs: Pairs, bits: int) -> Iterator[tuple[int, bytes]]:
    """Return number and bytes of each bucket that has a word; its number is the first `bits` bits of the hash."""
    return chain.from_iterable(_encode_parts(words, lists, pairs, bits))


def _encode_parts(words: Words, lists: Lists, pairs: Pairs, bits: int) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the buckets, about as many at a time as have `_PART` postings."""
    buckets = words.hashes >> np.uint64(64 - bits) if bits else np.zeros(len(words.hashes), np.uint64)
    firsts = np.flatnonzero(np.diff(buckets, prepend=np.uint64(1 << 63)))
    ends = np.append(0, np.cumsum(lists.counts))
    parts = np.append(firsts[np.flatnonzero(np.diff(ends[firsts] // _PART, prepend=-1))], len(buckets))
    for first, last in zip(parts.tolist(), parts[1:].tolist(), strict=False):
        postings = slice(int(ends[first]), int(ends[last]))
        part = Lists(lists.counts[first:last], lists.values[postings], lists.codes[postings])
        yield _encode_part(words, first, buckets[first:last], part, pairs.width)


def _encode_part(words: Words, start: int, buckets: U64, lists: Lists, code_bytes: int) -> list[tuple[int, bytes]]:
    """Return the buckets of some words, each with its number; the first of them is word number `start`."""
    made = []
    firsts = np.flatnonzero(np.diff(buckets, prepend=np.uint64(1 << 63)))
    lasts = np.append(firsts[1:], len(buckets))
    text, ends = _texts(words, start, start + len(buckets))
    streams = [(text.tobytes(), 1, ends), *_streams(lists, code_bytes)]
    head = np.empty((len(firsts), 2), "<u4")
    head[:, 0] = lasts - firsts
    # The places, in bytes, at which each bucket's part of each stream begins.
    cuts = [np.append(0, ends)[np.append(firsts, len(buckets))] * width for _, width, ends in streams]
    head[:, 1] = np.diff(cuts[0]) + 1
    heads = head.tobytes()
    texts, rows, large, in_two, in_one, codes = (content for content, _, _ in streams)
    bounds = np.stack([cut[:-1] for cut in cuts] + [cut[1:] for cut in cuts], axis=1).tolist()
    # Where each stream begins and ends, in their order; written out, since this runs for each of millions of buckets.
    for place, (bucket, (t, r, g, w, o, c, t1, r1, g1, w1, o1, c1)) in enumerate(
        zip(buckets[firsts].tolist(), bounds, strict=True)
    ):
        beginning = heads[8 * place : 8 * place + 8] + texts[t:t1] + b"\0" + rows[r:r1]
        made.append((bucket, beginning + large[g:g1] + in_two[w:w1] + in_one[o:o1] + codes[c:c1]))
    return made


def _streams(lists: Lists, code_bytes: int) -> list[tuple[bytes, int, I64]]:
    """Return the streams that follow the words in a bucket, for all words.

    Each is its bytes, the bytes of one item, and the place after each word's last item.
    """
    counts = lists.counts
    firsts = np.cumsum(counts) - counts
    gaps = np.diff(lists.values, prepend=np.uint32(0))
    # The first value of a list is stored apart; as a gap of 0 it is never counted as large.
    gaps[firsts] = 0
    over = [gaps >= most for most in _LARGE]
    large = [np.add.reduceat(is_over, firsts, dtype=np.int64) for is_over in over]
    costs = np.stack([1 * (counts - 1) + 4 * large[0], 2 * (counts - 1) + 4 * large[1], 4 * (counts - 1)])
    widths = np.array([1, 2, 0])[np.argmin(costs, axis=0)]  # of equal costs, one byte comes first
    width_of = np.repeat(widths.astype(np.int8), counts)
    width_of[firsts] = -1
    in_one, in_two = width_of == 1, width_of == 2
    is_large = (in_one & over[0]) | (in_two & over[1]) | (width_of == 0)
    n_large = np.choose(widths, [counts - 1, *large])
    rows = np.stack([counts | widths << 30, n_large, lists.values[firsts]], axis=1)
    return [
        (rows.astype("<u4").tobytes(), 12, np.arange(1, len(counts) + 1)),
        (gaps[is_large].astype("<u4").tobytes(), 4, np.cumsum(n_large)),
        (np.minimum(gaps[in_two], _LARGE[1]).astype("<u2").tobytes(), 2, np.cumsum((widths == 2) * (counts - 1))),
        (np.minimum(gaps[in_one], _LARGE[0]).astype(np.uint8).tobytes(), 1, np.cumsum((widths == 1) * (counts - 1))),
        (lists.codes.tobytes(), code_bytes, np.cumsum(counts)),
    ]


def _texts(words: Words, first: int, last: int) -> tuple[U8, I64]:
    """Return the bytes of the words from `first` up to `last`, each with the zero before it, and the end of each."""
    sizes = words.sizes[first:last] + 1
    return words.content[ranges(words.starts[first:last] - 1, sizes)], np.cumsum(sizes)


def find(bucket: bytes, word: bytes, code_bytes: int) -> tuple[NDArray[np.uint32], Codes] | None:
    """Return the values that contain `word` and their codes; None if the bucket does not have the word.

    Raise `ValueError` or `IndexError` where the bucket is damaged.
    """
    n_words, size = int.from_bytes(bucket[:4], "little"), int.from_bytes(bucket[4:8], "little")
    place = bucket.find(b"\0" + word + b"\0", 8, 8 + size)
    if place < 0:
        return None
    number = bucket.count(b"\0", 8, place)
    rows = np.frombuffer(bucket, "<u4", 3 * n_words, 8 + size).reshape(-1, 3).tolist()
    # The items of each stream (large gaps, gaps of two bytes, gaps of one, codes) before the word, and from it on.
    before, rest = _items(rows[:number]), _items(rows[number:])
    starts, at = [], 8 + size + 12 * n_words
    for width, skipped, items in zip((4, 2, 1, code_bytes), before, rest, strict=True):
        starts.append(at + width * skipped)
        at += width * (skipped + items)
    (head, n_large, first), count = rows[number], rows[number][0] & _COUNT
    # First, as it raises where the bucket has less than it says: no memory is taken for what is not there.
    codes: Codes = np.frombuffer(bucket, _CODES[code_bytes // 2], count, starts[3])
    values = np.empty(count, np.uint32)
    values[0] = first
    large = np.frombuffer(bucket, "<u4", n_large, starts[0])
    if width := head >> 30:
        gaps = np.frombuffer(bucket, f"<u{width}", count - 1, starts[3 - width])
        values[1:] = gaps
        if n_large:
            values[1 + np.flatnonzero(gaps == _LARGE[width - 1])] = large
    else:
        values[1:] = large
    np.cumsum(values, dtype=np.uint32, out=values)
    return values, codes


def _items(rows: list[list[int]]) -> tuple[int, int, int, int]:
    """Return how many large gaps, gaps of two bytes, gaps of one byte and codes some words have together."""
    large = in_two = in_one = codes = 0
    for head, n_large, _ in rows:
        count, width = head & _COUNT, head >> 30
        large, codes = large + n_large, codes + count
        in_two += (count - 1) * (width == 2)
        in_one += (count - 1) * (width == 1)
    return large, in_two, in_one, codes
