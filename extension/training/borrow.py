"""Borrow worlds from SQLite databases: their tables, keys and first rows, with the words of their names."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from askwhere.grouping import grouped
from askwhere.indexer import word_forms
from askwhere.indexer.word_forms import CONVENTIONAL, singular, split_capitals
from askwhere.sql.identifiers import quote
from askwhere.training.world import Entity, Field, Link, Value, World, kind_of

# The most rows that are read of a table.
ROWS = 300
_IRREGULAR = {"people": "people", "person": "people", "aircraft": "aircraft", "child": "children", "man": "men"}
_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def borrow(database: Path, name: str) -> World:
    """Return a world of the database with the first rows of its tables, and the keys that it declares."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)) as con:
        # Some databases of the data sets hold texts that are no UTF-8.
        con.text_factory = lambda raw: raw.decode("utf-8", "replace")
        tables = [table for (table,) in con.execute(_TABLES)]
        entities = {table.lower(): _entity(con, table) for table in tables}
        links = [link for table in tables for link in _links(con, table, entities)]
    types = {(e.name, field.name): e.type_in("duckdb", field) for e in entities.values() for field in e.fields}
    # A key that refers to a column of another type matches no row, and DuckDB refuses to compare the two.
    alike = (link for link in links if types[link.child, link.column] == types[link.parent, link.key])
    return World(name, tuple(entities.values()), tuple(alike))


def _entity(con: sqlite3.Connection, table: str) -> Entity:
    """Return the entity of a table."""
    declared = con.execute(f"PRAGMA table_info({quote(table)})").fetchall()
    listed = ", ".join(quote(column) for _, column, *_ in declared)  # `*` would show generated columns, too
    found = con.execute(f"SELECT {listed} FROM {quote(table)} LIMIT {ROWS}").fetchall()
    columns = [_cells(cells) for cells in zip(*found, strict=True)] or [[] for _ in declared]
    fields = tuple(
        Field(column, words(column), kind_of(cells, words(column)), kind)
        for (_, column, kind, *_), cells in zip(declared, columns, strict=True)
    )
    primary = [(column, cells) for (_, column, *_, at), cells in zip(declared, columns, strict=True) if at]
    # Some databases declare a key that holds the same value twice.
    keys = [column for column, cells in primary if len(primary) == 1 and len(set(cells) - {None}) == len(cells)]
    *first, last = words(table).split() or [table]
    one = " ".join((*first, singular(last)))
    return Entity(table, one, plural(one), fields, (keys or [""])[0], tuple(zip(*columns, strict=True)))


def _links(con: sqlite3.Connection, table: str, entities: dict[str, Entity]) -> list[Link]:
    """Return the foreign keys of one column that a table declares, and that refer to something."""
    listed = con.execute(f"PRAGMA foreign_key_list({quote(table)})")
    declared = grouped((number, (parent, column, key)) for number, _, parent, column, key, *_ in listed)
    found = []
    for (parent, column, key), *more in declared.values():
        other = entities.get(parent.lower())
        child, there = _spelt(entities[table.lower()], column), other and _spelt(other, key or other.key)
        if other and child and there and not more:
            found.append(Link(table, child, other.name, there))
    return found


def _spelt(entity: Entity, column: str) -> str:
    """Return a column's name as its table spells it; '' where it has none of that name."""
    return next((field.name for field in entity.fields if field.name.lower() == column.lower()), "")


def words(name: str) -> str:
    """Return the words of a name, in lower case and without abbreviations.

    >>> words("custNm"), words("Date_of_Birth")
    ('customer name', 'date of birth')
    """
    parts = re.split(r"[\W_]+", split_capitals(name).lower())
    return " ".join(CONVENTIONAL.get(part, part) for part in parts if part)


def _cells(found: Sequence[Any]) -> list[Value]:
    """Return a column's values, all as text if one is text; bytes become NULL."""
    cells: list[Value] = [None if isinstance(cell, bytes) else cell for cell in found]
    if not any(isinstance(cell, str) for cell in cells):
        return cells
    return [cell if cell is None else str(cell) for cell in cells]


def plural(words: str) -> str:
    """Return the plural of a column's words."""
    if words in _IRREGULAR:
        return _IRREGULAR[words]
    head, of, rest = words.partition(" of ")
    if of and head != "number":
        return f"{plural(head)} of {rest}"
    return words if words.endswith("s") else word_forms.plural(words)
