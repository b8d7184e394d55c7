"""Run the queries that are scored as the official evaluators do: with Python's sqlite3, on a file opened read-only."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from askwhere.engine import Result
from askwhere.errors import QueryError, TooMuch
from askwhere.evaluation.databases import ROWS

# Instructions of SQLite's virtual machine between two looks at the clock.
STEPS = 100_000


class SQLiteFile:
    """A SQLite database opened read-only. Bytes that are not UTF-8 are dropped from texts, as in Spider's code."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._undecodable = False
        self._connection = self._open()
        self._connection.text_factory = self._decoded

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)  # ATTACH and VACUUM INTO make files
        return connection

    def _decoded(self, text: bytes) -> str:
        """Decode a text, and note where bytes had to be dropped."""
        try:
            return text.decode()
        except UnicodeDecodeError:
            self._undecodable = True
            return text.decode(errors="ignore")

    def run(self, sql: str, seconds: float) -> Result:
        """Return all rows of a query.

        Raise `QueryError` if it fails, and `TooMuch` after `seconds` or for more than `ROWS` rows.
        """
        self._undecodable = False
        started = time.perf_counter()
        with _cut(self._connection, seconds, sql):
            cursor = self._connection.execute(sql)
            rows = cursor.fetchmany(ROWS + 1)
        if len(rows) > ROWS:
            raise TooMuch(f"the query gives more than {ROWS:,} rows", sql)
        columns = tuple(name for name, *_ in cursor.description or ())
        return Result(columns, tuple(rows), True, time.perf_counter() - started, self._undecodable)

    def seconds(self, sql: str, limit: float) -> float:
        """Return the seconds that `execute` of a query takes on a fresh connection, as BIRD's VES times it.

        In SQLite that is about the time to the first row. `limit` is in seconds. Raise as `run`.
        """
        with contextlib.closing(self._open()) as connection, _cut(connection, limit, sql):
            cursor = connection.cursor()
            started = time.perf_counter()
            cursor.execute(sql)
            return time.perf_counter() - started

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@contextlib.contextmanager
def _cut(connection: sqlite3.Connection, seconds: float, sql: str) -> Iterator[None]:
    """Stop what runs on a connection after `seconds`, and translate SQLite's exceptions.

    They become `QueryError`, or `TooMuch` if the time was over.
    """
    deadline = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as exc:
        if time.monotonic() > deadline:
            raise TooMuch(f"the query was stopped after {seconds:g} seconds", sql) from exc
        raise QueryError(str(exc), sql) from exc
    finally:
        connection.set_progress_handler(None, 0)
