"""Copy a SQLite database into DuckDB, so that questions about it can be asked there too."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import duckdb
from askwhere.sql.identifiers import quote

ROWS_AT_ONCE = 20_000  # in one INSERT, which bounds its memory


def copy(source: sqlite3.Connection, target: duckdb.DuckDBPyConnection) -> None:
    """Copy all tables into DuckDB, each column with the narrowest type that holds all of its values.

    Primary and foreign keys are declared where DuckDB accepts them; it refuses one from a column of texts to a column
    of numbers. Such a table is made with fewer keys. Views are not copied.
    """
    listed = source.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    left = [name for (name,) in listed if not name.startswith("askwhere_")]
    for keys in ("foreign", "primary", ""):
        for _ in range(len(left) + 1):  # foreign keys can only be declared once the tables they refer to exist
            left = [name for name in left if not _copied(source, target, name, keys)]


def _copied(source: sqlite3.Connection, target: duckdb.DuckDBPyConnection, table: str, keys: str) -> bool:
    """Make and fill one table, and return whether DuckDB accepted it with these keys.

    `keys` is 'foreign' for primary and foreign keys, 'primary' for primary keys alone, or '' for none.
    """
    # Unlike table_info, table_xinfo lists generated columns too, as SELECT * does; its seventh field is 1 for a column
    # of a virtual table that is hidden.
    info = [row[:6] for row in source.execute(f"PRAGMA table_xinfo({quote(table)})") if row[6] != 1]
    rows = source.execute(f"SELECT * FROM {quote(table)}").fetchall()
    types = [_type(kind, {type(row[n]) for row in rows}) for n, _, kind, *_ in info]
    parts = [f"{quote(name)} {type_}" for (_, name, *_), type_ in zip(info, types, strict=True)]
    parts += _keys(source, table, info, keys)
    try:
        target.execute(f"CREATE TABLE {quote(table)} ({', '.join(parts)})")
    except duckdb.Error:
        return False
    try:
        # A list for each column: DuckDB takes ten times as long to bind a parameter for each value.
        unnested = ", ".join(f"unnest(?::{type_}[])" for type_ in types)
        for start in range(0, len(rows), ROWS_AT_ONCE):
            columns = zip(types, zip(*rows[start : start + ROWS_AT_ONCE], strict=True), strict=True)
            target.execute(f"INSERT INTO {quote(table)} SELECT {unnested}", [_of_type(*column) for column in columns])
        return True
    except duckdb.Error:
        target.execute(f"DROP TABLE {quote(table)}")
        return False


def _type(declared: str, kinds: set[type]) -> str:
    """Return the DuckDB type of a column, given its declared type and the Python types of its values."""
    present = kinds - {type(None)}
    if not present:
        return "BIGINT" if "INT" in declared.upper() else "VARCHAR"
    if present <= {int, float}:
        return "BIGINT" if present == {int} else "DOUBLE"
    return "BLOB" if present == {bytes} else "VARCHAR"


def _of_type(type_: str, values: Sequence[Any]) -> list[Any]:
    """Return the values of a column of a DuckDB type; blobs beside other values become texts, as SQLite reads them."""
    if type_ != "VARCHAR":
        return list(values)
    return [value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value for value in values]


def _keys(source: sqlite3.Connection, table: str, info: list[Any], keys: str) -> list[str]:
    """Return the constraints to declare for a table, as SQL."""
    primary = [name for _, name, *_, place in sorted(info, key=lambda column: column[5]) if place]
    constraints = [f"PRIMARY KEY ({', '.join(map(quote, primary))})"] if keys and primary else []
    grouped: dict[int, list[Any]] = defaultdict(list)
    for key in source.execute(f"PRAGMA foreign_key_list({quote(table)})") if keys == "foreign" else ():
        grouped[key[0]].append(key)
    for key in grouped.values():
        columns, named = ", ".join(quote(k[3]) for k in key), [quote(k[4]) for k in key if k[4]]
        to = f" ({', '.join(named)})" if named else ""
        constraints.append(f"FOREIGN KEY ({columns}) REFERENCES {quote(key[0][2])}{to}")
    return constraints
