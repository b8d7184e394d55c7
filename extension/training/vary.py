"""The same world as other databases could have it: parts left out, other names, tables of something else."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from askwhere.guard import parsing
from askwhere.training import naming
from askwhere.training.invent import invent
from askwhere.training.scene import named
from askwhere.training.world import Entity, Field, Link, World
from sqlglot import exp
from sqlglot.errors import SqlglotError

# How often a database is renamed, loses parts, and gets tables of another.
RENAMED, PRUNED, PADDED = 0.5, 0.4, 0.25
# Tables that may come in from another database.
_STRANGERS = 3


@dataclass(frozen=True)
class Names:
    """New names by the old ones in small letters; a column is called the same in every table."""

    tables: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)

    def query(self, sql: str) -> str | None:
        """A query of SQLite's with the new names. None where it has what cannot be told from a name."""
        if not self.tables:
            return sql
        try:
            tree = parsing.statement(sql, "sqlite")
        except SqlglotError:
            return None
        for table in tree.find_all(exp.Table):
            _rename(table, "this", self.tables)
        for column in tree.find_all(exp.Column):
            name = column.this
            if isinstance(name, exp.Identifier) and name.quoted and name.name.lower() in self.columns:
                return None  # in double quotes stand values, too
            _rename(column, "this", self.columns)
            _rename(column, "table", self.tables)
        return " ".join(tree.sql(dialect="sqlite").split())


def _rename(node: exp.Expr, part: str, names: dict[str, str]) -> None:
    old = node.args.get(part)
    if isinstance(old, exp.Identifier) and (new := names.get(old.name.lower())):
        node.set(part, exp.to_identifier(new, quoted=named(new) != new))


def varied(it: World, rng: random.Random, invented: bool) -> tuple[World, Names]:
    """The world with some of its parts, names or both changed now and then, and its new names.

    An `invented` one keeps its names, which nobody has seen before.
    """
    names = Names()
    if rng.random() < PRUNED:
        it = pruned(it, rng)
    if not invented and rng.random() < RENAMED:
        it, names = renamed(it, rng)
    if rng.random() < PADDED:
        it = padded(it, rng)
    return it, names


def pruned(it: World, rng: random.Random) -> World:
    """Without some tables, each in four, and some columns, each in seven: keys and what rows are called by stay."""
    entities = [entity for entity in it.entities if rng.random() < 0.75]
    if not any(entity.rows and entity.label for entity in entities):
        entities = list(it.entities)
    there = {entity.name for entity in entities}
    links = tuple(link for link in it.links if {link.child, link.parent} <= there)
    kept = {(link.child, link.column) for link in links} | {(link.parent, link.key) for link in links}
    return World(it.name, tuple(_narrow(entity, kept, rng) for entity in entities), links)


def _narrow(entity: Entity, kept: Iterable[tuple[str, str]], rng: random.Random) -> Entity:
    needed = {entity.key, entity.label.name if entity.label else "", *(c for t, c in kept if t == entity.name)}
    places = [at for at, column in enumerate(entity.fields) if column.name in needed or rng.random() < 0.85]
    places = places or [0]
    rows = tuple(tuple(row[at] for at in places) for row in entity.rows)
    return replace(entity, fields=tuple(entity.fields[at] for at in places), rows=rows)


def renamed(it: World, rng: random.Random) -> tuple[World, Names]:
    """With every table and column called by its words, in another style."""
    style = naming.style(rng)
    tables = _written([(e.name, e.many if style.plural else e.one, [""]) for e in it.entities], style)
    columns = _written([(f.name, f.words, _owners(it, f.name)) for e in it.entities for f in e.fields], style)
    names = Names(tables, columns)

    def table(name: str) -> str:
        return names.tables[name.lower()]

    def column(name: str) -> str:
        return names.columns[name.lower()] if name else ""

    return World(
        it.name,
        tuple(_renamed(entity, table, column) for entity in it.entities),
        tuple(Link(table(k.child), column(k.column), table(k.parent), column(k.key), k.phrase) for k in it.links),
    ), names


def _renamed(entity: Entity, table: Callable[[str], str], column: Callable[[str], str]) -> Entity:
    fields = tuple(Field(column(f.name), f.words, f.kind, f.type) for f in entity.fields)
    return replace(entity, name=table(entity.name), key=column(entity.key), fields=fields)


def _owners(it: World, column: str) -> list[str]:
    """The tables that have a column of that name."""
    return [e.name for e in it.entities if any(f.name.lower() == column.lower() for f in e.fields)]


def _written(names: Iterable[tuple[str, str, list[str]]], style: naming.Style) -> dict[str, str]:
    """New names for old ones by their words; no two are alike that stand in one place."""
    taken: set[tuple[str, str]] = set()
    found: dict[str, str] = {}
    for old, words, places in names:
        if old.lower() in found:
            continue
        first = new = style.join(naming.words(words, style) or [old])
        for number in itertools.count(2):
            if taken.isdisjoint((place, new.lower()) for place in places):
                break
            new = f"{first}{number}"
        taken |= {(place, new.lower()) for place in places}
        found[old.lower()] = new
    return found


def padded(it: World, rng: random.Random) -> World:
    """With tables of an invented database beside its own."""
    taken = {entity.name.lower() for entity in it.entities}
    other = invent(rng)
    strangers = [entity for entity in other.entities if entity.name.lower() not in taken][: rng.randint(1, _STRANGERS)]
    there = {entity.name for entity in strangers}
    links = tuple(link for link in other.links if {link.child, link.parent} <= there)
    return World(it.name, (*it.entities, *strangers), (*it.links, *links))
