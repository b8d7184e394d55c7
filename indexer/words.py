"""Words of texts by one rule, for one text or a million: case folded, diacritics dropped, runs of letters and digits.

`tokens` is the rule; `split` does the same to many texts at once with numpy, and tells their words apart by content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

# Letters that Unicode does not take apart into a base letter and a mark, but that people type without the stroke.
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}  # noqa: RUF001
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_SEPARATOR = "\x1f"
# Texts are split this many characters at a time, so that the work stays in the processor's cache.
_BATCH = 1 << 19


def tokens(text: str) -> list[str]:
    """The words of a text, in order.

    >>> tokens("Saint-Étienne, 2nd")
    ['saint', 'etienne', '2nd']
    >>> tokens("Łódź STRASSE Straße")
    ['lodz', 'strasse', 'strasse']
    """
    folded = fold(text)
    if folded.isascii():
        return _ASCII_WORD.findall(folded)
    return "".join(ch if _is_word(ch) else " " for ch in folded).split()


def fold(text: str) -> str:
    """The text without case and diacritics; marks that are no diacritics, as Indian vowel signs, stay."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold()).casefold()
    for letter, spelled in _LETTERS.items():
        if letter in plain:
            plain = plain.replace(letter, spelled)
    points = np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), np.uint32)
    marks = [int(p) for p in np.unique(points[points > 127]) if unicodedata.combining(chr(p))]
    return _text(points[~np.isin(points, marks)]) if marks else plain


def _text(points: NDArray[np.uint32]) -> str:
    return points.tobytes().decode("utf-32-le", "surrogatepass")


def _is_word(ch: str) -> bool:
    return ch.isalnum() or unicodedata.category(ch).startswith("M")


@dataclass(frozen=True)
class Words:
    """Words of several texts. `lengths` counts each text's words; `numbers` says for each word, text by text, which of
    the distinct words it is.

    Distinct words are ordered by hash, those of equal hash by their bytes; they lie somewhere in `content` (UTF-8, with
    eight spare bytes behind) from `starts`, `sizes` bytes long.
    """

    lengths: I64
    numbers: I32
    hashes: U64
    content: U8
    starts: I64
    sizes: I64


def split(texts: Sequence[str]) -> Words:
    """The words of all `texts`."""
    plain, size = _ready(texts)
    step = max(1, len(plain) * _BATCH // size)
    batches = [_split_batch(plain[start : start + step]) for start in range(0, max(len(plain), 1), step)]
    return batches[0] if len(batches) == 1 else joined(batches)


def _ready(texts: Sequence[str]) -> tuple[Sequence[str], int]:
    """The texts without the separator, those that are not ASCII folded, and their size."""
    whole = _SEPARATOR.join(texts)
    if whole.count(_SEPARATOR) >= max(len(texts), 1):
        texts = [text.replace(_SEPARATOR, " ") for text in texts]
    if whole.isascii():
        return texts, len(whole) + 1
    # Runs of texts are looked at first: most are ASCII as a whole.
    runs = [run for run in range(0, len(texts), 64) if not "".join(texts[run : run + 64]).isascii()]
    places = [run + i for run in runs for i, text in enumerate(texts[run : run + 64]) if not text.isascii()]
    # Folding never joins or parts texts: the separator has no case and takes no marks.
    folded = _without_symbols(fold(_SEPARATOR.join(texts[place] for place in places)))
    ready = list(texts)
    for place, text in zip(places, folded.split(_SEPARATOR), strict=True):
        ready[place] = text
    return ready, len(whole) + 1


def _split_batch(texts: Sequence[str]) -> Words:
    """As `split`, for texts made ready."""
    whole = _SEPARATOR.join(texts) + _SEPARATOR if texts else ""
    raw = np.frombuffer(whole.encode("utf-8", "surrogatepass"), np.uint8)
    ends_of_texts = np.flatnonzero(raw == 31)
    content = np.zeros(len(raw) + 9, np.uint8)
    np.take(_WORD_BYTES, raw, out=content[1 : len(raw) + 1])
    edges = np.flatnonzero(np.diff(content != 0)) + 1
    starts, ends = edges[::2], edges[1::2]
    lengths = np.diff(np.searchsorted(starts, ends_of_texts + 1), prepend=0)
    order, first, numbers, hashes = _distinct(content, starts, ends - starts)
    kept = order[first]
    return Words(lengths, numbers, hashes, *_packed(content, starts[kept], (ends - starts)[kept]))


def _without_symbols(text: str) -> str:
    """The text with every character beyond ASCII that belongs in no word replaced by a blank."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    others = [int(p) for p in np.unique(points[points > 127]) if not _is_word(chr(p))]
    return _text(np.where(np.isin(points, others), np.uint32(32), points)) if others else text


def joined(parts: Sequence[Words]) -> Words:
    """Several `Words` as one: the texts of the first, then those of the second, and so on."""
    content = np.concatenate([part.content[:-8] for part in parts] + [np.zeros(8, np.uint8)])
    moved = np.cumsum([0] + [len(part.content) - 8 for part in parts[:-1]])
    starts = np.concatenate([part.starts + by for part, by in zip(parts, moved, strict=True)])
    sizes = np.concatenate([part.sizes for part in parts])
    hashes = np.concatenate([part.hashes for part in parts])
    order, first, numbers, hashes = _distinct(content, starts, sizes, hashes)
    counts = np.cumsum([0] + [len(part.sizes) for part in parts])
    kept = order[first]
    lengths = np.concatenate([part.lengths for part in parts])
    moved_numbers = [numbers[at:].take(part.numbers) for part, at in zip(parts, counts, strict=False)]
    return Words(lengths, np.concatenate(moved_numbers), hashes, content, starts[kept], sizes[kept])


def word_hash(word: str) -> int:
    """The hash by which words are ordered and put into buckets; 64 bits."""
    encoded = word.encode("utf-8", "surrogatepass")
    hashed = 0
    for at in range(0, len(encoded), 8):
        hashed = _mixed_one(hashed ^ int.from_bytes(encoded[at : at + 8], "little"))
    return hashed


def _mixed_one(value: int) -> int:
    """`_mixed` of one number, without arrays."""
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & 0xFFFFFFFFFFFFFFFF
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & 0xFFFFFFFFFFFFFFFF
    return value ^ value >> 33


def _distinct(content: U8, starts: I64, sizes: I64, hashes: U64 | None = None) -> tuple[I64, I64, I32, U64]:
    """(order of the words by hash, places in it where a new word begins, number of every word, hashes of the new).

    Words are told apart by their bytes; a hash that two of them share only costs time.
    """
    hashed = _hashes(content, starts, sizes) if hashes is None else hashes
    order = np.argsort(hashed)
    ordered = hashed[order]
    same = ordered[1:] == ordered[:-1]
    # Words of one block are alike if their hashes are, as no two numbers are mixed to one. Others must be compared.
    long = same & (np.maximum(sizes[order[1:]], sizes[order[:-1]]) > 8)
    same[long] = _equal(content, starts, sizes, order[1:][long], order[:-1][long])
    if (same[long] == 0).any():
        order = np.array(
            sorted(range(len(starts)), key=lambda i: (hashed[i], _word(content, int(starts[i]), int(sizes[i]))))
        )
        ordered = hashed[order]
        same = _equal(content, starts, sizes, order[1:], order[:-1])
    new = np.ones(len(order), bool)
    new[1:] = ~same
    numbers = np.empty(len(order), np.int32)  # a segment has far fewer than 2^31 words
    numbers[order] = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    return order, first, numbers, ordered[first]


def _word(content: U8, start: int, size: int) -> bytes:
    return content[start : start + size].tobytes()


def _hashes(content: U8, starts: I64, sizes: I64) -> U64:
    hashed = _mixed(_block(content, starts, sizes, 0))
    longer, at = np.flatnonzero(sizes > 8), 8
    while len(longer):
        hashed[longer] = _mixed(hashed[longer] ^ _block(content, starts[longer], sizes[longer], at))
        at += 8
        longer = longer[sizes[longer] > at]
    return hashed


def _equal(content: U8, starts: I64, sizes: I64, left: I64, right: I64) -> NDArray[np.bool_]:
    """Whether the words numbered `left` and `right` are the same, pair by pair."""
    same: NDArray[np.bool_] = sizes[left] == sizes[right]
    open_, at = np.flatnonzero(same), 0
    while len(open_):
        a, b = left[open_], right[open_]
        same[open_] = _block(content, starts[a], sizes[a], at) == _block(content, starts[b], sizes[b], at)
        at += 8
        open_ = open_[same[open_] & (sizes[a] > at)]
    return same


def _block(content: U8, starts: I64, sizes: I64, at: int) -> U64:
    """Eight bytes of each word from its byte `at`, zeros behind the word's end, as one number."""
    window: Any = np.ndarray((len(content) - 7,), "<u8", content, strides=(1,))
    return np.asarray(window[starts + at] & _MASKS[np.minimum(sizes - at, 8)])


def _mixed(value: U64) -> U64:
    """The finaliser of MurmurHash3, which takes no two numbers to one."""
    value = value ^ (value >> np.uint64(33))
    value *= np.uint64(0xFF51AFD7ED558CCD)
    value ^= value >> np.uint64(33)
    value *= np.uint64(0xC4CEB9FE1A85EC53)
    value ^= value >> np.uint64(33)
    return value


def _packed(content: U8, starts: I64, sizes: I64) -> tuple[U8, I64, I64]:
    """The words one behind the other: content with eight spare bytes, starts, sizes."""
    ends = np.cumsum(sizes)
    packed_starts = ends - sizes
    packed = np.zeros(int(ends[-1]) + 8 if len(ends) else 8, np.uint8)
    packed[:-8] = content[ranges(starts, sizes)]
    return packed, packed_starts, sizes


def ranges(starts: I64, sizes: I64) -> I64:
    """All places from `starts[i]` on, `sizes[i]` of them, for one `i` after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(total)


# What each byte of a text becomes: letters small, digits and what is not ASCII as they are, all else zero.
_WORD_BYTES = np.array([b * (b > 127 or chr(b).isalnum()) + 32 * (65 <= b <= 90) for b in range(256)], np.uint8)
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
