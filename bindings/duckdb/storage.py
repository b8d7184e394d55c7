"""Keep askwhere's own tables in a DuckDB database."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import duckdb
from askwhere import files
from askwhere.bindings.database_files import duckdbs_log
from askwhere.bindings.duckdb.lakes import is_lake
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.signals import noting, stop
from askwhere.errors import Busy, DatabaseError
from askwhere.frozen import frozen
from askwhere.indexer.comments import TABLE as COMMENTS
from askwhere.indexer.formats import check_plain, foreign
from askwhere.sql.identifiers import quote, quote_path
from askwhere.storage import Storage

# The bytes of a table, by the lengths of its texts in each part, of which DuckDB 1.5 has only that of the longest.
_SIZE = r"""
SELECT coalesce(greatest(sum(nullif(regexp_extract(stats::VARCHAR, '(?i)total.string.length\W+(\d+)', 1), '')::BIGINT),
    max(nullif(regexp_extract(stats::VARCHAR, '(?i)max.string.length\W+(\d+)', 1), '')::BIGINT)), 0)
FROM pragma_storage_info(?)
"""
# A table may have `_PLAIN` bytes of text, or `_RATIO` times the bytes of the file; real texts have up to 5 times.
_PLAIN, _RATIO = 100_000_000, 10
_UNCOMPRESSED = "(k BIGINT, b BLOB USING COMPRESSION uncompressed)"
# The name of the database that is attached for askwhere's own tables, if what is asked cannot hold them.
OWN_DATABASE = "askwhere_kept"
# Held while an index is built, by the database's file. No other process has that open, so that tables found staged in
# it belong to no build under way.
_building: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


@frozen
class DuckDBStorage:
    """See `askwhere.engine.Storage`: tables in the schema `main` of the database that the connection was opened on."""

    connection: Connection
    database: str
    # DuckDB keeps uncommitted changes in memory: an index is staged in tables of this suffix, committed part by part.
    staging: str = "_next"
    # Signals of Ctrl-C while an index is built.
    came: list[int] = field(default_factory=list, repr=False, compare=False)

    @property
    def keyed(self) -> str:
        """See `Storage.keyed`. Compressed blobs take 20 times as long to read, and hardly become smaller."""
        return "(k BIGINT, b BLOB)" if is_lake(self.connection, self.database) else _UNCOMPRESSED

    @property
    def prefix(self) -> str:
        """See `Storage.prefix`."""
        return f"{quote(self.database)}.main."

    def tables(self) -> list[str]:
        """See `Storage.tables`."""
        sql = (
            "SELECT table_name, sql FROM duckdb_tables() WHERE database_name = ? AND schema_name = 'main'"
            " AND starts_with(lower(table_name), 'askwhere_')"
        )
        texts = dict(self.execute(sql, (self.database,)))
        for name in texts.keys() - {COMMENTS}:
            check_plain(name, texts[name])
        return list(texts)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Storage.execute`."""
        rows = self.connection.execute(sql, list(parameters)).fetchall()
        stop(self.came)
        return rows

    def insert(self, table: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """See `Storage.insert`. Arrays are inserted a hundred times as fast as rows."""
        import numpy as np

        blobs = np.empty(len(rows), object)
        blobs[:] = [content for _, content in rows]
        self.connection.register("askwhere_rows", {"k": np.array([key for key, _ in rows], np.int64), "b": blobs})
        try:
            self.connection.execute(f"INSERT INTO {self.prefix}{quote(table)} SELECT k, b FROM askwhere_rows")
        finally:
            self.connection.unregister("askwhere_rows")
        stop(self.came)

    def commit(self) -> None:
        """See `Storage.commit`."""
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def inflates(self, table: str) -> bool:
        """See `Storage.inflates`. Only the descriptions of the columns' parts are read; one part may be gigabytes."""
        return inflates(self.connection, (self.database, "main", table))

    def fetch(self, table: str, keys: Sequence[int]) -> Mapping[int, bytes]:
        """See `Storage.fetch`."""
        if not keys:
            return {}
        sql = f"SELECT k, b FROM {self.prefix}{quote(table)} WHERE k IN (SELECT unnest($1::BIGINT[]))"
        return dict(self.connection.execute(sql, [list(keys)]).fetchall())


def inflates(connection: Connection, table: Sequence[str]) -> bool:
    """Return whether a table's texts and blobs have more than `_PLAIN` bytes, and `_RATIO` times those of the file."""
    with contextlib.suppress(duckdb.Error):  # of a lake, or another kind of database, nothing is described
        size = connection.execute(_SIZE, [quote_path(tuple(table))]).fetchall()[0][0]
        if size > _PLAIN:
            path = "SELECT coalesce(path, '') FROM duckdb_databases() WHERE database_name = ?"
            file = connection.execute(path, [table[0]]).fetchall()[0][0]
            return bool(file) and size > _RATIO * files.state_of(file)[0]
    return False


def home(connection: Connection, database: str | None = None) -> tuple[str, str, bool]:
    """Return a database's name, its file ('' in memory), and whether it is read-only.

    The database is `database`, or if that is None, `OWN_DATABASE` if it is attached, else the connection's own.
    """
    columns = "database_name, coalesce(path, ''), readonly"
    kept = "NOT internal AND coalesce(database_name = $1, TRUE)"
    first = f"database_name = '{OWN_DATABASE}' DESC, database_oid"
    sql = f"SELECT {columns} FROM duckdb_databases() WHERE {kept} ORDER BY {first} LIMIT 1"
    name, path, readonly = connection.execute(sql, [database]).fetchall()[0]
    return str(name), str(path), bool(readonly)


def own_database(connection: Connection) -> str:
    """Return the name of the database that is attached for askwhere's own tables; '' where none is.

    A file of that name on which the connection was opened is the user's.
    """
    sql = "SELECT database_name FROM duckdb_databases() WHERE NOT internal ORDER BY database_oid OFFSET 1"
    return OWN_DATABASE if (OWN_DATABASE,) in connection.execute(sql).fetchall() else ""


@contextlib.contextmanager
def writing(connection: Connection, came: list[int] | None = None) -> Iterator[Storage]:
    """Change the tables in a transaction on a cursor of its own, apart from the user's uncommitted changes.

    It stops with `KeyboardInterrupt` once `came`, the list of signals of `noting`, is not empty.
    """
    try:
        with connection.cursor() as cursor:
            _refuse_running(cursor)
            _make_log(cursor)
            cursor.execute("BEGIN")
            try:
                yield DuckDBStorage(cursor, home(connection)[0], came=[] if came is None else came)
                cursor.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    cursor.execute("ROLLBACK")
                raise
    except duckdb.Error as exc:
        raise _translated(exc) from exc


def _make_log(cursor: Connection) -> None:
    """Make the database's write-ahead log with the permissions of its file: DuckDB lets everyone read one it makes.

    Raise `DatabaseError` where its name is a link, through which DuckDB would overwrite another file.
    """
    sql = "SELECT path FROM duckdb_databases() WHERE database_name = ? AND type = 'duckdb' AND path IS NOT NULL"
    for (path,) in cursor.execute(sql, [home(cursor)[0]]).fetchall():
        log = duckdbs_log(path)
        if log.parent != Path(path).parent:
            raise DatabaseError(
                f"{path} cannot be written: DuckDB looks for its log in {log.parent}, as a folder has a question"
                " mark in its name; rename that, or open the file read-only, to have askwhere's tables beside it"
            )
        with contextlib.suppress(OSError):  # where none can be made, DuckDB says so when it writes
            files.make(log, Path(path))
        if log.is_symlink():
            raise DatabaseError(f"{log} is a link, through which DuckDB would overwrite another file: remove it")


def _refuse_running(cursor: Connection) -> None:
    """Raise `DatabaseError` for a trigger or an index on askwhere's tables: a write could call any function."""
    own = (
        "database_name = ? AND schema_name = 'main' AND starts_with(lower(table_name), 'askwhere_')"
        " AND lower(table_name) <> ?"
    )
    parameters = [home(cursor)[0], COMMENTS]
    # DuckDB 1.5 cannot list indexes where one of an attached SQLite file has brackets around a name. A key has its own.
    indexes = f"SELECT table_name, 'index' FROM duckdb_tables() WHERE {own} AND index_count > has_primary_key::INT"
    triggers = f"SELECT table_name, 'trigger ' || trigger_name FROM duckdb_triggers() WHERE {own}"
    for listed in (indexes, triggers):
        with contextlib.suppress(duckdb.CatalogException):  # DuckDB before version 2 has no triggers
            for table, what in cursor.execute(listed, parameters).fetchall():
                raise foreign(str(table), str(what))


@contextlib.contextmanager
def building(connection: Connection) -> Iterator[Storage]:
    """Enter `writing` once no other build in this file is under way.

    Staged tables of a build that failed or was killed are removed.
    """
    with _building[home(connection)[1]], noting() as came:
        _drop_staged(connection)
        try:
            with writing(connection, came) as storage:
                yield storage
            stop(came)
        except BaseException:
            with contextlib.suppress(DatabaseError):
                _drop_staged(connection)
            raise


def _drop_staged(connection: Connection) -> None:
    """Drop the tables that an unfinished build left."""
    with writing(connection) as storage:
        for name in storage.tables():
            if name.endswith(storage.staging):
                storage.execute(f"DROP TABLE {storage.prefix}{quote(name)}")


def _translated(exc: duckdb.Error) -> DatabaseError:
    """Return our error for one of DuckDB's about writing."""
    text = str(exc)
    if isinstance(exc, duckdb.IOException | duckdb.FatalException) or "rite file" in text or "No space" in text:
        return DatabaseError(f"no space, or the file cannot be written ({exc}); everything is as it was before")
    if isinstance(exc, duckdb.TransactionException):
        return Busy(f"another connection is changing askwhere's tables ({exc}); try again")
    return DatabaseError(f"askwhere's tables could not be written: {exc}")
