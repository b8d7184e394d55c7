"""The worker and the host killed at random moments during a hundred questions: no wrong row, nothing left behind."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from native_hosts import HostError, host, programmed, shop, workers

pytestmark = pytest.mark.slow

QUESTIONS = 100
# A model that answers 'number 17' with a query that says 17 on every row, and takes a moment for it.
NUMBERING = f"""#!{sys.executable}
import re, time
from askwhere.bindings.loadable import worker
from askwhere.models import Scripted
from askwhere.session import Session

class Numbering(Scripted):
    def complete(self, prompt, *arguments, **options):
        number = re.findall(r"number (\\d+)", prompt)[-1]
        self._replies = [f"SELECT {{number}} AS number, name FROM customers ORDER BY id"]
        time.sleep(0.05)
        return super().complete(prompt, *arguments, **options)

def session(settings):
    model = Numbering([])
    return Session({{"model": model, "method": "sea", "remember": "database", "log": "database", **settings}})

worker.Session = session
worker.run()
"""


@pytest.fixture
def numbering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with programmed(tmp_path, NUMBERING) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        yield file


def expected(number: int) -> list[tuple[Any, ...]]:
    return [(number, "Ann"), (number, "Bo"), (number, "Cy")]


def is_sound(path: Path) -> None:
    with sqlite3.connect(path) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("SELECT count(*) FROM customers").fetchall() == [(3,)]
    plain.close()


def test_a_worker_killed_at_random_moments_gives_no_wrong_row(tmp_path: Path, numbering: Path) -> None:
    connection = shop("python", tmp_path / "shop.db")
    draw, done, tried = random.Random(8), threading.Event(), 0

    def killing() -> None:
        """After some statements, in the middle of the next: a busy machine must not kill every worker as it starts."""
        while not done.is_set():
            enough = tried + draw.randint(3, 12)
            while tried < enough and not done.wait(0.005):
                pass
            done.wait(draw.uniform(0, 0.15))
            for process in workers(numbering):
                os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=killing, daemon=True)
    killer.start()
    answered, errors = 0, set()
    for number in range(QUESTIONS):
        for sql in (
            f"SELECT * FROM ask('number {number}')",
            f"CREATE VIRTUAL TABLE t{number} USING ask('number {number}')",
        ):
            tried += 1
            try:
                found = connection.execute(sql).fetchall()
            except HostError as exc:
                errors.add(str(exc))
                connection.execute("BEGIN")  # no transaction was left open
                connection.execute("ROLLBACK")
                continue
            answered += 1
            assert found == (expected(number) if sql.startswith("SELECT") else [])
    done.set()
    killer.join()
    for _ in range(10):  # the last worker may be dead since its answer, or about to be
        with contextlib.suppress(HostError):
            connection.execute("SELECT * FROM ask('number 0')").fetchall()
            break
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING ask%'").fetchall():
        assert connection.execute(f"SELECT * FROM {name}").fetchall() == expected(int(name[1:]))
    connection.close()
    assert answered > QUESTIONS / 2
    assert errors
    assert all(text.startswith("askwhere: the worker") for text in errors), errors
    is_sound(tmp_path / "shop.db")


def test_a_host_killed_at_random_moments_leaves_its_file_sound_and_no_process(tmp_path: Path, numbering: Path) -> None:
    shop("python", tmp_path / "shop.db").close()
    draw, asked, answered = random.Random(9), 0, 0
    while asked < QUESTIONS:
        connection = host("python", tmp_path / "shop.db")
        killer = threading.Timer(draw.uniform(0, 0.2), connection.process.kill)
        last = asked + draw.randint(3, 20)
        try:
            for number in range(asked, QUESTIONS):
                if number == last:
                    killer.start()
                asked += 1
                found = connection.execute(f"SELECT * FROM ask('number {number}')").fetchall()
                assert found == expected(number)
                connection.execute(f"SELECT ask_pin('pinned {number}', 'SELECT {number} AS number FROM customers')")
                answered += 1
        except (HostError, BrokenPipeError, json.JSONDecodeError):
            connection.process.wait(600)
        killer.cancel()
        connection.process.kill()
        with contextlib.suppress(BrokenPipeError):
            connection.process.stdin.close()
        connection.close()
        is_sound(tmp_path / "shop.db")
    assert answered > QUESTIONS / 2
    last = host("python", tmp_path / "shop.db")
    for question, sql in last.execute("SELECT question, sql FROM ask_pins()").fetchall():
        assert sql == f"SELECT {question.split()[1]} AS number FROM customers"
    last.close()
