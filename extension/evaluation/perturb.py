"""Make perturbed copies of a database, with rows added and changed by code, so that wrong queries show.

On one small database a wrong query often gives the rows that gold gives. A copy has other rows, so that a query which
differs from gold is likely to give other rows there. What holds in the file holds in the copy: the schema, the types of
values, keys and foreign keys, columns without NULL and columns whose values are all different. Two correct ways to ask
the same therefore mostly stay equal.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.evaluation.alikes import Pool, fitting, skewed
from askwhere.evaluation.literals import by_column
from askwhere.evaluation.relations import Relation, parents_first, relations
from askwhere.sql.identifiers import quote

# Part of a copy's name: raise it where the code changes what a copy holds, and old copies are no longer used.
VERSION = 1
# Rows added to a table: as many as it has, within these bounds.
LEAST, MOST = 20, 300
# The share of rows whose values change places in a column; larger tables only get rows added.
CHANGED = 0.5
LARGE = 20_000
# A column with at least so many values, all different, is treated as unique.
DIFFERENT = 5
_NULLS = 0.3


def perturbed(path: Path, seed: int = 0, folder: Path | None = None, queries: Iterable[str] = ()) -> Path:
    """Return the path of a perturbed copy of a SQLite database, the same for the same file, seed and queries.

    What `queries` (for example gold queries) compare a column with is among the values of new rows, with neighbouring
    values. Copies are kept in `folder`, by default one in the user's cache folder, and are made once for each content
    of the file. The folder is private to the user, since another user could put a copy of their own there. Raises
    `sqlite3.Error` for a file that is no database.
    """
    kept = files.private_folder(folder or default_folder())
    compared = by_column(queries)
    copy = kept / f"{path.stem}-{_digest(path, compared)}-{seed}.sqlite"
    if not copy.exists():
        with tempfile.TemporaryDirectory(dir=kept) as making:
            made = Path(making) / copy.name
            files.make(made)
            shutil.copyfile(path, made)
            with closing(sqlite3.connect(made)) as connection:
                perturb(connection, seed, compared)
            os.replace(made, copy)
    return copy


def default_folder() -> Path:
    """Return the folder where copies are kept unless one is named."""
    import platformdirs  # only where no folder is named

    return platformdirs.user_cache_path("askwhere") / "perturbed"


def _digest(path: Path, compared: Mapping[str, Sequence[Any]]) -> str:
    """Return a digest of the file's content, the compared values and the version of this code."""
    prefix = f"{VERSION} {sorted(compared.items())}".encode()
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(prefix, digest_size=8)).hexdigest()


def perturb(connection: sqlite3.Connection, seed: int, compared: Mapping[str, Sequence[Any]]) -> None:
    """Add and change rows of every table, tables that others refer to first.

    `compared` has further values for new rows, by the column's name in lower case: those that queries compare it with.
    """
    connection.text_factory = lambda raw: raw.decode(errors="ignore")  # as Spider's evaluator reads text
    connection.execute("PRAGMA foreign_keys = OFF")
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    # Triggers would change other rows while rows are added; they are made again at the end.
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {quote(name)}")
    tables = list(relations(connection))
    referred = {(target, column) for t in tables for _, target, columns in t.foreign for column in columns}
    for table in parents_first(tables):
        rng = random.Random(f"{seed} {table.name}")
        rows = connection.execute(
            f"SELECT {_listed(table.columns)} FROM {quote(table.name)} LIMIT {LARGE + 1}"
        ).fetchall()
        # Values that change places could break a CHECK.
        if len(rows) <= LARGE and not table.checked:
            together = [columns for columns, *_ in table.foreign if len(columns) > 1]
            fixed = {column for key in (table.primary, *table.unique, *together) for column in key}
            fixed |= {column for target, column in referred if target == table.name}
            rows = _changed(table, rows, fixed, rng)
            connection.execute(f"DELETE FROM {quote(table.name)}")
            _insert(connection, table, rows)
        _insert(connection, table, _added(connection, table, rows, compared, rng))
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()


def _changed(
    table: Relation, rows: Sequence[Sequence[Any]], fixed: set[str], rng: random.Random
) -> list[Sequence[Any]]:
    """Return the rows, with values of each column that is not `fixed` exchanged between some of the rows."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    for name, column in zip(table.columns, columns, strict=False):
        places = [i for i in range(len(rows)) if rng.random() < CHANGED]
        if name not in fixed:
            moved = [column[i] for i in places]
            rng.shuffle(moved)
            for place, value in zip(places, moved, strict=True):
                column[place] = value
    return list(zip(*columns, strict=True))


def _added(
    connection: sqlite3.Connection,
    table: Relation,
    rows: Sequence[Sequence[Any]],
    compared: Mapping[str, Sequence[Any]],
    rng: random.Random,
) -> list[tuple[Any, ...]]:
    """Return new rows for a table: foreign keys from the rows they refer to, other values from the pools."""
    pools = {
        name: _pool(table, name, [row[i] for row in rows], compared.get(name.lower(), ()))
        for i, name in enumerate(table.columns)
    }
    parents: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for columns, target, target_columns in table.foreign:
        found = _keys(connection, target, target_columns, compared, rng)
        before = set(parents.get(columns, found))  # columns may refer to two tables at once
        parents[columns] = [key for key in found if key in before]
    count = min(max(len(rows), LEAST), MOST)
    made = [_row(table, pools, parents, rng) for _ in range(count)]
    return [row for row in made if row is not None]


def _keys(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    compared: Mapping[str, Sequence[Any]],
    rng: random.Random,
) -> list[tuple[Any, ...]]:
    """Return the keys by which rows of a table are referred to, in random order.

    Keys of rows with a value that queries compare with come first, so that they are drawn more often (`skewed`).
    """
    ran = connection.execute(f"SELECT * FROM {quote(table)} LIMIT {LARGE}")
    names = [description[0] for description in ran.description]
    compared_values = [set(compared.get(name.lower(), ())) for name in names]
    keys = {
        tuple(row[names.index(column)] for column in columns): any(
            v in w for v, w in zip(row, compared_values, strict=True)
        )
        for row in ran
    }
    found = list(keys)
    rng.shuffle(found)
    return sorted(found, key=lambda key: not keys[key])


def _row(
    table: Relation,
    pools: Mapping[str, Pool],
    parents: Mapping[tuple[str, ...], Sequence[Sequence[Any]]],
    rng: random.Random,
) -> tuple[Any, ...] | None:
    """Return a new row; None where a column has no unused value left."""
    row: dict[str, Any] = {}
    for columns, found in parents.items():
        if pools[columns[0]].null(rng):
            row |= dict.fromkeys(columns)
        elif len(columns) > 1:
            row |= zip(columns, skewed(found, rng), strict=True) if found else {}
        else:
            row |= {columns[0]: pools[columns[0]].choose([key for (key,) in found], rng)}
    row |= {name: None if pools[name].null(rng) else pools[name].draw(rng) for name in table.columns if name not in row}
    whole = all(row[name] is not None or pools[name].nulls for name in table.columns)
    return tuple(row[name] for name in table.columns) if whole else None


def _pool(table: Relation, name: str, cells: Sequence[Any], compared: Sequence[Any]) -> Pool:
    """Return the pool that new values of a column are drawn from."""
    values = [value for value in cells if value is not None]
    refers = any(name in columns for columns, *_ in table.foreign)
    named = any(isinstance(value, str) for value in values) or not table.primary
    different = len(values) >= DIFFERENT and len(set(values)) == len(values) and named and not refers
    unique = different or (name,) in (table.primary, *table.unique)
    nulls = min(1 - len(values) / len(cells), _NULLS) if cells else 0.0
    declared = table.types[table.columns.index(name)]
    return Pool(
        tuple(values), tuple(dict.fromkeys(values)), fitting(compared, values), unique, declared, nulls, set(values)
    )


def _insert(connection: sqlite3.Connection, table: Relation, rows: Sequence[Sequence[Any]]) -> None:
    """Add rows; those that break a constraint are left out."""
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(
        f"INSERT OR IGNORE INTO {quote(table.name)} ({_listed(table.columns)}) VALUES ({marks})", rows
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))
