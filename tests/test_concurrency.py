"""Many at once on one database: nothing that was pinned is lost, and no lock reaches a user."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import apsw
import askwhere
import duckdb
import pytest
from support import NO_BARS, SHOP, connected

pytestmark = pytest.mark.slow

WORK = """
import json, logging, sys, time
import askwhere
dropped, handler = [], logging.Handler()
handler.emit = lambda record: dropped.append(record.getMessage())
logging.getLogger("askwhere").addHandler(handler)
path, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
con = askwhere.connect(path, log="database")
until, pinned, asked = time.monotonic() + seconds, [], 0
while time.monotonic() < until:
    question = f"question {len(pinned)} of {name}"
    con.execute("SELECT ask_pin(?, ?)", (question, f"SELECT '{question}' AS q")).fetchall()
    pinned.append(question)
    assert con.execute("SELECT * FROM ask(?)", (question,)).fetchall() == [(question,)]
    assert con.execute("SELECT * FROM ask('how many customers are in Canada?')").fetchall() == [(2,)]
    if len(pinned) % 5 == int(name) % 5:
        con.execute("SELECT ask_index()").fetchall()
    asked += 2
print(json.dumps([pinned, asked, sum(text.startswith("not kept in the database") for text in dropped)]))
"""


def together(path: Path, processes: int, seconds: float) -> None:
    """Processes that pin, index and ask on one file; fails where one does, or where a pin is lost."""
    con = apsw.Connection(str(path))
    con.execute(SHOP)
    con.close()
    command = [sys.executable, "-W", "error", "-c", NO_BARS + WORK, str(path)]
    running = [
        subprocess.Popen([*command, str(n), str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for n in range(processes)
    ]
    done = [process.communicate(timeout=seconds + 600) for process in running]
    assert [process.returncode for process in running] == [0] * processes, [error for _, error in done if error]
    pinned, asked, dropped = set(), 0, 0
    for out, _ in done:
        questions, n, not_logged = json.loads(out)
        pinned |= set(questions)
        asked += n
        dropped += not_logged
    con = askwhere.connect(path, log="database")
    assert {question for (question,) in con.execute("SELECT question FROM ask_pins()")} == pinned
    assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    # A question that a connection has answered before is no new row.
    logged = con.execute("SELECT count(*) FROM ask_log()").fetchall()[0][0]
    assert len(pinned) + processes == logged + dropped <= asked  # what cannot be logged in time is said, and left
    con.close()


def test_eight_processes_pin_index_and_ask_on_one_file(tmp_path: Path) -> None:
    together(tmp_path / "shop.db", 8, 10)


def threads_together(path: Path, threads: int, seconds: float) -> None:
    """As `together`, with threads on one DuckDB instance, a connection each."""
    con = duckdb.connect(str(path))
    con.execute(SHOP)
    pinned: list[list[str]] = [[] for _ in range(threads)]
    failed: list[BaseException] = []
    until = time.monotonic() + seconds

    def work(number: int) -> None:
        try:
            with con.cursor() as own:
                askwhere.register(own, log="database")
                while time.monotonic() < until:
                    question = f"question {len(pinned[number])} of {number}"
                    own.execute("SELECT ask_pin(?, ?)", (question, f"SELECT '{question}' AS q")).fetchall()
                    pinned[number].append(question)
                    assert own.execute("SELECT * FROM ask(?)", (question,)).fetchall() == [(question,)]
                    found = own.execute("SELECT * FROM ask('how many customers are in Canada?')").fetchall()
                    assert found == [(2,)]
                    if len(pinned[number]) % 5 == number % 5:
                        own.execute("SELECT ask_index()").fetchall()
        except BaseException as exc:
            failed.append(exc)

    running = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(seconds + 600)
    assert failed == []
    assert not any(thread.is_alive() for thread in running)
    askwhere.register(con)
    found = {question for (question,) in con.execute("SELECT question FROM ask_pins()").fetchall()}
    assert found == {question for questions in pinned for question in questions}
    con.close()


def test_eight_threads_pin_index_and_ask_on_one_duckdb(tmp_path: Path) -> None:
    threads_together(tmp_path / "shop.duckdb", 8, 10)


# ------------------------------------------------------------------------------------------------- kill -9 at any time

PINNING = """
import sys
import apsw, askwhere, duckdb
path = sys.argv[1]
con = apsw.Connection(path) if path.endswith(".db") else duckdb.connect(path)
askwhere.register(con, log="database")
print("ready", flush=True)
sys.stdin.readline()
for number in range(10_000):
    con.execute("SELECT ask_pin(?, ?)", (f"question {number}", "SELECT count(*) AS n FROM orders")).fetchall()
    print(number, flush=True)
    if number % 7 == 3:
        con.execute("SELECT ask_index()").fetchall()
"""


def said_until_killed(code: str, path: Path, seconds: float | None = None) -> str:
    """What a process prints that is killed so long after it was let go; by default when it has ended."""
    command = [sys.executable, "-c", NO_BARS + code, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("\n")
    process.stdin.flush()
    if seconds is not None:
        time.sleep(seconds)
        process.kill()
    return process.communicate()[0]


def killed(kind: str, folder: Path, times: int) -> None:
    """Kills a process that pins and indexes; what it had said was pinned must be there each time."""
    path = folder / f"shop.{'db' if kind == 'sqlite' else 'duckdb'}"
    for number in range(times):
        for old in folder.iterdir():
            old.unlink()
        con = connected(kind, path)
        con.execute(SHOP)
        con.close()
        said = said_until_killed(PINNING, path, 0.01 + 0.5 * (number * 0.618 % 1)).split()
        con = askwhere.connect(path)
        questions = [question for (question,) in con.execute("SELECT question FROM ask_pins()").fetchall()]
        assert questions[: len(said)] == [f"question {n}" for n in range(len(said))]
        assert len(questions) <= len(said) + 1
        if questions:
            assert con.execute("SELECT n FROM ask('question 0')").fetchall() == [(4,)]
        if kind == "sqlite":
            assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        con.close()


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_process_killed_while_it_pins_loses_no_pin(kind: str, tmp_path: Path) -> None:
    killed(kind, tmp_path, 12)
