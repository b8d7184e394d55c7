"""Cut the names of a schema into words and stems, and compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.reader.words.english import SHORT, written_out
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.tokens import stem, unaccented

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
COMMON = (
    "id name code number date type year time title price status address city age key num no phone email fee".split()
)
_LONGEST = max(map(len, COMMON))
# The stems that name a key.
KEY_WORDS = frozenset(map(stem, "id code number key".split()))


@lru_cache(maxsize=20_000)
def cut_name(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case and without accents: `SourceAirport` gives "source", "airport"."""
    return tuple(_rejoined([word.lower() for word in _PARTS.findall(unaccented(name))]))


_LENGTHS = (["m"], ["km"], ["cm"], ["mm"], ["ft"])  # units that a power may follow


def _rejoined(words: list[str]) -> list[str]:
    """Return the words of a name with those joined that are one: "m2" of `floor_m2`, "lname" of `LName` and `l_nm`.

    The short forms have "lname" as one word. In `st_dt` the first word is written out, as "start".
    """
    if words[-2:-1] in _LENGTHS and words[-1] in ("2", "3"):
        words = [*words[:-2], "".join(words[-2:])]
    if words[-2:-1] == ["st"] and words[-1] in ("dt", "date", "tm", "time"):
        return [*words[:-2], "start", words[-1]]
    return [f"{words[0]}name"] if words[1:] in (["name"], ["nm"]) and words[0] in ("f", "l", "m") else words


_SUFFIX = re.compile(r"(ational|ation|ition|ator|ion|ment|or|er|ist|ant|ent|al|ship|ance|ence|ive|ing|ed|e|y|i)$")


def asks_for_key(text: str) -> bool:
    """Return whether words of a question name a key itself: "ids", "the customer number"."""
    return any(stem(word) in KEY_WORDS for word in text.lower().split())


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """Return a stem without a suffix that derives nouns from verbs: `director` and `directed` have one root.

    A stem whose root would have fewer than four letters is returned as it is.
    """
    short = _SUFFIX.sub("", word)
    return short if len(short) >= 4 else word


# Words that `parted` cuts off the end of a compound even where its beginning is no known word.
_TAILS = {"name", "code", "number", "title", "price", "status"}
# Words that may follow the first letter of the table's name: `bname` of a bank, `aid` of an aircraft.
_INITIALLED = {"name", "id", "city", "type", "date", "title", "code", "year", "number"}
_SHORT_INITIALLED = {"nm", "typ", "dt", "cd", "no"}  # the same where no English word is cut


def starts(word: str, names: Iterable[str]) -> bool:
    """Return whether a word of two letters or more is the beginning of one of `names`: `stu` of `student`.

    Common words of column names, such as "name" and "id", never count as short forms.
    """
    return len(word) >= 2 and word not in COMMON and any(n.startswith(word) for n in names)


def copied(name: str) -> tuple[str, ...]:
    """Return the stems of a name split only at separators, as in a question that copies its spelling: `addr2`."""
    return tuple(stem(word) for word in _rejoined(re.findall(r"[^\W_]+", unaccented(name).lower())))


def joined(name: str) -> tuple[str, ...]:
    """Return the stem of a name of two or three words written as one ("bodybuilder" for `body_builder`), or nothing."""
    words = cut_name(name)
    plain = 2 <= len(words) <= 3 and all(len(word) > 2 and word.isalpha() for word in words)
    return (stem("".join(words)),) if plain else ()


def called(thing: Table | Column) -> tuple[str, ...]:
    """Return the name of a table or column, followed by its synonyms."""
    return (thing.name, *thing.synonyms)


@lru_cache(maxsize=20_000)
def parted(word: str, known: frozenset[str], alone: bool = True) -> tuple[str, ...]:
    """Return the two words of a compound without separator if both are known (`airportname`), else the word alone.

    `known` are the stems that may stand first; the second must be one of `COMMON`. Where the compound is no English
    word, a short form may be second (`jobtyp`), and any English word of four letters first (`useracct`). A single
    letter before a word of `_INITIALLED`, or a short form of one, is cut off too: "dname", "cnm". It is not cut off an
    English word beside others, "bid", if it does not stand `alone`.
    """
    for cut in range(len(word) - 2, max(1, len(word) - _LONGEST - 1), -1):
        first, second = word[:cut], word[cut:]
        if (first in known or second in _TAILS) and second in COMMON and len(first) >= 3 and word not in SHORT:
            return (first, second)
        if first in known and second in SHORT and len(first) >= 3 and word not in SHORT and not is_english(stem(word)):
            return (first, second)
    end = word[1:] if word not in SHORT else ""
    if (end in _INITIALLED and alone) or (end in _INITIALLED | _SHORT_INITIALLED and not is_english(stem(word))):
        return (word[:1], word[1:])
    return _compound(word) or (word,)


_LONGEST_COMPOUND = 60  # letters: the time to cut a word grows with the square of its length


def _compound(word: str) -> tuple[str, str] | None:
    """Return an English word and the common or short one that follows it in one that is not English, else None."""
    if len(word) > _LONGEST_COMPOUND or word in SHORT or not word.isascii() or is_english(stem(word)):
        return None
    cuts = ((word[:cut], word[cut:]) for cut in range(len(word) - 3, 3, -1))
    return next(((a, b) for a, b in cuts if (b in COMMON or b in SHORT) and a.isalpha() and is_english(stem(a))), None)


@lru_cache(maxsize=4096)
def name_stems(name: str) -> tuple[str, ...]:
    """Return the stems of a name's words, compounds without separator cut in two."""
    known = frozenset(COMMON) | frozenset(SHORT)
    words = cut_name(name)
    return tuple(stem(p) for w in words for p in parted(w, known, len(words) == 1))


@lru_cache(maxsize=4096)
def full_stems(name: str) -> tuple[str, ...]:
    """Return the stems of a name's words with short forms written out: `emp_nm` gives those of "employee name"."""
    return written_out(name_stems(name))
