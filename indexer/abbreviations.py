"""How the names of a schema are shortened: the conventional short forms, and what a word may be cut down to by rule."""

from __future__ import annotations

import pkgutil


def _conventional() -> dict[str, str]:
    text = pkgutil.get_data("askwhere.indexer", "abbreviations.txt") or b""  # cheaper to import than resources
    return dict(line.split(": ") for line in text.decode().splitlines())


CONVENTIONAL = _conventional()
_VOWELS = frozenset("aeiou")


def shortens(short: str, word: str) -> bool:
    """Whether a name of three letters or more is plainly short for a word.

    >>> shortens("pat", "patient"), shortens("appt", "appointment"), shortens("mgmt", "management")
    (True, True, True)
    >>> shortens("city", "capacity"), shortens("pet", "patient")
    (False, False)
    """
    return 3 <= len(short) <= len(word) - 2 and shortness(short, word) > 0


def shortness(short: str, word: str) -> float:
    """How well a name is short for a word, from 0 to 1: its beginning, and then some of its consonants in order.

    >>> shortness("emerg", "emergency") > shortness("catg", "category") > shortness("lv", "leave") > 0
    True
    """
    if not 2 <= len(short) < len(word) or short[0] != word[0]:
        return 0.0
    alike = next((i for i, (a, b) in enumerate(zip(short, word, strict=False)) if a != b), len(short))
    if alike == len(short):
        return 0.9 if alike > 2 else 0.5
    if _VOWELS & set(short[alike:]) or not _in_order(short[alike:], word[alike:]):
        return 0.0
    return 0.8 if len(short) > 2 else 0.55


def _in_order(short: str, word: str) -> bool:
    """Whether the letters of a short form come in this order, and leave out no more than two consonants at once."""
    place = 0
    for letter in short:
        found = word.find(letter, place)
        if found < 0 or len(set(word[place:found]) - _VOWELS) > 2:
            return False
        place = found + 1
    return len(set(word[place:]) - _VOWELS) <= 3
