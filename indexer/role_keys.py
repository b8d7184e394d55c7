"""Guess keys that are named after a role of the rows they refer to: `pilot_id` of a crew, `from_whs`, `away_cd`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer import people, sides
from askwhere.indexer.key_names import bare, cores, kind_of, names_table, plain, stem, words_of
from askwhere.indexer.word_forms import CONVENTIONAL, is_participle, singular

NamesByKeyWord = Mapping[str, Set[tuple[str, ...]]]
Keyed = tuple[Table, Column]  # a table with the column that identifies its rows
_WON = frozenset(("winner", "loser"))  # sides that need no other beside them


@frozen
class Schema:
    """The tables of a schema, those that keys may refer to, and the latter that are of people, with their kinds."""

    tables: tuple[Table, ...]
    keyed: tuple[Keyed, ...]
    people: tuple[tuple[people.PeopleKind, Keyed], ...]

    @cached_property
    def key_names(self) -> dict[tuple[str, ...], list[str]]:
        """Return the names of the columns that identify a table's rows, by its path."""
        return grouped((table.path, key.name) for table, key in self.keyed)

    @cached_property
    def _by_letter(self) -> dict[str, list[Keyed]]:
        return grouped((stem(table.name)[:1], (table, key)) for table, key in self.keyed)

    def named(self, word: str) -> list[Keyed]:
        """Return the tables that a word is the name of or short for, each with its key."""
        letters = dict.fromkeys(name[:1] for name in (word, stem(word), plain(CONVENTIONAL.get(word, ""))))
        return [(t, key) for letter in letters for t, key in self._by_letter.get(letter, ()) if names_table(word, t)]


def schema_of(tables: Sequence[Table], key_of: Callable[[Table], Column | None]) -> Schema:
    """Return a schema; `key_of` returns the column that identifies a table's rows, None if there is none."""
    keyed = tuple((table, key) for table in tables if (key := key_of(table)))
    kinds = ((people.kind_of_people(table, words_of(table.name)), (table, key)) for table, key in keyed)
    return Schema(tuple(tables), keyed, tuple((kind, keys) for kind, keys in kinds if kind))


def names_by_key_word(table: Table) -> NamesByKeyWord:
    """Return the names of a table's columns, as words, by the key word that they end in; '' for those without one."""
    named = grouped((key_word, tuple(words)) for column in table.columns for words, key_word in cores(column.name))
    return {key_word: frozenset(names) for key_word, names in named.items()}


def by_side(column: Column, table: Table, names: NamesByKeyWord, schema: Schema) -> list[Keyed]:
    """Return the one table, with its key, that a column named after a side refers to: `from_whs`; [] for others.

    `names` are those of the table's columns.
    """
    for core, key_word in cores(column.name):
        for side, rest in sides.sides(core, names[key_word]):
            if rest:
                keyed = _named_beside_side(rest, key_word, column, schema)
            else:
                alone = side in _WON or sides.is_opposed(side, names[key_word])
                keyed = _bare_side(side, key_word, column, schema) if alone else []
            keyed = [(other, key) for other, key in keyed if other.path != table.path]
            if len(keyed) == 1:
                return keyed
    return []


def _named_beside_side(rest: Sequence[str], key_word: str, column: Column, schema: Schema) -> list[Keyed]:
    """Return the tables that the rest of a column's name refers to: `whs` of `whs_cd`, `loc` of `loc_id`, or `town`.

    A plural that is not called a key is a count: `home_games`.
    """
    name = "".join(rest)
    if len(name) < 2 or (not key_word and singular(rest[-1]) != rest[-1]):
        return []
    alike = [(table, key) for table, key in schema.keyed if _is_alike(column, key)]
    return [(table, key) for table, key in alike if _is_named(name, key_word, column, table, key)]


def _is_named(name: str, key_word: str, column: Column, table: Table, key: Column) -> bool:
    """Return whether a name is that of a key, with or without its key word, or that of a table.

    A column that holds texts and is not called a key may hold names of the rows, unless it is declared as their key.
    """
    own = plain(bare(key.name, table))
    if name + key_word == own or (not key_word and any("".join(core) == name for core, word in cores(own) if word)):
        return True
    return (bool(key_word) or _holds_keys(column, key)) and names_table(name, table)


def _bare_side(side: str, key_word: str, column: Column, schema: Schema) -> list[Keyed]:
    """Return the tables that a bare side, such as `away_cd`, may refer to: those with such a key, or of such things."""
    keyed = [(table, key) for table, key in schema.keyed if _is_alike(column, key)]
    if key_word:
        keyed = [(table, key) for table, key in keyed if _ends_in(key_word, key)]
    fitting = [(table, key) for table, key in keyed if sides.fits(side, singular(words_of(table.name)[-1]))]
    return keyed if key_word and len(keyed) == 1 and side not in _WON else fitting


def by_person(column: Column, table: Table, schema: Schema) -> list[Keyed]:
    """Return the one table of people, with its key, that a column named after a person refers to; [] for others.

    A column that has the name of a table is left out. Of several tables, the one counts whose key has a name like the
    column's.
    """
    for core, key_word in cores(column.name):
        core = _split_by(core)
        doer = people.doer(core)
        flag = not key_word and (people.is_general(core) or core[0] in ("is", "has"))
        if doer is None or flag or any(names_table(core[-1], other) for other in schema.tables):
            continue
        candidates = _people(doer, table, schema)
        keyed = [(t, key) for t, key in candidates if _is_alike(column, key) and (key_word or _holds_keys(column, key))]
        if len(keyed) > 1:
            keyed = [(t, key) for t, key in keyed if key_word and _ends_in(key_word, key)]
        if len(keyed) == 1:
            return keyed
    return []


def _people(doer: people.Doer, table: Table, schema: Schema) -> list[Keyed]:
    """Return the tables, with their keys, of the people who may act on a row of `table`.

    If `table` itself is of people who are served, only workers act on its rows; other people act on each other.
    """
    own = people.kind_of_people(table, words_of(table.name))
    if own:
        serving = own in (people.PeopleKind.PATRON, people.PeopleKind.MEMBER) and doer == people.WORKER
        doer = (frozenset((people.PeopleKind.WORKER,)),) if serving else ()
    others = [(kind, keyed) for kind, keyed in schema.people if keyed[0].path != table.path]
    return next(filter(None, ([keyed for kind, keyed in others if kind in kinds] for kinds in doer)), [])


def _is_alike(column: Column, key: Column) -> bool:
    """Return whether a column and a key hold values of the same kind."""
    return kind_of(column.type) == kind_of(key.type)


def _holds_keys(column: Column, key: Column) -> bool:
    """Return whether a column that is not called a key may hold keys: whole numbers, or texts declared alike."""
    return kind_of(key.type) == "whole" or ("(" in key.type and key.type == column.type)


def _ends_in(key_word: str, key: Column) -> bool:
    """Return whether a key's name is a key word, or ends in it."""
    return key.name.lower() == key_word or any(word == key_word for _, word in cores(key.name))


def _split_by(words: list[str]) -> list[str]:
    """Return words with a "by" that is glued to a participle apart: `packed`, `by`."""
    act = words[-1].removesuffix("by")
    return [*words[:-1], act, "by"] if act != words[-1] and is_participle(act) else words
