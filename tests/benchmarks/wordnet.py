"""Read WordNet's files: which words mean the same or nearly the same, by the stems that the reader knows words by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from askwhere.reader.words.tokens import stem

PARTS = {"n": "noun", "v": "verb", "a": "adj"}
_NUMBERS = {"1": "n", "2": "v", "3": "a", "5": "a"}  # how `cntlist.rev` calls the parts of speech
# How much a pointer between two synsets says of their words, by its sign; a shared synset counts 1 and a bit more.
KINDS = {"@": 0.4, "~": 0.4, "+": 0.6, "&": 0.4, "=": 0.3, "^": 0.2, "%p": 0.2, "#p": 0.2}
_SAME, _SEEN = 1.0, 0.3
_LEAST = 0.02  # weaker ties are left out

Key = tuple[str, str]  # part of speech and offset


@dataclass(frozen=True)
class Synset:
    """The words of one meaning, and its pointers: sign, the synset it leads to, and the places of both words."""

    words: tuple[str, ...]
    pointers: tuple[tuple[str, Key, int, int], ...]


def synsets(folder: Path) -> dict[Key, Synset]:
    """Return all synsets of nouns, verbs and adjectives; the format is that of wndb(5WN)."""
    return {(part, line[:8]): _synset(line) for part, name in PARTS.items() for line in _lines(folder / f"data.{name}")}


def _synset(line: str) -> Synset:
    fields = line.split("|")[0].split()
    count = int(fields[3], 16)
    words = tuple(fields[4 + 2 * i].lower().split("(")[0] for i in range(count))
    at = 5 + 2 * count
    found = []
    for _ in range(int(fields[at - 1])):
        sign, offset, part, places = fields[at : at + 4]
        found.append((sign, ("a" if part == "s" else part, offset), int(places[:2], 16), int(places[2:], 16)))
        at += 4
    return Synset(words, tuple(found))


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.open(encoding="utf-8") if not line.startswith("  "))


def shares(folder: Path) -> dict[tuple[str, Key], float]:
    """Return for each word and its synset which share of the word's uses has this meaning.

    Uses are those counted in WordNet's texts (`cntlist.rev`), and 1/n for the n-th meaning.
    """
    counts = {}
    for line in (folder / "cntlist.rev").open(encoding="utf-8"):
        key, sense, count = line.split()
        word, rest = key.split("%")
        counts[word, _NUMBERS.get(rest[0], ""), int(sense)] = int(count)
    uses: dict[str, dict[Key, float]] = defaultdict(dict)
    for part, name in PARTS.items():
        for line in _lines(folder / f"index.{name}"):
            word, _, senses, pointers, *rest = line.split()
            for place, offset in enumerate(rest[int(pointers) + 2 :][: int(senses)], 1):
                uses[word][part, offset] = counts.get((word, part, place), 0) + 1 / place
    return {(word, key): n / sum(found.values()) for word, found in uses.items() for key, n in found.items()}


def ties(folder: Path, stems: frozenset[str]) -> dict[tuple[str, str], float]:
    """Return how closely two of these stems are tied, by pairs, from 0.02: the more, the commoner the shared meaning.

    >>> ties(folder, frozenset({"shop", "store"}))  # doctest: +SKIP
    {('shop', 'store'): 0.56, ('store', 'shop'): 0.56}
    """
    found, uses = synsets(folder), shares(folder)
    having: dict[Key, list[tuple[str, float]]] = defaultdict(list)
    for (word, key), share in uses.items():
        if re.fullmatch("[a-z]{3,}", word) and stem(word) in stems:
            having[key].append((stem(word), share))
    best: dict[tuple[str, str, str], float] = defaultdict(float)
    for key, synset in found.items():
        for one, share in having.get(key, ()):
            for other, theirs in having[key]:
                put = _SAME * min(share, theirs) + _SEEN * max(share, theirs)
                best[one, other, ""] = max(best[one, other, ""], put)
            for sign, target, start, end in synset.pointers:
                for other, theirs in having[target] if sign in KINDS and target in having else ():
                    if _between(synset, found[target], (one, other), (start, end)):
                        put = KINDS[sign] * min(share, theirs)
                        best[one, other, sign] = max(best[one, other, sign], put)
    total: dict[tuple[str, str], float] = defaultdict(float)
    for (one, other, _), weight in best.items():
        total[one, other] += weight
    return {pair: weight for pair, weight in total.items() if weight >= _LEAST and pair[0] != pair[1]}


def _between(synset: Synset, target: Synset, pair: tuple[str, str], places: tuple[int, int]) -> bool:
    """Return whether a pointer is between these two words: one of whole synsets (places 0), or of just these."""
    ends = zip((synset, target), pair, places, strict=True)
    return all(not place or stem(one.words[place - 1]) == word for one, word, place in ends)
