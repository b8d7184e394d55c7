"""Find the tables of people, which "who" may ask for."""

from __future__ import annotations

import re

from askwhere.engine import Table
from askwhere.indexer.people import THINGS, doer, has_personal_columns
from askwhere.indexer.word_forms import singular
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.name_index import NameIndex
from askwhere.reader.schema.naming import key_columns, name_columns, refers
from askwhere.reader.schema.roles import is_of_superiors, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import PATRONS, WORKERS, stems, written_out
from askwhere.reader.words.names import called, cut_name, full_stems, name_stems
from askwhere.reader.words.verbs import DOER

_OF_NAMES = frozenset("name nm full first last".split())
PATRON = 0.9  # the score of a table of customers and the like
_DEED = re.compile(r"(?:ion|ment|ance|ence|ship|ing)s?\Z")
_PERSONAL = frozenset(stems("hire hired birth birthday born wage salary gender sex email phone mobile"))


def persons(index: NameIndex, tables: tuple[Table, ...], seconds: dict[Path, list[Table]]) -> tuple[Sense, ...]:
    """Return the tables of people as senses; their scores are `PATRON` for customers, and less for others."""
    people: list[Sense] = []
    for table in (t for t in tables if not is_second(t)):
        # Not "applications", which are what people do.
        of_deeds = all(_DEED.search(name.lower()) for name in called(table))
        words = {w for name in index.names(table) for w in (*name, *written_out(name))} if not of_deeds else set()
        led = any(is_of_superiors(second) for second in seconds.get(table.path, ()))
        hired = has_personal_columns(table) and name_columns(table) != key_columns(table)  # not the `hires` of boats
        sure = bool(words & WORKERS) or led or _has_person_facts(table) or hired
        named = index.people[table.path] or any({*full_stems(c.name)} == {"full", "name"} for c in table.columns)
        if (words & PATRONS or sure or named) and not _links(table):
            known = sure and not _is_of_companies(table)
            people.append(Sense(table, score=PATRON if words & PATRONS else 0.8 if known else 0.5))
    tables_of_people = [sense.table for sense in people]
    single = [sense for sense in people if not _is_group(sense.table, tables_of_people)]
    return tuple(sense for sense in single if not _belongs_to(sense.table, tables_of_people))


def names_person(column: str) -> bool:
    """Return whether a column's name says that it holds people: `technician_name`, `approved_by`."""
    return bool(doer([word for word in cut_name(column) if word not in _OF_NAMES]))


def _is_group(table: Table, people: list[Table]) -> bool:
    """Return whether a table of crews or teams has its members in another one of `people`."""
    return bool(_GROUPS & {*full_stems(table.name)}) and any(t is not table and refers(t, table) for t in people)


_GROUPS = frozenset(stems("crew team squad gang"))


def _belongs_to(table: Table, people: list[Table]) -> bool:
    """Return whether a table is of what those in another of `people` have or do: `customerOrder` beside `customer`."""
    words = name_stems(table.name)
    if words[-1:] and {words[-1]} & (PATRONS | WORKERS):
        return False
    owners = [t for t in people if any(key.target == t.path for key in table.foreign_keys) and t is not table]
    return any({*name_stems(owner.name)} < {*words} for owner in owners)


def _has_person_facts(table: Table) -> bool:
    """Return whether a table is named after somebody who acts, "lawyers", and has columns that people have.

    It may also be of companies, "vendors", which have a phone as well (`_is_of_companies`).
    """
    doers = any(DOER.search(cut_name(name)[-1]) for name in called(table) if cut_name(name))
    return doers and any(_PERSONAL.intersection(name_stems(c.name)) for c in table.columns)


def _is_of_companies(table: Table) -> bool:
    """Return whether a table is called after what acts and is nobody: vendors, carriers."""
    return any(singular(cut_name(name)[-1]) in THINGS for name in called(table) if cut_name(name))


def _links(table: Table) -> bool:
    """Return whether the key of a table consists of keys to others, as of `TranslatorLanguage`."""
    foreign = {name for key in table.foreign_keys for name in key.columns}
    return len(table.primary_key) != 1 and {column.name for column in key_columns(table)} <= foreign
