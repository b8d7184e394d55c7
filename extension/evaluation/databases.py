"""What an evaluation needs of a database; the bindings open it."""

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
        """Where generated queries are checked and run."""

    @property
    def session(self) -> Session:
        """What is remembered while it is asked."""

    @property
    def copied(self) -> bool:
        """Whether it is a copy in DuckDB of a SQLite file."""

    def run(self, sql: str, seconds: float) -> Result:
        """All rows of a query as it is written, to judge by; its columns have no names. Raises `QueryError`."""

    def close(self) -> None:
        """Close it."""


# More rows than any gold query gives; a prediction that gives more is wrong.
ROWS = 1_000_000

# Opens the database of a file in an engine, 'sqlite' or 'duckdb', with settings by name; raises `DatabaseError`. What
# worker processes open databases by is a function of a module, so that they find it by its name.
Opener = Callable[[Path, str, Mapping[str, Any]], Database]
