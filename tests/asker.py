"""A process with DuckDB and askwhere for tests of attached databases, in the environment that has its extensions."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import BIN
from support import NO_BARS

SHOP = (
    "CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR(20), country VARCHAR(20))",
    "CREATE TABLE deal (number INTEGER PRIMARY KEY, bought_by INTEGER, amount DOUBLE PRECISION,"
    " FOREIGN KEY (bought_by) REFERENCES client (id))",
    "INSERT INTO client VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Norway')",
    "INSERT INTO deal VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5)",
)
# Runs statements, one a line, on a connection to DuckDB with askwhere; answers with the rows, or with the error's text.
CLIENT = """
import json, logging, sys, askwhere, duckdb
from askwhere.bindings.duckdb import attaching, pushing
from askwhere.bindings.duckdb.extensions import load
from askwhere.models import Scripted
said = []
class Replying:
    name, remote, reply = "replying", False, ""
    def complete(self, prompt, n=1, **options):
        return Scripted([self.reply] * n).complete(prompt, n)
model, registered, number = Replying(), None, 0
logging.getLogger("askwhere").addHandler(handler := logging.Handler())
handler.emit = lambda record: said.append(record.getMessage())
if sys.argv[1:]:
    attaching.RETRY_SECONDS = 0
    attaching.ANSWER_SECONDS = attaching.LEFT_OUT_SECONDS = float(sys.argv[2])
    if sys.argv[3] == "True":
        pushing.LEAST_ROWS = pushing.TIMES = 0
    connection = askwhere.connect(**json.loads(sys.argv[1]))
else:
    connection = duckdb.connect()
    for extension in ("postgres_scanner", "mysql_scanner", "sqlite_scanner"):
        load(connection, extension)
    askwhere.register(connection)
for line in sys.stdin:
    text = json.loads(line)
    try:
        if text == "said":
            found = said
        elif text.startswith("!"):
            attaching.ANSWER_SECONDS = attaching.LEFT_OUT_SECONDS = float(text[1:])
            found = []
        elif text.startswith("?"):
            found = askwhere.ask(connection, text[1:]).rows
        elif text.startswith(">"):
            model.reply, settings = json.loads(text[1:])
            if registered != settings:
                askwhere.register(connection, model=model, method="sea", **settings)
            registered, number = settings, number + 1
            found = askwhere.ask(connection, f"any question {number}").rows
        else:
            found = connection.execute(text).fetchall()
    except Exception as exc:
        found = f"{type(exc).__name__}: {exc}"
    print(json.dumps(found, default=str), flush=True)
"""


class Answering:
    """A process with DuckDB's extensions that runs a script, which answers lines of JSON with others."""

    def __init__(self, script: str, *arguments: str) -> None:
        assert BIN.exists(), "make serving installs what these tests need"
        command = [BIN / "python", "-c", NO_BARS + script, *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def run(self, text: str) -> Any:
        """Return what the process answers to a text."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the process has ended"
        return json.loads(line)

    def replied(self, sql: str, **settings: str) -> Any:
        """Return the rows of a question to which a model replies with `sql`, or the error's text.

        The model, with its reply, stays for the next question.
        """
        return self.run(">" + json.dumps([sql, settings]))

    def close(self) -> None:
        self._process.communicate()


class Asker(Answering):
    """A process with a DuckDB connection on which askwhere is registered, opened with `connect` if that is given.

    It answers a statement with its rows or the text of its error, a question that begins with `?` with its rows; `!`
    sets the seconds that a server has to answer, at first `answer_seconds`. With `push`, a server answers each query
    that it can.
    """

    def __init__(self, answer_seconds: float = 600, push: bool = False, **connect: Any) -> None:
        super().__init__(CLIENT, *([json.dumps(connect), str(answer_seconds), str(push)] if connect else []))


def executing(asker: Asker, kind: str, at: str) -> Callable[..., None]:
    """Return a function that runs statements in a server's own SQL."""

    def run(*statements: str) -> None:
        assert (said := asker.run(f"ATTACH IF NOT EXISTS '{at}' AS own (TYPE {kind})")) == [], said
        for statement in statements:
            quoted = statement.replace("'", "''")
            assert not isinstance(said := asker.run(f"CALL {kind}_execute('own', '{quoted}')"), str), said
        assert (said := asker.run("DETACH own")) == [], said

    return run


class Source:
    """A database of one kind with a shop in it; `attach` is the statement for DuckDB, `address` that of `--attach`."""

    def __init__(self, attach: str, run: Callable[..., None], address: str) -> None:
        self.attach, self.run, self.address = attach, run, address
        run(*SHOP)


@contextlib.contextmanager
def attached_source(kind: str, asker: Asker, folder: Path, request: pytest.FixtureRequest) -> Iterator[Source]:
    """Attach a database of a kind with a shop in it to an asker as `crm`, to be read only."""
    if kind == "sqlite":
        path = folder / "shop.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            attach = f"ATTACH '{path}' AS crm (TYPE sqlite, READ_ONLY)"
            made = Source(attach, lambda *sqls: [*map(connection.execute, sqls)] and None, f"sqlite:{path}")
            assert asker.run(made.attach) == []
            yield made
        return
    at = request.getfixturevalue("postgres_at" if kind == "postgres" else "mariadb_at")
    if kind == "postgres":
        executing(asker, kind, at)("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    else:
        executing(asker, kind, at)("DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop")
        at = at.replace("database=mysql", "database=shop")
    address = f"{'postgres' if kind == 'postgres' else 'mariadb'}:{at}"
    made = Source(f"ATTACH '{at}' AS crm (TYPE {kind}, READ_ONLY)", executing(asker, kind, at), address)
    assert asker.run(made.attach) == []
    yield made
