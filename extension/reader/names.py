"""The words of the names of a schema: how they are cut, parted and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.reader.english import SHORT
from askwhere.reader.tokens import stem, unaccented

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
COMMON = (
    "id name code number date type year time title price status address city age key num no phone email fee".split()
)
_LONGEST = max(map(len, COMMON))


def cut_name(name: str) -> list[str]:
    """The words of a name, in lower case and without accents."""
    return _initialled([word.lower() for word in _PARTS.findall(unaccented(name))])


def _initialled(words: list[str]) -> list[str]:
    """`LName` and `l_name` in one word, as `lname` is known."""
    return ["".join(words)] if words[1:] == ["name"] and words[0] in ("f", "l", "m") else words


_SUFFIX = re.compile(r"(ational|ation|ition|ator|ion|ment|or|er|ist|ant|ent|al|ship|ance|ence|ive|ing|ed|e|y|i)$")


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """A stem without the endings that make nouns of verbs: `director` and `directed` share one."""
    short = _SUFFIX.sub("", word)
    return short if len(short) >= 4 else word


# What may be split off a word whose beginning is no known word.
_TAILS = {"name", "code", "number", "title", "price", "status"}
# `bname` of a bank, `aid` of an aircraft: the first letter is the table's.
_INITIALLED = {"name", "id", "city", "type", "date", "title", "code", "year", "number"}


def starts(word: str, names: Iterable[str]) -> bool:
    """Whether a word of two letters or more is how one of `names` begins: `stu` of `student`."""
    return len(word) >= 2 and word not in COMMON and any(n.startswith(word) for n in names)


def copied(name: str) -> tuple[str, ...]:
    """The stems of a name's words as they are in a question that spells it as the database does: `addr2`."""
    return tuple(stem(word) for word in _initialled(re.findall(r"[^\W_]+", unaccented(name).lower())))


def called(thing: Table | Column) -> tuple[str, ...]:
    """The name of a table or column, and its synonyms."""
    return (thing.name, *thing.synonyms)


@lru_cache(maxsize=20_000)
def parted(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """A word that was run together, in its two parts when both are known words: `airportname`."""
    for cut in range(len(word) - 2, max(1, len(word) - _LONGEST - 1), -1):
        first, second = word[:cut], word[cut:]
        if (first in known or second in _TAILS) and second in COMMON and len(first) >= 3 and word not in SHORT:
            return (first, second)
    if word[1:] in _INITIALLED and word not in SHORT:
        return (word[:1], word[1:])
    return (word,)


@lru_cache(maxsize=4096)
def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a name's words."""
    known = frozenset(COMMON) | frozenset(SHORT)
    return tuple(stem(p) for w in cut_name(name) for p in parted(w, known))
