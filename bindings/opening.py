"""Open a database for an evaluation: read-only, in either engine, with a session of its own."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
from askwhere.bindings import connections, copying, database_files
from askwhere.bindings.duckdb import access, extensions
from askwhere.engine import Checked, Engine, Grant, Limits, Result
from askwhere.errors import AskError, DatabaseError, QueryError, TooMuch
from askwhere.evaluation.databases import ROWS
from askwhere.frozen import frozen
from askwhere.session import Session


@frozen
class Database:
    """An open database, as `askwhere.evaluation.databases.Database` describes it."""

    engine: Engine
    session: Session
    copied: bool
    connection: Any

    def run(self, sql: str, seconds: float) -> Result:
        """Run a query as it is written, and return all of its rows; the columns have no names.

        Raise `QueryError` where it fails and for anything but one SELECT, `TooMuch` for more rows than an evaluation
        compares.
        """
        try:
            _refuse_more_than_select(self.connection, sql)
            result = self.engine.run(Checked(sql, (), ()), Grant(()), Limits(seconds, ROWS))
            width = len(result.rows[0]) if result.rows else len(self.engine.read(f"DESCRIBE {sql}"))
        except QueryError:
            raise
        except (AskError, duckdb.Error) as exc:
            raise QueryError(str(exc), sql) from exc
        if not result.complete:
            raise TooMuch(f"the query gives more than {ROWS:,} rows", sql)
        return Result(("",) * width, result.rows, True, result.seconds)

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def open_database(path: Path, engine: str, settings: Mapping[str, Any]) -> Database:
    """Open a file read-only in `engine`, 'sqlite' or 'duckdb', with a session that uses no pins.

    For 'duckdb', a SQLite file is copied into memory. Gold queries come from a file of questions, which somebody else
    may have written: in DuckDB they reach no file but the database, and load no extension.

    Raise `DatabaseError`, also for a DuckDB file in 'sqlite'.
    """
    session = Session(settings, use_pins=False)
    kind = database_files.kind_of_file(path)
    if kind == "duckdb" and engine == "sqlite":
        raise DatabaseError(f"{path} is a DuckDB database; ask it with --engine duckdb")
    connection = database_files.open_file(path, read_only=True) if kind == engine else _copied(path)
    if engine == "duckdb":
        _close_in(connection)
    return Database(connections.engine(connection), session, kind != engine, connection)


def _close_in(connection: duckdb.DuckDBPyConnection) -> None:
    """Forbid a DuckDB instance all files but its database, and to load extensions."""
    for name, value in extensions.ALONE.items():
        connection.execute(f"SET GLOBAL {name} = {value}")
    access.forbid_files(connection)
    connection.execute("SET GLOBAL lock_configuration = true")


def _refuse_more_than_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise `QueryError` for a text that is not one SELECT: COPY writes files, and COMMIT ends the transaction."""
    kinds = [statement.type.name for statement in connection.extract_statements(sql)]
    if kinds != ["SELECT"]:
        raise QueryError(f"a query that is scored must be one SELECT, found {', '.join(kinds) or 'nothing'}", sql)


def _copied(path: Path) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB database in memory that holds the tables of a SQLite file."""
    # One thread: an evaluation runs one process for each core.
    target = duckdb.connect(":memory:", config={"enable_external_access": False, "threads": 1})
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.text_factory = lambda text: text.decode(errors="ignore")
            copying.copy(source, target)
        return target
    except sqlite3.Error as exc:
        target.close()
        raise DatabaseError(f"{path} could not be copied into DuckDB: {exc}") from exc
