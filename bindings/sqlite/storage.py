"""askwhere's own tables in a SQLite database, and how an index reads values from one.

Where a database cannot be written, its tables are in a file beside it: a SQLite file, for DuckDB databases too.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import apsw
from askwhere import files
from askwhere.engine import Column, Storage, Table
from askwhere.errors import AskError, Busy, DatabaseError
from askwhere.indexer.comments import TABLE as COMMENTS
from askwhere.indexer.formats import beside, trigger_on
from askwhere.sql.identifiers import quote, quote_path

# Rows joined into one text, at first and at most, and the bytes that such a text should have.
_ROWS, _MOST_ROWS, _BYTES = 50_000, 1_000_000, 8 << 20
# Rows of a table that are counted, at most, to see whether it has changed; beyond, only the highest rowid tells.
COUNTED = 100_000

# Finds what is not askwhere's: a file beside a database with any of it is not ours.
_FOREIGN = r"""
SELECT name FROM sqlite_schema
WHERE tbl_name NOT LIKE 'askwhere\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
"""

_hooks_lock = threading.Lock()
_own_changes: weakref.WeakKeyDictionary[apsw.Connection, int] = weakref.WeakKeyDictionary()


def plain_cursor(connection: apsw.Connection) -> apsw.Cursor:
    """Return a cursor without the user's tracers, which may change rows or skip statements."""
    if not isinstance(connection, apsw.Connection):
        return connection.cursor()  # a connection of another program's, see loadable/host.py
    cursor = apsw.Cursor(connection)
    if connection.row_trace is not None:
        cursor.row_trace = lambda _, row: row
    if connection.exec_trace is not None:
        cursor.exec_trace = lambda *_: True
    return cursor


def read(connection: apsw.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run a query of ours, and return all rows."""
    return plain_cursor(connection).execute(sql, tuple(parameters)).fetchall()


@dataclass(frozen=True)
class SQLiteStorage:
    """See `askwhere.engine.Storage`: tables in the main database of a connection."""

    connection: apsw.Connection
    prefix: str = "main."
    keyed: str = "(k INTEGER PRIMARY KEY, b BLOB)"
    staging: str = ""

    def tables(self) -> list[str]:
        """See `Storage.tables`."""
        sql = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name LIKE 'askwhere\\_%' ESCAPE '\\'"
        return [str(name) for (name,) in self.execute(sql)]

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Storage.execute`."""
        return read(self.connection, sql, parameters)

    def insert(self, table: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """See `Storage.insert`."""
        plain_cursor(self.connection).executemany(f"INSERT INTO {self.prefix}{quote(table)} VALUES (?, ?)", rows)

    def commit(self) -> None:
        """See `Storage.commit`: not needed here, as a transaction is kept in the file, not in memory."""

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
            _refuse_triggers(connection)
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


def _refuse_triggers(connection: apsw.Connection) -> None:
    """Raise `DatabaseError` for a trigger on askwhere's tables: writing them would change others too."""
    found = plain_cursor(connection).execute(
        "SELECT name, tbl_name FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name <> ? COLLATE NOCASE"
        " AND tbl_name LIKE 'askwhere\\_%' ESCAPE '\\'",
        (COMMENTS,),
    )
    for name, table in found.fetchall():
        raise DatabaseError(trigger_on(str(table), str(name)))


def own_changes(connection: apsw.Connection) -> int:
    """Return how many of a connection's changes were to askwhere's own tables."""
    return _own_changes.get(connection, 0)


def _translated(exc: apsw.Error) -> AskError:
    """Return our error for one of SQLite's about writing."""
    if isinstance(exc, apsw.FullError | apsw.IOError):
        return DatabaseError(f"no space, or the file cannot be written ({exc}); everything is as it was before")
    if isinstance(exc, apsw.BusyError | apsw.LockedError):
        return Busy(f"the database is locked by another connection ({exc}); try again when it is free")
    if isinstance(exc, apsw.ReadOnlyError):
        return DatabaseError(f"the database cannot be written ({exc}); open it with permission to write")
    return DatabaseError(f"askwhere's tables could not be written: {exc}")


def open_side(database: str) -> SQLiteStorage | None:
    """Open the file of tables beside a database for reading; None where there is none. Raises `DatabaseError`."""
    path = beside(database)
    if not files.is_beside(path, Path(database)):
        return None
    return SQLiteStorage(_side(path, apsw.SQLITE_OPEN_READONLY))


def _side(path: Path, mode: int) -> apsw.Connection:
    """Open the file beside a database. Raises `DatabaseError` where it holds anything but our tables."""
    # NOFOLLOW refuses a link anywhere in the path. Folders may be links, so that they are resolved before.
    uri = f"file:{url_quote(str(path.parent.resolve() / path.name))}"
    try:
        with without_hooks():
            connection = apsw.Connection(uri, flags=mode | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOFOLLOW)
        connection.set_busy_timeout(2_000)
        found = connection.execute(_FOREIGN).fetchall()
    except apsw.Error as exc:
        raise DatabaseError(f"{path} cannot be read: {exc}; remove or rename it if it is damaged") from exc
    if found:
        connection.close()
        raise files.not_ours(path, f"a database with {found[0][0]} in it")
    return connection


@contextlib.contextmanager
def writing_side(database: str) -> Iterator[Storage]:
    """Change the tables beside a database in one transaction; an empty file is not left behind."""
    path = beside(database)
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


def scan(
    connection: apsw.Connection, table: Table, column: Column, longest: int, numbers: bool
) -> Iterator[tuple[int, Sequence[str]]]:
    """See `Engine.scan`. Many rows are joined into one text, which is far cheaper than fetching each."""
    if column.type.upper() == "INTEGER" and table.primary_key == (column.name,) and not numbers:
        return  # an alias of the rowid, which holds numbers only
    name = quote(column.name)
    kinds = "('text', 'integer', 'real')" if numbers else "('text')"
    # SQLite knows a value's bytes without reading it, but not its characters. Before 3.43 it reads it for both.
    size = f"octet_length({name})" if _has_octet_length(connection) else f"length(CAST({name} AS BLOB))"
    short = f"({size} <= {longest} OR {size} <= {4 * longest} AND length({name}) <= {longest})"
    wanted = f"typeof({name}) IN {kinds} AND {short}"
    written = encoding(connection)
    try:
        rowid = _rowid(connection, table)
        found = (
            _by_rowid(connection, table, name, wanted, rowid, written)
            if rowid
            else _row_by_row(connection, f"SELECT {name} FROM {quote_path(table.path)} WHERE {wanted}", (), written)
        )
        yield from found
    except apsw.Error as exc:
        raise DatabaseError(f"{'.'.join(table.path)} cannot be read: {exc}") from exc


def encoding(connection: apsw.Connection) -> str:
    """How the bytes of a text are to be read: attached databases have the main one's."""
    return str(plain_cursor(connection).execute("PRAGMA main.encoding").fetchall()[0][0])


def _has_octet_length(connection: apsw.Connection) -> bool:
    """Return whether this SQLite has the function octet_length, from 3.43 on."""
    found = plain_cursor(connection).execute("SELECT 1 FROM pragma_function_list WHERE name = 'octet_length'")
    return bool(found.fetchall())


def _rowid(connection: apsw.Connection, table: Table) -> str:
    """Return a name by which the table's rowid can be selected; '' where it has none."""
    taken = {column.name.lower() for column in table.columns}
    name = next((n for n in ("rowid", "_rowid_", "oid") if n not in taken), "")
    if table.kind != "table" or not name:
        return ""
    try:
        plain_cursor(connection).execute(f"SELECT {name} FROM {quote_path(table.path)} LIMIT 0").fetchall()
    except apsw.SQLError:
        return ""
    return name


def _by_rowid(
    connection: apsw.Connection, table: Table, name: str, wanted: str, rowid: str, encoding: str
) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of values and the values, a range of rowids at a time, ranges adapted to values' sizes."""
    path, cursor = quote_path(table.path), plain_cursor(connection)
    # The separator is a literal: `char(31)` would be evaluated for every row.
    joined = f"SELECT count({name}), CAST(group_concat({name}, '\x1f') AS BLOB) FROM {path}"
    plain = f"SELECT {name} FROM {path}"
    part = f"WHERE {rowid} >= ? AND {rowid} < ? AND {wanted}"
    start, stride = -(1 << 63), _ROWS
    while True:
        (start,) = _row(cursor, f"SELECT min({rowid}) FROM {path} WHERE {rowid} >= ?", (start,))
        if start is None:
            return
        bounds = (start, min(start + stride, (1 << 63) - 1))
        count, content = _row(cursor, f"{joined} {part}", bounds)
        if count:
            texts = content.decode(encoding, "replace").split("\x1f")
            if len(texts) == count:
                yield count, texts
            else:  # some value contains the separator
                yield from _row_by_row(connection, f"{plain} {part}", bounds, encoding)
        start += stride
        if start >= (1 << 63) - 1:
            return
        per_row = max(len(content or b"") / stride, 1e-9)
        stride = max(1_000, min(2 * stride, int(_BYTES / per_row), _MOST_ROWS if count else 1 << 40))


def _row(cursor: apsw.Cursor, sql: str, parameters: Sequence[int] = ()) -> tuple[Any, ...]:
    """Return the first row of a query."""
    found: list[tuple[Any, ...]] = cursor.execute(sql, tuple(parameters)).fetchall()
    return found[0]


def _row_by_row(
    connection: apsw.Connection, sql: str, bounds: Sequence[int], encoding: str
) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield values as `_by_rowid` does, each fetched by itself."""
    name, rest = sql.removeprefix("SELECT ").split(" FROM ", 1)
    cursor: Any = plain_cursor(connection).execute(f"SELECT CAST({name} AS BLOB) FROM {rest}", tuple(bounds))
    batch: list[str] = []
    for (content,) in cursor:
        batch.append(content.decode(encoding, "replace"))
        if len(batch) == _ROWS:
            yield len(batch), batch
            batch = []
    if batch:
        yield len(batch), batch


def stamps(connection: apsw.Connection) -> dict[tuple[str, ...], str]:
    """See `Engine.stamps`: the definition, the highest rowid, and the number of rows of a small table."""
    found: dict[tuple[str, ...], str] = {}
    views: dict[tuple[str, ...], str] = {}
    for schema in connection.db_names():
        listed: Any = plain_cursor(connection).execute(
            f"SELECT name, type, sql, rootpage FROM {quote(schema)}.sqlite_schema WHERE type IN ('table', 'view')"
        )
        for name, kind, sql, root in listed.fetchall():
            if name.lower().startswith(("sqlite_", "askwhere_")):
                continue
            shape = f"{zlib.crc32((sql or '').encode('utf-8', 'replace')):08x}"
            if kind == "table" and root:
                found[schema, name] = f"{shape} {_extent(connection, schema, name)}"
            else:
                views[schema, name] = shape
    # The content of a view or a virtual table may change with any table.
    whole = f"{zlib.crc32(repr(sorted(found.items())).encode('utf-8', 'replace')):08x}"
    return found | {path: f"{shape} {whole}" for path, shape in views.items()}


def _extent(connection: apsw.Connection, schema: str, name: str) -> str:
    """Return the number of rows, up to `COUNTED`, and the highest rowid."""
    path, cursor = f"{quote(schema)}.{quote(name)}", plain_cursor(connection)
    (count,) = _row(cursor, f"SELECT count(*) FROM (SELECT 1 FROM {path} LIMIT {COUNTED + 1})")
    highest: Any
    try:
        (highest,) = _row(cursor, f"SELECT max(rowid) FROM {path}")
    except apsw.SQLError:
        highest = None  # WITHOUT ROWID
    return f"{count} {highest}"
