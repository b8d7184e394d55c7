"""The extension where there is no room: sockets that nobody reads, no more descriptors, a lock that was forked away."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from native_hosts import error, programmed, script, shop, worker
from support import rows

pytestmark = pytest.mark.slow

# Says that it starts, by FILE.starts, and goes on when there is FILE.enough.
LATE = f"""#!{sys.executable}
import os, sys, time
open(sys.argv[0] + ".starts", "w").close()
while not os.path.exists(sys.argv[0] + ".enough"):
    time.sleep(0.01)
from askwhere.bindings.loadable import worker
worker.run()
"""
# Has room for few connections.
NARROW = f"""#!{sys.executable}
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
from askwhere.bindings.loadable import worker
worker.run()
"""
# Takes its time before it serves a connection, and writes into FILE.served how many it has.
COUNTING = f"""#!{sys.executable}
import os, sys, time
from askwhere.bindings.loadable import worker
class Counting(worker.Hosts):
    def begin(self, number, speaking):
        time.sleep(0.2)
        super().begin(number, speaking)
        with open(f"{{sys.argv[0]}}.{{number}}", "w") as file:
            print(len(self._served), file=file)
        os.replace(file.name, sys.argv[0] + ".served")
worker.Hosts = Counting
worker.run()
"""


def test_a_worker_that_reads_nothing_keeps_no_connection_waiting_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path)))
    printed = script(
        """
        import signal
        connections = [shop() for _ in range(400)]  # more than fit into the socket on which they are announced
        said = set()
        assert rows(connections[0], "SELECT ask_version()")
        for process in (int(p) for p in os.listdir("/proc") if p.isdigit() and p != str(os.getpid())):
            if sys.argv[1] in command(process):
                os.kill(process, signal.SIGSTOP)
        asked = lambda connection: said.add(str(error(connection, "SELECT ask_version()"))[:40])
        threads = [threading.Thread(target=asked, args=(one,), daemon=True) for one in connections]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        print(sum(thread.is_alive() for thread in threads), "wait")
        print(len(rows(connections[0], "SELECT * FROM ask('number of customers')")))
        for one in sorted(said):
            print(one)
        """.replace("import signal\n", f"import signal\n{COMMAND}"),
        str(tmp_path / "worker"),
    )
    waiting, answer, *said = printed.splitlines()
    assert (waiting, answer) == ("0 wait", "1")
    assert "askwhere: the worker said nothing for 10" in said


COMMAND = """
        def command(process):
            try:
                return open(f"/proc/{process}/cmdline").read().split(chr(0))
            except OSError:
                return []
"""


def test_a_child_forked_while_the_worker_starts_asks_through_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with programmed(tmp_path, LATE) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        printed = script(
            """
            connection, starts, enough = shop(), sys.argv[1] + ".starts", sys.argv[1] + ".enough"
            asking = threading.Thread(target=rows, args=(connection, "SELECT ask_version()"), daemon=True)
            asking.start()
            while not os.path.exists(starts):
                time.sleep(0.01)
            if os.fork() == 0:
                import signal
                signal.alarm(300)
                open(enough, "w").close()
                own = shop()
                print("child", len(rows(own, "SELECT ask_version()")), flush=True)
                own.close()
                os._exit(0)
            print("ended with", os.wait()[1], flush=True)
            asking.join(300)
            print("parent", len(rows(connection, "SELECT ask_version()")))
            """,
            str(file),
        )
    assert printed.splitlines() == ["child 1", "ended with 0", "parent 1"]


def test_a_worker_without_room_for_a_connection_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with programmed(tmp_path, NARROW) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        printed = script(
            """
            connections, refused = [], ""
            while not refused and len(connections) < 60:
                connections.append(shop())
                said = error(connections[-1], "SELECT ask_set('max_rows', 7)")
                refused = said if isinstance(said, str) else ""
            print(len(connections) > 20, bool(refused))
            print({str(rows(one, "SELECT ask_set('max_rows')")) for one in connections[:-1]})
            for _ in range(5):
                connections.pop().close()
            while isinstance(said, str):  # the worker closes its ends a little later
                said = error(shop(), "SELECT count(*) FROM ask_pins()")
            print(said)
            """
        )
    assert printed.splitlines() == ["True True", "{\"[('max_rows = 7',)]\"}", "[(0,)]"]


def test_a_connection_that_was_interrupted_is_forgotten_as_it_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with programmed(tmp_path, COUNTING) as file:
        monkeypatch.setenv("ASKWHERE_WORKER", str(file))
        printed = script(
            """
            first = shop()  # has the worker started
            print(len(rows(first, "SELECT ask_version()")))
            for _ in range(5):
                connection = shop()
                connection.set_progress_handler(lambda: 1, 1_000_000)  # asked while the worker is waited for
                print(error(connection, "SELECT ask_version()"))
                connection.close()
            print(len(rows(shop(), "SELECT ask_version()")))
            served = lambda: open(sys.argv[1] + ".served").read().strip()
            while served() != "2":  # written after the connection was served
                time.sleep(0.01)
            print(served())
            """,
            str(file),
        )
    assert printed.splitlines() == ["1", *["interrupted"] * 5, "1", "2"]


def test_a_wrong_setting_of_the_environment_is_the_error_of_each_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path)))
    monkeypatch.setenv("ASKWHERE_MAX_ROWS", "abc")
    connection = shop("python")
    for _ in range(2):
        said = "in the environment: setting max_rows: expected a number from 1, found 'abc'"
        assert error(connection, "SELECT ask_version()") == said
    assert rows(connection, "SELECT count(*) FROM customers") == [(3,)]
    connection.close()
