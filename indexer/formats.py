"""Migrate askwhere's own tables: each kind of table has numbered migrations, and the database stores its number.

A table of a newer format raises an error. A table of an older format is migrated by the first write.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from askwhere.errors import AskError, DatabaseError
from askwhere.sql.identifiers import quote
from askwhere.sql.lexer import words
from askwhere.storage import Storage

TABLE = "askwhere_formats"
MOST = 100_000  # rows of a table that are read
_T = TypeVar("_T")


def side_file(database: str) -> Path:
    """Return the path of the file that holds askwhere's tables for a database that cannot be written."""
    return Path(f"{database}.askwhere")


def foreign(table: str, what: str) -> DatabaseError:
    """Return the error for a trigger or an index on one of askwhere's own tables: a write of askwhere would run it."""
    return DatabaseError(f"the {what} on {table} is not askwhere's, so nothing is written there; drop the {what}")


def check_plain(table: str, definition: str) -> None:
    """Raise `DatabaseError` where a table of ours computes something, which may call a user's function."""
    if found := _COMPUTED & words(definition):
        raise DatabaseError(
            f"{table} is not as askwhere made it: its definition has {', '.join(sorted(found)).upper()}; begin anew"
            f" with DROP TABLE {table}"
        )


# What is computed as rows are read or written: constraints, generated columns, collations, and the modules behind
# virtual tables. No table of ours has any.
_COMPUTED = frozenset(("as", "check", "collate", "generated", "virtual"))


@dataclass(frozen=True)
class Kind:
    """A table of askwhere's own.

    Each of `migrations` holds the statements that migrate the format before it; `{0}` in them is the table's schema
    with a dot, or ''. The number of the last one is the current format. `fresh`, if given, creates a table in it at
    once, as ALTER fails inside a CREATE statement of the user's. `since` has, for each column that format 1 lacks, the
    format that added it.
    """

    table: str
    migrations: tuple[tuple[str, ...], ...]
    fresh: tuple[str, ...] = ()
    since: Mapping[str, int] = field(default_factory=dict)


def growing(table: str, columns: str, *added: str) -> Kind:
    """Return the kind of a table that began with `columns`, and has one more column, of `added`, in each format."""
    create = f"CREATE TABLE {{0}}{table} ("
    altering = ((f"ALTER TABLE {{0}}{table} ADD COLUMN {column}",) for column in added)
    since = {column.split()[0]: number for number, column in enumerate(added, 2)}
    return Kind(table, ((f"{create}{columns})",), *altering), (f"{create}{', '.join((columns, *added))})",), since)


def reporting_damage(kind: Kind) -> contextlib.AbstractContextManager[None]:
    """Return a context that reads a table of a kind, as `damage` describes."""
    return damage(
        lambda exc: (
            f"{kind.table} cannot be read ({exc}). If it was changed by hand, take that back, or begin anew with"
            f" DROP TABLE {kind.table}"
        )
    )


@contextlib.contextmanager
def damage(message: Callable[[Exception], str]) -> Iterator[None]:
    """Raise `DatabaseError` for any error of the block, which reads our tables: anyone may have changed the file."""
    try:
        yield
    except AskError:
        raise
    except Exception as exc:  # errors of the engine, and those that a cell of an unexpected type causes
        raise DatabaseError(message(exc)) from exc


def readable(storage: Storage, kind: Kind) -> bool:
    """Return whether the table exists in the current format. Raise `DatabaseError` for a newer format."""
    return stored(storage, kind) == len(kind.migrations)


def load(
    storages: Iterable[Storage],
    kind: Kind,
    columns: Sequence[str],
    made: Callable[..., _T],
    condition: str = "",
    parameters: Sequence[Any] = (),
    most: int = MOST,
) -> list[_T]:
    """Return `made(*row)` for each row of the tables of a kind; a column that a table's format lacks is NULL.

    `condition` is SQL that follows the table's name. Raise `DatabaseError` for a newer format, for more than `most`
    rows, which would slow every question down, and for a damaged table or row, for which `made` raises any error.
    """
    found: list[_T] = []
    for storage in storages:
        if known := stored(storage, kind):
            with reporting_damage(kind):
                if storage.inflates(kind.table):
                    raise DatabaseError(
                        f"{kind.table} has far more text than the file has bytes, so it is not read; begin anew with"
                        f" DROP TABLE {kind.table}"
                    )
                names = ", ".join(name if kind.since.get(name, 1) <= known else "NULL" for name in columns)
                sql = f"SELECT {names} FROM {storage.prefix}{quote(kind.table)} {condition} LIMIT {most + 1}"
                rows = storage.execute(sql, tuple(parameters))
                if len(rows) > most:
                    raise DatabaseError(f"{kind.table} has more than {most:,} rows to read; delete those of least use")
                found += [made(*row) for row in rows]
    return found


def keep_newest(storage: Storage, table: str, time: str, most: int) -> None:
    """Delete the oldest rows of a table beyond `most` by the column `time`, a tenth at a time. The caller commits."""
    ((count,),) = storage.execute(f"SELECT count(*) FROM {table}")
    if count > most + most // 10:
        oldest = f"SELECT {time} FROM {table} ORDER BY {time} DESC LIMIT 1 OFFSET {most}"
        storage.execute(f"DELETE FROM {table} WHERE {time} <= ({oldest})")


def stored(storage: Storage, kind: Kind) -> int:
    """Return the number of the table's format; 0 where there is no table. Raise `DatabaseError` for a newer format."""
    with reporting_damage(kind):
        if kind.table not in storage.tables():
            return 0
        found, known = _format(storage, kind), len(kind.migrations)
    if found > known:
        raise DatabaseError(
            f"{kind.table} was written by a newer askwhere (its format is {found}, this one knows {known}); upgrade, or"
            f" DROP TABLE {kind.table} to begin anew"
        )
    return found


def prepare(storage: Storage, kind: Kind) -> str:
    """Create the table or migrate it, and return its quoted name with its schema. The caller commits."""
    name = f"{storage.prefix}{quote(kind.table)}"
    if readable(storage, kind):
        return name
    start = _format(storage, kind) if kind.table in storage.tables() else 0
    for statements in kind.migrations[start:] if start or not kind.fresh else (kind.fresh,):
        for statement in statements:
            storage.execute(statement.format(storage.prefix))
    formats = f"{storage.prefix}{TABLE}"
    storage.execute(f"CREATE TABLE IF NOT EXISTS {formats} (name TEXT, format BIGINT)")
    storage.execute(f"DELETE FROM {formats} WHERE name = ?", (kind.table,))
    storage.execute(f"INSERT INTO {formats} VALUES (?, ?)", (kind.table, len(kind.migrations)))
    return name


def _format(storage: Storage, kind: Kind) -> int:
    """Return the stored number of a table's format; 1 where none is stored."""
    if TABLE not in storage.tables():
        return 1
    found = storage.execute(f"SELECT format FROM {storage.prefix}{TABLE} WHERE name = ? LIMIT 1", (kind.table,))
    if found and not (isinstance(found[0][0], int) and found[0][0] > 0):
        raise DatabaseError(
            f"{TABLE} says of {kind.table} that its format is {found[0][0]!r}, which is none;"
            f" DROP TABLE {TABLE} lets it be taken for the first"
        )
    return found[0][0] if found else 1
