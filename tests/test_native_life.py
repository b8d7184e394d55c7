"""The extension and its worker in trouble: killed, stopped, missing, interrupted, shared, forked; and what is left."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from askwhere.bindings import sample
from askwhere.bindings.loadable.worker import Served
from askwhere.session import Session
from native_hosts import SOURCES, HostError, error, extension, host, programmed, script, shop, worker, workers
from support import PER_COUNTRY, SHOP, rows

pytestmark = pytest.mark.slow

ANSWER = [("Canada", 2), ("Norway", 1)]

# A model that waits as long as the question says: FILE.waits says that it does, FILE.enough that it may go on.
SLOW = f"""#!{sys.executable}
import os, re, sys, time
from askwhere.bindings.loadable import worker
from askwhere.models import Scripted
from askwhere.session import Session

class Slow(Scripted):
    def complete(self, prompt, *arguments, **options):
        found = re.search(r"wait (\\d+)", prompt)
        if found:
            open(sys.argv[0] + ".waits", "w").close()
        for _ in range(10 * int(found.group(1)) if found else 0):
            if os.path.exists(sys.argv[0] + ".enough"):
                break
            time.sleep(0.1)
        return super().complete(prompt, *arguments, **options)

worker.Session = lambda settings: Session({{"model": Slow(["{PER_COUNTRY}"] * 500), "method": "sea", **settings}})
worker.run()
"""


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The command of a worker whose model takes as long as the question says, for all hosts of the test."""
    with programmed(tmp_path, SLOW) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        yield file


def kill(file: Path, how: int = signal.SIGKILL) -> None:
    for process in workers(file):
        os.kill(process, how)
    while how == signal.SIGKILL and workers(file):
        time.sleep(0.01)
    time.sleep(0.2)  # its sockets close a little later


def waiting(file: Path) -> None:
    """Returns when the model of a worker waits."""
    until = time.monotonic() + 300
    while not file.with_name(f"{file.name}.waits").exists():
        assert time.monotonic() < until, "the model was not asked"
        time.sleep(0.01)


def zombies(parent: int) -> list[str]:
    listed = subprocess.run(["ps", "-o", "stat=,pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if line.strip().startswith("Z")]


def test_a_worker_that_dies_is_followed_by_another_that_has_the_settings(slow: Path) -> None:
    connection = shop("python")
    rows(connection, "SELECT ask_set('max_rows', 7)")
    kill(slow)
    assert rows(connection, "SELECT ask_set('max_rows')") == [("max_rows = 7",)]
    connection.send("SELECT * FROM ask('wait 3600')")
    waiting(slow)
    kill(slow)
    with pytest.raises(HostError, match="the worker ended before it had answered; ask again"):
        connection.receive()
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    assert len(workers(slow)) == 1
    assert zombies(connection.process.pid) == []
    connection.close()


def test_a_worker_that_hangs_is_ended(slow: Path) -> None:
    connection = shop("python")
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    kill(slow, signal.SIGSTOP)
    assert "the worker said nothing for 10 seconds and was ended; ask again" in error(
        connection, "SELECT ask_version()"
    )
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    assert len(workers(slow)) == 1
    connection.close()


def test_a_worker_that_cannot_be_started_is_an_error_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = tmp_path / "broken", tmp_path / "other"
    broken.write_text("#!/bin/sh\necho first >&2\necho No module named askwhere >&2\nexit 1\n")
    broken.chmod(0o755)
    other.write_text(
        f"#!{sys.executable}\nimport askwhere\naskwhere.__version__ = '0.0'\n"
        "from askwhere.bindings.loadable import worker\nworker.run()\n"
    )
    other.chmod(0o755)
    for command, said in (
        (tmp_path / "none", "it cannot be run: there is no such file"),
        (Path("/bin/true"), "it ended at once"),
        (broken, "could not be started: No module named askwhere"),
        (other, "the worker .* of 0.0; run `askwhere extension-path`"),
    ):
        monkeypatch.setenv("ASKWHERE_WORKER", str(command))
        connection = shop("python")
        with pytest.raises(HostError, match=said):
            rows(connection, "SELECT ask_version()")
        assert rows(connection, "SELECT count(*) FROM customers") == [(3,)]
        connection.close()


def test_the_worker_is_found_beside_the_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASKWHERE_WORKER", raising=False)
    folder = tmp_path / "native"
    folder.mkdir()
    beside = folder / "askwhere.so"
    shutil.copy(extension(), beside)
    (folder / "askwhere.worker").write_text(f"{worker(tmp_path)}\n")
    said = subprocess.run(
        ["sqlite3", ":memory:", f".load {beside}", "SELECT ask_version()"], capture_output=True, text=True
    )
    assert said.stdout == "0.1.0\n", said.stderr
    (folder / "askwhere.worker").unlink()
    said = subprocess.run(
        ["sqlite3", ":memory:", f".load {beside}", "SELECT ask_version()"], capture_output=True, text=True
    )
    assert "Run `askwhere extension-path` where askwhere is installed" in said.stderr


@pytest.mark.parametrize("kind", ["python", "apsw"])
def test_an_interrupt_stops_a_question_and_the_next_one_is_answered(slow: Path, kind: str) -> None:
    connection = shop(kind)
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    for _ in range(2):
        with pytest.raises(HostError, match="interrupt"):
            connection.execute("interrupt 0.5 SELECT * FROM ask('wait 3600')")
        assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    assert len(workers(slow)) == 1
    connection.close()


def test_ctrl_c_in_the_shell_stops_a_question(slow: Path) -> None:
    shell = pexpect.spawn("sqlite3", [":memory:"], encoding="utf-8", timeout=300)
    shell.setecho(False)
    for line in (f".load {extension()}", "CREATE TABLE customers (name, country);", "SELECT * FROM ask('q') LIMIT 1;"):
        shell.expect("sqlite> ")
        shell.sendline(line)
    shell.expect("sqlite> ")
    shell.sendline("SELECT * FROM ask('wait 3600');")
    waiting(slow)
    shell.sendintr()
    shell.expect("interrupted")
    shell.expect("sqlite> ")
    shell.sendline("SELECT ask_version();")
    shell.expect("0.1.0")
    shell.close()


def test_a_host_that_is_killed_takes_its_worker_with_it(slow: Path) -> None:
    connection = shop("python")
    connection.send("SELECT * FROM ask('wait 3600')")
    waiting(slow)
    assert len(workers(slow)) == 1
    connection.process.kill()
    connection.process.wait()
    connection.close()  # and the fixture waits for the worker's end


def test_connections_and_threads_share_one_worker_and_a_slow_model_blocks_only_its_own_question(slow: Path) -> None:
    printed = script(
        """
        waiting, quick = shop(), shop()
        rows(quick, "SELECT * FROM ask('q')")
        thread = threading.Thread(target=lambda: print(rows(waiting, "SELECT * FROM ask('wait 3600')")))
        thread.start()
        while not os.path.exists(os.environ["ASKWHERE_WORKER"] + ".waits"):
            time.sleep(0.01)
        assert rows(quick, "SELECT * FROM ask('r')") == [("Canada", 2), ("Norway", 1)]
        assert thread.is_alive()
        open(os.environ["ASKWHERE_WORKER"] + ".enough", "w").close()

        def ask_often(number):
            connection = shop()
            connection.execute(f"INSERT INTO customers VALUES (9, 'Zed', 'country {number}')")
            for turn in range(10):
                found = rows(connection, f"SELECT * FROM ask('question {turn}')")
                assert (f"country {number}", 1) in found, found
            connection.close()

        threads = [threading.Thread(target=ask_often, args=(n,)) for n in range(4)]
        [t.start() for t in threads]
        [t.join() for t in (*threads, thread)]
        commands = [open(f"/proc/{p}/cmdline").read() for p in os.listdir("/proc") if p.isdigit()]
        print(sum(os.environ["ASKWHERE_WORKER"] in command.split("\\0") for command in commands))
        """
    )
    assert printed.splitlines() == [str(ANSWER), "1"]


def test_the_hosts_own_handlers_are_asked_and_are_in_place_again(slow: Path) -> None:
    printed = script(
        """
        connection = shop()
        seen = []
        connection.set_authorizer(lambda *event: seen.append(event) or sqlite3.SQLITE_OK)
        assert len(rows(connection, "SELECT * FROM ask('q')")) == 2
        assert any(event[1] == "customers" for event in seen)
        seen.clear()
        rows(connection, "SELECT name FROM customers")
        print(len(seen) > 0)
        connection.set_authorizer(lambda *event: sqlite3.SQLITE_DENY if event[1] == "customers" else sqlite3.SQLITE_OK)
        print("prohibited" in error(connection, "SELECT name FROM customers"))
        print("no usable query" in error(connection, "SELECT * FROM ask('r')") or "prohibited")
        print("prohibited" in error(connection, "SELECT name FROM customers"))
        connection.set_authorizer(None)
        calls = []
        connection.set_progress_handler(lambda: calls.append(1), 500)
        rows(connection, "SELECT * FROM ask('s')")
        calls.clear()
        rows(connection, "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k LIMIT 9999) SELECT * FROM k")
        print(len(calls) > 50)
        waits = os.environ["ASKWHERE_WORKER"] + ".waits"
        connection.set_progress_handler(lambda: os.path.exists(waits), 500)
        print(error(connection, "SELECT * FROM ask('wait 3600')"))
        """
    )
    assert printed.splitlines() == ["True", "True", "True", "True", "True", "interrupted"]


def test_statements_that_are_open_at_once_ask_different_questions(tmp_path: Path, slow: Path) -> None:
    slow.write_text(
        SLOW.replace(f'["{PER_COUNTRY}"] * 500', f'["{PER_COUNTRY}", "SELECT name FROM customers ORDER BY id"]')
    )
    printed = script(
        """
        connection = shop()
        first = connection.execute("SELECT * FROM ask('q')")
        print(first.fetchone())
        second = connection.execute("SELECT * FROM ask('names')")
        print(second.fetchone(), first.fetchall(), second.fetchall())
        """
    )
    assert printed.splitlines() == ["('Canada', 2)", "('Ann',) [('Norway', 1)] [('Bo',), ('Cy',)]"]


def test_a_forked_child_asks_through_a_worker_of_its_own(slow: Path) -> None:
    printed = script(
        """
        connection = shop()
        assert len(rows(connection, "SELECT * FROM ask('q')")) == 2
        sys.stdout.flush()
        if os.fork() == 0:
            own = shop()
            print("child", len(rows(own, "SELECT * FROM ask('q')")), len(rows(connection, "SELECT * FROM ask('q')")))
            sys.stdout.flush()
            os._exit(0)
        os.wait()
        print("parent", len(rows(connection, "SELECT * FROM ask('r')")))
        """
    )
    assert printed.splitlines() == ["child 2 2", "parent 2"]


def test_a_driver_that_reads_columns_early_is_noticed_in_the_process(tmp_path: Path, slow: Path) -> None:
    compiler = shutil.which("cc")
    assert compiler is not None
    driver = tmp_path / "libsqlite3odbc.so"
    subprocess.run([compiler, "-shared", "-o", driver, "-x", "c", os.devnull], check=True)
    printed = script(
        """
        import ctypes
        connection = shop()
        ctypes.CDLL(sys.argv[1])
        print(error(connection, "SELECT * FROM ask('q')"))
        connection.execute("CREATE VIRTUAL TABLE pc USING ask('q')")
        print(rows(connection, "SELECT * FROM pc"))
        """,
        driver,
    )
    assert printed.splitlines() == [
        "ask(): this host wants to know the columns before the question is answered; use CREATE VIRTUAL TABLE answer"
        " USING ask('…'), and SELECT from that",
        str(ANSWER),
    ]


def test_an_automatic_extension_is_there_on_every_connection(tmp_path: Path, slow: Path) -> None:
    compiler = shutil.which("cc")
    assert compiler is not None
    program = tmp_path / "automatic"
    source = Path(__file__).parent / "hosts" / "automatic.c"
    subprocess.run([compiler, "-Wall", "-Werror", "-o", program, source, "-lsqlite3", "-ldl"], check=True)
    ran = subprocess.run([program, extension()], capture_output=True, text=True, timeout=600)
    assert (ran.stdout, ran.returncode) == ("0.1.0\n0.1.0\n0.1.0\n", 0), ran.stderr


def test_isolation_and_text_that_is_not_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = worker(tmp_path, *["SELECT name, id FROM customers WHERE id > 2 ORDER BY id"] * 2, method="sea")
    monkeypatch.setenv("ASKWHERE_WORKER", str(file))
    printed = script(
        """
        shop().execute("VACUUM INTO ?", (sys.argv[1],))
        connection = shop(sys.argv[1])
        connection.execute("INSERT INTO customers VALUES (4, CAST(x'ff41' AS TEXT), NULL), (5, x'ff41', NULL)")
        print(rows(connection, "SELECT * FROM ask('flurb')"))
        rows(connection, "SELECT ask_set('isolation', 'process')")
        print(rows(connection, "SELECT * FROM ask('flurb')"))
        connection.execute("CREATE VIRTUAL TABLE kept USING ask('flurb')")
        print(rows(connection, "SELECT name FROM kept WHERE id = 3"))
        """,
        tmp_path / "shop.db",
    )
    expected = str([("Cy", 3), ("\ufffdA", 4), (b"\xffA", 5)])
    assert printed.splitlines() == [expected, expected, "[('Cy',)]"]


def test_text_of_a_utf16_database_that_is_not_valid_leaves_the_others_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, "SELECT word, number FROM odd", method="sea")))
    printed = script(
        """
        with sqlite3.connect(sys.argv[1]) as made:
            made.execute("PRAGMA encoding = 'UTF-16le'")
            made.execute("CREATE TABLE odd (word TEXT, number INTEGER)")
            made.execute("INSERT INTO odd VALUES ('Ann', 1), (CAST(x'4100ffdb' AS TEXT), CAST(x'4100ffdb' AS TEXT))")
        print(error(shop(sys.argv[1]), "SELECT * FROM ask('flurb')"))
        """,
        tmp_path / "odd.db",
    )
    assert printed == "[('Ann', 1), ('A\ufffd', 'A\ufffd')]\n"


def test_valgrind_finds_no_error_and_no_leak(tmp_path: Path, slow: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind: apt install valgrind")
    session = f"{SHOP}\n" + "\n".join(line.format(extension()) for line in SESSION)
    checking = ["--leak-check=full", "--errors-for-leak-kinds=definite,indirect,possible", "--error-exitcode=9"]
    ran = subprocess.run(
        ["valgrind", *checking, "--child-silent-after-fork=yes", "sqlite3", ":memory:"],
        input=session,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Canada|2" in ran.stdout
    assert "ERROR SUMMARY: 0 errors" in ran.stderr, ran.stderr
    assert "definitely lost: 0 bytes" in ran.stderr


SESSION = [
    ".load {}",
    ".load {}",
    "SELECT * FROM ask('q');",
    "SELECT n FROM ask('r') WHERE n = 2;",
    "SELECT * FROM ask('q') a, ask(nothing) b;",
    "SELECT * FROM ask(NULL);",
    "SELECT * FROM ask();",
    "CREATE VIRTUAL TABLE x USING ask('q');",
    "SELECT * FROM x WHERE country = 'Norway';",
    "DELETE FROM x;",
    "ALTER TABLE x RENAME TO y;",
    "DROP TABLE y;",
    "CREATE VIRTUAL TABLE z USING ask(a, b);",
    "SELECT ask_value('q'), ask_sql('q'), ask_version(), ask_schema();",
    "SELECT * FROM ask_candidates('q');",
    "SELECT * FROM ask_settings();",
    "SELECT ask_set('max_rows', 1);",
    "SELECT * FROM ask('q');",
    "SELECT ask_set('nonsense', 1);",
    "SELECT ask_index();",
    "SELECT ask_pin('deep', 'SELECT 1 AS one FROM customers LIMIT 1');",
    "SELECT * FROM ask_pins();",
    ".open :memory:",
    ".load {}",
    "SELECT ask_version();",
]


def test_the_log_in_the_database_begins_while_a_virtual_table_is_made(tmp_path: Path, slow: Path) -> None:
    connection = shop("python", tmp_path / "shop.db")
    rows(connection, "SELECT ask_set('log', 'database'), ask_set('remember', 'database')")
    connection.execute("CREATE VIRTUAL TABLE pc USING ask('q')")
    assert rows(connection, "SELECT * FROM pc") == ANSWER
    assert rows(connection, "SELECT * FROM ask('r')") == ANSWER
    assert ("r",) in rows(connection, "SELECT question FROM ask_log()")
    connection.close()


def test_an_answer_that_is_not_stored_any_more_can_be_dropped_and_hinders_no_question(
    tmp_path: Path, slow: Path
) -> None:
    made = shop("python", tmp_path / "shop.db")
    made.execute("CREATE VIRTUAL TABLE kept USING ask('q')")
    made.execute("DELETE FROM askwhere_answers")
    made.close()
    connection = host("python", tmp_path / "shop.db")
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    assert "no answer is stored for 'kept'" in error(connection, "SELECT * FROM kept")
    connection.execute("DROP TABLE kept")
    connection.execute("CREATE VIRTUAL TABLE kept USING ask('q')")
    assert rows(connection, "SELECT * FROM kept") == ANSWER
    connection.close()


def test_the_shells_session_on_the_page_is_what_it_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path)))
    page = (Path(__file__).resolve().parent.parent / "docs" / "hosts.md").read_text("utf-8")
    lines = page.split("```console\n")[1].split("```")[0].splitlines()[2:]  # after the shell's start and .load
    sample.build_sqlite(tmp_path / "world.db")
    asked = [line.removeprefix("sqlite> ") for line in lines if line.startswith("sqlite> ")]
    printed = [line for line in lines if not line.startswith("sqlite> ")]
    ran = subprocess.run(
        ["sqlite3", tmp_path / "world.db", f".load {extension()}", *asked], capture_output=True, text=True
    )
    assert ran.stdout.splitlines() == printed, ran.stderr


def test_the_sources_are_listed_for_building() -> None:
    text = (Path(__file__).resolve().parent.parent / "setup.py").read_text("utf-8")
    assert all(f'"{source.stem}"' in text for source in SOURCES)


def test_a_worker_that_says_only_that_it_is_alive_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it may take is known from a question's limits: here it is a second."""
    with programmed(tmp_path, SLOW.replace("worker.run()", "worker.Served.seconds = 1; worker.run()")) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        connection = shop("python")
        said = error(connection, "SELECT * FROM ask('wait 3600')")
        assert "the worker took longer than a question may and was ended; ask again, or raise" in said
        assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
        connection.close()


def test_a_question_may_take_what_its_settings_say() -> None:
    ours, theirs = socket.socketpair()
    served = Served(ours, None)
    served.session = Session({"query_timeout": 40.0, "max_seconds": 500.0})
    assert served.seconds == 600
    served.session = Session({})
    assert served.seconds == 990
    ours.close()
    theirs.close()
