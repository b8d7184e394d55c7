"""Verbs that say how two things go together, and the tables and columns whose names say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.english import EVENTS
from askwhere.reader.names import name_stems, root
from askwhere.reader.phrases import LINKING
from askwhere.reader.tokens import Token, stem

PARTICIPLE = re.compile(r"\w{3,}ed\Z")
_NOMINAL = re.compile(r"\w{3,}(?:er|or|ist|ant|ent|ion|ment|ance|ence|ive|ity|ship)\Z")
_IRREGULAR = frozenset(
    "sold bought made taught taken took written wrote held led sung sang spoken spoke worn built given won".split()
)
_AUXILIARY = frozenset("do does did".split())
_SUBJECTS = frozenset("who that which they not never".split())
# Verbs that say what a column holds, or how a text is compared, rather than that two things go together.
_TELLING = frozenset("cost weigh score rate name titl number need contain includ start begin end list like".split())
_OF_NOUNS = ("s", "er", "or", "ion", "ment", "ance", "ence")
_NOUNS_BEFORE = frozenset("the a an each every per of".split())


def is_verb(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a word that a name may be taken from is a verb where it stands: "films rented by", "does she rent"."""
    token = tokens[place]
    if token.kind != "word" or token.stem in _TELLING or not (token.stem in LINKING or token.lower in LINKING):
        return False
    before = [t.lower for t in tokens[max(place - 7, 0) : place]]
    if before and before[-1] in _NOUNS_BEFORE:
        return False
    if PARTICIPLE.match(token.lower) or token.lower in _IRREGULAR or token.lower.endswith("ing"):
        return True
    if before and before[-1] in _SUBJECTS and (place > 1 or before[-1] == "who"):  # but "Which orders …" are things
        return True
    return bool(_AUXILIARY & set(before)) and not token.lower.endswith(_OF_NOUNS)


def names_who(word: str) -> bool:
    """Whether a word names who does something, or the doing: "performers", "locations"; no verb is formed so."""
    base = word.removesuffix("s")
    verbs = {stem(base), f"{stem(base)}e", "represent", "discover"}  # "arrive" is `arriv` and a letter
    return not {word, base} & LINKING and base not in verbs and bool(_NOMINAL.search(base))


def says(name: str, verb: str) -> bool:
    """Whether a name of the schema says what a verb's stem does: `rental` says "rented", `takes` says "took"."""
    return any(_same(word, verb) for word in name_stems(name))


def saying(tables: Iterable[Table], verb: str) -> frozenset[tuple[tuple[str, ...], str]]:
    """The tables of what is done (path and no column), and the columns, whose names say what a verb's stem does.

    A table says it with the same word or with a noun for what is done: sales and invoices of "sold".
    """
    nouns = EVENTS.get(verb, frozenset())
    named = {(t.path, "") for t in tables if says(t.name, verb) or nouns & set(name_stems(t.name))}
    return frozenset(named | {(t.path, c.name) for t in tables for c in t.columns if says(c.name, verb)})


def _same(word: str, verb: str) -> bool:
    if word.endswith(("er", "or", "ist")) and word != verb:
        return False  # who does it, and not that it was done
    one, other = root(word), root(verb)
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 4 and long.startswith(short) and len(long) == len(short) + 1)
