"""Read the tables of a SQLite file with the keys and constraints that perturbed copies must keep."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askwhere.sql.identifiers import quote

# The columns of a foreign key, the table they refer to, and its columns.
Foreign = tuple[tuple[str, ...], str, tuple[str, ...]]


@dataclass(frozen=True)
class Relation:
    """One table. `types` are as declared; `checked` says whether it has a CHECK."""

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    primary: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]
    foreign: tuple[Foreign, ...]
    checked: bool


def relations(connection: sqlite3.Connection) -> Iterator[Relation]:
    """Yield the tables of a database, without virtual tables and their shadow tables."""
    listed = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    ).fetchall()
    names = {name.lower(): name for (name,) in listed if not name.startswith("sqlite_")}
    for name in sorted(names.values()):
        info = connection.execute(f"PRAGMA table_xinfo({quote(name)})").fetchall()
        shown = [column for column in info if column[6] == 0]  # others are hidden or computed
        primary = tuple(c[1] for c in sorted(shown, key=lambda c: c[5]) if c[5])
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
        ).fetchone()
        yield Relation(
            name,
            tuple(c[1] for c in shown),
            tuple(c[2] for c in shown),
            primary,
            tuple(_unique(connection, name)),
            tuple(_foreign(connection, name, names)),
            "check" in sql.lower(),
        )


def _unique(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the columns of each unique index of a table."""
    for _, index, unique, *_ in connection.execute(f"PRAGMA index_list({quote(name)})").fetchall():
        columns = tuple(row[2] for row in connection.execute(f"PRAGMA index_info({quote(index)})"))
        if unique and None not in columns:
            yield columns


def _foreign(connection: sqlite3.Connection, name: str, names: Mapping[str, str]) -> Iterator[Foreign]:
    """Yield the foreign keys of a table whose target exists, with names spelt as in the tables."""
    own = _column_names(connection, name)
    keys: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for key in connection.execute(f"PRAGMA foreign_key_list({quote(name)})").fetchall():
        keys[key[0]].append(key)
    for pairs in keys.values():
        target = names.get(pairs[0][2].lower())
        if target is None:
            continue
        target_names = _column_names(connection, target)
        implied = connection.execute(
            f"SELECT name FROM pragma_table_info({quote(target)}) WHERE pk ORDER BY pk"
        ).fetchall()
        target_columns = [pair[4] or implied[i][0] for i, pair in enumerate(pairs) if pair[4] or i < len(implied)]
        columns = [own.get(pair[3].lower(), "") for pair in pairs]
        found = [target_names.get(column.lower(), "") for column in target_columns]
        if len(found) == len(columns) and all(columns) and all(found):
            yield tuple(columns), target, tuple(found)


def _column_names(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    return {row[1].lower(): row[1] for row in connection.execute(f"PRAGMA table_info({quote(table)})")}


def parents_first(tables: Sequence[Relation]) -> list[Relation]:
    """Return the tables, each after those that it refers to; a circle is broken at its first table."""
    left, sorted_ = list(tables), list[Relation]()
    while left:
        waiting = {t.name for t in left}
        ready = [t for t in left if not any(target in waiting - {t.name} for _, target, _ in t.foreign)] or left[:1]
        sorted_ += ready
        left = [t for t in left if t not in ready]
    return sorted_
