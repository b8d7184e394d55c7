"""Guess foreign keys that nobody declared, from names and types, between tables of one schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from askwhere.engine import Column, ForeignKey, Table
from askwhere.grouping import grouped
from askwhere.indexer.key_names import (
    GIVEN_OUT,
    KEYS,
    KINDS,
    WORDS,
    bare,
    called_a_key,
    can_be_equal,
    cores,
    kind_of,
    names_table,
    plain,
    short_name,
    stem,
    words_of,
)
from askwhere.indexer.people import kind_of_people
from askwhere.indexer.role_keys import Keyed, Schema, by_person, by_side, names_by_key_word, schema_of

# The tables that a column may refer to, each with its key, by kind and name of the column.
_Referred = dict[tuple[str, str], list[Keyed]]


def guessed(tables: Iterable[Table]) -> dict[tuple[str, ...], tuple[ForeignKey, ...]]:
    """Return, by the path of each table, the foreign keys that it does not declare but its column names suggest.

    A column refers to another table of the same schema if the types agree, and the column has the name of that table's
    key (`customer_id` for `customers.customer_id`), or of the table and its key (`customer_id` for `customers.id`), or
    is short for the name of one table alone (`cust` for `customers.id`, `client_ref` for `clients.id`). A prefix that
    the columns of a table share may be left out (`o_custkey` for `c_custkey`), as may the words of a role before such a
    name (`sold_by_emp_id` for `emp_id`). For other columns the role alone may be enough (`role_keys`). The key of a
    table without a primary key is its first column, if that is named like a key (`id`, `wd_cd`).
    """
    keys: dict[tuple[str, ...], tuple[ForeignKey, ...]] = {}
    for siblings in grouped((table.path[:-1], table) for table in tables).values():
        firsts = Counter(table.columns[0].name.lower() for table in siblings if table.columns)
        schema = schema_of(siblings, partial(_key, siblings=siblings, firsts=firsts))
        referred = _referred(schema.keyed)
        keys |= {table.path: _keys_of_table(table, referred, schema) for table in siblings}
    return keys


def _keys_of_table(table: Table, referred: _Referred, schema: Schema) -> tuple[ForeignKey, ...]:
    """Return the keys that the names of a table's columns suggest, and that it does not declare."""
    declared = {c.lower() for key in table.foreign_keys for c in key.columns}
    linked = {key.target for key in table.foreign_keys}
    own = schema.key_names.get(table.path, ())
    names = names_by_key_word(table)
    keys: list[ForeignKey] = []
    for column in table.columns:
        if column.name.lower() in declared or (column.name,) == table.primary_key:
            continue
        targets = [
            (t, key) for t, key in _targets(column, table, referred, schema) if t.path not in {table.path, *linked}
        ]
        if not targets and column.name not in own:
            targets = by_side(column, table, names, schema) or by_person(column, table, schema)
        if targets:
            # The table that is named in the column wins over one that merely has a key of the same name.
            target, key = min(targets, key=lambda t: (stem(t[0].name) not in plain(column.name), len(t[0].name)))
            keys.append(ForeignKey((column.name,), target.path, (key.name,), "guessed"))
    return tuple(keys)


def _targets(column: Column, table: Table, referred: _Referred, schema: Schema) -> list[tuple[Table, Column]]:
    """Return the tables, each with its key, that the longest meaningful part of a column's name refers to."""
    names = dict.fromkeys((column.name, bare(column.name, table), *_without_role(column.name)))
    columns = [replace(column, name=name) for name in names]
    targets = (referred.get((kind_of(c.type), plain(c.name))) or _shortened(c, schema) for c in columns)
    return next(filter(None, targets), []) or _otherwise_typed(column, table, referred)


def _otherwise_typed(column: Column, table: Table, referred: _Referred) -> list[Keyed]:
    """Return the tables, with their keys, whose full name a column has, though its values have another type.

    Data files often have the same numbers as texts in one table, and as numbers in another.
    """
    names = {plain(column.name), plain(bare(column.name, table))} if any(key for _, key in cores(column.name)) else ()
    named = (pair for name in names for kind in KINDS for pair in referred.get((kind, name), ()))
    return [(other, key) for other, key in named if can_be_equal(column.type, key.type)]


def _without_role(name: str) -> Iterator[str]:
    """Yield the ends of a key's name, longest first: `emp_id` for `sold_by_emp_id`."""
    words = WORDS.findall(name) if called_a_key(name) else []
    yield from ("_".join(words[start:]) for start in range(1, len(words) - 1))


def _shortened(column: Column, schema: Schema) -> list[Keyed]:
    """Return the table, with its key, that a column is short for; none where it may be short for several."""
    kind, target = kind_of(column.type), short_name(column)
    named = schema.named(target) if target else ()
    matches = [(table, key) for table, key in named if kind_of(key.type) == kind]
    return matches if len(matches) == 1 else []


def _referred(keyed: Iterable[Keyed]) -> _Referred:
    """Return the tables that a column may refer to, each with its key, by the column's kind and plain name."""
    referred: _Referred = {}
    for table, key in keyed:
        kind, keys = kind_of(key.type), {plain(key.name), plain(bare(key.name, table))}
        table_names = {name for full in (table.name, bare(table.name, table)) for name in (stem(full), plain(full))}
        names = keys | {name + own for name in table_names for own in keys}
        # An integer column with the name of a table (`customer`) holds keys of that table, and so does a text with the
        # full name of a table that lists what codes mean (`cust_typ` for `custtyp.typ_cd`).
        codes = {stem(table.name), plain(table.name)} if _is_code_with_one_column(table, key) else set[str]()
        names |= table_names if kind == "whole" else codes
        # Names that many tables share do not tell which one is meant.
        for name in names - {"id", "no", "name", "code", "key", "title", "year", "date"}:
            referred.setdefault((kind, name), []).append((table, key))
    return referred


def _is_code_with_one_column(table: Table, key: Column) -> bool:
    """Return whether a table is a key called a code and one more column, which then says what the codes mean."""
    return len(table.columns) == 2 and words_of(key.name)[-1] in ("code", "cd")


def _key(table: Table, siblings: Sequence[Table], firsts: Mapping[str, int]) -> Column | None:
    """Return the column that identifies a row: the primary key of one column, else a first column named like a key.

    A first column is named like a key if its name is that of the table's key (`_names_rows`), or a common identifier,
    `vin` or `isbn`; in a table of people also if it names no other table: `emp_no` of `agents`. If another of the
    table's `siblings` in the schema has a first column of that name, only the first case counts. `firsts` counts the
    first columns by name.
    """
    by_name = {c.name: c for c in table.columns}
    if len(table.primary_key) == 1:
        return by_name.get(table.primary_key[0])
    if table.primary_key or not table.columns:
        return None
    first = table.columns[0]
    if _names_rows(first.name, table):
        return first
    if firsts[first.name.lower()] > 1:
        return None
    called = [core for core, key_word in cores(first.name) if key_word]
    of_people = called and kind_of_people(table, words_of(table.name)) is not None
    own = of_people and not any(
        names_table(word, t) for core in called for word in core for t in siblings if t is not table
    )
    return first if own or plain(first.name) in GIVEN_OUT else None


def _names_rows(column: str, table: Table) -> bool:
    """Return whether a name is that of the table's key: `id`, `code`, `customerid`, `stuid` of students, `wd_cd`."""
    words, last = words_of(column), words_of(table.name)[-1]
    is_short = len(words) == 2 and words[1] in KEYS and words[0][0] == last[0] and _leaves_out(words[0], last)
    if is_short and (len(words[0]) > 2 or words[1] not in ("id", "code")):  # `st_id` may be short for many names
        return True
    if len(words) > 1 and words[-1] in KEYS and "".join(words[:-1]) in (stem(table.name), plain(table.name)):
        return True
    column = plain(column)
    prefix = next((column.removesuffix(end) for end in ("id", "code") if column.endswith(end)), None)
    if prefix is None or prefix in ("", stem(table.name), plain(table.name)):
        return prefix is not None
    # `cust_id` is short for the key of `customers`; in `customer_orders` it may be the key of another table.
    begins = table.name.isalnum() and stem(table.name).startswith(prefix)
    return len(prefix) > 2 and (begins or stem(table.name).endswith(prefix))


def _leaves_out(short: str, name: str) -> bool:
    """Return whether the letters of a short form are those of a name in their order: `wd` of `ward`."""
    letters = iter(name)
    return all(letter in letters for letter in short)
