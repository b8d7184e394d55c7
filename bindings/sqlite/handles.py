"""Open a second connection to the user's database that can only read, where generated SQL runs."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote as url_quote

import apsw
from askwhere.bindings.sqlite.scanning import read
from askwhere.bindings.sqlite.schema import collations, plain_names
from askwhere.bindings.sqlite.storage import without_hooks
from askwhere.guard.definitions import Definitions
from askwhere.guard.estimates import MAX_WORK
from askwhere.sql.identifiers import quote, quote_path


def _mode(connection: apsw.Connection, schema: str) -> str:
    """Return the mode in which to open a database's file a second time: 'ro', or 'rw' in WAL mode.

    After a read-only connection has read in WAL mode, the user's own does not delete the log when it closes. There the
    second connection is opened for writing; `query_only` and the authorizer keep it from writing.
    """
    journal = read(connection, f"PRAGMA {quote(schema)}.journal_mode")[0][0]
    return "rw" if journal == "wal" and not connection.readonly(schema) else "ro"


def is_plain(connection: apsw.Connection) -> bool:
    """Return whether a second connection would see all tables that this one sees, and know its collations."""
    temporary = read(connection, "SELECT 1 FROM temp.sqlite_schema LIMIT 1")
    return not temporary and collations(connection) <= plain_names("collation")


def size(connection: apsw.Connection) -> int:
    """Return the bytes of the main database."""
    pages, size_of_page = (read(connection, f"PRAGMA main.{name}")[0][0] for name in ("page_count", "page_size"))
    return int(pages * size_of_page)


def has_moved(connection: apsw.Connection, name: str) -> bool:
    """Return whether the file of an open database was renamed or removed, so that another may have its name."""
    moved = ctypes.c_int(0)
    connection.file_control(name, apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(moved.value)


def open_again(user: apsw.Connection, files: Sequence[tuple[str, str]]) -> apsw.Connection:
    """Open the user's databases, given as name and path each, by a second connection that can only read."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    (_, main), *attached = [(name, _uri(file, _mode(user, name))) for name, file in files]
    with without_hooks():
        handle = apsw.Connection(main, flags=flags)
    for name, uri in attached:
        handle.execute(f"ATTACH ? AS {quote(name)}", (uri,))
    return harden(handle)


def _uri(file: str, mode: str) -> str:
    """Return the URI of a file for SQLite to open."""
    return f"file:{url_quote(str(Path(file).absolute()))}?mode={mode}"


def copy(user: apsw.Connection) -> apsw.Connection:
    """Return a read-only database in memory with the content of the user's main one."""
    with without_hooks():
        handle = apsw.Connection(":memory:")
    content = user.serialize("main")
    if content:
        handle.deserialize("main", content)
    return harden(handle)


def harden(handle: apsw.Connection) -> apsw.Connection:
    """Make a new connection unable to write, and careful with damaged or hostile files; return it."""
    handle.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    handle.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    handle.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    handle.enable_load_extension(False)
    handle.set_busy_timeout(2_000)
    handle.execute("PRAGMA query_only = 1; PRAGMA temp_store = memory; PRAGMA cell_size_check = 1")
    _connect_virtual_tables(handle)
    handle.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    return handle


def _connect_virtual_tables(handle: apsw.Connection) -> None:
    """Connect each virtual table while there is no authorizer, except those over views that take too long to expand.

    When a full-text table connects, it reads its shadow tables, which the authorizer would refuse later.
    """
    made = [
        ((schema, str(name)), kind, str(text))
        for schema in handle.db_names()
        for name, kind, text in handle.execute(
            f"SELECT name, type, sql FROM {quote(schema)}.sqlite_schema"
            " WHERE type = 'view' OR (type = 'table' AND coalesce(rootpage, 0) = 0)"
        )
    ]
    known = Definitions("sqlite", {path: text for path, _, text in made})
    for path in (path for path, kind, _ in made if kind == "table"):
        if known.relation(path).size <= MAX_WORK:
            with contextlib.suppress(apsw.Error):
                handle.execute(f"SELECT 1 FROM {quote_path(path)} LIMIT 0").fetchall()
