"""Helpers for tests: a small shop in either engine, on real connections, and a model with given replies."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.cli.main import main
from askwhere.models import Completions, Scripted

# Makes a shop whose model gives the replies one after the other; the fixture `scripted` of conftest.py.
Make = Callable[..., tuple[Any, Scripted]]
T, R = TypeVar("T"), TypeVar("R")

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), amount DOUBLE);
INSERT INTO customers VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Canada'), (3, 'Cy', 'Norway');
INSERT INTO orders VALUES (1, 1, 10.0), (2, 1, 20.0), (3, 2, 5.0), (4, 3, 1.5);
"""
PER_COUNTRY = "SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY country"

# Begins a script of `python -c`: where __main__ has no file DuckDB takes the process for an interactive one, and writes
# a progress bar to standard output for each statement of more than two seconds.
NO_BARS = "import __main__; __main__.__file__ = 'script'\n"

# What SQL clients see, in either engine.
ERRORS = (askwhere.AskError, duckdb.Error, apsw.Error)


def connected(kind: str, path: str | Path = ":memory:", read_only: bool = False) -> Any:
    """Return a connection of that engine's own, without askwhere."""
    if kind == "duckdb":
        return duckdb.connect(str(path), read_only=read_only)
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    return apsw.Connection(str(path), flags=flags)


def rows(connection: Any, sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
    """Return all rows of a statement, in either engine or a host."""
    return list((connection.execute(sql) if parameters is None else connection.execute(sql, parameters)).fetchall())


def in_threads(work: Callable[[T], R], arguments: Iterable[T]) -> list[R]:
    """Return what `work` returns for each argument, each in a thread. Raises the first error of any."""
    given = list(arguments)
    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(work, given))


def in_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Return what `askwhere` with these arguments does, run in this process: starting one takes most of its time."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as wrong:
            code = int(wrong.code or 0)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def steps(connection: Any, question: str = "flurb") -> list[str]:
    """The steps by which a question was answered the last time, in order, without what was made ready before them."""
    sql = "SELECT step FROM ask_trace(?) WHERE step NOT IN ('load', 'schema')"
    return [step for (step,) in rows(connection, sql, (question,))]


def error(connection: Any, sql: str, parameters: Any = None) -> str:
    """Return the text of the error that a statement must raise."""
    with pytest.raises(ERRORS) as caught:
        rows(connection, sql, parameters)
    return str(caught.value)


def golden(name: str, text: str) -> None:
    """Compare a text with the file of that name in tests/golden; a missing file is written, to be reviewed."""
    file = Path(__file__).parent / "golden" / name
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        raise AssertionError(f"{file} was missing and is written now; look at it")
    assert text == file.read_text("utf-8")


class Told:
    """A model with a given reply to each question, at any time and in any order; `prompts` is the history."""

    name, remote = "told", False

    def __init__(self, replies: dict[str, str]) -> None:
        self.replies, self.prompts = replies, list[str]()

    def complete(self, prompt: str, n: int = 1, **_: Any) -> Completions:
        """Return the reply to the last question in the prompt; demonstrations come before it."""
        self.prompts.append(prompt)
        return Completions((self.replies[self.question(prompt)],) * n, 1_000, 10)

    def question(self, prompt: str) -> str:
        """Return the question that a prompt asks: of two that end in the same place, the longer one."""
        asked = [question for question in self.replies if question in prompt]
        return max(asked, key=lambda question: (prompt.rfind(question) + len(question), len(question)))


class Database:
    """One engine's database, and its connections, which are closed at the end of the test."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.path = folder / f"shop.{'db' if kind == 'sqlite' else 'duckdb'}"
        self._open: list[Any] = []

    def raw(self, path: str | Path | None = None) -> Any:
        """Return a connection of the engine's own, without askwhere; in memory unless a path is given."""
        self._open.append(connected(self.kind, path or ":memory:"))
        return self._open[-1]

    def shop(self, path: str | Path | None = None, **settings: Any) -> Any:
        """Return a registered connection to a small shop."""
        return self.made(SHOP, path, **settings)

    def made(self, sql: str, path: str | Path | None = None, **settings: Any) -> Any:
        """Return a registered connection on which statements were run."""
        connection = self.raw(path)
        connection.execute(sql)
        askwhere.register(connection, **settings)
        return connection

    def close(self) -> None:
        """Close every connection."""
        for connection in self._open:
            connection.close()
