"""What the operating system refuses a process, memory and open files, is told in one sentence, never a traceback."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from pathlib import Path

import apsw
import duckdb
import pytest
from askwhere.bindings import address_space
from askwhere.bindings.engine_errors import explained
from askwhere.errors import AskError
from support import SHOP, connected

FILES = "this process may open no more files: close connections, or raise the limit (`ulimit -n`)"
MEMORY = "the system gives this process no more memory: free some, or raise the limit (`ulimit -v`)"
THREADS = "the system starts no more threads for this process: raise the limits (`ulimit -u`, `ulimit -v`)"


@pytest.mark.parametrize(
    ("refused", "text"),
    [
        (OSError(errno.EMFILE, "Too many open files", "/tmp/x"), FILES),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), MEMORY),
        (MemoryError(), MEMORY),
        (ImportError("libblas.so: failed to map segment from shared object"), MEMORY),
        (SystemError("error return without exception set"), MEMORY),
        (RuntimeError("can't start new thread"), THREADS),
        (duckdb.OutOfMemoryException("Out of Memory Error: Failed to allocate block (bad allocation)"), MEMORY),
        (duckdb.IOException('IO Error: Cannot open file "x": Too many open files'), FILES),
        (apsw.NoMemError("out of memory"), MEMORY),
    ],
)
def test_a_limit_of_the_system_is_named_also_as_a_cause(refused: Exception, text: str) -> None:
    assert str(explained(refused)) == text
    above = ValueError("numpy could not be imported")
    above.__cause__ = refused
    assert str(explained(above)) == text


def test_other_errors_that_only_speak_of_a_limit_are_none() -> None:
    assert explained(duckdb.CatalogException("Table with name Too many open files does not exist")) is None
    assert explained(RuntimeError("something else")) is None
    assert explained(FileNotFoundError(errno.ENOENT, "No such file")) is None


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v holds on Linux")
@pytest.mark.parametrize(
    ("engine", "limit", "text"),
    [
        ("sqlite", "-v 80000", r"take \d+ MB more of address space, and askwhere needs 200 MB: raise the limit"),
        ("duckdb", "-v 320000", r"take \d+ MB more of address space, and DuckDB needs 1024 MB: raise the limit"),
    ],
)
def test_a_command_with_too_little_address_space_says_how_much_is_needed(
    tmp_path: Path, engine: str, limit: str, text: str
) -> None:
    code, error = _asked_under(limit, engine, tmp_path)
    assert code == 1
    assert re.search(text, error), error
    assert len(error.splitlines()) == 1


def test_a_process_that_has_duckdb_needs_no_room_to_start_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_space, "_left", lambda: 2**20)
    address_space.require_to_start_duckdb()  # this process has loaded it
    with pytest.raises(AskError, match="take 1 MB more of address space, and askwhere needs 200 MB"):
        address_space.require_to_ask()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v holds on Linux")
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("limit", ["-n 5", "-n 6", "-n 8", "-v 280000", "-v 900000", "-v 1300000"])
def test_a_command_under_a_limit_answers_or_says_one_sentence(tmp_path: Path, engine: str, limit: str) -> None:
    code, error = _asked_under(limit, engine, tmp_path)
    assert "Traceback" not in error
    assert code == 0 or len(error.splitlines()) == 1, error


def _asked_under(limit: str, engine: str, folder: Path) -> tuple[int, str]:
    """Ask a question on the command line under a `ulimit`, and return the exit code and what standard error got."""
    connection = connected(engine, path := folder / "shop.db")
    connection.execute(SHOP)
    connection.close()
    asked = f'ulimit {limit}; exec {sys.executable} -m askwhere ask {path} "how many customers are there"'
    ran = subprocess.run(["sh", "-c", asked], capture_output=True, text=True, timeout=600)
    return ran.returncode, ran.stderr
