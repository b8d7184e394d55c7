"""Recognise verbs that relate two tables, and find the tables and columns that are named after a verb."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from askwhere.engine import Table
from askwhere.indexer.word_forms import is_participle, shortness
from askwhere.reader.words.english import DATED, DOERS, EVENTS
from askwhere.reader.words.names import cut_name, full_stems, name_stems, root
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import Token, irregular_forms, is_singular, stem

ADJECTIVE = re.compile(r"\w{2,}(?:ive|able|ible|less|ous|ful|ic)\Z")
DOER = re.compile(r"\w{3,}(?:er|or|ant|ist)s?\Z")  # a noun for a person or device
_NOMINAL = re.compile(r"\w{3,}(?:er|or|ist|ant|ent|ion|ment|ance|ence|ive|ity|ship)\Z")
PARTICLES = frozenset("up in out off on back over down away".split())  # behind verbs: "moved out"
AUXILIARY = frozenset("do does did".split())
_QUESTION_WORDS = frozenset("which what many".split())
_SUBJECTS = frozenset("who that which they not never".split())
# Stems of verbs that are about a column ("cost") or a comparison of texts ("begin"), and relate no tables.
_UNRELATING = frozenset("cost weigh score rate name titl number need contain includ start begin end list like".split())
_NOUN_ENDINGS = ("s", "er", "or", "ion", "ment", "ance", "ence")
_BEFORE_NOUNS = frozenset("the a an each every per of".split())


_SHORT, _SHORTENED = (3, 4), 0.8  # letters of a short form of a verb, and its least `shortness`
_ALIKE = 5  # letters with which a verb and a noun for its act both begin


def is_verb(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word that may also be a name is a verb where it stands: "films rented by", "does she rent"."""
    token = tokens[place]
    if token.kind != "word" or token.stem in _UNRELATING or not (token.stem in LINKING or token.lower in LINKING):
        return False
    before = [t.lower for t in tokens[max(place - 7, 0) : place]]
    if before and before[-1] in _BEFORE_NOUNS:
        return False
    if is_participle(token.lower) or token.lower.endswith("ing"):
        return True
    if before and before[-1] in _SUBJECTS and (place > 1 or before[-1] == "who"):  # not "Which orders …"
        return True
    if (
        len(before) > 1
        and before[-2] in _QUESTION_WORDS
        and not is_singular(before[-1])
        and not token.lower.endswith("s")
    ):
        return True  # "which members rent"
    return bool(AUXILIARY & set(before)) and not token.lower.endswith(_NOUN_ENDINGS)


def names_who(word: str) -> bool:
    """Return whether a word is a noun for a doer or an action ("performers", "locations"), by its ending."""
    base = word.removesuffix("s")
    verbs = {stem(base), f"{stem(base)}e", "represent", "discover"}  # the stem of "arrive" is "arriv"
    return not {word, base} & LINKING and base not in verbs and bool(_NOMINAL.search(base))


def names_an_act(words: str) -> bool:
    """Return whether a phrase ends in a participle, "date shipped", "moved out", and so may be a verb."""
    split = words.split()
    return bool(split) and is_participle(split[-2] if len(split) > 1 and split[-1] in PARTICLES else split[-1])


def called_after_act(column: str) -> bool:
    """Return whether the name of a date ends in a participle, but for "on" and the like: `shipped_at`."""
    words = [w for w in cut_name(column) if w not in ("on", "at", "date", "dt")]
    return bool(words) and names_an_act(words[-1])


@lru_cache(maxsize=50_000)
def says(name: str, verb: str) -> bool:
    """Return whether a name of the schema has a verb's stem or root: `rental` for "rented", `ord` for "ordered"."""
    return any(_same(word, verb) for word in full_stems(name))


def says_when(name: str, verb: str) -> bool:
    """Return whether the name of a date says a verb, given as a stem.

    It may have the verb, another word for the act, `hired` for "joined", a noun that begins as the verb does,
    `delivery` for "delivered", or a short form, `opn_dt` for "opened".
    """
    words = name_stems(name)
    alike = any(len(word) >= _ALIKE <= len(verb) and word[:_ALIKE] == verb[:_ALIKE] for word in words)
    others = DATED.get(verb, frozenset())
    short = any(_is_short_for(word, other) for word in words for other in (verb, *others))
    return alike or short or says(name, verb) or bool(others & set(words))


def _is_short_for(word: str, verb: str) -> bool:
    """Return whether a word that is not English is short for a verb or its participle: `opn`, `clsd`, `sld`."""
    forms = (verb, f"{verb}d", f"{verb}ed", *irregular_forms(verb))
    return len(word) in _SHORT and not is_english(word) and any(shortness(word, f) >= _SHORTENED for f in forms)


def saying(tables: Iterable[Table], verb: str) -> frozenset[tuple[tuple[str, ...], str]]:
    """Return the tables (path, '') and the columns (path, name) that are named after a verb, given as a stem.

    A table may also be named after a noun that `EVENTS` lists for the verb: sales and invoices for "sold".
    """
    nouns = EVENTS.get(verb, frozenset())
    named = {(t.path, "") for t in tables if says(t.name, verb) or nouns & set(full_stems(t.name))}
    columns = ((t.path, c.name) for t in tables for c in t.columns if not (is_brand(c.name) or _is_last_name(c.name)))
    return frozenset(named | {(path, name) for path, name in columns if says(name, verb)})


def _is_last_name(name: str) -> bool:
    """Return whether a column is a last name, which says nothing of what lasts."""
    return full_stems(name)[:2] == ("last", "name")


def is_brand(name: str) -> bool:
    """Return whether a column is called a make, `car_make`: a brand, which says nothing of what was made."""
    return cut_name(name)[-1:] == ("make",)


def names_doer(columns: Iterable[str], verb: str) -> bool:
    """Return whether a key is named after the doer of a verb, given as a stem: `sender_id` or `sndr` for "sent"."""
    doers = [DOERS.get(verb, verb) + end for end in ("er", "or", "r")]
    stemmed = set(map(stem, doers))
    words = {word for name in columns for word in cut_name(name)}
    shorts = [word for word in words if len(word) in _SHORT and not is_english(stem(word))]
    return any(stem(word) in stemmed and word.rstrip("s").endswith("r") for word in words) or any(
        shortness(word, doer) >= _SHORTENED for word in shorts for doer in doers
    )


def _same(word: str, verb: str) -> bool:
    """Return whether the stem of a name's word stands for the act of a verb's stem, by their roots.

    Nouns for a doer ("driver" for "drive") do not.
    """
    if word.endswith(("er", "or", "ist")) and word != verb:
        return False
    one, other = root(word), root(verb)
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 4 and long.startswith(short) and len(long) == len(short) + 1)


def is_act(words: str) -> bool:
    """Return whether the words for a column end in a participle, or are "born", which names no event of its own."""
    return names_an_act(words) or words == "born"
