"""Forbid DuckDB all files but those of its databases, and those that were allowed before."""

from __future__ import annotations

from askwhere.bindings.database_files import duckdbs_log
from askwhere.bindings.duckdb import lakes
from askwhere.bindings.duckdb.running import Connection
from askwhere.sql.literals import quoted

_CLOSED = "SELECT NOT system.main.current_setting('enable_external_access')"
_ALLOWED = "SELECT system.main.current_setting('allowed_paths')"
_WRITTEN = "SELECT path FROM system.main.duckdb_databases() WHERE type = 'duckdb' AND path IS NOT NULL AND NOT readonly"
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")  # endings of the files that DuckDB makes beside a database


def forbid_files(connection: Connection) -> None:
    """Forbid the instance all files not allowed so far, for good; the files of attached lakes are allowed first."""
    if connection.execute(_CLOSED).fetchall() == [(True,)]:
        return  # as for data files, where it was set when they were opened
    lakes.allow_folders(connection)
    _allow_logs(connection)
    connection.execute("SET GLOBAL enable_external_access = false")


def _allow_logs(connection: Connection) -> None:
    """Allow the logs of databases with a question mark in their paths; those of others DuckDB allows by itself.

    Without its log a database can no longer be used as soon as DuckDB writes the log into the file.
    """
    paths = [path for (path,) in connection.execute(_WRITTEN).fetchall() if "?" in path]
    if paths:
        allowed = list(connection.execute(_ALLOWED).fetchall()[0][0] or ())
        allowed += [str(duckdbs_log(path, ending)) for path in paths for ending in _LOGS]
        connection.execute(f"SET GLOBAL allowed_paths = [{', '.join(map(quoted, allowed))}]")
