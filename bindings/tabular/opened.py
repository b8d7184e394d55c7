"""Open data files: a DuckDB database in memory with a view for each table, that can read nothing else.

DuckDB's own settings hold that: no file but those of the tables and of `keep` can be opened, and no statement can
change these settings again. So neither a query that a user writes nor a symbolic link reaches another file.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

import duckdb
from askwhere.bindings.duckdb import buckets
from askwhere.bindings.duckdb.access import forbid_files
from askwhere.bindings.duckdb.attaching import Attachments
from askwhere.bindings.duckdb.extensions import ALONE, load
from askwhere.bindings.duckdb.opened import attach_kept
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.source import Source
from askwhere.bindings.tabular import file_tables, frames, sniffing, views
from askwhere.bindings.tabular.file_tables import FileTable
from askwhere.bindings.tabular.formats import is_remote
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

# Seconds to look at the texts in all files; what is not looked at by then stays text, or is told by its first rows.
LOOKING = 5.0

log = logging.getLogger("askwhere")

# Settings that nobody changes later. DuckDB lets a log be sent to a file that it may not write: then each statement
# fails, and closing the connection ends the process.
_FIXED = frozenset({"enable_logging", "logging_storage", "allowed_configs", "lock_configuration"})


def opened(source: Source, attachments: Attachments, extensions: Sequence[str] = ()) -> Connection:
    """Open data files, also of buckets and web servers, or DataFrames, as a database in memory.

    Index, pins, keys and comments go to the DuckDB file `source.keep`.
    Nothing else can be attached or loaded later. With `extensions`, those of a server, the server locks the settings.
    Raise `DatabaseError` for files that cannot be read, and for a file `keep` that is not askwhere's.
    """
    connection = duckdb.connect(":memory:", config=ALONE)
    try:
        for extension in extensions:
            load(connection, extension)
        attachments.attach(connection)  # with the secrets that open buckets
        tables, notes = ((), ()) if source.frames else file_tables.tables(source.paths, _lister(connection))
        if source.keep is not None:
            attach_kept(connection, str(source.keep), source.read_only, source.attach.values())
        tables, unread = _create_views(connection, tables, alone=len(source.paths) == 1 and len(tables) == 1)
        for note in (*notes, *unread, *frames.copied(connection, source.frames, LOOKING)):
            log.warning(note)
        _allow_only_files_of(connection, tables)
        if not extensions:
            _lock_settings(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _lister(connection: Connection) -> file_tables.Lister:
    """Return the function that lists buckets by the connection's secrets."""
    return lambda pattern: buckets.matching(connection, pattern, file_tables.MOST_FILES + 1)


def _create_views(
    connection: Connection, tables: Sequence[FileTable], alone: bool
) -> tuple[tuple[FileTable, ...], list[str]]:
    """Make the views, small files first, as all share one limit of time. Return the tables that have one, and notes.

    A table whose files cannot be read is left out, with a note. Raise `DatabaseError` for one that is `alone`, for one
    on another machine, which may answer later, and where all are left out.
    """
    until = time.monotonic() + LOOKING
    read: list[FileTable] = []
    notes: list[str] = []
    for table in sorted(tables, key=lambda t: t.size):
        try:
            made = views.view(connection, table, max(until - time.monotonic(), 0.05))
        except DatabaseError as exc:
            if alone or is_remote(table.files[0]):
                raise
            notes.append(f"left out: {exc}")
            continue
        connection.execute(f"CREATE VIEW {quote(table.name)} AS {made.sql}")
        read.append(table)
        notes += made.notes
    if tables and not read:
        raise DatabaseError(f"there is no table to ask; {notes[0]}")
    return tuple(read), notes


def _allow_only_files_of(connection: Connection, tables: Sequence[FileTable]) -> None:
    """Restrict the connection to the files of its tables, until it is closed."""
    files = [file for table in tables for file in table.files]
    # DuckDB checks the pattern, which a path with a `*` in it becomes, and then the file.
    allowed = sorted({text for file in files for text in (file, sniffing.pattern(file))})
    connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, allowed))}]")
    forbid_files(connection)


def _lock_settings(connection: Connection) -> None:
    """Lock the settings in `_FIXED`, and keep statements from opening the connection again."""
    names = [name for (name,) in connection.execute("SELECT name FROM system.main.duckdb_settings()").fetchall()]
    changeable = [name for name in names if name not in _FIXED]
    connection.execute(f"SET allowed_configs = [{', '.join(map(quoted, changeable))}]")
    connection.execute("SET lock_configuration = true")
