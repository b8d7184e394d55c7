"""Helpers for tests of the loadable extension: the extension, a worker with a script, and real hosts."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from askwhere.bindings.loadable import library as native
from support import SHOP, rows

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "extension" / "native").glob("*.c"))
DEBIANS = Path("/usr/bin/python3")
DRIVER = ROOT / "tests" / "hosts" / "driver.py"
NODE_MODULES = ROOT / "build" / "node" / "node_modules"


@functools.cache
def extension() -> Path:
    """Return the extension, compiled; the test is skipped without a compiler or sqlite3ext.h."""
    compiler = shutil.which("cc")
    if compiler is None or "no sqlite3ext.h" in native.missing():
        pytest.skip(native.missing())
    found = Path(tempfile.mkdtemp(prefix="askwhere-")) / "askwhere.so"
    strict = ["-std=gnu11", "-O2", "-g", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *strict, "-fPIC", "-shared", "-o", found, *SOURCES], check=True)
    return found


def worker(folder: Path, *replies: str, **settings: Any) -> Path:
    """Return a worker whose model gives the replies one after the other, by a method that asks once.

    Without replies it is the ordinary worker.
    """
    file = folder / "worker"
    if not replies:
        file.write_text(f"#!{sys.executable}\nfrom askwhere.bindings.loadable import worker\nworker.run()\n")
    else:
        given = {"method": "sea", **settings}
        file.write_text(
            f"#!{sys.executable}\n"
            "from askwhere.bindings.loadable import worker\n"
            "from askwhere.models import Scripted\n"
            "from askwhere.session import Session\n"
            f"given, replies = {given!r}, {list(replies)!r}\n"
            "worker.Session = lambda settings: Session({'model': Scripted(replies), **given, **settings})\n"
            "worker.run()\n"
        )
    file.chmod(0o755)
    return file


@contextmanager
def programmed(folder: Path, program: str) -> Iterator[Path]:
    """Make this program the worker of all hosts of a test; none may outlive its host."""
    file = worker(folder)
    file.write_text(program)
    yield file
    deadline = time.monotonic() + 300
    while workers(file) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers(file) == [], "a worker outlived its host"


def workers(file: Path) -> list[int]:
    """Return the processes that run a worker's command; those that have ended and wait to be collected are none."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(file) in (entry / "cmdline").read_text().split("\0"):
                found.append(int(entry.name))
        except (OSError, UnicodeDecodeError):
            continue
    return found


class HostError(Exception):
    """An error that a host reports."""


def error(connection: Any, sql: str) -> str:
    """Return the text of the error that a statement must raise in a host."""
    with pytest.raises(HostError) as caught:
        rows(connection, sql)
    return str(caught.value)


@dataclass
class Rows:
    """The result of a statement, with the two members of a cursor that the contract's tests use."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    @property
    def description(self) -> list[tuple[str]]:
        return [(name,) for name in self.columns]

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows


class Piped:
    """A process that is controlled through its input and output."""

    process: subprocess.Popen[str]

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait(600)


class Process(Piped):
    """A host that is a process of its own: a JSON line for each statement."""

    def __init__(self, command: Sequence[str | Path], path: str, load: bool = True, **environment: str) -> None:
        arguments = [*map(str, command), path, *([str(extension())] if load else [])]
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def execute(self, sql: str, parameters: Sequence[Any] | None = None) -> Rows:
        self.send(sql, parameters)
        return self.receive()

    def send(self, sql: str, parameters: Sequence[Any] | None = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([sql, parameters]) + "\n")
        self.process.stdin.flush()

    def receive(self) -> Rows:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise HostError(f"the host ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise HostError(answer["error"])
        return Rows(answer["columns"], [tuple(row) for row in answer["rows"]])


class Shell(Piped):
    """The sqlite3 command, its output as JSON."""

    def __init__(self, path: str, load: bool = True) -> None:
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", "sqlite3", path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.command(".mode json")
        if load:
            said = self.command(f".load {extension()}")
            if said:
                raise HostError(said)

    def command(self, text: str) -> str:
        """Return the shell's output for a command or a statement."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{text}\n.print --end--\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "--end--\n":
            if not line:
                raise HostError(f"the shell ended with {self.process.wait()}")
            lines.append(line)
        return "".join(lines)

    def execute(self, sql: str, parameters: Sequence[Any] | None = None) -> Rows:
        self.command(".parameter clear")
        for place, value in enumerate(parameters or (), 1):
            self.command(f".parameter set ?{place} {json.dumps(value)}")
        said = self.command(sql.rstrip("; \n") + "\n;")
        try:
            found = json.loads(said) if said.strip() else []
        except json.JSONDecodeError:
            raise HostError(said) from None  # perhaps after some rows
        return Rows(list(found[0]) if found else [], [tuple(row.values()) for row in found])


HOSTS = ("shell", "python", "apsw", "node")


def host(kind: str, path: str | Path = ":memory:", load: bool = True) -> Any:
    """Return a host of that kind with an open database; the test is skipped where it is not installed."""
    found = _host(kind, path, load)
    found.kind = kind
    return found


def _host(kind: str, path: str | Path, load: bool) -> Any:
    if kind == "apsw":  # with its own SQLite, newer than the one that the extension is compiled for
        return Process([sys.executable, DRIVER, "apsw"], str(path), load)
    if kind == "shell":
        if shutil.which("sqlite3") is None:
            pytest.skip("needs the sqlite3 shell: apt install sqlite3")
        return Shell(str(path), load)
    if kind == "python":
        if not DEBIANS.exists():
            pytest.skip(f"needs the system's own Python at {DEBIANS}")
        return Process([DEBIANS, DRIVER, "sqlite3"], str(path), load)
    if not (NODE_MODULES / "better-sqlite3").is_dir():
        pytest.skip("needs better-sqlite3 in build/node: make node")
    driver = ROOT / "tests" / "hosts" / "driver.js"
    return Process(["node", driver], str(path), load, NODE_PATH=str(NODE_MODULES))


def shop(kind: str, path: str | Path = ":memory:", load: bool = True) -> Any:
    """Return a host with the shop of the other tests in its database."""
    found = host(kind, path, load)
    for statement in filter(str.strip, SHOP.split(";\n")):
        found.execute(statement)
    return found


def script(code: str, *arguments: str | Path, interpreter: str | Path = DEBIANS) -> str:
    """What Debian's Python prints that runs `code`, to which `shop()` opens a database with the extension."""
    if not Path(interpreter).exists():
        pytest.skip(f"needs the system's own Python at {interpreter}")
    prelude = f"""
import os, sqlite3, sys, threading, time

def shop(path=":memory:"):
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=600)
    if path == ":memory:":
        connection.executescript({SHOP!r})
    connection.enable_load_extension(True)
    connection.load_extension({str(extension())!r})
    return connection

def rows(connection, sql):
    return connection.execute(sql).fetchall()

def error(connection, sql):
    try:
        return rows(connection, sql)
    except sqlite3.Error as exc:
        return str(exc)

"""
    ran = subprocess.run(
        [interpreter, "-c", prelude + textwrap.dedent(code), *arguments], capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
