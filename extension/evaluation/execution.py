"""Runs queries to be scored as the official evaluators do: with Python's own sqlite3, on a file that is only read."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from askwhere.engine import Result
from askwhere.errors import QueryError, TooMuch
from askwhere.evaluation.databases import ROWS

# How many steps of SQLite's pass between two looks at the clock.
STEPS = 100_000


class SQLiteFile:
    """A SQLite database to be read only. Text that is not UTF-8 loses what cannot be decoded, as in Spider's code."""

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
        try:
            return text.decode()
        except UnicodeDecodeError:
            self._undecodable = True
            return text.decode(errors="ignore")

    def run(self, sql: str, seconds: float) -> Result:
        """All rows of a query. Raises `QueryError`, after so many seconds and for too many rows `TooMuch`."""
        self._undecodable = False
        started = time.perf_counter()
        with _cut(self._connection, seconds, sql):
            cursor = self._connection.execute(sql)
            rows = cursor.fetchmany(ROWS + 1)
        if len(rows) > ROWS:
            raise TooMuch(f"the query gives more than {ROWS:,} rows", sql)
        columns = tuple(name for name, *_ in cursor.description or ())
        return Result(columns, tuple(rows), True, time.perf_counter() - started, self._undecodable)

    def seconds(self, sql: str, fetch: bool, limit: float) -> float:
        """How long a query takes on a fresh connection, in seconds, by BIRD's two ways of timing.

        Of `execute` alone, which for SQLite is about the time to the first row (VES); or with `fetch` also of making
        and closing the cursor and of reading all rows (R-VES). Raises as `run`.
        """
        with contextlib.closing(self._open()) as connection, _cut(connection, limit, sql):
            if not fetch:
                cursor = connection.cursor()
                started = time.perf_counter()
                cursor.execute(sql)
                return time.perf_counter() - started
            started = time.perf_counter()
            cursor = connection.cursor()
            cursor.execute(sql).fetchall()
            cursor.close()
            return time.perf_counter() - started

    def close(self) -> None:
        """Close it."""
        self._connection.close()


@contextlib.contextmanager
def _cut(connection: sqlite3.Connection, seconds: float, sql: str) -> Iterator[None]:
    """Stop what runs on a connection when its time is used up, and say what SQLite says in our words."""
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
