"""A segment of the value index: several columns whose values are numbered together, with one set of posting lists.

Segments keep memory bounded while an index is built, and let one table be indexed again without the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from askwhere.indexer import postings
from askwhere.indexer.postings import Lists, Pairs
from askwhere.indexer.words import I64, Words, joined, ranges, split

# Values to a block: one is read to show one value, so it is small; its number is the value's, divided by this.
BLOCK = 128
# Words of these sizes (bytes) are kept in a list to be found by others that are spelled nearly so.
NEAR_SIZES = (4, 40)


@dataclass(frozen=True)
class Piece:
    """One column's values made ready: `words` of each, padded to whole blocks by texts without words."""

    n_values: int
    words: Words


@dataclass(frozen=True)
class Statistics:
    """What a column's BM25 scores need: its first value's number, values, words in all, distinct words, and the sum of
    their inverse document frequencies as rank-bm25 has it before it raises the negative ones.
    """

    first: int
    n_values: int
    n_words: int
    n_distinct: int
    sum_idf: float


@dataclass(frozen=True)
class Segment:
    """Columns inverted together: their statistics, the lists, and how many bits of a hash say the bucket."""

    columns: tuple[Statistics, ...]
    words: Words
    lists: Lists
    pairs: Pairs
    bits: int


def piece(values: Sequence[str]) -> Piece:
    """A column's values, which must be sorted and distinct, split into words."""
    words = split(values)
    padded = np.concatenate([words.lengths, np.zeros(-len(values) % BLOCK, np.int64)])
    return Piece(len(values), Words(padded, words.numbers, words.hashes, words.content, words.starts, words.sizes))


def segment(pieces: Sequence[Piece]) -> Segment:
    """The columns as one segment, numbered in this order."""
    words = joined([p.words for p in pieces])
    lists, pairs = postings.invert(words)
    firsts = np.cumsum([0] + [len(p.words.lengths) for p in pieces])
    sizes = np.array([p.n_values for p in pieces], np.int64)
    distinct, sums = _idf_sums(lists, firsts, sizes)
    columns = tuple(
        Statistics(int(first), p.n_values, int(p.words.lengths.sum()), int(n), float(total))
        for first, p, n, total in zip(firsts, pieces, distinct, sums, strict=False)
    )
    return Segment(columns, words, lists, pairs, max(0, len(words.sizes).bit_length() - 4))


def _idf_sums(lists: Lists, firsts: I64, sizes: I64) -> tuple[I64, np.ndarray]:
    """Each column's number of distinct words, and the sum over them of ln(N - n + 0.5) - ln(n + 0.5)."""
    column = np.repeat(np.arange(len(sizes)), np.diff(firsts))[lists.values]
    new = np.ones(len(column), bool)
    new[1:] = column[1:] != column[:-1]
    new[np.cumsum(lists.counts) - lists.counts] = True
    places = np.flatnonzero(new)
    held = np.diff(places, append=len(column))
    column = column[places]
    idf = np.log(sizes[column] - held + 0.5) - np.log(held + 0.5)
    return (
        np.bincount(column, minlength=len(sizes)),
        np.bincount(column, weights=idf, minlength=len(sizes)),
    )


def near_lists(words: Words) -> Iterator[tuple[int, bytes]]:
    """For each size and first byte, as `size << 8 | byte`: the words of that size one behind the other."""
    least, most = NEAR_SIZES
    letters = words.content[words.starts]
    wanted = np.flatnonzero((words.sizes >= least) & (words.sizes <= most) & ~((letters >= 48) & (letters <= 57)))
    keys = words.sizes[wanted] << 8 | letters[wanted]
    order = wanted[np.argsort(keys, kind="stable")]
    text = words.content[ranges(words.starts[order], words.sizes[order])].tobytes()
    ends = np.cumsum(words.sizes[order])
    keys.sort()
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    starts = np.append((ends - words.sizes[order])[firsts], len(text)).tolist()
    for key, start, end in zip(keys[firsts].tolist(), starts, starts[1:], strict=False):
        yield key, text[start:end]


def blocks(values: Sequence[str]) -> Iterator[bytes]:
    """The values, `BLOCK` at a time: `u16 number of values, u16 bytes of a size, sizes, texts` (UTF-8)."""
    whole = "".join(values)
    content = whole.encode("utf-8", "surrogatepass")
    # Of ASCII texts the characters are the bytes: no need to encode each.
    texts = values if whole.isascii() else [value.encode("utf-8", "surrogatepass") for value in values]
    sizes = np.fromiter(map(len, texts), np.int64, len(values))
    ends = np.cumsum(sizes)
    end = 0
    for start in range(0, len(values), BLOCK):
        part = sizes[start : start + BLOCK]
        width = 2 if part.max() < 65_536 else 4
        before, end = end, int(ends[start + len(part) - 1])
        head = len(part).to_bytes(2, "little") + width.to_bytes(2, "little")
        yield head + part.astype(f"<u{width}").tobytes() + content[before:end]


def value_in(block: bytes, place: int) -> str:
    """Value number `place` of a block."""
    count, width = block[0] | block[1] << 8, block[2]
    sizes = np.frombuffer(block, f"<u{width}", count, 4)
    start = 4 + width * count + int(sizes[:place].sum())
    return block[start : start + int(sizes[place])].decode("utf-8", "surrogatepass")
