"""Encode a segment of the value index: several columns whose values are numbered together, with their posting lists.

Segments bound the memory for building an index, and let one table be indexed again without the others. In a segment the
values of each column fill whole blocks; empty values follow the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from askwhere.frozen import frozen
from askwhere.indexer import postings
from askwhere.indexer.postings import Lists, Pairs
from askwhere.indexer.words import I64, Words, ranges, split

# Values of a block. A whole block is read for one value, so it is small. Value n is in block n // BLOCK.
BLOCK = 128
# The least and the most bytes of words that are listed for misspelled ones (`near_lists`).
NEAR_SIZES = (4, 40)


@frozen
class Statistics:
    """The statistics of a column that BM25 needs."""

    first: int  # the number of its first value
    n_values: int
    n_words: int  # of all values
    n_distinct: int  # distinct words
    sum_idf: float  # of the distinct words' inverse document frequencies, before rank-bm25 raises negative ones


@frozen
class Segment:
    """A segment: statistics of columns, words with posting lists, and how many bits of a hash number the buckets."""

    columns: tuple[Statistics, ...]
    words: Words
    lists: Lists
    pairs: Pairs
    bits: int


def segment(parts: list[bytes], n_values: Sequence[int]) -> Segment:
    """Return the segment of some columns, which have `n_values` values and empty texts up to a whole block.

    `parts` are the columns' texts as `split` takes them. The list is emptied to free their memory.
    """
    texts = split(parts)
    sizes = np.array(n_values, np.int64)
    firsts = np.cumsum(np.append(0, sizes + -sizes % BLOCK))
    n_words = np.add.reduceat(texts.lengths, firsts[:-1])
    words, lists, pairs = postings.invert(texts)
    del texts
    distinct, sums = _idf_sums(lists, firsts, sizes)
    counts = (firsts.tolist(), n_values, n_words.tolist(), distinct.tolist(), sums.tolist())
    statistics = tuple(Statistics(*column) for column in zip(*counts, strict=False))
    return Segment(statistics, words, lists, pairs, max(0, len(words.hashes).bit_length() - 4))


def _idf_sums(lists: Lists, firsts: I64, sizes: I64) -> tuple[I64, np.ndarray]:
    """Return the number of distinct words of each column, and the sum of their inverse document frequencies.

    It is ln(N - n + 0.5) - ln(n + 0.5) for a word in n of N values.
    """
    column = np.repeat(np.arange(len(sizes), dtype=np.int32), np.diff(firsts)).take(lists.values)
    new = np.ones(len(column), bool)
    new[1:] = column[1:] != column[:-1]
    new[np.cumsum(lists.counts) - lists.counts] = True
    places = np.flatnonzero(new)
    holders = np.diff(places, append=len(column))
    column = column[places]
    idf = np.log(sizes[column] - holders + 0.5) - np.log(holders + 0.5)
    return (np.bincount(column, minlength=len(sizes)), np.bincount(column, weights=idf, minlength=len(sizes)))


def near_lists(words: Words) -> list[tuple[int, bytes]]:
    """Return the words of each size and first byte as one blob, with the key `size << 8 | byte`.

    Words that begin with a digit are left out.
    """
    least, most = NEAR_SIZES
    letters = words.content[words.starts]
    places = np.flatnonzero((words.sizes >= least) & (words.sizes <= most) & ~((letters >= 48) & (letters <= 57)))
    keys = words.sizes[places] << 8 | letters[places]
    order = places[np.argsort(keys, kind="stable")]
    text = words.content[ranges(words.starts[order], words.sizes[order])].tobytes()
    ends = np.cumsum(words.sizes[order])
    keys.sort()
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    starts = np.append((ends - words.sizes[order])[firsts], len(text)).tolist()
    return [(key, text[start:end]) for key, start, end in zip(keys[firsts].tolist(), starts, starts[1:], strict=False)]


def blocks(values: Sequence[str], content: bytes, ends: I64) -> Iterator[bytes]:
    """Yield the values in blocks: `u16 number of values, u16 bytes of an end, ends, texts`.

    Texts are in UTF-8, each with a separator after it; an end is the place of that, counted from the first text.
    `content` and `ends` are what `concatenated` returns for the values.
    """
    if len(ends) > len(values):  # separators in values
        ends = np.cumsum([len(value.encode("utf-8", "surrogatepass")) + 1 for value in values]) - 1
    starts = [0, *(ends[BLOCK - 1 : -1 : BLOCK] + 1).tolist(), len(content)]
    ends = ends - np.repeat(starts[:-1], BLOCK)[: len(ends)]
    width = 2 if ends.max() < 65_536 else 4
    packed = ends.astype(f"<u{width}").tobytes()
    for first, (start, end) in zip(range(0, len(values), BLOCK), pairwise(starts), strict=True):
        count = min(BLOCK, len(values) - first)
        head = count.to_bytes(2, "little") + width.to_bytes(2, "little")
        yield head + packed[width * first : width * (first + count)] + content[start:end]


def values_in(block: bytes) -> list[str]:
    """Return all values of a block."""
    count, width = block[0] | block[1] << 8, block[2]
    ends = np.frombuffer(block, f"<u{width}", count, 4).tolist()
    texts = block[4 + width * count :]
    return [texts[a + 1 : b].decode("utf-8", "surrogatepass") for a, b in pairwise([-1, *ends])]


def value_in(block: bytes, place: int) -> str:
    """Return value number `place` of a block."""
    count, width = block[0] | block[1] << 8, block[2]
    ends, texts = np.frombuffer(block, f"<u{width}", count, 4), 4 + width * count
    start = int(ends[place - 1]) + 1 if place else 0
    return block[texts + start : texts + int(ends[place])].decode("utf-8", "surrogatepass")
