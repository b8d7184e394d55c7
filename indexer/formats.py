"""Create, read and bound askwhere's own tables. The database stores the format of each; another one is an error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from askwhere.errors import AskError, DatabaseError
from askwhere.frozen import frozen
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
    if computed := _COMPUTED & words(definition):
        raise DatabaseError(
            f"{table} is not as askwhere made it: its definition has {', '.join(sorted(computed)).upper()}; begin anew"
            f" with DROP TABLE {table}"
        )


# What is computed as rows are read or written: constraints, generated columns, collations, and the modules behind
# virtual tables. No table of ours has any.
_COMPUTED = frozenset(("as", "check", "collate", "generated", "virtual"))


@frozen
class Kind:
    """A table of askwhere's own: its columns as CREATE TABLE lists them, and the number of its format."""

    table: str
    columns: str
    format: int = 1


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


def load(
    storages: Iterable[Storage],
    kind: Kind,
    columns: Sequence[str],
    made: Callable[..., _T],
    condition: str = "",
    parameters: Sequence[Any] = (),
    most: int = MOST,
) -> list[_T]:
    """Return `made(*row)` for each row of the tables of a kind.

    `condition` is SQL that follows the table's name. Raise `DatabaseError` for another format, for more than `most`
    rows, which would slow every question down, and for a damaged table or row, for which `made` raises any error.
    """
    loaded: list[_T] = []
    for storage in storages:
        if exists(storage, kind):
            with reporting_damage(kind):
                if storage.inflates(kind.table):
                    raise DatabaseError(
                        f"{kind.table} has far more text than the file has bytes, so it is not read; begin anew with"
                        f" DROP TABLE {kind.table}"
                    )
                table = f"{storage.prefix}{quote(kind.table)}"
                sql = f"SELECT {', '.join(columns)} FROM {table} {condition} LIMIT {most + 1}"
                rows = storage.execute(sql, tuple(parameters))
                if len(rows) > most:
                    raise DatabaseError(f"{kind.table} has more than {most:,} rows to read; delete those of least use")
                loaded += [made(*row) for row in rows]
    return loaded


def keep_newest(storage: Storage, table: str, time: str, most: int) -> None:
    """Delete the oldest rows of a table beyond `most` by the column `time`, a tenth at a time. The caller commits."""
    ((count,),) = storage.execute(f"SELECT count(*) FROM {table}")
    if count > most + most // 10:
        oldest = f"SELECT {time} FROM {table} ORDER BY {time} DESC LIMIT 1 OFFSET {most}"
        storage.execute(f"DELETE FROM {table} WHERE {time} <= ({oldest})")


def exists(storage: Storage, kind: Kind) -> bool:
    """Return whether there is a table of a kind. Raise `DatabaseError` for one of another format."""
    with reporting_damage(kind):
        names = storage.tables()
        if kind.table not in names:
            return False
        stored: Any = 1  # also that of a table that a user made
        if TABLE in names:
            sql = f"SELECT format FROM {storage.prefix}{TABLE} WHERE name = ? LIMIT 1"
            stored = next((row[0] for row in storage.execute(sql, (kind.table,))), 1)
            stored = stored[:20] if isinstance(stored, str | bytes) else stored  # a damaged file's may be long
    if stored != kind.format:
        raise DatabaseError(
            f"{kind.table} was written by another version of askwhere (its format is {stored!r:.80}, this one has"
            f" {kind.format}); use that version, or DROP TABLE {kind.table} to begin anew"
        )
    return True


def prepare(storage: Storage, kind: Kind) -> str:
    """Create the table if there is none, and return its quoted name with its schema. The caller commits."""
    name = f"{storage.prefix}{quote(kind.table)}"
    if not exists(storage, kind):
        storage.execute(f"CREATE TABLE {name} ({kind.columns})")
        formats = f"{storage.prefix}{TABLE}"
        storage.execute(f"CREATE TABLE IF NOT EXISTS {formats} (name TEXT, format BIGINT)")
        storage.execute(f"DELETE FROM {formats} WHERE name = ?", (kind.table,))
        storage.execute(f"INSERT INTO {formats} VALUES (?, ?)", (kind.table, kind.format))
    return name
