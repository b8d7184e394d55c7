"""Borrow worlds from databases: their tables and rows, with the names in words that people gave them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askwhere.sql.identifiers import quote
from askwhere.training.world import Entity, Field, Link, Value, World, kind_of

# The most rows that are read of a table.
ROWS = 300
_IRREGULAR = {"people": "people", "person": "people", "aircraft": "aircraft", "child": "children", "man": "men"}


def schemas(path: Path) -> dict[str, dict[str, Any]]:
    """Return Spider's `tables.json` by database: tables and columns with the words that people call them by."""
    return {schema["db_id"]: schema for schema in json.loads(path.read_text("utf-8"))}


def borrow(database: Path, schema: Mapping[str, Any]) -> World:
    """Return a world of the database with the first rows of its tables; `schema` gives the names in words."""
    con = sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)
    # Some databases of the data sets hold texts that are no UTF-8.
    con.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        own = [at for at, name in enumerate(schema["table_names_original"]) if not name.startswith("sqlite_")]
        entities = [_entity(con, schema, at) for at in own]
    finally:
        con.close()
    types = {(e.name, field.name): e.type_in("duckdb", field) for e in entities for field in e.fields}
    # A key that refers to a column of another type matches no row, and DuckDB refuses to compare the two.
    links = (k for k in _links(schema) if types.get((k.child, k.column), "") == types.get((k.parent, k.key)))
    return World(schema["db_id"], tuple(entities), tuple(links))


def _entity(con: sqlite3.Connection, schema: Mapping[str, Any], at: int) -> Entity:
    """Return the entity of the table at place `at` of the schema."""
    name, words = schema["table_names_original"][at], schema["table_names"][at].lower()
    columns = [
        (original[1], spoken[1].lower())
        for original, spoken in zip(schema["column_names_original"], schema["column_names"], strict=True)
        if original[0] == at
    ]
    declared = {row[1].lower(): row[2] for row in con.execute(f"PRAGMA table_info({quote(name)})")}
    columns = [(column, spoken) for column, spoken in columns if column.lower() in declared]
    listed = ", ".join(quote(column) for column, _ in columns)
    found = con.execute(f"SELECT {listed} FROM {quote(name)} LIMIT {ROWS}").fetchall()
    rows = list(zip(*(_cells(cells) for cells in zip(*found, strict=True)), strict=True))
    keys = {c for c in _keys(schema) if c[0] == at}
    fields = [
        Field(column, spoken, kind_of([row[i] for row in rows], spoken), declared[column.lower()])
        for i, (column, spoken) in enumerate(columns)
    ]
    primary = [schema["column_names_original"][k][1] for k in schema["primary_keys"] if isinstance(k, int)]
    own = [c for c in primary if c in {f.name for f in fields} and (at, c) in keys]
    one = words.removesuffix("s") if words.endswith("s") and not words.endswith("ss") else words
    key = own[0] if len(own) == 1 else ""
    if key:
        place = [field.name for field in fields].index(key)
        key = key if len({row[place] for row in rows} - {None}) == len(rows) else ""
    return Entity(name, one, plural(one), tuple(fields), key, tuple(rows))


def _cells(found: Sequence[Any]) -> list[Value]:
    """Return a column's values, all as text if one is text; bytes become NULL."""
    cells: list[Value] = [None if isinstance(cell, bytes) else cell for cell in found]
    if not any(isinstance(cell, str) for cell in cells):
        return cells
    return [cell if cell is None else str(cell) for cell in cells]


def _keys(schema: Mapping[str, Any]) -> set[tuple[int, str]]:
    """Return the columns that belong to primary or foreign keys, each with its table's place."""
    places = {p for p in schema["primary_keys"] if isinstance(p, int)}
    places |= {place for pair in schema["foreign_keys"] for place in pair}
    return {tuple(schema["column_names_original"][place]) for place in places}


def _links(schema: Mapping[str, Any]) -> list[Link]:
    """Return the schema's foreign keys as links."""
    names, columns = schema["table_names_original"], schema["column_names_original"]
    return [
        Link(names[columns[own][0]], columns[own][1], names[columns[other][0]], columns[other][1])
        for own, other in schema["foreign_keys"]
    ]


def plural(words: str) -> str:
    """Return the plural of a column's words."""
    if words in _IRREGULAR:
        return _IRREGULAR[words]
    head, of, rest = words.partition(" of ")
    if of and head != "number":
        return f"{plural(head)} of {rest}"
    if words.endswith(("s", "x", "ch", "sh")):
        return words if words.endswith("s") else f"{words}es"
    if words.endswith("y") and words[-2:-1] not in tuple("aeiou"):
        return f"{words[:-1]}ies"
    return f"{words}s"
