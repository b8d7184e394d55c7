"""Compare words in other forms: singulars of plurals, and the short forms that names in a schema have."""

from __future__ import annotations

import pkgutil
import re


def read_words(file: str) -> dict[str, str]:
    """Return the entries of a data file of this package, which has a line `name: words` for each."""
    text = pkgutil.get_data("askwhere.indexer", file) or b""  # cheaper to import than resources
    return dict(line.split(": ") for line in text.decode().splitlines() if not line.startswith("#"))


CONVENTIONAL = read_words("abbreviations.txt")
VOWELS = frozenset("aeiou")
PARTICIPLE = re.compile(r"\w{2,}[^\We]ed\Z")
IRREGULAR = frozenset(
    "sold bought made taught taken took written wrote held led sung sang spoken spoke worn built given won spent lent"
    " sent left died lost stolen broken drawn driven chosen shown withdrawn caught fed brought begun"
    " paid met run ran flown born grown known kept shot bred woven thrown ridden".split()
)


INVARIANT = frozenset({"species", "series", "means", "news"})  # both singular and plural
_PREFIX = re.compile(r"\A(?:over|under|out|with|re|mis)")  # "overdrawn", "withheld"


def is_participle(word: str) -> bool:
    """Return whether a word in lower case is a participle, by its ending or as one of the irregular ones."""
    return bool(PARTICIPLE.match(word)) or word in IRREGULAR or _PREFIX.sub("", word) in IRREGULAR


def singular(word: str) -> str:
    """Return the singular of an English plural in lower case, by its ending; other words unchanged.

    >>> [singular(word) for word in ("cities", "houses", "buses", "boxes", "classes", "ties", "status", "species")]
    ['city', 'house', 'bus', 'box', 'class', 'tie', 'status', 'species']
    """
    if word in INVARIANT:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if len(word) > 4 and word.endswith("uses") and not word.endswith(("auses", "ouses")):
        return word[:-2]
    if len(word) > 5 and word.endswith("oes"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(words: str) -> str:
    """Return lower-case English words with the last one in the plural, by its ending, if it is not one already.

    >>> [plural(words) for words in ("city", "paper box", "day", "address", "buses")]
    ['cities', 'paper boxes', 'days', 'addresses', 'buses']
    """
    if words.endswith("s") and not words.endswith("ss"):
        return words
    if words.endswith(("ss", "x", "ch", "sh")):
        return f"{words}es"
    if words.endswith("y") and words[-2:-1] not in tuple("aeiou"):
        return f"{words[:-1]}ies"
    return f"{words}s"


def split_capitals(text: str) -> str:
    """Return a text with a space before each capital inside a word.

    >>> split_capitals("orderDate, OrderID2X")
    'order Date, Order ID2 X'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)


def shortens(short: str, word: str) -> bool:
    """Return whether a name of three letters or more is plainly short for a word.

    >>> shortens("pat", "patient"), shortens("appt", "appointment"), shortens("mgmt", "management")
    (True, True, True)
    >>> shortens("city", "capacity"), shortens("pet", "patient")
    (False, False)
    """
    return 3 <= len(short) <= len(word) - 2 and shortness(short, word) > 0


def shortness(short: str, word: str) -> float:
    """Return how well a name is short for a word, from 0 to 1: its beginning, then some of its consonants in order.

    >>> shortness("emerg", "emergency") > shortness("catg", "category") > shortness("lv", "leave") > 0
    True
    """
    if not 2 <= len(short) < len(word) or short[0] != word[0]:
        return 0.0
    alike = next((i for i, (a, b) in enumerate(zip(short, word, strict=False)) if a != b), len(short))
    if alike == len(short):
        return 0.9 if alike > 2 else 0.5
    kept = short[alike:-1] if short[-1] == word[-1] else short[alike:]  # the last vowel may stay: `rte`, "route"
    if VOWELS & set(kept) or not _in_order(short[alike:], word[alike:]):
        return 0.0
    return 0.8 if len(short) > 2 else 0.55


def _in_order(short: str, word: str) -> bool:
    """Return whether these letters come in this order in a word, with at most two consonants left out at once."""
    place = 0
    for letter in short:
        at = word.find(letter, place)
        if at < 0 or len(set(word[place:at]) - VOWELS) > 2:
            return False
        place = at + 1
    return len(set(word[place:]) - VOWELS) <= 3
