"""The extension in hosts that do what few do: two SQLite libraries, closed descriptors, another working folder."""

from __future__ import annotations

import ctypes.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from native_hosts import extension, programmed, script, worker
from support import PER_COUNTRY

pytestmark = pytest.mark.slow

ANSWERING = f"""#!{sys.executable}
from askwhere.bindings.loadable import worker
from askwhere.models import Scripted
from askwhere.session import Session
worker.Session = lambda settings: Session({{"model": Scripted(["{PER_COUNTRY}"] * 50), "method": "sea", **settings}})
worker.run()
"""


@pytest.fixture
def answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The command of a worker that answers at once, for all hosts of the test."""
    with programmed(tmp_path, ANSWERING) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        yield file


def test_a_second_sqlite_library_in_the_process_loads_a_copy(answering: Path, tmp_path: Path) -> None:
    systems = ctypes.util.find_library("sqlite3")
    if not systems:
        pytest.skip("needs SQLite as a library: apt install libsqlite3-0")
    copy = tmp_path / "askwhere2.so"
    shutil.copy(extension(), copy)
    printed = script(
        """
        import apsw, ctypes
        one = apsw.Connection(":memory:")
        one.enable_load_extension(True)
        one.load_extension(sys.argv[1])
        one.execute("CREATE TABLE customers (country); INSERT INTO customers VALUES ('Norway')")
        other, database, said = ctypes.CDLL(sys.argv[3]), ctypes.c_void_p(), ctypes.c_char_p()
        other.sqlite3_open(b":memory:", ctypes.byref(database))
        other.sqlite3_enable_load_extension(database, 1)
        for path in sys.argv[1:3]:
            print(other.sqlite3_load_extension(database, path.encode(), None, ctypes.byref(said)), said.value)
        print(one.execute("SELECT * FROM ask('q')").fetchall())
        ask = b"CREATE TABLE customers (country); CREATE TABLE kept AS SELECT * FROM ask('q')"
        print(other.sqlite3_exec(database, ask, None, None, ctypes.byref(said)), said.value)
        print(one.execute("SELECT * FROM ask('r')").fetchall())
        """,
        extension(),
        copy,
        systems,
        interpreter=sys.executable,
    )
    refusal, *rest = printed.splitlines()
    assert refusal == (
        "1 b'error during initialization: askwhere serves one SQLite library in a process, and another one has loaded"
        " it: let this one load a copy, such as askwhere2.so in the same folder'"
    )
    assert rest == ["0 None", "[('Norway', 1)]", "0 None", "[('Norway', 1)]"]


def test_the_worker_is_sought_where_the_library_was_loaded_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASKWHERE_WORKER", raising=False)
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
    shutil.copy(extension(), here / "askwhere.so")
    (here / "askwhere.worker").write_text(f"{worker(tmp_path)}\n")
    planted = elsewhere / "planted"
    planted.write_text(f"#!/bin/sh\ntouch {elsewhere}/ran\n")
    planted.chmod(0o755)
    (elsewhere / "askwhere.worker").write_text(f"{planted}\n")
    printed = script(
        """
        os.chdir(sys.argv[1])
        connection = sqlite3.connect(":memory:")
        connection.enable_load_extension(True)
        connection.load_extension("./askwhere")
        os.chdir(sys.argv[2])
        print(error(connection, "SELECT ask_version()"))
        """,
        here,
        elsewhere,
    )
    assert (printed, (elsewhere / "ran").exists()) == ("[('0.1.0',)]\n", False)


def test_nothing_of_ours_takes_the_place_of_a_standard_file(answering: Path) -> None:
    printed = script(
        """
        connection, said = shop(), os.dup(1)
        for number in (0, 1, 2):
            os.close(number)
        found = [error(connection, "SELECT count(*) FROM ask('q')")]
        for number in (0, 1, 2):
            try:
                found.append(os.write(number, b"a line of the host's"))
            except OSError as exc:
                found.append(exc.strerror)
        found.append(error(shop(), "SELECT count(*) FROM ask('q')"))
        os.write(said, repr(found).encode())
        """
    )
    assert printed == repr([[(2,)], *["Bad file descriptor"] * 3, [(2,)]])


@pytest.mark.parametrize("kind", ["sockets", "files"])
def test_files_of_a_host_that_has_closed_ours_stay_its_own(answering: Path, tmp_path: Path, kind: str) -> None:
    printed = script(
        """
        import socket
        connection, other = shop(), shop()
        for one in (connection, other):
            rows(one, "SELECT * FROM ask('q')")
        os.closerange(3, 100)
        pairs = [socket.socketpair() for _ in range(5)] if sys.argv[1] == "sockets" else []
        files = [open(f"{sys.argv[2]}/{number}", "w+b", 0) for number in range(10)]
        print(error(connection, "SELECT * FROM ask('q')"))
        other.close()
        for here, there in pairs:
            here.send(b"here")
            there.send(b"there")
            assert (here.recv(9), there.recv(9)) == (b"there", b"here")
        for file in files:
            file.write(b"mine")
            file.seek(0)
            assert file.read() == b"mine"
        print(error(connection, "SELECT * FROM ask('r')"), error(shop(), "SELECT * FROM ask('r')"))
        """,
        kind,
        tmp_path,
    )
    answer = "[('Canada', 2), ('Norway', 1)]"
    assert printed.splitlines() == [answer, f"{answer} {answer}"]


def test_an_argument_that_is_too_long_is_not_sent(answering: Path) -> None:
    printed = script(
        """
        connection = shop()
        rows(connection, "SELECT ask_set('max_rows', 77)")
        for long in ("zeroblob(200000000)", "hex(zeroblob(100000000))"):
            print(error(connection, f"SELECT ask_sql({long})"))
        print(error(connection, "SELECT count(*) FROM ask(hex(zeroblob(100000000)))"))
        print(error(connection, "SELECT length(ask_sql(hex(zeroblob(1000000))))"), error(connection, "SELECT 1"))
        """
    )
    refusal = "askwhere: the arguments are too long; all together may have 64 MB"
    *refused, last = printed.splitlines()
    assert refused == [refusal] * 3
    assert last.startswith("the question has 2,000,000 characters; it may have 10,000")


def test_a_worker_that_can_start_no_more_threads_keeps_those_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = ANSWERING.replace(
        "worker.run()",
        "import re, resource, threading\n"
        "threading.stack_size(1 << 30)\n"
        "used = int(re.search(r'VmSize:\\s+(\\d+)', open('/proc/self/status').read())[1]) << 10\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (7 << 29),) * 2)\n"  # room for three of them
        "worker.run()",
    )
    with programmed(tmp_path, limited) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        printed = script(
            """
            one, two, three = (shop() for _ in range(3))
            rows(one, "SELECT ask_set('max_rows', 77)")
            for connection in (one, two, three, three):
                print(error(connection, "SELECT count(*) FROM ask('q')"))
            two.close()
            for _ in range(6000):  # the worker's thread ends a little later
                if isinstance(said := error(three, "SELECT count(*) FROM ask('q')"), list):
                    break
                time.sleep(0.1)
            print(said, error(one, "SELECT ask_set('max_rows')"), len(list(map(int, os.popen(sys.argv[1])))))
            """,
            f"pgrep -f '^{sys.executable} {file}'",
        )
    limit = "the system starts no more threads for this process: raise the limits (`ulimit -u`, `ulimit -v`)"
    assert printed.splitlines() == ["[(2,)]", "[(2,)]", limit, limit, "[(2,)] [('max_rows = 77',)] 1"]


WAITED_FOR = f"""#!{sys.executable}
import sys
open(sys.argv[0] + ".waits", "w").close()
sys.stdin.buffer.read()
"""


def test_a_host_may_close_its_connection_in_its_own_progress_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with programmed(tmp_path, WAITED_FOR) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        printed = script(
            """
            closing = shop()
            def close():
                if os.path.exists(os.environ["ASKWHERE_WORKER"] + ".waits"):
                    closing.close()
            closing.set_progress_handler(close, 1000)  # SQLite itself does not call it: the statement is too short
            try:
                rows(closing, "SELECT ask_version()")
            except (sqlite3.Error, MemoryError):  # the latter is what Python makes of a connection that is gone
                print("an error")
            """
        )
    assert printed == "an error\n"
