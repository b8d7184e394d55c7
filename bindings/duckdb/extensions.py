"""Load DuckDB's extensions, from their Python packages or as DuckDB installed them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TypeAlias

import duckdb
from askwhere.bindings.duckdb import buckets, escaping
from askwhere.bindings.duckdb.running import Connection
from askwhere.errors import DatabaseError
from askwhere.sql.literals import quoted

TRIED = "1.5.5"  # the newest DuckDB for which PyPI has the extension files
_NEEDS = {"iceberg": "avro"}
Config: TypeAlias = dict[str, str | bool | int | float | list[str]]  # DuckDB's settings by name
# The settings of an instance that loads no extension by itself.
ALONE: Config = {
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
}


def load(connection: Connection, extension: str) -> None:
    """Load an extension after those that it needs. Raise `DatabaseError`, which says how to install it."""
    if extension in _NEEDS:
        load(connection, _NEEDS[extension])
    _load(connection, extension)
    if extension == buckets.EXTENSION:
        buckets.keep_credentials(connection)
    if extension == escaping.EXTENSION:
        escaping.filter_here(connection)


def _load(connection: Connection, extension: str) -> None:
    if (file := packaged(extension)) is not None:
        connection.execute(f"LOAD {quoted(str(file))}")
        return
    try:
        connection.execute(f"LOAD {extension}")
    except duckdb.Error as exc:
        raise DatabaseError(
            f"DuckDB {duckdb.__version__} has no extension {extension}: run the statement INSTALL {extension} where it"
            f" may download, or pip install '.[serve]' duckdb-extension-{extension.replace('_', '-')}=={TRIED} in a"
            f" checkout of askwhere, which takes DuckDB {TRIED} and its extensions from PyPI"
        ) from exc


def available(extension: str) -> bool:
    """Return whether an extension is on this machine for this version of DuckDB."""
    if packaged(extension) is not None:
        return True
    with duckdb.connect(config=ALONE) as connection:
        known = "SELECT installed FROM system.main.duckdb_extensions() WHERE extension_name = ?"
        return connection.execute(known, [extension]).fetchone() == (True,)


def packaged(extension: str) -> Path | None:
    """Return an extension's file for this version of DuckDB from its Python package; None if it is not installed."""
    package = importlib.util.find_spec(f"duckdb_extension_{extension}")
    for folder in (package.submodule_search_locations or ()) if package else ():
        file = Path(folder) / "extensions" / f"v{duckdb.__version__}" / f"{extension}.duckdb_extension"
        if file.exists():
            return file
    return None
