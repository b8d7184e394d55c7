"""Describe a database to vary: names in SQL and in words, joins, and rows.

A world is borrowed from a database (`askwhere.training.borrow`), or inferred from queries (`askwhere.training.infer`).
"""

from __future__ import annotations

import datetime
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from askwhere.sql.dialects import named
from askwhere.sql.identifiers import quote

Value = str | int | float | None

# Kinds of columns. The kind decides a column's type, and what its varied copies keep.
NAME = "name"  # of a thing: titles, people's names
PLACE = "place"  # a city, a country
CLASS = "class"  # few values that many rows share
TEXT = "text"  # other text
COUNT = "count"  # whole numbers that can be added
MEASURE = "measure"  # numbers with a fraction
LEVEL = "level"  # small numbers that are compared rather than added: ages, ratings
YEAR = "year"
DATE = "date"  # ISO text in SQLite, DATE in DuckDB
FLAG = "flag"  # yes and no, however it is written
KEY = "key"

_TYPES = {COUNT: "INTEGER", LEVEL: "INTEGER", YEAR: "INTEGER", MEASURE: "REAL", KEY: "INTEGER", DATE: "DATE"}


@dataclass(frozen=True)
class Field:
    """A column: its name in SQL, the words that people call it by, and its kind.

    `type` is the declared type, '' if it follows from the kind.
    """

    name: str
    words: str
    kind: str
    type: str = ""

    @property
    def declared(self) -> str:
        """Return the type for a CREATE TABLE."""
        return self.type or _TYPES.get(self.kind, "TEXT")


@dataclass(frozen=True)
class Entity:
    """A table: its name in SQL, the words for one of its rows and for several, its columns, primary key and rows."""

    name: str
    one: str
    many: str
    fields: tuple[Field, ...]
    key: str
    rows: tuple[tuple[Value, ...], ...]

    def field(self, name: str) -> Field:
        """Return the column of a name."""
        return next(field for field in self.fields if field.name == name)

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
            return field.declared
        present = [value for value in self.column(field.name) if value is not None]
        if field.kind == DATE:
            return known.type_of["date" if all(len(str(value)) == 10 for value in present) else "time"]
        if present and all(isinstance(value, int) for value in present):
            return known.type_of["integer"]
        return known.type_of["real" if present and not any(isinstance(value, str) for value in present) else "text"]

    def of_kind(self, *kinds: str) -> list[Field]:
        """Return the columns of some kinds."""
        return [field for field in self.fields if field.kind in kinds]

    @cached_property
    def label(self) -> Field | None:
        """Return the column by which people tell the rows apart, or None."""
        return next(iter(self.of_kind(NAME)), None)


@dataclass(frozen=True)
class Link:
    """A reference: `column` of `child` refers to `key` of `parent`.

    `phrase` joins the two in a question, as 'painted by' joins paintings and an artist.
    """

    child: str
    column: str
    parent: str
    key: str
    phrase: str = "of"


@dataclass(frozen=True)
class World:
    """A database: its entities and the links between them."""

    name: str
    entities: tuple[Entity, ...]
    links: tuple[Link, ...]

    def entity(self, name: str) -> Entity:
        """Return the entity of a table name."""
        return next(entity for entity in self.entities if entity.name == name)

    def links_of(self, name: str) -> tuple[list[Link], list[Link]]:
        """Return the links from an entity to its parents, and the links from its children to it."""
        return [k for k in self.links if k.child == name], [k for k in self.links if k.parent == name]


def definitions(world: World, dialect: str) -> Iterator[str]:
    """Yield a CREATE TABLE for every entity, parents first where there is such an order.

    Where foreign keys are enforced they are left out: rows of real databases often refer to nothing.
    """
    done: set[str] = set()
    left = list(world.entities)
    while left:
        ready = [e for e in left if all(k.parent in done or k.parent == e.name for k in world.links_of(e.name)[0])]
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
        for k in world.links_of(entity.name)[0]
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


# The dialect of the databases that `opened` makes, and of the queries that people wrote for them.
OPENED = "sqlite"


def opened(world: World) -> sqlite3.Connection:
    """Return a SQLite database in memory that holds the world."""
    con = sqlite3.connect(":memory:")
    fill(con, world, OPENED)
    return con


def kind_of(values: list[Value], words: str, declared: str) -> str:
    """Return the kind of a column of a real database, by its values, its words and its declared type."""
    present = [v for v in values if v is not None]
    if not present:
        return TEXT
    if all(isinstance(v, int | float) for v in present):
        return _number(present, words)
    texts = [str(v) for v in present]
    if all(_is_date(t) for t in texts):
        return DATE
    distinct = len(set(texts))
    if {t.lower() for t in texts} <= {"y", "n", "yes", "no", "t", "f", "true", "false"}:
        return FLAG
    last = words.split()[-1].lower()
    if last in ("name", "title") and distinct > len(texts) / 2:
        return NAME
    if last in ("city", "country", "state", "nationality", "hometown", "location"):
        return PLACE
    most = Counter(texts).most_common(1)[0][1]
    return CLASS if most > 1 and distinct <= max(6, len(texts) / 2) else TEXT


def _number(values: list[Any], words: str) -> str:
    """Return the kind of a column of numbers."""
    if "year" in words.lower() and all(1000 <= v <= 2100 for v in values):
        return YEAR
    if any(isinstance(v, float) and v != int(v) for v in values):
        return MEASURE
    last = words.split()[-1].lower()
    if last in ("id", "code", "number", "zip", "phone"):
        return KEY
    return LEVEL if last in ("age", "rating", "rank", "grade", "level", "score", "height", "weight") else COUNT


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
