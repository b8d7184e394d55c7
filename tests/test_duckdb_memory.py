"""A query of DuckDB's is stopped where the process grows too much for it, not by what the engine reads and keeps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from askwhere.bindings.duckdb import running as duckdb_running
from askwhere.bindings.duckdb.running import ENGINE_BYTES, room, run
from askwhere.engine import Checked, Limits
from support import NO_BARS

# A fresh process, as memory that was let go of is used again without any growth.
COLLECTING = """
import duckdb, resource
from askwhere.bindings.duckdb.running import run
from askwhere.engine import Checked, Limits
from askwhere.errors import TooMuch
megabytes = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
connection = duckdb.connect(config={"threads": 2})
before = megabytes()
try:
    run(connection, Checked("SELECT list(range) FROM range(200000000)", (), ()), Limits(seconds=300, bytes=2**20))
except TooMuch as exc:
    print(exc)
print(megabytes() - before, connection.execute("SELECT 42").fetchall())
"""


@pytest.mark.skipif(duckdb_running.resident() is None, reason="the system does not say how much memory a process has")
def test_a_query_that_collects_is_stopped_at_its_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_BARS + COLLECTING], capture_output=True, text=True, timeout=300, check=True
    )
    said, facts = done.stdout.splitlines()
    assert said == "the query was stopped: it needed more than 257 MB of memory"
    grew, rows = facts.split(" ", 1)
    assert int(grew) < 800  # all of them need some 3 GB
    assert rows == "[(42,)]"


def test_what_the_engine_keeps_of_a_file_is_not_a_querys_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_running, "ENGINE_BYTES", 0)
    path = tmp_path / "large.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE t AS SELECT hash(range) AS h FROM range(3000000)")
    with duckdb.connect(path) as connection:
        limits = Limits(bytes=2**18)
        assert room(connection, limits) > path.stat().st_size > 20 * 2**20
        checked = Checked("SELECT count(*), max(h) > min(h) FROM t", (), ())
        rows, complete = run(connection, checked, limits)
        assert (rows, complete) == ([(3_000_000, True)], True)


def test_tables_in_memory_give_room_as_well() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT hash(range) AS h FROM range(3000000)")
        assert room(connection, Limits()) > ENGINE_BYTES + Limits().bytes + 15 * 2**20
