"""Add tables for the roles in which rows of one table refer to rows of another, or of the same table.

A message's `sender` and `receiver` then are tables beside that of users: role tables. `employees.manager_id` makes a
second table `manager` of the employees. Each is joined by its own key, and is in SQL an alias of the table that it
stands for. The lexicon has only the name of a role table: a column, "the sender's name", is found in the table of
users, and `bind` moves it to the role. Of a second table it has the columns as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from askwhere.engine import Column, ForeignKey, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.people import kind_of_people
from askwhere.indexer.word_forms import CONVENTIONAL, PARTICIPLE
from askwhere.reader.schema.naming import SECOND, key_columns, name_columns
from askwhere.reader.words.english import PATRONS, WORKERS
from askwhere.reader.words.names import KEY_WORDS, cut_name, full_stems, starts
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.verbs import DOER

_ROLE = "role"  # the `kind` of a role table; its path is that of the table it stands for, with the role appended
# Endings of nouns that name a role by themselves: "sender", "destination", "origin", "source", but not "home".
_NOUNS = ("er", "or", "ion", "ent", "ant", "ist", "gin", "rce")


def is_role(table: Table) -> bool:
    """Return whether a table is a role table, one that `with_roles` has added."""
    return table.kind == _ROLE


def is_alias(table: Table) -> bool:
    """Return whether a table is written as an alias of the one whose path its own begins with."""
    return is_role(table) or is_second(table)


def with_roles(catalog: Catalog) -> Catalog:
    """Return the catalog with a role table for each numeric key with a role, such as `sender_id` beside `receiver_id`.

    A key that is a text, such as an airport's code, says enough by itself. The key of a role table is the reverse of
    the one that it is made for, so that a join to it is one to the table that has the key.
    """
    taken = {table.name.lower() for table in catalog.tables}
    added = [role for table in catalog.tables for role in _roles(table, catalog)]
    names = [role.name for role in added]
    kept = tuple(role for role in added if role.name not in taken and names.count(role.name) == 1)
    return replace(catalog, tables=(*catalog.tables, *kept)) if kept else catalog


def _roles(table: Table, catalog: Catalog) -> Iterator[Table]:
    """Yield a role table for each role that keys of `table` give to the rows of other tables."""
    keys: dict[tuple[str, ...], list[ForeignKey]] = defaultdict(list)
    types = {c.name.lower(): c for c in table.columns}
    for key in table.foreign_keys:
        single = len(key.columns) == 1 and key.columns[0].lower() in types and key.target != table.path
        if single and is_number(types[key.columns[0].lower()]) and key.target in catalog.by_path:
            keys[key.target].append(key)
    for target, several in keys.items():
        thing = catalog.by_path[target]
        own = {stem(word) for word in cut_name(thing.name)}
        for key in several if not is_second(thing) else []:
            words = [word for word in cut_name(key.columns[0]) if stem(word) not in _WITHOUT_ROLE]
            rest = [word for word in words if stem(word) not in own]
            alike = own | {stem(word) for name in key.target_columns for word in cut_name(name)}  # `wh_id` of both
            if rest and (len(several) > 1 or (rest == words and _names_another(rest, alike))):
                back = ForeignKey(key.target_columns, table.path, key.columns, key.origin)
                alone = (" ".join(rest),) if rest != words and rest[-1].endswith(_NOUNS) else ()
                path = (*thing.path, "_".join(words))
                yield replace(thing, path=path, kind=_ROLE, foreign_keys=(back,), comment="", synonyms=alone)


def _names_another(words: list[str], own: set[str]) -> bool:
    """Return whether words of a key name a role: no participle, `created_by`, and no short form of a stem in `own`."""
    return not PARTICIPLE.match(words[-1]) and not any(starts(stem(word), own) for word in words)


_WITHOUT_ROLE = KEY_WORDS | set(map(stem, ("to", "no", "employee", "fk", "ref", "by")))
# Stems after which a key to its own table is named: for whom a row is under, `manager`, or comes from, `mother`.
_OVER = frozenset(
    map(stem, "reports manager supervisor mentor parent boss mother father dam sire predecessor successor".split())
)
# The same of people alone.
_OVER_PEOPLE = frozenset(
    map(
        stem,
        "lead leader head chief trainer trained coach coached sponsor sponsored referrer referred recruiter invited"
        " brought introduced recommended nominated spouse partner buddy".split(),
    )
)
# Words for superiors: a second table with one of these names has the others as synonyms, and its first table
# `_SUBORDINATES`.
_CHIEFS = frozenset({"manager", "supervisor", "boss"})
_CHIEF_STEMS = frozenset(map(stem, _CHIEFS | {"mentor"}))  # no event manages another
_NEAREST = frozenset(map(stem, "team line direct shift group section".split()))  # words before a superior
_LEADERS = frozenset({"lead", "leader", "head", "chief"})  # superiors too, but of people alone
# A "direct report" is one word here, since "report" alone is no subordinate.
_SUBORDINATES = ("directreport", "subordinate")
# Stems of verbs that relate a superior to others.
LEADING = frozenset(map(stem, "reports managed supervised mentored lead led".split()))


def is_second(table: Table) -> bool:
    """Return whether a table is a second one, which `with_seconds` has added."""
    return table.kind == SECOND


def is_of_superiors(table: Table) -> bool:
    """Return whether a second table is of superiors, so that the first one is of people."""
    return is_second(table) and cut_name(table.name)[-1] in _CHIEFS | _LEADERS


def says_who_is_over(table: Table, column: Column) -> bool:
    """Return whether a column without a declared key is named as a key to its own table: `ReportsTo`, `manager_id`.

    In tables of people more names say so, `sponsor_no`, `lead_id`; in any table one that ends in the name of the key
    does, `sister_hotel_key`.
    """
    keyed = any(column.name in key.columns for key in table.foreign_keys)
    if keyed or not (is_number(column) or _is_key_alike(table, column)):
        return False
    if _ends_in_the_key(table, column):
        return True
    words = full_stems(column.name)
    if words == ("report",) or not any(word in _OVER or word in _OVER_PEOPLE for word in words):
        return False  # as hardly any column's are, and what follows takes long
    own = {*full_stems(table.name), *(word for c in key_columns(table) for word in full_stems(c.name))}
    role = [word for word in words if word not in _WITHOUT_ROLE and word not in own]
    people = _is_of_people(table)
    over = _OVER | _OVER_PEOPLE if people else _OVER - _CHIEF_STEMS if _is_nameless(table) else _OVER
    return bool(role) and role[-1] in over and set(role[:-1]) <= _NEAREST


def _is_of_people(table: Table) -> bool:
    """Return whether a table is of people, by its name, which may be short (`prov` for providers), or its columns."""
    name = cut_name(table.name)
    noun = CONVENTIONAL.get(name[-1], name[-1]) if name else ""
    by_name = stem(noun) in PATRONS | WORKERS or bool(DOER.search(noun))
    return by_name or kind_of_people(table, name) is not None


def _is_nameless(table: Table) -> bool:
    """Return whether nothing but a key tells the rows of a table apart, as those of events."""
    return name_columns(table) == key_columns(table)


def _is_key_alike(table: Table, column: Column) -> bool:
    """Return whether a column ends in a word of the single key of its table, and has its type: `trainer_no`."""
    key = _declared_key(table)
    alike = key is not None and key.type == column.type and cut_name(column.name)[-1] in cut_name(key.name)
    return alike and len(cut_name(column.name)) > 1


def _ends_in_the_key(table: Table, column: Column) -> bool:
    """Return whether a column is named after the key of its table, with more before it: `sister_hotel_key`."""
    key = _declared_key(table)
    if key is None or key.type != column.type:
        return False
    own, words = cut_name(key.name), cut_name(column.name)
    return 1 < len(own) < len(words) and words[-len(own) :] == own


def _declared_key(table: Table) -> Column | None:
    """Return the primary key of a table where it is one column."""
    return next((c for c in table.columns if (c.name,) == table.primary_key), None)


def with_seconds(catalog: Catalog) -> Catalog:
    """Return the catalog with a second table for each foreign key of a table to itself.

    Each is named after the key's column and has the other columns of its table; the key then refers to it. None is
    added under a name that another table has.
    """
    tables: list[Table] = []
    names = {table.name.lower() for table in catalog.tables}
    for table in catalog.tables:
        for key, name in [*_keys_to_itself(table)]:
            if name in names:
                continue
            names.add(name)
            last = cut_name(name)[-1]
            chief = last in _CHIEFS or (last in _LEADERS and _is_of_people(table))
            others = tuple(sorted((_CHIEFS | ({"leader"} if last in _LEADERS else set())) - {name})) if chief else ()
            others = tuple(word for word in others if word not in cut_name(table.name))
            columns = tuple(c for c in table.columns if c.name not in key.columns)
            second = replace(table, path=(*table.path, name), columns=columns, kind=SECOND, foreign_keys=(), comment="")
            tables.append(replace(second, synonyms=others))
            kept = tuple(k for k in table.foreign_keys if k.columns != key.columns)
            synonyms = (*table.synonyms, *(_SUBORDINATES if chief else ()))
            table = replace(table, foreign_keys=(*kept, replace(key, target=second.path)), synonyms=synonyms)
        tables.append(table)
    return replace(catalog, tables=tuple(tables))


def _keys_to_itself(table: Table) -> Iterator[tuple[ForeignKey, str]]:
    """Yield each foreign key of a table to itself, declared or guessed, with the name for the second table."""
    keys = [k for k in table.foreign_keys if k.target == table.path and len(k.columns) == 1]
    if not keys and len(key_columns(table)) == 1:
        over = [c.name for c in table.columns if says_who_is_over(table, c)]
        keys = [ForeignKey((name,), table.path, (key_columns(table)[0].name,), "guessed") for name in over]
    own = {stem(word) for word in cut_name(table.name)}
    for key in keys:
        words = [CONVENTIONAL.get(word, word) for word in cut_name(key.columns[0]) if stem(word) not in _WITHOUT_ROLE]
        if words and not {stem(word) for word in words} <= own:
            chief = "manager" if "manager" not in cut_name(table.name) else "supervisor"
            yield key, chief if stem(words[0]) == "report" else "_".join(words)
