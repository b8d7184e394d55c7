"""Declare what an evaluation needs of a database, which the bindings open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from askwhere.engine import Engine, Result
from askwhere.session import Session


class Database(Protocol):
    """An open database that is only read, and a session that asks it without its pins."""

    @property
    def engine(self) -> Engine:
        """Return the engine in which generated queries are checked and run."""

    @property
    def session(self) -> Session:
        """Return the session that asks the database."""

    @property
    def copied(self) -> bool:
        """Return whether the database is a copy in DuckDB of a SQLite file."""

    def run(self, sql: str, seconds: float) -> Result:
        """Return all rows of a query, run as it is written to judge by; the columns have no names.

        Raise `QueryError`.
        """

    def close(self) -> None:
        """Close the database."""


# More rows than any gold query gives; a prediction that gives more is wrong.
ROWS = 1_000_000

# Opens the database of a file in an engine, 'sqlite' or 'duckdb', with settings by name; raises `DatabaseError`. It is
# a function of a module, since worker processes import it by its name.
Opener = Callable[[Path, str, Mapping[str, Any]], Database]
