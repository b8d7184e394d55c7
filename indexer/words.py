"""Words of texts by one rule, for one text or a million: case folded, diacritics dropped, runs of letters and digits.

`tokens` is the rule; `split` does the same to many texts at once with numpy, and `ordered` tells their words apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Spans = NDArray[Any]  # of 32 bits, or of 64 where the text is too large for them

# Letters that Unicode does not take apart into a base letter and a mark, but that people type without the stroke.
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}  # noqa: RUF001
_ASCII_WORD = re.compile(r"[a-z0-9]+")
# Stands behind each text where many are one.
SEPARATOR = "\x1f"
# Texts are split this many characters at a time, so that the work stays in the processor's cache.
_BATCH = 1 << 19
# So many words at a time are told apart.
_PART = 1 << 17


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
    """Words that lie somewhere in `content`: the hash, and the first byte and the end, of each.

    `content` is UTF-8 with zeros between words, one before the first, and eight behind the last.
    """

    hashes: U64
    content: U8
    spans: Spans

    @property
    def starts(self) -> Spans:
        """Where each begins."""
        return self.spans[:, 0]

    @property
    def sizes(self) -> Spans:
        """How many bytes each has."""
        return self.spans[:, 1] - self.spans[:, 0]

    def take(self, places: I64) -> Words:
        """Those at these places."""
        return Words(self.hashes.take(places), self.content, self.spans.take(places, axis=0))


@dataclass(frozen=True)
class Texts:
    """Texts split into words: how many each has, and the words of one text after the other."""

    lengths: I64
    words: Words


def behind_each_other(texts: Sequence[str]) -> tuple[bytes, I64]:
    """The texts in UTF-8, each with a separator behind it, and where all separators are, those within texts too."""
    whole = SEPARATOR.join(texts) + SEPARATOR if texts else ""
    encoded = whole.encode("utf-8", "surrogatepass")
    return encoded, np.flatnonzero(np.frombuffer(encoded, np.uint8) == ord(SEPARATOR))


def folded(texts: Sequence[str], encoded: bytes, n_separators: int) -> bytes:
    """What `split` takes of texts: themselves `encoded`, if they are ASCII and separators are between them only."""
    if encoded.isascii() and n_separators == len(texts):
        return encoded
    texts = [text.replace(SEPARATOR, " ") for text in texts]
    # Runs of texts are looked at first: most are ASCII as a whole.
    runs = [run for run in range(0, len(texts), 64) if not "".join(texts[run : run + 64]).isascii()]
    places = [run + i for run in runs for i, text in enumerate(texts[run : run + 64]) if not text.isascii()]
    # Folding never joins or parts texts: the separator has no case and takes no marks.
    plain = _without_symbols(fold(SEPARATOR.join(texts[place] for place in places)))
    for place, text in zip(places, plain.split(SEPARATOR), strict=bool(places)):
        texts[place] = text
    return behind_each_other(texts)[0]


def split(parts: list[bytes]) -> Texts:
    """The words of texts that are `folded`, each with a separator behind it; the list of their parts is emptied."""
    encoded = b"".join([b"\0", *parts, bytes(8)])
    parts.clear()
    ends = np.flatnonzero(np.frombuffer(encoded, np.uint8) == ord(SEPARATOR))
    content = np.frombuffer(encoded.translate(_WORD_BYTES), np.uint8)
    del encoded
    bounds = [0, *(np.flatnonzero(np.diff(ends // _BATCH)) + 1).tolist(), len(ends)] if len(ends) else [0]
    starts = np.append(0, ends)
    found = [_batch(content, int(starts[first]), ends[first:last]) for first, last in pairwise(bounds)]
    kinds = list(zip(_NOTHING, *found, strict=True))
    del found
    lengths, hashes, spans = (np.concatenate(kinds.pop(0)) for _ in range(3))
    return Texts(lengths, Words(hashes, content, spans))


def _batch(content: U8, start: int, ends: I64) -> tuple[I64, U64, Spans]:
    """Of texts that begin at `start` and end at `ends`: how many words each has, and the words' hashes and spans."""
    edges = np.flatnonzero(np.diff(content[start : ends[-1] + 1] != 0)) + (start + 1)
    starts, sizes = edges[::2], edges[1::2] - edges[::2]
    lengths = np.diff(starts.searchsorted(ends), prepend=0)
    return lengths, _hashes(content, starts, sizes), edges.astype(_kind(content)).reshape(-1, 2)


def _kind(content: U8) -> type[np.int32] | type[np.int64]:
    return np.int32 if len(content) < 1 << 31 else np.int64


def _without_symbols(text: str) -> str:
    """The text with every character beyond ASCII that belongs in no word replaced by a blank."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    others = [int(p) for p in np.unique(points[points > 127]) if not _is_word(chr(p))]
    return _text(np.where(np.isin(points, others), np.uint32(32), points)) if others else text


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


def ordered(words: Words) -> Iterator[tuple[I64, NDArray[np.bool_]]]:
    """The places of all words, by hash, those of equal hash by their bytes; and at which of them another word begins.

    They come some at a time, with every place of a word together. Words are told apart by their bytes; a hash that two
    of them share only costs time.
    """
    n = len(words.hashes)
    # To sort numbers is ten times as fast as to sort places by numbers: the places are the lower bits of the numbers.
    low = np.uint64((1 << n.bit_length()) - 1)
    keys = words.hashes & ~low
    keys |= np.arange(n, dtype=np.uint32)
    keys.sort()
    start = 0
    while start < n:
        end = int(np.searchsorted(keys, keys[min(start + _PART, n) - 1] | low, side="right"))
        yield _told_apart(words, keys[start:end], low)
        start = end


def _told_apart(words: Words, keys: U64, low: np.uint64) -> tuple[I64, NDArray[np.bool_]]:
    order = (keys & low).view(np.int64)
    found = words.take(order)
    starts, sizes = found.starts, found.sizes
    alike = keys[1:] ^ keys[:-1] <= low
    same = (found.hashes[1:] == found.hashes[:-1]) & (sizes[1:] == sizes[:-1])
    # No two numbers are mixed to one: words are the same if their hashes are, and all of their blocks but one.
    places, at = np.flatnonzero(sizes > 8), 8
    while len(places):
        block = _block(words.content, starts[places], sizes[places], at)
        same[places[1:][block[1:] != block[:-1]] - 1] = False
        at += 8
        places = places[sizes[places] > at]
    if (clashes := np.flatnonzero(alike & ~same)).size:
        _sort_clashes(words, order, same, alike, clashes)
    return order, np.append(True, ~same)


def _sort_clashes(words: Words, order: I64, same: NDArray[np.bool_], alike: NDArray[np.bool_], clashes: I64) -> None:
    """Put runs of words that are `alike` by the higher bits of their hashes, but not the `same`, in order."""
    bounds = np.concatenate([[0], np.flatnonzero(~alike) + 1, [len(order)]])
    for run in np.unique(np.searchsorted(bounds, clashes, side="right")).tolist():
        first, last = int(bounds[run - 1]), int(bounds[run])
        found = sorted((int(words.hashes[i]), _word(words, i), i) for i in order[first:last].tolist())
        order[first:last] = [i for _, _, i in found]
        same[first : last - 1] = [a[:2] == b[:2] for a, b in pairwise(found)]


def _word(words: Words, place: int) -> bytes:
    start, end = words.spans[place].tolist()
    return words.content[start:end].tobytes()


def _hashes(content: U8, starts: I64, sizes: I64) -> U64:
    hashed = _mixed(_block(content, starts, sizes, 0))
    longer, at = np.flatnonzero(sizes > 8), 8
    while len(longer):
        hashed[longer] = _mixed(hashed[longer] ^ _block(content, starts[longer], sizes[longer], at))
        at += 8
        longer = longer[sizes[longer] > at]
    return hashed


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


def ranges(starts: I64, sizes: I64) -> I64:
    """All places from `starts[i]` on, `sizes[i]` of them, for one `i` after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(total)


# What each byte of a text becomes: letters small, digits and what is not ASCII as they are, all else zero.
_WORD_BYTES = bytes(b * (b > 127 or chr(b).isalnum()) + 32 * (65 <= b <= 90) for b in range(256))
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros((0, 2), np.int32))
