"""Write the sample database to a file, completely or not at all, and never over another file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from askwhere.bindings import database_files
from askwhere.errors import DatabaseError
from askwhere.sql.dialects import dialect_of
from askwhere.sql.duckdb import DUCKDB
from askwhere.sql.literals import quoted
from askwhere.sql.sqlite import SQLITE


@cache
def script() -> str:
    """Return the SQL that creates the sample database, which both SQLite and DuckDB can run."""
    return Path(__file__).with_name("world.sql").read_text("utf-8")


def build_sqlite(path: Path) -> None:
    """Write the sample database to a SQLite file; an older sample there is replaced.

    Raise `DatabaseError`, and leave everything as it was, if the file is anything else or cannot be written.
    """
    import apsw

    _put(path, ("-wal", "-journal"), _is_sqlite_sample, _fill_sqlite, apsw.Error)


def build_duckdb(path: Path) -> None:
    """Write the sample database to a DuckDB file; an older sample there is replaced.

    Raise `DatabaseError`, and leave everything as it was, if the file is anything else or cannot be written.
    """
    import duckdb

    _put(path, (".wal",), _is_duckdb_sample, _fill_duckdb, duckdb.Error)


def _put(
    path: Path,
    companions: tuple[str, ...],
    is_sample: Callable[[Path], bool],
    fill: Callable[[Path], None],
    engine_error: type[Exception],
) -> None:
    """Build in a temporary folder beside the file, then rename into place.

    A companion is a file of changes that the engine would apply to the database of that name when it opens it.
    """
    target = path.resolve()
    _check(target, companions, is_sample, engine_error)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            built = Path(folder, "sample")
            fill(built)
            os.replace(built, target)
    except (OSError, engine_error) as error:
        raise DatabaseError(f"the sample database could not be written to {path}: {error}") from error


def _check(
    target: Path, companions: tuple[str, ...], is_sample: Callable[[Path], bool], engine_error: type[Exception]
) -> None:
    """Raise `DatabaseError` unless the file is missing, or is a sample that no process is writing."""
    for companion in companions:
        other = target.with_name(target.name + companion)
        if other.exists():
            raise DatabaseError(f"{other} holds changes to a database that is in use or was not closed; not replaced")
    if not target.exists():
        return
    try:
        ours = target.is_file() and is_sample(target)
    except (OSError, engine_error) as error:
        raise DatabaseError(f"{target} exists and could not be read, so it is not replaced: {error}") from error
    if not ours:
        raise DatabaseError(f"{target} exists and is not the sample database, so it is not replaced: name another file")


_SQLITE_SCHEMA = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1"


def _is_sqlite_sample(path: Path) -> bool:
    """Return whether the SQLite file holds the tables of the sample, defined as they are here, and nothing else."""
    import apsw

    if dialect_of(database_files.head(path)) is not SQLITE:
        return False
    # Immutable: read without locks or files beside it, so that a file which is not ours stays as it is.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"{path.as_uri()}?immutable=1", flags=flags)
    sample = apsw.Connection("")
    try:
        sample.execute(script())
        return connection.execute(_SQLITE_SCHEMA).fetchall() == sample.execute(_SQLITE_SCHEMA).fetchall()
    finally:
        connection.close()
        sample.close()


def _fill_sqlite(path: Path) -> None:
    """Create the tables and their rows in a new SQLite file."""
    import apsw

    connection = apsw.Connection(str(path))
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            connection.execute(script())
    finally:
        connection.close()


_DUCKDB_SCHEMA = """
SELECT table_name, sql FROM duckdb_tables() WHERE NOT internal
UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT index_name, sql FROM duckdb_indexes()
ORDER BY 1
"""


def _is_duckdb_sample(path: Path) -> bool:
    """Return whether the DuckDB file holds the tables of the sample, defined as they are here, and nothing else."""
    import duckdb

    if dialect_of(database_files.head(path)) is not DUCKDB:
        return False
    with duckdb.connect(str(path), read_only=True) as connection:
        schema = connection.execute(_DUCKDB_SCHEMA).fetchall()
    with duckdb.connect() as sample:  # compared as DuckDB writes definitions, not as they were given
        sample.execute(script())
        return schema == sample.execute(_DUCKDB_SCHEMA).fetchall()


def _fill_duckdb(path: Path) -> None:
    """Create the tables and their rows in a new DuckDB file."""
    import duckdb

    with duckdb.connect() as connection:
        # The smallest blocks: each column and key takes at least one. At the usual size the file would have 12 MB.
        # In a format that DuckDB 1.5 reads, too: `askwhere serve` needs that version.
        connection.execute(f"ATTACH {quoted(str(path))} AS sample (BLOCK_SIZE 16384, STORAGE_VERSION 'v1.5.0')")
        connection.execute("USE sample")
        connection.begin()
        connection.execute(script())
        connection.commit()
        connection.execute("USE memory")
        connection.execute("DETACH sample")
