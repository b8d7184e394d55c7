"""Split texts into words: runs of letters and digits, case folded, without diacritics.

`tokens` does so for one text; `split` does the same for millions with numpy, and `ordered` sorts their words so that
equal ones are together. Bytes are UTF-8, and a word is a span of them, with a hash of 64 bits.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from askwhere.frozen import frozen
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Spans = NDArray[Any]  # of 32 bits, or of 64 where the text is too large for them

# Letters that Unicode does not decompose into a base letter and a mark, but that people type without the stroke.
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}  # noqa: RUF001
_ASCII_WORD = re.compile(r"[a-z0-9]+")
# Follows each text where many are concatenated.
SEPARATOR = "\x1f"
# Bytes of text that are split at a time, so that the work stays in the processor's cache.
_BATCH = 1 << 19
# Words that are compared at a time.
_PART = 1 << 17


def tokens(text: str) -> list[str]:
    """Return the words of a text, in order.

    >>> tokens("Saint-Étienne, 2nd")
    ['saint', 'etienne', '2nd']
    >>> tokens("Łódź STRASSE Straße")
    ['lodz', 'strasse', 'strasse']
    """
    folded = fold(text)
    return _ASCII_WORD.findall(folded) if folded.isascii() else _words(folded)


def tokens_each(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text, as `tokens` does, for many texts at once."""
    if not texts:
        return []
    folded = fold(SEPARATOR.join([text.replace(SEPARATOR, " ") for text in texts])).split(SEPARATOR)
    return [_ASCII_WORD.findall(text) if text.isascii() else _words(text) for text in folded]


def fold(text: str) -> str:
    """Return the text without case and diacritics. Marks that are not diacritics, such as Indian vowel signs, stay."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold()).casefold()
    for letter, spelled in _LETTERS.items():
        if letter in plain:
            plain = plain.replace(letter, spelled)
    marks = [ord(ch) for ch in set(plain) if unicodedata.combining(ch)]
    if not marks:
        return plain
    points = _points(plain)
    return _text(points[~_among(points, marks)])


def _points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _among(points: NDArray[np.uint32], sought: Sequence[int]) -> NDArray[np.bool_]:
    """Return which of the code points are among the sought ones. (`np.isin` would load `numpy.ma`.)"""
    table = np.zeros(sys.maxunicode + 1, bool)
    table[sought] = True
    return table[points]


def _text(points: NDArray[np.uint32]) -> str:
    return points.tobytes().decode("utf-32-le", "surrogatepass")


def _words(folded: str) -> list[str]:
    """Return the words of a folded text in any script."""
    return "".join(ch if _is_word(ch) else " " for ch in folded).split()


def _is_word(ch: str) -> bool:
    return ch.isalnum() or unicodedata.category(ch).startswith("M")


@frozen
class Words:
    """Words in `content`: the hash of each, and its span, the places of its first byte and after its last.

    `content` is UTF-8 with zeros between words, one before the first, and eight after the last.
    """

    hashes: U64
    content: U8
    spans: Spans

    @property
    def starts(self) -> Spans:
        """Return the place of the first byte of each word."""
        return self.spans[:, 0]

    @property
    def sizes(self) -> Spans:
        """Return the number of bytes of each word."""
        return self.spans[:, 1] - self.spans[:, 0]

    def take(self, places: I64) -> Words:
        """Return the words at some places."""
        return Words(self.hashes.take(places), self.content, self.spans.take(places, axis=0))


@frozen
class Texts:
    """Texts split into words: the number of words of each text, and the words of all texts in order."""

    lengths: I64
    words: Words


def concatenated(texts: Sequence[str]) -> tuple[bytes, I64]:
    """Return the texts in UTF-8, each followed by a separator, and the places of all separators, also inside texts."""
    whole = SEPARATOR.join(texts) + SEPARATOR if texts else ""
    encoded = whole.encode("utf-8", "surrogatepass")
    return encoded, np.flatnonzero(np.frombuffer(encoded, np.uint8) == ord(SEPARATOR))


def folded(texts: Sequence[str], encoded: bytes, n_separators: int) -> bytes:
    """Return the texts as `split` takes them: folded if they are not ASCII, and without separators inside them.

    `encoded` and the number of its separators are what `concatenated` returns for the texts.
    """
    if encoded.isascii() and n_separators == len(texts):
        return encoded
    texts = [text.replace(SEPARATOR, " ") for text in texts]
    # Runs of texts are checked first, as most are ASCII as a whole.
    runs = [run for run in range(0, len(texts), 64) if not "".join(texts[run : run + 64]).isascii()]
    places = [run + i for run in runs for i, text in enumerate(texts[run : run + 64]) if not text.isascii()]
    # Folding leaves the separators in place: they have no case and take no marks.
    plain = _without_symbols(fold(SEPARATOR.join([texts[place] for place in places])))
    for place, text in zip(places, plain.split(SEPARATOR), strict=bool(places)):
        texts[place] = text
    return concatenated(texts)[0]


def split(parts: list[bytes]) -> Texts:
    """Return the words of texts that `folded` returned. The list of their parts is emptied to free the memory."""
    encoded = b"".join([b"\0", *parts, bytes(8)])
    parts.clear()
    ends = np.flatnonzero(np.frombuffer(encoded, np.uint8) == ord(SEPARATOR))
    content = np.frombuffer(encoded.translate(_WORD_BYTES), np.uint8)
    del encoded
    bounds = [0, *(np.flatnonzero(np.diff(ends // _BATCH)) + 1).tolist(), len(ends)] if len(ends) else [0]
    starts = np.append(0, ends)
    batches = [_batch(content, int(starts[first]), ends[first:last]) for first, last in pairwise(bounds)]
    kinds = list(zip(_NOTHING, *batches, strict=True))
    del batches
    # Each kind of array is dropped as soon as it is concatenated: at most one takes memory twice.
    lengths, hashes, spans = (np.concatenate(kinds.pop(0)) for _ in range(3))
    return Texts(lengths, Words(hashes, content, spans))


def _batch(content: U8, start: int, ends: I64) -> tuple[I64, U64, Spans]:
    """Return how many words each of some texts has, and the hashes and spans of the words.

    The first text begins at `start`; `ends` are the places of the separators after them.
    """
    edges = np.flatnonzero(np.diff(content[start : ends[-1] + 1] != 0)) + (start + 1)
    starts, sizes = edges[::2], edges[1::2] - edges[::2]
    lengths = np.diff(starts.searchsorted(ends), prepend=0)
    places = edges.astype(np.int32 if len(content) < 1 << 31 else np.int64)
    return lengths, _hashes(content, starts, sizes), places.reshape(-1, 2)


def _without_symbols(text: str) -> str:
    """Return the text with a space in place of each character beyond ASCII that is in no word."""
    others = [ord(ch) for ch in set(text) if ch > "\x7f" and not _is_word(ch)]
    if not others:
        return text
    points = _points(text)
    return _text(np.where(_among(points, others), np.uint32(32), points))


def word_hashes(words: Iterable[str]) -> list[int]:
    """Return the hash of each word, of 64 bits, by which words are sorted and put into buckets."""
    hashes = []
    for word in words:
        encoded = word.encode("utf-8", "surrogatepass")
        hashed = 0
        for at in range(0, len(encoded), 8):
            hashed ^= int.from_bytes(encoded[at : at + 8], "little")
            # What `_mixed` does, for one number.
            hashed ^= hashed >> 33
            hashed = hashed * 0xFF51AFD7ED558CCD & 0xFFFFFFFFFFFFFFFF
            hashed ^= hashed >> 33
            hashed = hashed * 0xC4CEB9FE1A85EC53 & 0xFFFFFFFFFFFFFFFF
            hashed ^= hashed >> 33
        hashes.append(hashed)
    return hashes


def ordered(words: Words) -> Iterator[tuple[I64, NDArray[np.bool_]]]:
    """Yield the places of all words, sorted by hash and then by bytes, and which of them are the first of their word.

    They come in parts, each with all places of its words. Words are compared by their bytes, so that two words with one
    hash cost time but are not mixed up.
    """
    n = len(words.hashes)
    # Sorting numbers is ten times as fast as sorting places by numbers, so the places are the lower bits of the hashes.
    low = np.uint64((1 << n.bit_length()) - 1)
    keys = words.hashes & ~low
    keys |= np.arange(n, dtype=np.uint32)
    keys.sort()
    start = 0
    while start < n:
        end = int(np.searchsorted(keys, keys[min(start + _PART, n) - 1] | low, side="right"))
        yield _ordered_part(words, keys[start:end], low)
        start = end


def _ordered_part(words: Words, keys: U64, low: np.uint64) -> tuple[I64, NDArray[np.bool_]]:
    """Return what `ordered` yields for some sorted keys: a hash, with the place in the bits of `low`."""
    order = (keys & low).view(np.int64)
    ordered_words = words.take(order)
    starts, sizes = ordered_words.starts, ordered_words.sizes
    alike = keys[1:] ^ keys[:-1] <= low
    same = (ordered_words.hashes[1:] == ordered_words.hashes[:-1]) & (sizes[1:] == sizes[:-1])
    # Mixing is one-to-one, so words of equal hash and size are equal if all but one of their blocks of 8 bytes are.
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
    """Sort the runs of words that are `alike`, by the higher bits of their hashes, but not the `same`."""
    bounds = np.concatenate([[0], np.flatnonzero(~alike) + 1, [len(order)]])
    for run in np.unique(np.searchsorted(bounds, clashes, side="right")).tolist():
        first, last = int(bounds[run - 1]), int(bounds[run])
        clashing = sorted((int(words.hashes[i]), _word(words, i), i) for i in order[first:last].tolist())
        order[first:last] = [i for _, _, i in clashing]
        same[first : last - 1] = [a[:2] == b[:2] for a, b in pairwise(clashing)]


def _word(words: Words, place: int) -> bytes:
    start, end = words.spans[place].tolist()
    return words.content[start:end].tobytes()


def _hashes(content: U8, starts: I64, sizes: I64) -> U64:
    """Return the hashes of many words, as `word_hashes` computes them."""
    hashed = _mixed(_block(content, starts, sizes, 0))
    longer, at = np.flatnonzero(sizes > 8), 8
    while len(longer):
        hashed[longer] = _mixed(hashed[longer] ^ _block(content, starts[longer], sizes[longer], at))
        at += 8
        longer = longer[sizes[longer] > at]
    return hashed


def _block(content: U8, starts: I64, sizes: I64, at: int) -> U64:
    """Return eight bytes of each word as a number, from its byte `at`, with zeros after the word's end."""
    window: Any = np.ndarray((len(content) - 7,), "<u8", content, strides=(1,))
    return np.asarray(window[starts + at] & _MASKS[np.minimum(sizes - at, 8)])


def _mixed(value: U64) -> U64:
    """Return numbers mixed by the finaliser of MurmurHash3, which is one-to-one."""
    value = value ^ (value >> np.uint64(33))
    value *= np.uint64(0xFF51AFD7ED558CCD)
    value ^= value >> np.uint64(33)
    value *= np.uint64(0xC4CEB9FE1A85EC53)
    value ^= value >> np.uint64(33)
    return value


def ranges(starts: I64, sizes: I64) -> I64:
    """Return the places `starts[i]`, `starts[i] + 1` … of each i, `sizes[i]` of them, concatenated."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(total)


# For each byte, its lower case if it is a letter; itself if it is a digit or not ASCII; zero otherwise.
_WORD_BYTES = bytes([b * (b > 127 or chr(b).isalnum()) + 32 * (65 <= b <= 90) for b in range(256)])
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros((0, 2), np.int32))
