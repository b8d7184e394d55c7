"""Vary a world as other databases might have it: without some parts, with other names, beside unrelated tables."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from askwhere.sql import parsing
from askwhere.training.style import written
from askwhere.training.world import Entity, Field, Link, World
from sqlglot import exp

# The probabilities that a database is renamed, loses parts, and gets tables of another one.
RENAMED, PRUNED, PADDED = 0.5, 0.4, 0.25
# The most tables that are added from another database.
_STRANGERS = 3


@dataclass(frozen=True)
class Names:
    """New names by the old ones in lower case; a column has the same new name in every table."""

    tables: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)

    def query(self, sql: str) -> str | None:
        """Return a SQLite query with the new names.

        Returns None for a query that cannot be parsed, or that has a column's name in double quotes: it may be a text.
        """
        if not self.tables:
            return sql
        tree = parsing.parsed(sql, "sqlite")
        if tree is None:
            return None
        for table in tree.find_all(exp.Table):
            _rename(table, "this", self.tables)
        for column in tree.find_all(exp.Column):
            name = column.this
            if isinstance(name, exp.Identifier) and name.quoted and name.name.lower() in self.columns:
                return None  # SQLite also reads a text in double quotes
            _rename(column, "this", self.columns)
            _rename(column, "table", self.tables)
        return " ".join(tree.sql(dialect="sqlite").split())


def _rename(node: exp.Expr, part: str, names: dict[str, str]) -> None:
    """Replace one identifier of a node by its new name, if it has one."""
    old = node.args.get(part)
    if isinstance(old, exp.Identifier) and (new := names.get(old.name.lower())):
        node.set(part, exp.to_identifier(new, quoted=written(new) != new))


def varied(world: World, others: Sequence[World], rng: random.Random) -> tuple[World, Names]:
    """Return the world with parts, names or both changed at random, and the new names.

    Tables may come beside its own from one of the `others`.
    """
    names = Names()
    if rng.random() < PRUNED:
        world = pruned(world, rng)
    if rng.random() < RENAMED:
        world, names = renamed(world, rng)
    if others and rng.random() < PADDED:
        world = padded(world, rng.choice(others), rng)
    return world, names


def pruned(world: World, rng: random.Random) -> World:
    """Return the world without about a quarter of its tables and a seventh of its columns; keys and labels stay."""
    entities = [entity for entity in world.entities if rng.random() < 0.75]
    if not any(entity.rows and entity.label for entity in entities):
        entities = list(world.entities)
    kept_names = {entity.name for entity in entities}
    links = tuple(link for link in world.links if {link.child, link.parent} <= kept_names)
    kept = {(link.child, link.column) for link in links} | {(link.parent, link.key) for link in links}
    return World(world.name, tuple(_narrow(entity, kept, rng) for entity in entities), links)


def _narrow(entity: Entity, kept: Iterable[tuple[str, str]], rng: random.Random) -> Entity:
    """Return an entity with the columns that are `kept`, its key and label, and most of the others."""
    needed = {entity.key, entity.label, *(c for t, c in kept if t == entity.name)}
    places = [at for at, column in enumerate(entity.fields) if column.name in needed or rng.random() < 0.85]
    places = places or [0]
    rows = tuple(tuple(row[at] for at in places) for row in entity.rows)
    return replace(entity, fields=tuple(entity.fields[at] for at in places), rows=rows)


def renamed(world: World, rng: random.Random) -> tuple[World, Names]:
    """Return the world with every table and column named by its words in another style, and the new names."""
    style = _style(rng)
    tables = _written([(e.name, e.many if style.plural else e.one, [""]) for e in world.entities], style)
    columns = _written([(f.name, f.words, _owners(world, f.name)) for e in world.entities for f in e.fields], style)
    names = Names(tables, columns)

    def table(name: str) -> str:
        return names.tables[name.lower()]

    def column(name: str) -> str:
        return names.columns[name.lower()] if name else ""

    return World(
        world.name,
        tuple(_renamed(entity, table, column) for entity in world.entities),
        tuple(Link(table(k.child), column(k.column), table(k.parent), column(k.key)) for k in world.links),
    ), names


def _renamed(entity: Entity, table: Callable[[str], str], column: Callable[[str], str]) -> Entity:
    fields = tuple(Field(column(f.name), f.words, f.kind, f.type) for f in entity.fields)
    return replace(entity, name=table(entity.name), key=column(entity.key), fields=fields)


def _owners(world: World, column: str) -> list[str]:
    """Return the tables that have a column of a name."""
    return [e.name for e in world.entities if any(f.name.lower() == column.lower() for f in e.fields)]


def _written(names: Iterable[tuple[str, str, list[str]]], style: _Style) -> dict[str, str]:
    """Return new names by old ones, made of words.

    Names that would be equal in the same place (a table, or the database) are told apart by a number.
    """
    taken: set[tuple[str, str]] = set()
    found: dict[str, str] = {}
    for old, words, places in names:
        if old.lower() in found:
            continue
        first = style.join(_words(words, style) or [old])
        # SQLite keeps names that begin so for itself.
        first = new = f"my_{first}" if first.lower().startswith("sqlite_") else first
        for number in itertools.count(2):
            if taken.isdisjoint((place, new.lower()) for place in places):
                break
            new = f"{first}{number}"
        taken |= {(place, new.lower()) for place in places}
        found[old.lower()] = new
    return found


def padded(world: World, other: World, rng: random.Random) -> World:
    """Return the world with tables of another database beside its own."""
    taken = {entity.name.lower() for entity in world.entities}
    strangers = [entity for entity in other.entities if entity.name.lower() not in taken][: rng.randint(1, _STRANGERS)]
    names = {entity.name for entity in strangers}
    links = tuple(link for link in other.links if {link.child, link.parent} <= names)
    return World(world.name, (*world.entities, *strangers), (*world.links, *links))


@dataclass(frozen=True)
class _Style:
    """The style in which one database writes names.

    `join` makes a name of words. `plural` tables have the plural of their things; `cut` names have abbreviations.
    """

    join: Callable[[list[str]], str]
    plural: bool
    cut: bool


# How names are joined of words, each with the share of the databases that do so.
_JOINS: tuple[tuple[float, Callable[[list[str]], str]], ...] = (
    (0.45, lambda words: "_".join(words).lower()),
    (0.2, lambda words: "_".join(word.capitalize() for word in words)),
    (0.2, lambda words: words[0].lower() + "".join(word.capitalize() for word in words[1:])),
    (0.15, lambda words: "".join(word.capitalize() for word in words)),
)


def _style(rng: random.Random) -> _Style:
    """Draw a style."""
    shares, joins = zip(*_JOINS, strict=True)
    (join,) = rng.choices(joins, shares)
    return _Style(join, rng.random() < 0.4, rng.random() < 0.2)


_ABBREVIATIONS = {
    "number": "num", "average": "avg", "department": "dept", "address": "addr", "quantity": "qty", "amount": "amt",
    "date": "dt", "description": "desc", "country": "ctry", "category": "cat", "population": "pop", "maximum": "max",
    "temperature": "temp", "employee": "emp", "customer": "cust", "product": "prod", "price": "prc", "year": "yr",
    "position": "pos", "nationality": "nat", "percentage": "pct", "account": "acct", "telephone": "tel",
}  # fmt: skip


def _words(text: str, style: _Style) -> list[str]:
    """Return the words of the name for what people call `text`, abbreviated if the style cuts words."""
    found = [word for word in re.findall(r"\w+", text) if word not in ("of", "the", "at", "in", "per")]
    return [_ABBREVIATIONS.get(word, word) for word in found] if style.cut else found
