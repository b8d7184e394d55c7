"""Find the tables of people, and the columns named after somebody who acts: `pilot_id`, `approved_by`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from askwhere.engine import Table
from askwhere.indexer.word_forms import CONVENTIONAL, is_participle, singular

# Names that tables of people have: those who buy and use things, and those who work or make things.
PATRONS = "customer client member user buyer guest patient student passenger subscriber donor tenant visitor"
PATRONS += " holder policyholder cardholder applicant participant attendee resident borrower"
WORKERS = "employee staff worker agent person people contact player author artist driver teacher doctor owner keeper"
WORKERS += " mechanic trainer coach tutor guide nurse therapist technician engineer crew pilot captain chef instructor"
WORKERS += " translator officer inspector volunteer sponsor consultant professor lecturer"


class PeopleKind(Enum):
    """The kinds of tables of people: of those who are served, who work, who belong to something, and of anybody."""

    PATRON = 1
    WORKER = 2
    MEMBER = 3
    PERSON = 4


# The kinds of tables that may have those who do something; the first that a schema has count.
Doer = tuple[frozenset[PeopleKind], ...]
_PATRON: Doer = (frozenset((PeopleKind.PATRON, PeopleKind.PERSON)), frozenset((PeopleKind.MEMBER,)))
WORKER: Doer = (frozenset((PeopleKind.WORKER, PeopleKind.PERSON)), frozenset((PeopleKind.MEMBER,)))
_OWNER: Doer = (frozenset((PeopleKind.PATRON, PeopleKind.PERSON, PeopleKind.MEMBER)), frozenset((PeopleKind.WORKER,)))
_ANYONE: Doer = (frozenset(PeopleKind),)

_PERSONS = frozenset("person people individual human contact".split())
_MEMBERS = frozenset("member user resident participant player volunteer contestant competitor".split())
_OWNERS = frozenset(
    "owner holder viewer reader voter spouse husband wife guardian bride groom recipient addressee follower".split()
)
# Words for people of whom it does not say whether they are served or work.
_EITHER = frozenset(
    "author sponsor reviewer reporter sender receiver requester requestor creator mentor host buddy partner witness"
    " referrer inviter poster uploader commenter".split()
)
_PATRONS = frozenset(f"{PATRONS} patron payer renter shopper purchaser bidder adopter hirer traveller traveler".split())
_WORKERS = frozenset(
    f"{WORKERS} head lead rep boss cohost chair judge referee vet surgeon master assistant attendant accountant"
    " analyst physician musician librarian electrician custodian midwife cook clerk faculty astronaut".split()
)
# Nouns with the endings of those who do something which are none, and firms.
_THINGS = frozenset(
    "order number quarter chapter letter paper water power tower river flower floor door color colour factor"
    " sector vector motor tractor reactor sensor meter metre counter corner center container computer printer"
    " server router scanner tracker trailer register folder header footer layer parameter filter cluster charter"
    " matter chamber timber rubber fiber liver silver weather mirror error anchor elevator generator indicator"
    " calculator locker tanker freighter cooler burner boiler freezer charger adapter connector processor"
    " controller tender voucher border offer transfer cover answer character winter summer dinner semester"
    " trimester buffer monitor identifier modifier marker pointer divider trigger timer integer other year over"
    " under after tier pier browser beer roster coaster encounter accelerator supplier vendor carrier manufacturer"
    " publisher retailer distributor insurer contractor subcontractor employer competitor shipper exporter"
    " importer producer maker builder brewer developer dealer provider advertiser haulier list playlist checklist"
    " waitlist shortlist wishlist whitelist blacklist twist manifest quarterfinal barrier career corridor interior"
    " exterior prior major minor odometer winner loser kilometer diameter perimeter thermometer barometer"
    " helicopter copter cylinder shelter theater amplifier ledger bar per mother father daughter sister brother"
    " another".split()
)
_DOER = re.compile(r"\w{3,}(?:er|or|ist|ee|man|woman)\Z")
_NOT_EE = frozenset("fee coffee tree degree committee guarantee jubilee franchisee".split())
# Acts that people who are served do as well as those who work.
_BY_ANYONE = frozenset(
    "booked reserved reported requested created collected invited referred recommended reviewed rated opened"
    " submitted written posted uploaded owned sent received nominated brought made added voted won signed".split()
)
_BY_PATRONS = frozenset("ordered bought rented borrowed purchased hired paid adopted".split())
_TO = dict.fromkeys("sold lent rented leased hired".split(), _PATRON) | {"assigned": WORKER, "asgn": WORKER}
_TIMES = frozenset("use used best sell due group sort order divide split".split())  # by which something is done
_HIRED = frozenset("hire hired hiredate salary wage wages".split())
_FIRST = frozenset("first firstname fname forename given givenname".split())
_LAST = frozenset("last lastname lname surname family familyname".split())
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
    found = next((kinds for names, kinds in known if word in names), None)
    return found or (WORKER if _is_doer(word) else None)


def is_general(word: str) -> bool:
    """Return whether a word means people in general: then a flag or a count may have that name, too."""
    return word in _PATRONS | _MEMBERS | _PERSONS


def _of_act(word: str) -> Doer | None:
    """Return who may do what the word before "by" says, a participle or its abbreviation; None for other words."""
    if word in _TIMES or not (is_participle(word) or not set("aeiou") & set(word)):
        return None
    if word in _BY_PATRONS:
        return _PATRON
    return _ANYONE if word in _BY_ANYONE else WORKER


def _is_doer(word: str) -> bool:
    """Return whether a noun is for somebody who does something, by its ending."""
    return bool(_DOER.match(word)) and word not in _THINGS | _NOT_EE and not word.endswith(("meter", "door", "letter"))


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
    found = next((kind for names, kind in known if word in names), None)
    doing = word in _EITHER or _is_doer(word)
    return found or (PeopleKind.WORKER if (doing and _is_named(table)) or _is_personal(table) else None)


def _is_named(table: Table) -> bool:
    """Return whether a table has a column of names."""
    return any(column.name.lower().endswith(("name", "nm")) for column in table.columns)


def _is_personal(table: Table) -> bool:
    """Return whether a table has columns that only people have: a salary, or a first and a last name."""
    words = {word.lower() for column in table.columns for word in _WORDS.findall(column.name)}
    return bool(_HIRED & words or (_FIRST & words and _LAST & words))
