"""List what another process must open to run queries as this connection does: files, servers, views, extensions."""

from __future__ import annotations

import os
from dataclasses import replace

from askwhere.bindings.duckdb import attached, buckets
from askwhere.bindings.duckdb.addresses import attaching, extensions, variables
from askwhere.bindings.duckdb.attaching import Attachments
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.storage import OWN_DATABASE
from askwhere.bindings.isolation.engine import IN_MEMORY_ONLY, database_spec
from askwhere.bindings.isolation.process import DatabaseSpec
from askwhere.errors import DatabaseError

_DATABASES = """
SELECT database_name, type, coalesce(path, ''), system.main.map_extract_value(options, 'secret')
FROM duckdb_databases() WHERE NOT internal ORDER BY database_oid
"""
_IN_MEMORY = """
SELECT count(*) FROM duckdb_tables() WHERE database_name = ? AND NOT starts_with(lower(table_name), 'askwhere_')
"""
_VIEWS = """
SELECT sql FROM duckdb_views() WHERE NOT internal AND NOT temporary AND database_name = ? AND schema_name = 'main'
ORDER BY view_oid
"""
_READABLE = "SELECT current_setting('allowed_paths'), current_setting('allowed_directories')"


def spec(connection: Connection, attachments: Attachments | None) -> DatabaseSpec:
    """Return the database that the isolated process opens.

    Raise `DatabaseError` where tables are in memory, which no other process can see.
    """
    (main, _, path, _), *others = connection.execute(_DATABASES).fetchall()
    others = [row for row in others if row[0] != OWN_DATABASE]
    for name, kind, file, _ in [(main, "duckdb", path, ""), *others]:
        if kind == "duckdb" and not file and connection.execute(_IN_MEMORY, [name]).fetchall()[0][0]:
            raise DatabaseError(IN_MEMORY_ONLY)
    needed = attachments.extensions() if attachments else set()
    needed = needed.union(*(extensions(kind, file) for _, kind, file, _ in others))
    servers = [attaching(*row) for row in others if row[1] not in ("duckdb", "sqlite")]
    read = set[str]().union(*(variables(kind, file) for _, kind, file, _ in others))
    if read or buckets.EXTENSION in needed:
        read |= {"HOME"}  # the folder with files of passwords, and with DuckDB's secrets
    credentials = filter(None, [buckets.secret(os.environ)] if buckets.EXTENSION in needed else [])
    readable, folders = connection.execute(_READABLE).fetchall()[0]
    database = database_spec(
        "duckdb",
        path or ":memory:",
        tuple((name, file) for name, kind, file, _ in others if kind in ("duckdb", "sqlite") and file),
        extensions=tuple(sorted(needed)),
        servers=(*credentials, *(attachments.secrets if attachments else ()), *servers),
        views=() if path else tuple(sql for (sql,) in attached.read(connection, _VIEWS, [main])),
        readable=tuple(readable or ()),
        folders=tuple(folders or ()),
        variables=tuple(sorted(read)),
    )
    return replace(database, home=os.getcwd()) if folders or database.views else database
