"""Migrate askwhere's own tables: each kind of table has numbered migrations, and the database stores its number.

A table of a newer format is an error that says what to do. One of an older format is migrated by the first write.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from askwhere.engine import Storage
from askwhere.errors import AskError, DatabaseError
from askwhere.sql.identifiers import quote

TABLE = "askwhere_formats"


def beside(database: str) -> Path:
    """Return the path of the file that holds askwhere's tables for a database that cannot be written."""
    return Path(f"{database}.askwhere")


def trigger_on(table: str, name: str) -> str:
    """Return the error for a trigger on one of askwhere's own tables: a write of askwhere would run it."""
    return f"the trigger {name} on {table} is not askwhere's, so nothing is written there; drop the trigger"


@dataclass(frozen=True)
class Kind:
    """A table of askwhere's own.

    Each of `migrations` holds the statements that migrate the format before it; `{0}` in them is the table's schema
    with a dot, or ''. The number of the last is the current format. `fresh` creates a table of that format at once,
    where it is given: a statement that is creating a table of the user's allows no ALTER.
    """

    table: str
    migrations: tuple[tuple[str, ...], ...]
    fresh: tuple[str, ...] = ()


def growing(table: str, columns: str, *added: str) -> Kind:
    """Return the kind of a table that began with `columns`, and has one more column, of `added`, in each format."""
    create = f"CREATE TABLE {{0}}{table} ("
    altering = ((f"ALTER TABLE {{0}}{table} ADD COLUMN {column}",) for column in added)
    return Kind(table, ((f"{create}{columns})",), *altering), (f"{create}{', '.join((columns, *added))})",))


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
    found = storage.execute(f"SELECT format FROM {storage.prefix}{TABLE} WHERE name = ?", (kind.table,))
    if found and not (isinstance(found[0][0], int) and found[0][0] > 0):
        raise DatabaseError(
            f"{TABLE} says of {kind.table} that its format is {found[0][0]!r}, which is none;"
            f" DROP TABLE {TABLE} lets it be taken for the first"
        )
    return found[0][0] if found else 1
