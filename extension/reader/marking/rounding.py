"""Find the words that ask for rounded numbers: "rounded to one decimal", "to 2 decimals", "to the nearest euro"."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.reader.marking.marks import Mark
from askwhere.reader.words.tokens import Token, number

_PLACES = frozenset("decimal decimals digit digits place places".split())
_WHOLE = frozenset("whole full nearest".split())
_PLACES_AT_MOST = 9


def rounding_marks(tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield a mark for each phrase that asks for rounding; its argument is the number of decimal places."""
    words = [t.lower for t in tokens]
    for start, word in enumerate(words):
        rounded = word in ("rounded", "round")
        at = start + 1 if rounded else start
        at += rounded and words[at : at + 1] in (["off"], ["up"])
        if words[at : at + 1] in (["to"], ["with"]):
            size, places = _places(tokens[at + 1 :], rounded)
            if size:
                yield _mark(words, start, at + 1 + size, places)
        elif rounded and word == "rounded":
            yield _mark(words, start, at, 0)


def _mark(words: list[str], start: int, end: int, places: int) -> Mark:
    """Return the mark of the words from `start` to before `end`."""
    return Mark("rounded", start, end, 1.3 * (end - start), " ".join(words[start:end]), str(places))


def _places(tokens: tuple[Token, ...], rounded: bool) -> tuple[int, int]:
    """Return how many words say the number of decimal places, and that number; (0, 0) where none do.

    A unit, "to the minute", is only meant behind "rounded", "nearest" or "whole".
    """
    words = [t.lower for t in tokens]
    at = 1 if words[:1] in (["the"], ["a"], ["an"]) else 0
    said = number(tokens[at]) if tokens[at:] else None
    if said is not None and words[at + 1 : at + 2] and words[at + 1] in _PLACES:
        places = int(said) if 0 <= said <= _PLACES_AT_MOST else 0
        return at + 2 + (words[at + 2 : at + 3] in (["place"], ["places"])), places
    start = at
    while words[at : at + 1] and words[at] in _WHOLE:
        at += 1
    near = at > start or (rounded and start > 0)
    return (at + 1, 0) if near and tokens[at:] and tokens[at].kind == "word" else (0, 0)
