"""Forbid DuckDB all files but those of its databases, and those that were allowed before."""

from __future__ import annotations

from askwhere.bindings.database_files import duckdbs_log
from askwhere.bindings.duckdb import lakes
from askwhere.bindings.duckdb.running import Connection
from askwhere.sql.literals import quoted

_CLOSED = "SELECT NOT system.main.current_setting('enable_external_access')"
_ALLOWED = "SELECT system.main.current_setting('allowed_paths')"
_WRITTEN = "SELECT path FROM system.main.duckdb_databases() WHERE type = 'duckdb' AND path IS NOT NULL AND NOT readonly"
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")  # the files that DuckDB makes beside a database


def forbid_files(connection: Connection) -> None:
    """Forbid the instance all files not allowed so far, for good; the files of attached lakes are allowed first."""
    if connection.execute(_CLOSED).fetchall() == [(True,)]:
        return  # for data files it was set before they are served
    lakes.let_in(connection)
    _let_logs_in(connection)
    connection.execute("SET GLOBAL enable_external_access = false")


def _let_logs_in(connection: Connection) -> None:
    """Allow the logs of databases, which DuckDB itself allows only where no question mark is in their names.

    Without them DuckDB gives up a database as soon as it writes its log into the file.
    """
    paths = [path for (path,) in connection.execute(_WRITTEN).fetchall() if "?" in path]
    if paths:
        allowed = list(connection.execute(_ALLOWED).fetchall()[0][0] or ())
        allowed += [str(duckdbs_log(path, ending)) for path in paths for ending in _LOGS]
        connection.execute(f"SET GLOBAL allowed_paths = [{', '.join(map(quoted, allowed))}]")
