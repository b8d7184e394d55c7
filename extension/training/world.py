"""Describe a database to vary: names in SQL and in words, joins, and rows (`askwhere.training.borrow` reads them)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from askwhere.sql.dialects import named
from askwhere.sql.identifiers import quote

Value = str | int | float | None

# Kinds of columns: the name of a thing, by which people tell rows apart; dates in ISO form; all others.
NAME, DATE, OTHER = "name", "date", "other"


@dataclass(frozen=True)
class Field:
    """A column: its name in SQL, the words that people call it by, its kind, and its declared type in SQLite."""

    name: str
    words: str
    kind: str = OTHER
    type: str = ""


@dataclass(frozen=True)
class Entity:
    """A table: its name in SQL, the words for one of its rows and for several, its columns, primary key and rows."""

    name: str
    one: str
    many: str
    fields: tuple[Field, ...]
    key: str
    rows: tuple[tuple[Value, ...], ...]

    def column(self, name: str) -> list[Value]:
        """Return the values of a column, row by row."""
        at = next(i for i, field in enumerate(self.fields) if field.name == name)
        return [row[at] for row in self.rows]

    def type_in(self, dialect: str, field: Field) -> str:
        """Return a column's declared type in a dialect.

        Where all values have the type, it follows from them; SQLite keeps any value under any type.
        """
        known = named(dialect)
        if not known.static_types:
            return field.type
        present = [value for value in self.column(field.name) if value is not None]
        if field.kind == DATE:
            return known.type_of["date" if all(len(str(value)) == 10 for value in present) else "time"]
        if present and all(isinstance(value, int) for value in present):
            return known.type_of["integer"]
        return known.type_of["real" if present and not any(isinstance(value, str) for value in present) else "text"]

    @property
    def label(self) -> str:
        """Return the column by which people tell the rows apart, '' where there is none."""
        return next((field.name for field in self.fields if field.kind == NAME), "")


@dataclass(frozen=True)
class Link:
    """A reference: `column` of `child` refers to `key` of `parent`."""

    child: str
    column: str
    parent: str
    key: str


@dataclass(frozen=True)
class World:
    """A database: its entities and the links between them."""

    name: str
    entities: tuple[Entity, ...]
    links: tuple[Link, ...]

    def links_from(self, name: str) -> list[Link]:
        """Return the links from an entity to its parents."""
        return [link for link in self.links if link.child == name]


def definitions(world: World, dialect: str) -> Iterator[str]:
    """Yield a CREATE TABLE for every entity, parents first where there is such an order.

    Where foreign keys are enforced they are left out: rows of real databases often refer to nothing.
    """
    done: set[str] = set()
    left = list(world.entities)
    while left:
        ready = [e for e in left if all(k.parent in {*done, e.name} for k in world.links_from(e.name))]
        for entity in ready or left[:1]:
            yield _definition(world, entity, set() if named(dialect).enforces_keys else done, dialect)
            done.add(entity.name)
            left.remove(entity)


def _definition(world: World, entity: Entity, done: set[str], dialect: str) -> str:
    """Return the CREATE TABLE of an entity; foreign keys only to tables that are `done`."""
    lines = [
        f"{quote(f.name)} {entity.type_in(dialect, f)}{' PRIMARY KEY' if f.name == entity.key else ''}"
        for f in entity.fields
    ]
    lines += [
        f"FOREIGN KEY ({quote(k.column)}) REFERENCES {quote(k.parent)}({quote(k.key)})"
        for k in world.links_from(entity.name)
        if k.parent in done
    ]
    return f"CREATE TABLE {quote(entity.name)} ({', '.join(lines)})"


def fill(con: Any, world: World, dialect: str) -> None:
    """Create the world's tables on an open connection of either engine and insert its rows."""
    for sql in definitions(world, dialect):
        con.execute(sql)
    for entity in world.entities:
        if entity.rows:
            marks = ", ".join("?" * len(entity.fields))
            con.executemany(f"INSERT INTO {quote(entity.name)} VALUES ({marks})", list(entity.rows))


def kind_of(values: Sequence[Value], words: str) -> str:
    """Return the kind of a column of a real database, by its values and its words."""
    texts = [value for value in values if isinstance(value, str)]
    if texts and all(map(_is_date, texts)):
        return DATE
    is_named = words.split()[-1].lower() in ("name", "title")
    return NAME if texts and is_named and len(set(texts)) > len(texts) / 2 else OTHER


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
