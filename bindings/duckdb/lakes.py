"""Lets DuckDB read the Parquet files of attached DuckLakes where it may open no other file."""

from __future__ import annotations

from askwhere.bindings.duckdb.addresses import LAKE
from askwhere.bindings.duckdb.running import Connection
from askwhere.sql.literals import quoted

_FOLDERS = "SELECT data_path FROM ducklake_settings({})"


def is_lake(connection: Connection, database: str) -> bool:
    """Return whether an attached database is a DuckLake."""
    kinds = "SELECT type FROM duckdb_databases() WHERE database_name = ?"
    return connection.execute(kinds, [database]).fetchall() == [(LAKE,)]


def snapshot(connection: Connection, database: str) -> int:
    """Return the number of a lake's newest snapshot, which each change of the lake increases."""
    return int(connection.execute(f"FROM ducklake_current_snapshot({quoted(database)})").fetchall()[0][0])


def let_in(connection: Connection) -> None:
    """Let the connection open the lakes' files when it can open no others; to be called before that is set."""
    lakes = connection.execute("SELECT database_name FROM duckdb_databases() WHERE type = ?", [LAKE]).fetchall()
    settings = [connection.execute(_FOLDERS.format(quoted(lake))).fetchall() for (lake,) in lakes]
    folders = [folder for rows in settings for (folder,) in rows]
    if folders:
        connection.execute(f"SET allowed_directories = [{', '.join(map(quoted, folders))}]")
