"""How the names of a schema are shortened: the conventional short forms, and what a word may be cut down to by rule."""

from __future__ import annotations

import pkgutil


def _conventional() -> dict[str, str]:
    text = pkgutil.get_data("askwhere.indexer", "abbreviations.txt") or b""  # cheaper to import than resources
    return dict(line.split(": ") for line in text.decode().splitlines())


CONVENTIONAL = _conventional()
_VOWELS = frozenset("aeiou")


def shortens(short: str, word: str) -> bool:
    """Whether a name may be short for a word: its beginning, or its first letter and some consonants of each part.

    >>> shortens("pat", "patient"), shortens("appt", "appointment"), shortens("mgmt", "management")
    (True, True, True)
    >>> shortens("city", "capacity"), shortens("pet", "patient")
    (False, False)
    """
    if not 3 <= len(short) <= len(word) - 2 or short[0] != word[0]:
        return False
    return word.startswith(short) or (not _VOWELS & set(short[1:-1]) and _in_order(short, word))


def _in_order(short: str, word: str) -> bool:
    """Whether the letters of a short form come in this order, and leave out no more than two consonants at once."""
    place = 0
    for letter in short:
        found = word.find(letter, place)
        if found < 0 or len(set(word[place:found]) - _VOWELS) > 2:
            return False
        place = found + 1
    return len(set(word[place:]) - _VOWELS) <= 3
