"""A database as the generator of questions sees it: what its tables and columns are called, how they join, their rows.

A world is invented (`askwhere.training.invent`) or borrowed from a database (`askwhere.training.borrow`).
"""

from __future__ import annotations

import datetime
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from askwhere.engine import quote

Value = str | int | float | None

# What a column holds, which decides what is asked of it.
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

NUMBERS = frozenset((COUNT, MEASURE, LEVEL))
_TYPES = {COUNT: "INTEGER", LEVEL: "INTEGER", YEAR: "INTEGER", MEASURE: "REAL", KEY: "INTEGER", DATE: "DATE"}


@dataclass(frozen=True)
class Field:
    """A column: its name in SQL, the words that people call it by, what it holds; `type` is the declared type."""

    name: str
    words: str
    kind: str
    type: str = ""

    @property
    def declared(self) -> str:
        """The type in a CREATE TABLE."""
        return self.type or _TYPES.get(self.kind, "TEXT")


@dataclass(frozen=True)
class Entity:
    """A table: its name in SQL, the words for one of its rows and for several, its columns and rows."""

    name: str
    one: str
    many: str
    fields: tuple[Field, ...]
    key: str
    rows: tuple[tuple[Value, ...], ...]

    def field(self, name: str) -> Field:
        """The column of that name."""
        return next(field for field in self.fields if field.name == name)

    def column(self, name: str) -> list[Value]:
        """The values of a column, row by row."""
        at = next(i for i, field in enumerate(self.fields) if field.name == name)
        return [row[at] for row in self.rows]

    def type_in(self, dialect: str, field: Field) -> str:
        """A column's declared type; DuckDB's follows from the values, which SQLite may keep under any type."""
        if dialect == "sqlite":
            return field.declared
        there = [value for value in self.column(field.name) if value is not None]
        if field.kind == DATE:
            return "DATE" if all(len(str(value)) == 10 for value in there) else "TIMESTAMP"
        if there and all(isinstance(value, int) for value in there):
            return "BIGINT"
        return "DOUBLE" if there and not any(isinstance(value, str) for value in there) else "VARCHAR"

    def of_kind(self, *kinds: str) -> list[Field]:
        """The columns that hold one of these."""
        return [field for field in self.fields if field.kind in kinds]

    @cached_property
    def label(self) -> Field | None:
        """The column by which people tell the rows apart, if there is one."""
        return next(iter(self.of_kind(NAME)), None)


@dataclass(frozen=True)
class Link:
    """`column` of `child` refers to `key` of `parent`; `phrase` stands between the two in a question ('painted by')."""

    child: str
    column: str
    parent: str
    key: str
    phrase: str = "of"


@dataclass(frozen=True)
class World:
    """A database: entities and how they refer to each other."""

    name: str
    entities: tuple[Entity, ...]
    links: tuple[Link, ...]

    def entity(self, name: str) -> Entity:
        """The entity whose table has that name."""
        return next(entity for entity in self.entities if entity.name == name)

    def links_of(self, name: str) -> tuple[list[Link], list[Link]]:
        """The links from an entity up to its parents, and those from its children."""
        return [k for k in self.links if k.child == name], [k for k in self.links if k.parent == name]


def definitions(world: World, dialect: str) -> Iterator[str]:
    """A CREATE TABLE for every entity, parents first where that can be.

    In DuckDB, which holds to them, foreign keys are left out: rows of real databases often refer to nothing.
    """
    done: set[str] = set()
    left = list(world.entities)
    while left:
        ready = [e for e in left if all(k.parent in done or k.parent == e.name for k in world.links_of(e.name)[0])]
        for entity in ready or left[:1]:
            yield _definition(world, entity, done if dialect == "sqlite" else set(), dialect)
            done.add(entity.name)
            left.remove(entity)


def _definition(world: World, entity: Entity, done: set[str], dialect: str) -> str:
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
    """Make the world's tables on an open connection of either engine, and put its rows in."""
    for sql in definitions(world, dialect):
        con.execute(sql)
    for entity in world.entities:
        if entity.rows:
            marks = ", ".join("?" * len(entity.fields))
            con.executemany(f"INSERT INTO {quote(entity.name)} VALUES ({marks})", list(entity.rows))


def opened(world: World) -> sqlite3.Connection:
    """The world in a SQLite database in memory."""
    con = sqlite3.connect(":memory:")
    fill(con, world, "sqlite")
    return con


def kind_of(values: list[Value], words: str, declared: str) -> str:
    """What a column of a real database holds, by its values, its name and its declared type."""
    there = [v for v in values if v is not None]
    if not there:
        return TEXT
    if all(isinstance(v, int | float) for v in there):
        return _number(there, words)
    texts = [str(v) for v in there]
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
