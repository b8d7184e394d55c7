"""Posting lists as bytes: which values hold a word, how often, and how long they are.

A bucket holds the words whose hashes begin with the same bits:

    u32 number of words, u32 size of the words' text
    the words, each with a line feed before it, and one behind the last
    u32 for each word: where its list ends, counted from the first list's beginning
    the lists

A list of one posting is `u32 value, code`. A longer one is `u32 number of postings | mode << 30, u32 first value`,
then, unless the mode is 0, `u32 number of exceptions` and the exceptions as u32; then the differences between one value
and the next, as u32, u8 or u16 for mode 0, 1 or 2, where the largest number stands for the next exception; then the
codes.

A code says the pair (times the word stands in the value, words in the value). Pairs are numbered in a table of their
own; a code has one byte while there are at most 256 pairs, then two, then four. All numbers are little-endian.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from askwhere.indexer.words import I32, I64, U8, U64, Words, ranges
from numpy.typing import NDArray

_WIDTHS = (4, 1, 2)
_LARGEST = (1 << 32, 255, 65_535)
_PART = 1 << 17
_CODES: tuple[type[np.uint8] | type[np.uint16] | type[np.uint32], ...] = (np.uint8, np.uint16, np.uint32)


@dataclass(frozen=True)
class Lists:
    """The lists of several words, one behind the other: each word's number of postings, then value and code of each."""

    counts: I64
    values: NDArray[np.uint32]
    codes: NDArray[np.uint32]


@dataclass(frozen=True)
class Pairs:
    """What each code says: how often the word stands in the value, and how many words the value has."""

    times: NDArray[np.uint32]
    lengths: NDArray[np.uint32]

    @property
    def width(self) -> int:
        """The size of one code."""
        return 1 if len(self.times) <= 256 else 2 if len(self.times) <= 65_536 else 4

    def pack(self) -> bytes:
        """The table as bytes: all times, then all lengths, as u32."""
        return self.times.astype("<u4").tobytes() + self.lengths.astype("<u4").tobytes()

    @staticmethod
    def unpack(packed: bytes) -> Pairs:
        """The table that `pack` made."""
        both = np.frombuffer(packed, "<u4").reshape(2, -1)
        return Pairs(both[0], both[1])


def invert(words: Words) -> tuple[Lists, Pairs]:
    """For each distinct word the values that hold it; a value's number is its place among all."""
    keys = words.numbers.astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= np.repeat(np.arange(len(words.lengths), dtype=np.uint64), words.lengths)
    keys.sort()
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    first = np.flatnonzero(new)
    times = np.diff(first, append=len(keys)).astype(np.int32)
    keys = keys[first]
    del first, new
    values = keys.astype(np.uint32)  # the lower half
    keys >>= np.uint64(32)
    counts = np.bincount(keys.view(np.int64), minlength=len(words.sizes))
    del keys
    codes, pairs = _coded(times, words.lengths.astype(np.int32)[values])
    return Lists(counts, values, codes), pairs


def _coded(times: I32, lengths: I32) -> tuple[NDArray[np.uint32], Pairs]:
    width = int(lengths.max(initial=0)) + 1
    size = (int(times.max(initial=0)) + 1) * width
    combined = (times if size < 1 << 31 else times.astype(np.int64)) * width + lengths
    if size <= 1 << 22:
        there = np.zeros(size, bool)
        there[combined] = True
        found = np.flatnonzero(there)
        codes = (np.cumsum(there) - 1).astype(np.uint32)[combined]
    else:
        found, inverse = np.unique(combined, return_inverse=True)
        codes = inverse.astype(np.uint32)
    return codes, Pairs((found // width).astype(np.uint32), (found % width).astype(np.uint32))


def encode(words: Words, lists: Lists, pairs: Pairs, bits: int) -> Iterator[tuple[int, bytes]]:
    """Number and content of every bucket that holds a word; `bits` of the hash number the buckets."""
    buckets = words.hashes >> np.uint64(64 - bits) if bits else np.zeros(len(words.hashes), np.uint64)
    firsts = np.flatnonzero(np.diff(buckets, prepend=np.uint64(1 << 63)))
    ends = np.append(0, np.cumsum(lists.counts))
    # So many postings at a time that the work stays in the processor's cache.
    parts = np.append(firsts[np.flatnonzero(np.diff(ends[firsts] // _PART, prepend=-1))], len(buckets))
    for first, last in zip(parts.tolist(), parts[1:].tolist(), strict=False):
        own = slice(int(ends[first]), int(ends[last]))
        part = Lists(lists.counts[first:last], lists.values[own], lists.codes[own])
        yield from _encode_part(words, first, buckets[first:last], part, pairs.width)


def _encode_part(words: Words, start: int, buckets: U64, lists: Lists, code_bytes: int) -> Iterator[tuple[int, bytes]]:
    """The buckets of some of the words, those from number `start`."""
    body, ends = _encode_lists(lists, code_bytes)
    text, text_ends = _with_line_feeds(words, start, start + len(buckets))
    firsts = np.flatnonzero(np.diff(buckets, prepend=np.uint64(1 << 63)))
    lasts = np.append(firsts[1:], len(buckets))[: len(firsts)]
    starts, text_starts = np.append(0, ends), np.append(0, text_ends)
    relative = (ends - np.repeat(starts[firsts], lasts - firsts)).astype("<u4").tobytes()
    head = np.empty((len(firsts), 2), "<u4")
    head[:, 0] = lasts - firsts
    head[:, 1] = text_starts[lasts] - text_starts[firsts] + 1
    heads, whole_body, whole_text = head.tobytes(), body.tobytes(), text.tobytes()
    texts, bodies = (text_starts[firsts], text_starts[lasts]), (starts[firsts], starts[lasts])
    bounds = np.stack([buckets[firsts].astype(np.int64), firsts, lasts, *texts, *bodies], axis=1).tolist()
    for place, (bucket, first, last, t0, t1, b0, b1) in enumerate(bounds):
        head_and_words = heads[8 * place : 8 * place + 8] + whole_text[t0:t1] + b"\n"
        yield bucket, head_and_words + relative[4 * first : 4 * last] + whole_body[b0:b1]


def _with_line_feeds(words: Words, first: int, last: int) -> tuple[U8, I64]:
    """Every word from `first` to `last` with a line feed before it, and where each ends."""
    starts, sizes = words.starts[first:last], words.sizes[first:last]
    ends = np.cumsum(sizes + 1)
    text = np.full(int(ends[-1]) if len(ends) else 0, 10, np.uint8)
    text[ranges(ends - sizes, sizes)] = words.content[ranges(starts, sizes)]
    return text, ends


def _encode_lists(lists: Lists, code_bytes: int) -> tuple[U8, I64]:
    """All lists one behind the other, and where each ends."""
    counts = lists.counts
    firsts = np.cumsum(counts) - counts
    values = lists.values.astype(np.int64)
    gaps = np.diff(values, prepend=0)
    within = np.ones(len(values), bool)
    within[firsts] = False  # a list's first value is no difference
    large = [(gaps >= most) & within for most in _LARGEST]
    exceptions = [np.add.reduceat(there, firsts, dtype=np.int64) if len(there) else counts for there in large]
    sizes = [
        w * (counts - 1) + (4 + 4 * e if m else 0) for m, (w, e) in enumerate(zip(_WIDTHS, exceptions, strict=True))
    ]
    modes = np.argmin(np.stack([sizes[1], sizes[2], sizes[0]]), axis=0)  # of equal sizes the narrowest
    modes = np.array([1, 2, 0])[modes]
    chosen = np.choose(modes, sizes)
    total = np.where(counts == 1, 4, 8 + chosen) + counts * code_bytes
    ends = np.cumsum(total)
    starts = ends - total
    body = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    many = counts > 1
    _put(body, starts[~many], values[firsts[~many]], 4)
    _put(body, starts[many], counts[many] | modes[many] << 30, 4)
    _put(body, starts[many] + 4, values[firsts[many]], 4)
    n_exceptions = np.where(modes == 1, exceptions[1], np.where(modes == 2, exceptions[2], 0))
    _put(body, starts[many & (modes > 0)] + 8, n_exceptions[many & (modes > 0)], 4)
    after = starts + np.where(modes > 0, 12 + 4 * n_exceptions, 8)
    mode_of = np.repeat(modes.astype(np.int8), counts)
    for mode, (width, most) in enumerate(zip(_WIDTHS, _LARGEST, strict=True)):
        places = np.flatnonzero(within & (mode_of == mode))
        base = np.repeat(after - width * (firsts + 1), np.where(modes == mode, counts - 1, 0))
        _put(body, base + width * places, np.minimum(gaps[places], most), width)
        if mode:
            there = np.flatnonzero(large[mode] & (mode_of == mode))
            held = np.where(modes == mode, n_exceptions, 0)
            _put(body, ranges_by_four(starts + 12, held), gaps[there], 4)
    base = np.repeat(ends - code_bytes * counts - code_bytes * firsts, counts)
    _put(body, base + code_bytes * np.arange(len(values)), lists.codes, code_bytes)
    return body, ends


def ranges_by_four(starts: I64, counts: I64) -> I64:
    """Places `starts[i]`, `starts[i] + 4`, …, `counts[i]` of them, for one `i` after the other."""
    return np.repeat(starts - 4 * (np.cumsum(counts) - counts), counts) + 4 * np.arange(int(counts.sum()))


def _put(body: U8, places: I64, numbers: NDArray[np.generic], width: int) -> None:
    """Write each number, little-endian in `width` bytes, at its place."""
    as_bytes = np.ascontiguousarray(numbers, dtype=f"<u{width}").view(np.uint8).reshape(-1, width)
    for byte in range(width):
        body[places + byte] = as_bytes[:, byte]


def find(bucket: bytes, word: bytes, code_bytes: int) -> tuple[I64, NDArray[np.unsignedinteger]] | None:
    """The values that hold `word` and their codes, or None where the bucket does not have the word."""
    n_words, size = int.from_bytes(bucket[:4], "little"), int.from_bytes(bucket[4:8], "little")
    place = bucket.find(b"\n" + word + b"\n", 8, 8 + size)
    if place < 0:
        return None
    number = bucket.count(b"\n", 8, place)
    ends, lists = 8 + size, 8 + size + 4 * n_words
    end = lists + int.from_bytes(bucket[ends + 4 * number : ends + 4 * number + 4], "little")
    start = lists + (int.from_bytes(bucket[ends + 4 * number - 4 : ends + 4 * number], "little") if number else 0)
    return _decode(bucket, start, end, code_bytes)


def _decode(bucket: bytes, start: int, end: int, code_bytes: int) -> tuple[I64, NDArray[np.unsignedinteger]]:
    kind = _CODES[code_bytes // 2]
    if end - start == 4 + code_bytes:
        return np.frombuffer(bucket, "<u4", 1, start).astype(np.int64), np.frombuffer(bucket, kind, 1, start + 4)
    head, first = np.frombuffer(bucket, "<u4", 2, start).tolist()
    count, mode = head & 0x3FFFFFFF, head >> 30
    start += 8
    values = np.empty(count, np.int64)
    values[0] = first
    width = _WIDTHS[mode]
    if mode:
        n_exceptions = int.from_bytes(bucket[start : start + 4], "little")
        exceptions = np.frombuffer(bucket, "<u4", n_exceptions, start + 4)
        start += 4 + 4 * n_exceptions
        values[1:] = np.frombuffer(bucket, f"<u{width}", count - 1, start)
        if n_exceptions:
            values[1:][values[1:] == _LARGEST[mode]] = exceptions
    else:
        values[1:] = np.frombuffer(bucket, "<u4", count - 1, start)
    np.cumsum(values, out=values)
    return values, np.frombuffer(bucket, kind, count, start + width * (count - 1))
