"""Let DuckDB read the Parquet files of attached DuckLakes although it may open no other files."""

from __future__ import annotations

from pathlib import Path

from askwhere.bindings.duckdb.addresses import LAKE
from askwhere.bindings.duckdb.running import Connection
from askwhere.sql.literals import quoted

_FOLDERS = "SELECT data_path FROM ducklake_settings({})"
_ALLOWED = "SELECT system.main.current_setting('allowed_directories')"


def is_lake(connection: Connection, database: str) -> bool:
    """Return whether an attached database is a DuckLake."""
    kinds = "SELECT type FROM system.main.duckdb_databases() WHERE database_name = ?"
    return connection.execute(kinds, [database]).fetchall() == [(LAKE,)]


def snapshot(connection: Connection, database: str) -> int:
    """Return the number of a lake's newest snapshot, which each change of the lake increases."""
    return int(connection.execute(f"FROM ducklake_current_snapshot({quoted(database)})").fetchall()[0][0])


def allow_folders(connection: Connection) -> None:
    """Allow the folders of attached lakes, before all other files are forbidden."""
    lakes = connection.execute(
        "SELECT database_name, readonly FROM system.main.duckdb_databases() WHERE type = ?", [LAKE]
    ).fetchall()
    folders = list(connection.execute(_ALLOWED).fetchall()[0][0] or ())
    for lake, read_only in lakes:
        for (folder,) in connection.execute(_FOLDERS.format(quoted(lake))).fetchall():
            folders.append(folder)
            if not read_only and "://" not in folder:
                Path(folder).mkdir(parents=True, exist_ok=True)  # DuckDB could not make it later
    if lakes:
        connection.execute(f"SET allowed_directories = [{', '.join(map(quoted, folders))}]")
