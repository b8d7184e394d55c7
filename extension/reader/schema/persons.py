"""Find the tables of people, which "who" may ask for."""

from __future__ import annotations

import re

from askwhere.engine import Column, Table
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.name_index import NameIndex
from askwhere.reader.schema.naming import key_columns
from askwhere.reader.schema.roles import is_of_superiors, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import PATRONS, WORKERS, stems, written_out
from askwhere.reader.words.names import called, cut_name, full_stems, name_stems
from askwhere.reader.words.verbs import DOER

PATRON = 0.9  # the score of a table of customers and the like, as an answer to "who"
_DEED = re.compile(r"(?:ion|ment|ance|ence|ship|ing)s?\Z")
_PERSONAL = frozenset(stems("hire hired birth birthday born wage salary gender sex email phone mobile"))


def persons(index: NameIndex, tables: tuple[Table, ...], seconds: dict[Path, list[Table]]) -> tuple[Sense, ...]:
    """Return the tables of people, which "who" may ask for; customers score higher than employees."""
    found = {}
    for table in (t for t in tables if not is_second(t)):
        words = (
            {word for name in index.names(table) for word in (*name, *written_out(name))}
            if _may_be_people(table)
            else set()
        )
        led = any(is_of_superiors(second) for second in seconds.get(table.path, ()))
        sure = bool(words & WORKERS) or led or _has_person_facts(table)
        known = words & PATRONS or sure or index.people[table.path] or any(map(_is_full_name, table.columns))
        if known and not _links(table):
            found[table.path] = Sense(table, score=PATRON if words & PATRONS else 0.8 if sure else 0.5)
    people = [sense.table for sense in found.values()]
    return tuple(sense for sense in found.values() if not _is_of(sense.table, people))


def _is_of(table: Table, people: list[Table]) -> bool:
    """Return whether a table is of what people have or do, and refers to theirs: `customerOrder` beside `customer`."""
    words = name_stems(table.name)
    if words[-1:] and {words[-1]} & (PATRONS | WORKERS):
        return False
    owners = [t for t in people if any(key.target == t.path for key in table.foreign_keys) and t is not table]
    return any({*name_stems(owner.name)} < {*words} for owner in owners)


def _may_be_people(table: Table) -> bool:
    """Return whether a table may be called after people, and not after what they do: `applications`."""
    return not all(_DEED.search(name.lower()) for name in called(table))


def _has_person_facts(table: Table) -> bool:
    """Return whether a table is named after an occupation, "lawyers", and has columns that people have."""
    doers = any(DOER.search(cut_name(name)[-1]) for name in called(table) if cut_name(name))
    return doers and any(_PERSONAL.intersection(name_stems(c.name)) for c in table.columns)


def _links(table: Table) -> bool:
    """Return whether the key of a table consists of keys to others, as of `TranslatorLanguage`."""
    foreign = {name for key in table.foreign_keys for name in key.columns}
    return len(table.primary_key) != 1 and {column.name for column in key_columns(table)} <= foreign


def _is_full_name(column: Column) -> bool:
    """Return whether a column holds the full names of people."""
    return set(full_stems(column.name)) == {"full", "name"}
