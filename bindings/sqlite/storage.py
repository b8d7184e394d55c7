"""Keep askwhere's own tables in a SQLite database, and write them in one transaction.

Where a database cannot be written, its tables are in a file beside it: a SQLite file, for DuckDB databases too.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import apsw
from askwhere import files
from askwhere.bindings.engine_errors import explained
from askwhere.bindings.sqlite.scanning import plain_cursor, read
from askwhere.errors import AskError, Busy, DatabaseError
from askwhere.frozen import frozen
from askwhere.indexer.comments import TABLE as COMMENTS
from askwhere.indexer.formats import check_plain, foreign, side_file
from askwhere.sql.identifiers import quote
from askwhere.storage import Storage

# Lists what is not askwhere's: a file beside a database that has any of it is not ours.
_FOREIGN = r"""
SELECT name FROM sqlite_schema
WHERE tbl_name NOT LIKE 'askwhere\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
"""

_TABLES = r"""
SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name LIKE 'askwhere\_%' ESCAPE '\'
"""
_OURS = r"tbl_name <> ? COLLATE NOCASE AND tbl_name LIKE 'askwhere\_%' ESCAPE '\'"
# What a write to one of our tables would run.
_RUNNING = f"""
SELECT type || ' ' || name, tbl_name FROM main.sqlite_schema
WHERE type IN ('trigger', 'index') AND sql IS NOT NULL AND {_OURS}
UNION ALL SELECT 'temporary trigger ' || name, tbl_name FROM temp.sqlite_schema WHERE type = 'trigger' AND {_OURS}
"""

_hooks_lock = threading.Lock()
_own_changes: weakref.WeakKeyDictionary[apsw.Connection, int] = weakref.WeakKeyDictionary()


@frozen
class SQLiteStorage:
    """See `askwhere.engine.Storage`: tables in the main database of a connection."""

    connection: apsw.Connection
    prefix: str = "main."
    keyed: str = "(k INTEGER PRIMARY KEY, b BLOB)"
    staging: str = ""

    def tables(self) -> list[str]:
        """See `Storage.tables`."""
        definitions = dict(self.execute(_TABLES))
        for name in definitions.keys() - {COMMENTS}:
            check_plain(name, definitions[name])
        return list(definitions)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Storage.execute`."""
        return read(self.connection, sql, parameters)

    def insert(self, table: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """See `Storage.insert`."""
        plain_cursor(self.connection).executemany(f"INSERT INTO {self.prefix}{quote(table)} VALUES (?, ?)", rows)

    def commit(self) -> None:
        """See `Storage.commit`: not needed here, as a transaction is kept in the file, not in memory."""

    def inflates(self, table: str) -> bool:
        """See `Storage.inflates`: SQLite compresses nothing."""
        return False

    def fetch(self, table: str, keys: Sequence[int]) -> Mapping[int, bytes]:
        """See `Storage.fetch`."""
        cursor = plain_cursor(self.connection)
        sql = f"SELECT b FROM {self.prefix}{quote(table)} WHERE k = ?"
        return {key: content for key in keys for (content,) in cursor.execute(sql, (key,))}


@contextlib.contextmanager
def writing(connection: apsw.Connection) -> Iterator[Storage]:
    """Change the connection's own tables in one transaction, or as a part of the user's."""
    before = connection.total_changes()
    begin, commit, rollback = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"
    if connection.in_transaction:
        begin, commit, rollback = "SAVEPOINT askwhere", "RELEASE askwhere", "ROLLBACK TO askwhere; RELEASE askwhere"
    elif connection.txn_state("main") == apsw.SQLITE_TXN_WRITE:
        # Called from inside a statement that writes: what we write is committed, or undone, with it.
        begin = commit = rollback = ""
    try:
        plain_cursor(connection).execute(begin)
        try:
            _refuse_running(connection)
            yield SQLiteStorage(connection)
            plain_cursor(connection).execute(commit)
        except BaseException:
            # An error of the rollback must not hide the cause; a full disk has ended the transaction already.
            if connection.in_transaction:
                with contextlib.suppress(apsw.Error):
                    plain_cursor(connection).execute(rollback)
            raise
    except apsw.Error as exc:
        raise _translated(exc) from exc
    finally:
        _own_changes[connection] = own_changes(connection) + connection.total_changes() - before


def _refuse_running(connection: apsw.Connection) -> None:
    """Raise `DatabaseError` for a trigger, an index or a foreign key on askwhere's tables.

    A write could call any function, and delete rows of other tables.
    """
    running = plain_cursor(connection).execute(_RUNNING, (COMMENTS,) * 2).fetchall()
    for what, table in (*running, *_referring(connection)):
        raise foreign(str(table), str(what))


def _referring(connection: apsw.Connection) -> Iterator[tuple[str, str]]:
    """Yield each foreign key that refers to askwhere's tables, and that table.

    Deleting rows there may delete rows of the table that has the key.
    """
    cursor = plain_cursor(connection)
    if not cursor.execute("PRAGMA foreign_keys").fetchall()[0][0]:
        return
    for (name,) in cursor.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'").fetchall():
        for _, _, table, *_ in cursor.execute(f"PRAGMA main.foreign_key_list({quote(name)})").fetchall():
            if str(table).lower().startswith("askwhere_") and str(table).lower() != COMMENTS:
                yield f"foreign key of {name}", str(table)


def own_changes(connection: apsw.Connection) -> int:
    """Return how many of a connection's changes were to askwhere's own tables."""
    return _own_changes.get(connection, 0)


def _translated(exc: apsw.Error) -> AskError:
    """Return our error for one of SQLite's about writing."""
    if isinstance(exc, apsw.FullError | apsw.IOError):
        return DatabaseError(f"no space, or the file cannot be written ({exc}); everything is as it was before")
    if isinstance(exc, apsw.BusyError | apsw.LockedError):
        return Busy(f"the database is locked by another connection ({exc}); try again when it is free")
    if isinstance(exc, apsw.CorruptError) and (damaged := explained(exc)):
        return damaged
    if isinstance(exc, apsw.ReadOnlyError):
        return DatabaseError(f"the database cannot be written ({exc}); open it with permission to write")
    return DatabaseError(f"askwhere's tables could not be written: {exc}")


def open_side(database: str) -> SQLiteStorage | None:
    """Open the file of tables beside a database for reading; None where there is none. Raise `DatabaseError`."""
    path = side_file(database)
    if not files.is_beside(path, Path(database)):
        return None
    return SQLiteStorage(_side(path, apsw.SQLITE_OPEN_READONLY))


def _side(path: Path, mode: int) -> apsw.Connection:
    """Open the file beside a database. Raise `DatabaseError` where it holds anything but our tables."""
    # NOFOLLOW refuses a link anywhere in the path. Folders may be links, so that they are resolved before.
    uri = f"file:{url_quote(str(path.parent.resolve() / path.name))}"
    try:
        with without_hooks():
            connection = apsw.Connection(uri, flags=mode | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOFOLLOW)
        connection.set_busy_timeout(2_000)
        others = connection.execute(_FOREIGN).fetchall()
    except apsw.Error as exc:
        raise DatabaseError(f"{path} cannot be read: {exc}; remove or rename it if it is damaged") from exc
    if others:
        connection.close()
        raise files.not_ours(path, f"a database with {others[0][0]} in it")
    return connection


@contextlib.contextmanager
def writing_side(database: str) -> Iterator[Storage]:
    """Change the tables beside a database in one transaction; an empty file is not left behind."""
    path = side_file(database)
    try:
        files.is_beside(path, Path(database))
        files.make(path, like=Path(database))
    except OSError as exc:
        raise DatabaseError(f"the database is read-only, and {path} beside it cannot be written ({exc})") from exc
    connection = _side(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        with writing(connection) as storage:
            yield storage
    finally:
        empty = not SQLiteStorage(connection).tables()
        connection.close()
        if empty:
            with contextlib.suppress(OSError):
                os.unlink(path)


@contextlib.contextmanager
def without_hooks() -> Iterator[None]:
    """Suspend the user's connection hooks while a private connection is made.

    A hook may register functions on every new connection, `ask` itself too.
    """
    with _hooks_lock:
        hooks, apsw.connection_hooks[:] = list(apsw.connection_hooks), []
        try:
            yield
        finally:
            apsw.connection_hooks[:] = hooks
