"""Vary the schema of a prompt at random: leave out parts, rename tables and columns, add unrelated tables."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from askwhere.engine import ForeignKey, Table
from askwhere.frozen import frozen
from askwhere.indexer.values import Match
from askwhere.indexer.word_forms import CONVENTIONAL, plural, singular, split_capitals
from askwhere.pipeline.facts import Linked
from askwhere.sql import parsing
from askwhere.sql.dialects import named
from sqlglot import exp

# The shares of varied schemas that lose parts, that get tables of another database, and whose names change.
PRUNED, PADDED, RENAMED = 0.4, 0.25, 0.5
# The most tables that are added from another database.
_STRANGERS = 3
# The styles of names, as functions of the words in lower case: a_b, A_B, aB, AB.
_JOINS: tuple[Callable[[list[str]], str], ...] = (
    "_".join,
    lambda words: "_".join(map(str.capitalize, words)),
    lambda words: words[0] + "".join(map(str.capitalize, words[1:])),
    lambda words: "".join(map(str.capitalize, words)),
)
_ABBREVIATIONS = {word: short for short, word in CONVENTIONAL.items()}


@frozen
class Names:
    """New names by old names in lower case; a column gets the same new name in every table."""

    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    def table(self, table: Table) -> Table:
        """Return a table under its new names."""
        return replace(
            table,
            path=self.path(table.path),
            columns=tuple(replace(column, name=self.column(column.name)) for column in table.columns),
            primary_key=tuple(map(self.column, table.primary_key)),
            unique=tuple(tuple(map(self.column, columns)) for columns in table.unique),
            foreign_keys=tuple(map(self._key, table.foreign_keys)),
        )

    def _key(self, key: ForeignKey) -> ForeignKey:
        columns, targets = tuple(map(self.column, key.columns)), tuple(map(self.column, key.target_columns))
        return replace(key, columns=columns, target=self.path(key.target), target_columns=targets)

    def match(self, match: Match) -> Match:
        """Return a value under the new names of its table and column."""
        return replace(match, table=self.path(match.table), column=self.column(match.column))

    def path(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the path of a table with its new name."""
        return (*path[:-1], self.tables.get(path[-1].lower(), path[-1]))

    def column(self, name: str) -> str:
        """Return the new name of a column."""
        return self.columns.get(name.lower(), name)

    def query(self, sql: str, dialect: str) -> str:
        """Return a query with the new names."""
        tree = parsing.statement(sql, dialect)
        for table in tree.find_all(exp.Table):
            _rename(table, "this", self.tables, dialect)
        for column in tree.find_all(exp.Column):
            _rename(column, "this", self.columns, dialect)
            _rename(column, "table", self.tables, dialect)
        return tree.sql(dialect=dialect)


def _rename(node: exp.Expr, part: str, names: Mapping[str, str], dialect: str) -> None:
    """Replace one identifier of a node by its new name, if it has one."""
    old = node.args.get(part)
    if isinstance(old, exp.Identifier) and (new := names.get(old.name.lower())):
        node.set(part, exp.to_identifier(new, quoted=not named(dialect).is_bare(new)))


def varied(linked: Linked, strangers: Sequence[Table], rng: random.Random) -> tuple[Linked, Names]:
    """Return a question with a schema that is shuffled and changed at random, and the new names.

    Tables of another database (`strangers`) may be added. The question's query may use parts that were left out.
    """
    tables = rng.sample(linked.schema.tables, len(linked.schema.tables))
    if rng.random() < PRUNED:
        tables = [_narrow(table, rng) for table in tables if rng.random() < 0.75]
    if rng.random() < PADDED:
        own = {table.name.lower() for table in tables}
        tables += [table for table in strangers if table.name.lower() not in own][: rng.randint(1, _STRANGERS)]
    if rng.random() < 0.3:
        tables = [replace(table, columns=tuple(rng.sample(table.columns, len(table.columns)))) for table in tables]
    known = set() if rng.random() < 0.15 else {table.path for table in tables}
    tables = [replace(t, foreign_keys=tuple(k for k in t.foreign_keys if k.target in known)) for t in tables]
    names = _drawn(tables, rng) if rng.random() < RENAMED else Names()
    schema = replace(linked.schema, tables=tuple(map(names.table, tables)))
    shown, examples = (tuple(map(names.match, matches)) for matches in (linked.shown, linked.examples))
    return replace(linked, catalog=schema, schema=schema, common=(), shown=shown, examples=examples), names


def _narrow(table: Table, rng: random.Random) -> Table:
    """Return a table without 15 % of its columns on average; key columns stay."""
    kept = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    return replace(table, columns=tuple(c for c in table.columns if c.name in kept or rng.random() < 0.85))


def _drawn(tables: Iterable[Table], rng: random.Random) -> Names:
    """Return new names for tables and columns, all in one style drawn at random."""
    join, number, short = rng.choice(_JOINS), rng.choice((singular, plural)), rng.random() < 0.2

    def styled(name: str, last: Callable[[str], str]) -> str:
        parts = [part for part in re.split(r"[\W_]+", split_capitals(name).lower()) if part]
        words = [CONVENTIONAL.get(part, part) for part in parts] or [name]
        words[-1] = last(words[-1])
        return join([_ABBREVIATIONS.get(word, word) for word in words] if short else words)

    every = list(tables)
    return Names(
        _distinct((table.name, styled(table.name, lambda word: number(singular(word)))) for table in every),
        _distinct((c.name, styled(c.name, str)) for table in every for c in table.columns),
    )


def _distinct(renamed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return new names by old ones in lower case; a number makes new names that would be equal unique."""
    distinct: dict[str, str] = {}
    taken: dict[str, int] = {}
    for old, new in renamed:
        if old.lower() not in distinct:
            many = taken[new.lower()] = taken.get(new.lower(), 0) + 1
            distinct[old.lower()] = new if many == 1 else f"{new}_{many}"
    return distinct
