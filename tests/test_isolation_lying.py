"""A process of `isolation = 'process'` that was taken over: whatever it sends, it is rows or an error of ours."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.isolation import engine, process
from askwhere.models import Scripted
from support import ERRORS, Database

pytestmark = pytest.mark.slow

WORKER = """
import json, os, struct
FRAME = struct.Struct("=IcI")
def read(size):
    found = b""
    while len(found) < size:
        piece = os.read(0, size - len(found))
        if not piece:
            os._exit(0)
        found += piece
    return found
def send(kind, content, rows=0):
    left = FRAME.pack(len(content), kind, rows) + content
    while left:
        left = left[os.write(1, left):]
first = True
while True:
    request = json.loads(read(FRAME.unpack(read(FRAME.size))[0]))
    if first:
        send(b"j", b'{"ready": true}')
    elif request["do"] == "check":
        send(b"j", CHECKED)
    else:
        ROWS
        send(b"j", b'{"complete": true, "seconds": 0.1, "undecodable": false}')
    first = False
"""
CHECKED = b'{"sql": "SELECT 1 AS a", "columns": ["a"], "types": ["INTEGER"]}'
LIES = {
    "half of a character": (CHECKED, r"""send(b"r", b'b[["\\ud800"]]', 1)"""),
    "half of one in a list": (CHECKED, r"""send(b"r", b't[[["list", ["\\uDBFF"]]]]', 1)"""),
    "half of one in a name": (CHECKED.replace(b'["a"]', rb'["\ud800"]'), "pass"),
    "half of one in an error": (rb'{"error": "x", "message": "\ud800", "sql": ""}', "pass"),
    "no columns": (CHECKED.replace(b'["a"]', b"[]").replace(b'["INTEGER"]', b"[]"), "pass"),
    "more columns than types": (CHECKED.replace(b'["a"]', b'["a", "b"]'), "pass"),
    "a type that is SQL": (CHECKED.replace(b"INTEGER", b"INTEGER); DROP TABLE customers; --"), "pass"),
    "an interval of no number": (CHECKED, """send(b"r", b't[[["interval", [NaN, 0, 0]]]]', 1)"""),
    "batches without rows": (CHECKED, """while True: os.write(1, FRAME.pack(0, b"r", 0) * 4_000)"""),
}
HOW = ("in Python", "in SQL")
# What DuckDB has and SQLite lacks.
NOT_OF_SQLITE = {
    "a date": """send(b"r", b't[[["date", "2026-01-01"]]]', 1)""",
    "a decimal": """send(b"r", b't[[["decimal", "1.5"]]]', 1)""",
    "a list": """send(b"r", b't[[["list", [1]]]]', 1)""",
    "a map": """send(b"r", b't[[["map", [[1, 2]]]]]', 1)""",
    "a boolean": """send(b"r", b'b[[true]]', 1)""",
    "an integer of 65 bits": """send(b"r", b'b[[9223372036854775808]]', 1)""",
}


@pytest.mark.parametrize("lie", NOT_OF_SQLITE)
def test_rows_of_sqlite_hold_values_of_sqlite(lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database("sqlite", tmp_path)
    with lying(database, CHECKED, NOT_OF_SQLITE[lie], tmp_path, monkeypatch) as made:
        for how in HOW:
            with pytest.raises(ERRORS, match=r"sent something that is no answer: (a value that SQLite|an integer of)"):
                asked(made, how)


@pytest.mark.parametrize("lie", LIES)
def test_what_is_no_answer_is_an_error_of_ours(
    database: Database, lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lying(database, *LIES[lie], tmp_path, monkeypatch) as made:
        for how in HOW:
            if how == "in Python" and lie == "a type that is SQL":
                assert askwhere.ask(made, "flurb of zorb").rows == ()  # no engine is told of it
            elif database.kind == "sqlite" and lie == "a type that is SQL":
                # types that are none are left out
                assert list(made.execute("SELECT * FROM ask('flurb of zorb')")) == []
            else:
                with pytest.raises(ERRORS, match=r"sent something that is no answer|the result is larger than"):
                    asked(made, how)


BREAKING = {
    "closes its output and goes on": ("os.close(1); os.read(0, 1)", "stopped answering, and was ended"),
    "ends in the middle of rows": ("os._exit(3)", r"process ended \(status 3\); ask something"),
    "is killed in the middle of rows": ("os.kill(os.getpid(), 9)", r"process ended \(SIGKILL\), most likely"),
    "is told to end": ("os.kill(os.getpid(), 15)", r"process was ended by another one \(SIGTERM\); ask again"),
}


@pytest.mark.parametrize("how", BREAKING)
def test_one_that_breaks_off_is_an_error_of_ours(
    database: Database, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    does, said = BREAKING[how]
    monkeypatch.setattr(process, "ENDING_SECONDS", 1.0 if "goes on" in how else 600.0)
    half = 'os.write(1, FRAME.pack(100, b"r", 1) + b"b[[");'
    with lying(database, CHECKED, half + does, tmp_path, monkeypatch) as made:
        for way in HOW:
            with pytest.raises(ERRORS, match=said):
                asked(made, way)


STARTING = {
    "fails": ("raise SystemExit(3)", r"needs ended with status 3 while it started; see what .* -m lying_worker"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "needs was ended by SIGKILL while it started, .*; free memory"),
    "says what is no message": ("import time; print('x' * 100, flush=True); time.sleep(600)", "did not say that it is"),
}


@pytest.mark.parametrize("how", STARTING)
def test_one_that_does_not_start_is_an_error_that_says_why_and_what_to_do(
    database: Database, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    does, said = STARTING[how]
    monkeypatch.setattr(process, "ENDING_SECONDS", 600.0)
    monkeypatch.setattr(process, "START_SECONDS", 600.0)
    with lying(database, CHECKED, "", tmp_path, monkeypatch) as made:
        (tmp_path / "lying_worker.py").write_text(does)
        for way in HOW:
            with pytest.raises(ERRORS, match=said):
                asked(made, way)


@contextlib.contextmanager
def lying(
    database: Database, checked: bytes, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Yield a connection whose process says that it has checked a query so, and sends such rows."""
    (tmp_path / "lying_worker.py").write_text(WORKER.replace("CHECKED", repr(checked)).replace("ROWS", rows))
    monkeypatch.setattr(process, "MODULE", "lying_worker")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(engine, "MOST_BYTES", 1_000_000)  # what 8,000 batches without rows count
    database.shop(database.path)
    database.close()
    given = {"method": "sea", "effort": "fast", "isolation": "process", "query_timeout": 600, "max_seconds": 1_200}
    model = Scripted(["SELECT 1 AS a"] * 18)
    with contextlib.closing(askwhere.connect(str(database.path), read_only=True, model=model, **given)) as made:
        yield made


def asked(connection: Any, how: str) -> None:
    """Ask the question in one of two ways."""
    if how == "in Python":
        assert askwhere.ask(connection, "flurb of zorb").rows
    else:
        connection.execute("SELECT * FROM ask('flurb of zorb')").fetchall()
