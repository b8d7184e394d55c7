"""The extension waits for its worker, whatever that writes while it starts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from native_hosts import HostError, shop

NOISE = "import sys\nfor number in range(20000): print(f'warning {number}: this is not needed', file=sys.stderr)\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["shell", "python"])
def test_a_worker_may_write_much_as_it_starts(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "worker"
    file.write_text(f"#!{sys.executable}\n{NOISE}from askwhere.bindings.loadable import worker\nworker.run()\n")
    file.chmod(0o755)
    monkeypatch.setenv("ASKWHERE_WORKER", str(file))
    connection = shop(kind)
    assert connection.execute("SELECT ask_version() AS v").fetchall() == [("0.1.0",)]
    connection.close()


@pytest.mark.slow
def test_the_last_that_it_wrote_is_why_it_did_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "worker"
    file.write_text(f"#!{sys.executable}\n{NOISE}sys.exit('No module named askwhere')\n")
    file.chmod(0o755)
    monkeypatch.setenv("ASKWHERE_WORKER", str(file))
    connection = shop("shell")
    with pytest.raises(HostError, match="could not be started: No module named askwhere"):
        connection.execute("SELECT ask_version() AS v")
    connection.close()


NO_THREAD = """
import sys, threading
started, real = [], threading.Thread.start
def start(thread):
    started.append(thread)
    if len(started) >= {first}:
        raise RuntimeError("can't start new thread")
    real(thread)
threading.Thread.start = start
from askwhere.bindings.cli.main import main
sys.exit(main(["worker"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("first", "when"), [(1, "could not be started: askwhere: "), (2, "")])
def test_a_worker_that_may_start_no_thread_names_the_limit(
    first: int, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "worker"
    file.write_text(f"#!{sys.executable}\n{NO_THREAD.format(first=first)}")
    file.chmod(0o755)
    monkeypatch.setenv("ASKWHERE_WORKER", str(file))
    connection = shop("shell")
    with pytest.raises(HostError) as caught:
        connection.execute("SELECT ask_version() AS v")
    limit = "the system starts no more threads for this process: raise the limits (`ulimit -u`, `ulimit -v`)"
    assert when + limit in str(caught.value)
    assert "extension-path" not in str(caught.value)
    connection.close()
