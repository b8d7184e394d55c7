"""Find the tables of people, and the columns named after somebody who acts: `pilot_id`, `approved_by`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from askwhere.engine import Table
from askwhere.indexer.word_forms import CONVENTIONAL, is_participle, read_words, singular

_LISTS = read_words("people.txt")
PATRONS, WORKERS = _LISTS["patrons"], _LISTS["workers"]


class PeopleKind(Enum):
    """The kinds of tables of people: of those who are served, who work, who belong to something, and of anybody."""

    PATRON = 1
    WORKER = 2
    MEMBER = 3
    PERSON = 4


# Who may do something, as kinds of tables: any of the first set, or where a schema has none of these, of the next.
Doer = tuple[frozenset[PeopleKind], ...]
_PATRON: Doer = (frozenset((PeopleKind.PATRON, PeopleKind.PERSON)), frozenset((PeopleKind.MEMBER,)))
WORKER: Doer = (frozenset((PeopleKind.WORKER, PeopleKind.PERSON)), frozenset((PeopleKind.MEMBER,)))
_OWNER: Doer = (frozenset((PeopleKind.PATRON, PeopleKind.PERSON, PeopleKind.MEMBER)), frozenset((PeopleKind.WORKER,)))
_ANYONE: Doer = (frozenset(PeopleKind),)


def _words(*lists: str) -> frozenset[str]:
    """Return the words of lists in `people.txt`."""
    return frozenset(word for name in lists for word in _LISTS[name].split())


_PERSONS, _MEMBERS, _OWNERS, _EITHER = map(_words, ("persons", "members", "owners", "either"))
_GROUPS = _words("groups")
_PATRONS, _WORKERS = _words("patrons", "more patrons"), _words("workers", "more workers")
THINGS = _words("things")  # nouns that end as words for people do
_DOER = re.compile(r"\w{3,}(?:er|or|ist|ee|man|woman)\Z")
_BY_ANYONE, _BY_PATRONS, _TIMES = map(_words, ("by anyone", "by patrons", "times"))
_TO = dict.fromkeys("sold lent rented leased hired".split(), _PATRON) | {"assigned": WORKER, "asgn": WORKER}
_HIRED, _FIRST, _LAST = map(_words, ("hired", "first", "last"))
_CHARGED = frozenset("fee rate price cost charge".split())  # what things are hired out for
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def doer(words: Sequence[str]) -> Doer | None:
    """Return the people that the words of a column's name, without the word for a key, may mean; None for others.

    >>> [bool(doer(name.split("_"))) for name in ("pilot", "approved_by", "account_mgr", "sold_to", "floor", "due_by")]
    [True, True, True, True, False, False]
    """
    if len(words) > 1 and words[-1] == "by":
        return _of_act(words[-2])
    if len(words) > 1 and words[-1] == "to":
        return _TO.get(words[-2])
    if tuple(words[-2:]) == ("bought", "from"):
        return _PATRON
    word = CONVENTIONAL.get(words[-1], words[-1]) if words else ""
    known = ((_OWNERS, _OWNER), (_EITHER | _PERSONS | _MEMBERS, _ANYONE), (_PATRONS, _PATRON), (_WORKERS, WORKER))
    by_name = next((kinds for names, kinds in known if word in names), None)
    return by_name or (WORKER if _is_doer(word) else None)


def is_general(words: Sequence[str]) -> bool:
    """Return whether words mean people in general, or several: then a flag or a count may have that name, too."""
    return words[-1] in _PATRONS | _MEMBERS | _PERSONS or (len(words) == 1 and words[0] in _GROUPS)


def _of_act(word: str) -> Doer | None:
    """Return who may do what the word before "by" says, a participle or its abbreviation; None for other words."""
    word = CONVENTIONAL.get(word, word)
    if word in _TIMES or not (is_participle(word) or not set("aeiou") & set(word)):
        return None
    if word in _BY_PATRONS:
        return _PATRON
    return _ANYONE if word in _BY_ANYONE else WORKER


def _is_doer(word: str) -> bool:
    """Return whether a noun is for somebody who does something, by its ending."""
    return bool(_DOER.match(word)) and word not in THINGS and not word.endswith(("meter", "door", "letter"))


def kind_of_people(table: Table, name: Sequence[str]) -> PeopleKind | None:
    """Return the kind of people that a table is of, by the words of its name or by its columns; None for others."""
    word = singular(name[-1]) if name else ""
    word = CONVENTIONAL.get(word, word)
    known = (
        (_OWNERS, PeopleKind.PATRON),
        (_PERSONS, PeopleKind.PERSON),
        (_MEMBERS, PeopleKind.MEMBER),
        (_PATRONS, PeopleKind.PATRON),
        (_WORKERS, PeopleKind.WORKER),
    )
    by_name = next((kind for names, kind in known if word in names), None)
    doing = word in _EITHER or _is_doer(word)
    return by_name or (PeopleKind.WORKER if (doing and _is_named(table)) or has_personal_columns(table) else None)


def _is_named(table: Table) -> bool:
    """Return whether a table has a column of names."""
    return any(column.name.lower().endswith(("name", "nm")) for column in table.columns)


def has_personal_columns(table: Table) -> bool:
    """Return whether a table has columns that only people have: a salary, or a first and a last name, no `hire_fee`."""
    named = ({word.lower() for word in _WORDS.findall(column.name)} for column in table.columns)
    words = {word for name in named if not name & _CHARGED for word in name}
    return bool(_HIRED & words or (_FIRST & words and _LAST & words))
