"""A build that is killed, stopped or out of space leaves the old index or the new, and the tables as they were."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.duckdb.storage import DuckDBStorage
from askwhere.indexer import tables
from support import NO_BARS, Database, in_threads, rows

pytestmark = pytest.mark.slow

ROWS = 30_000
BUILD = """
import resource, sys
import apsw, askwhere, duckdb
from askwhere.indexer import build
path, limit, halt = sys.argv[1], int(sys.argv[2]), sys.argv[3]
con = apsw.Connection(path) if path.endswith(".db") else duckdb.connect(path)
askwhere.register(con)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
read = build.read
def slowly(engine, table, column, limits):
    if column.name == halt:
        print("reading", halt, flush=True)
        sys.stdin.readline()
    return read(engine, table, column, limits)
build.read = slowly
print("ready", flush=True)
sys.stdin.readline()
try:
    print(con.execute("SELECT ask_index()").fetchall()[0][0], flush=True)
except (askwhere.AskError, duckdb.Error, apsw.Error, RuntimeError, KeyboardInterrupt) as exc:
    print("failed:", " ".join(repr(exc).split()))
found = con.execute("SELECT value FROM ask_values('old name', 1) WHERE exact").fetchall()
print("the connection finds", *sorted(value for (value,) in found), flush=True)
"""


def made(kind: str, folder: Path) -> Database:
    """A database of many names, with an index of the first few, which is old by now."""
    database = Database(kind, folder)
    connection = database.raw(database.path)
    connection.execute("CREATE TABLE t (name TEXT, place TEXT)")
    connection.execute("INSERT INTO t VALUES ('old name', 'old place')")
    askwhere.register(connection)
    connection.execute("SELECT ask_index()").fetchall()
    series = f"WITH RECURSIVE c(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM c WHERE v < {ROWS})"
    named = "'name ' || (v * 7919 % 30011) || ' of ' || v"
    connection.execute(f"INSERT INTO t {series} SELECT {named}, 'place ' || (v % 1000) FROM c")
    connection.close()
    return database


def start(database: Database, limit: int = 0, halt: str = "") -> subprocess.Popen[str]:
    """A process that builds the index when it is told to, may write so many bytes, and halts at a column."""
    command = [sys.executable, "-c", NO_BARS + BUILD, str(database.path), str(limit), halt]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def state(database: Database) -> str:
    """'old' or 'new', by the index; fails where it is neither, or where the tables are not what they were."""
    connection = database.raw(database.path)
    askwhere.register(connection)
    try:
        if database.kind == "sqlite":
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*), count(DISTINCT name) FROM t").fetchall() == [(ROWS + 1, ROWS + 1)]
        storage = connections.engine(connection).storage()
        assert tables.exists(storage)
        contents = tables.contents(storage)
        n_values = {column.name: column.n_values for column in contents.columns}
        assert len(contents.segments) == 1
        for name in (tables.POSTINGS, tables.VALUES):
            assert storage.execute(f"SELECT count(*) FROM {storage.prefix}{name}")[0][0] > 0
        stored = storage.execute(f"SELECT b FROM {storage.prefix}{tables.VALUES}")
        assert sum(int.from_bytes(block[:2], "little") for (block,) in stored) == sum(n_values.values())
        return {1: "old", ROWS + 1: "new"}[n_values["name"]]
    finally:
        connection.close()


def killed(database: Database, times: int) -> set[str]:
    """The states after builds that were killed at moments spread over the time that one takes here."""
    found = set()
    old = database.path.read_bytes()
    process = start(database)
    began = time.monotonic()
    go(process)
    assert process.communicate()[0].startswith("indexed")
    longest = 1.2 * (time.monotonic() - began)
    for number in range(times):
        for path in database.path.parent.glob(f"{database.path.name}*"):
            path.unlink()
        database.path.write_bytes(old)
        process = start(database)
        go(process)
        time.sleep(random.Random(number).uniform(0, longest))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.communicate()
        found.add(state(database))
    return found


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_build_killed_at_any_moment_leaves_the_old_index_or_the_new(kind: str, tmp_path: Path) -> None:
    """Attack D43."""
    assert killed(made(kind, tmp_path), 12) <= {"old", "new"}


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_ctrl_c_in_the_middle_leaves_the_old_index_and_a_connection_that_works(kind: str, tmp_path: Path) -> None:
    """DuckDB may run the function in a thread of its own, which no signal reaches: then the new index is complete."""
    database = made(kind, tmp_path)
    process = start(database, halt="place")
    go(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "reading place\n"  # the column before it is written by now
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=600)
    failed, finds = said.splitlines()
    assert "interrupt" in failed.lower()
    assert finds == "the connection finds old name"
    assert state(database) in ({"old"} if kind == "sqlite" else {"old", "new"})


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_full_disk_is_said_and_leaves_everything_as_it_was(kind: str, tmp_path: Path) -> None:
    database = made(kind, tmp_path)
    process = start(database, database.path.stat().st_size if kind == "sqlite" else 300_000)
    go(process)
    said, _ = process.communicate(timeout=600)
    assert said.startswith("failed:")
    assert "no space" in said
    assert state(database) == "old"


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_small_file_system_that_fills_up_is_said(kind: str, tmp_path: Path) -> None:
    """Attack D44."""
    small = tmp_path / "small"
    small.mkdir()
    database = made(kind, tmp_path)
    size = database.path.stat().st_size // 1024 + 400
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    try:
        database.path = shutil.copy(database.path, small / database.path.name)
        process = start(database)
        go(process)
        said, _ = process.communicate(timeout=600)
        assert said.startswith("failed:")
        assert "no space" in said
        assert state(database) == "old"
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


@pytest.mark.parametrize("then", ["SELECT ask_index()", "SELECT ask_index('t')", "SELECT ask_index('drop')"])
def test_what_a_killed_duckdb_build_has_staged_is_removed_by_the_next(then: str, tmp_path: Path) -> None:
    database = made("duckdb", tmp_path)
    process = start(database, halt="place")
    go(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "reading place\n"
    process.kill()
    process.communicate()
    assert state(database) == "old"
    connection = database.raw(database.path)
    askwhere.register(connection)
    storage = connections.engine(connection).storage()
    assert any(name.endswith(storage.staging) for name in storage.tables())
    connection.execute(then).fetchall()
    assert not any(name.endswith(storage.staging) for name in storage.tables())
    connection.close()


def test_two_processes_that_build_at_once_leave_one_whole_index(tmp_path: Path) -> None:
    """SQLite: a DuckDB file can be written by one process only."""
    database = made("sqlite", tmp_path)
    both = [start(database), start(database)]
    for process in both:
        go(process)
    said = [process.communicate(timeout=600)[0] for process in both]
    assert any(text.startswith("indexed") for text in said)
    assert all(text.startswith("indexed") or "locked by another connection" in text for text in said)
    assert state(database) == "new"


def test_two_connections_of_one_duckdb_process_leave_one_whole_index(tmp_path: Path) -> None:
    database = made("duckdb", tmp_path)
    first = database.raw(database.path)
    second = first.cursor()

    def build(connection: Any) -> str:
        try:
            return str(connection.execute("SELECT ask_index()").fetchall()[0][0])
        except (askwhere.AskError, duckdb.Error) as exc:
            return str(exc)

    for connection in (first, second):
        askwhere.register(connection)
    said = in_threads(build, (first, second))
    second.close()
    first.close()
    assert any(text.startswith("indexed") for text in said)
    assert all(text.startswith("indexed") or "try again" in text for text in said), said
    assert state(database) == "new"


def test_ctrl_c_that_duckdb_forgets_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB handles signals while a statement runs, and forgets one that comes as the statement ends."""
    with contextlib.closing(askwhere.connect(str(made("duckdb", tmp_path).path))) as connection:
        engine, session = connections.engine(connection), connections.session(connection)
        before = rows(connection, "SELECT * FROM askwhere_index ORDER BY ALL")
        insert = DuckDBStorage.insert

        def forgetting(storage: DuckDBStorage, table: str, blobs: Any) -> None:
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            insert(storage, table, blobs)

        monkeypatch.setattr(DuckDBStorage, "insert", forgetting)
        with pytest.raises(KeyboardInterrupt):
            session.index(engine)
        monkeypatch.undo()
        assert rows(connection, "SELECT * FROM askwhere_index ORDER BY ALL") == before
        assert not [name for name in engine.storage().tables() if name.endswith("_next")]
        assert session.index(engine).startswith("indexed")


def test_ctrl_c_that_is_forgotten_before_the_index_is_built_is_remembered_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function reads the catalog first, by statements of its own: each may forget a signal."""
    path = made("duckdb", tmp_path).path
    with contextlib.closing(askwhere.connect(str(path))) as connection:
        connection.execute("SET threads = 1")  # so that this thread calls the function
        before = rows(connection, "SELECT * FROM askwhere_index ORDER BY ALL")
        tables_named = DuckDBEngine.tables_named

        def forgetting(engine: DuckDBEngine, name: str) -> Any:
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            return tables_named(engine, name)

        handled = signal.getsignal(signal.SIGINT)
        monkeypatch.setattr(DuckDBEngine, "tables_named", forgetting)
        with pytest.raises((duckdb.Error, KeyboardInterrupt), match=r"KeyboardInterrupt|^$"):
            rows(connection, "SELECT ask_index()")
        monkeypatch.undo()
        assert signal.getsignal(signal.SIGINT) is handled
        assert rows(connection, "SELECT * FROM askwhere_index ORDER BY ALL") == before
        assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed")
