"""Generated SQL in a worker process: the same answers, and hard limits on what a query may use."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import math
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.isolation import engine as isolation
from askwhere.bindings.isolation import pool as isolation_pool
from askwhere.bindings.isolation.cells import decoded, packed, unpacked
from askwhere.bindings.isolation.engine import QueryProcess, database_spec
from askwhere.bindings.isolation.process import FRAME, MESSAGE, ROWS
from askwhere.engine import Checked, Column, Grant, Limits, Result, Table
from askwhere.errors import DatabaseError, QueryError, Refused, TooMuch
from askwhere.models import Scripted
from hypothesis import given
from hypothesis import strategies as st
from support import connected

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="workers need POSIX resource limits"),
]

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
PATIENT = Limits(seconds=60, rows=1_000)


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, Grant]:
    """An engine, a file with a small table that nobody has open, and what may be read of it."""
    path = tmp_path / "shop.db"
    connection = connected(request.param, path)
    connection.execute("CREATE TABLE customers(id INTEGER, name TEXT, token TEXT)")
    connection.execute("INSERT INTO customers VALUES (1, 'Ann', 'T'), (2, 'Bö', 'T')")
    connection.close()
    prefix = ("main",) if request.param == "sqlite" else ("shop", "main")
    table = Table((*prefix, "customers"), (Column("id"), Column("name"), Column("token")))
    return request.param, path, Grant((table,), frozenset({(table.path, "token")}))


def run_isolated(
    engine: str, path: str | Path, attached: Any, sql: str, grant: Grant, limits: Limits
) -> tuple[Checked, Result]:
    """A query checked and run in another process."""
    spec = database_spec(engine, path, tuple(attached))
    process = QueryProcess(spec, dict)
    checked = process.check(sql, grant)
    return checked, process.run(checked, grant, limits)


def workers() -> list[int]:
    """The processes that run queries for this one."""
    return [worker.pid for worker in isolation_pool.alive()]


@pytest.fixture(autouse=True)
def _end_processes() -> Iterator[None]:
    """Each test begins with none, and none is left."""
    isolation_pool.end_all()
    yield
    isolation_pool.end_all()
    ps = ["ps", "-o", "args=", "--ppid", str(os.getpid())]
    listed = REAL(ps, stdout=subprocess.PIPE, text=True).communicate()[0]  # the test may have put another in its place
    assert "isolation_worker" not in listed


def test_rows_come_back(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    checked, result = run_isolated(engine, path, (), "SELECT * FROM customers ORDER BY id", grant, PATIENT)
    assert result.columns == checked.columns == ("id", "name")
    assert result.rows == ((1, "Ann"), (2, "Bö"))
    assert result.complete
    assert len(workers()) == 1


def test_rows_are_cut_at_the_limit_and_that_is_said(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    _, result = run_isolated(engine, path, (), "SELECT id FROM customers", grant, Limits(seconds=60, rows=1))
    assert len(result.rows) == 1
    assert not result.complete


@pytest.mark.parametrize("sql", ["DELETE FROM customers", "SELECT * FROM secrets", "SELECT load_extension('x')"])
def test_what_the_guard_refuses_is_refused_there(shop: tuple[str, Path, Grant], sql: str) -> None:
    engine, path, grant = shop
    with pytest.raises(Refused) as caught:
        run_isolated(engine, path, (), sql, grant, PATIENT)
    assert caught.value.sql == sql


def test_the_engines_errors_come_back(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    with pytest.raises(QueryError, match="token"):
        run_isolated(engine, path, (), "SELECT token FROM customers", grant, PATIENT)


def test_an_endless_query_is_stopped(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    with pytest.raises(TooMuch):
        run_isolated(engine, path, (), ENDLESS, grant, Limits(seconds=1))


def test_memory_is_limited(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    doubling = "".join(f", a{i + 1} AS (SELECT x || x AS x FROM a{i})" for i in range(31))
    sql = f"WITH a0 AS (SELECT name || 'xx' AS x FROM customers){doubling} SELECT length(x) FROM a31"
    with pytest.raises((TooMuch, QueryError)):
        run_isolated(engine, path, (), sql, grant, Limits(seconds=60, bytes=64 * 2**20))


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(DatabaseError, match="needs a database in a file"):
        run_isolated("sqlite", ":memory:", (), "SELECT 1", Grant(()), PATIENT)


def test_a_missing_file_is_an_error(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    with pytest.raises(DatabaseError, match="opened by another process"):
        run_isolated(engine, path.with_name("none.db"), (), "SELECT 1", grant, PATIENT)
    assert not path.with_name("none.db").exists()


def test_a_duckdb_file_open_for_writing_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "open.duckdb"
    connection = duckdb.connect(str(path))
    with pytest.raises(DatabaseError, match="open it with read_only=True, or leave the setting isolation empty"):
        run_isolated("duckdb", path, (), "SELECT 1", Grant(()), PATIENT)
    connection.close()


def test_a_duckdb_file_open_for_reading_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "open.duckdb"
    duckdb.connect(str(path)).close()
    connection = duckdb.connect(str(path), read_only=True)
    assert run_isolated("duckdb", path, (), "SELECT 1 AS x", Grant(()), PATIENT)[1].rows == ((1,),)
    connection.close()


def test_attached_databases_are_attached_there(shop: tuple[str, Path, Grant], tmp_path: Path) -> None:
    engine, path, _ = shop
    other = tmp_path / "it's.db"
    connection = connected(engine, other)
    connection.execute("CREATE TABLE places(id INTEGER)")
    connection.execute("INSERT INTO places VALUES (7)")
    connection.close()
    name = ("side", "places") if engine == "sqlite" else ("side", "main", "places")
    grant = Grant((Table(name, (Column("id"),)),))
    _, result = run_isolated(engine, path, [("side", str(other))], "SELECT id FROM places", grant, PATIENT)
    assert result.rows == ((7,),)


def test_a_sqlite_file_is_read_while_another_writes(tmp_path: Path) -> None:
    path = tmp_path / "wal.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = wal; CREATE TABLE t(x); INSERT INTO t VALUES (1)").fetchall()
    grant = Grant((Table(("main", "t"), (Column("x"),)),))
    connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
    assert run_isolated("sqlite", path, (), "SELECT x FROM t", grant, PATIENT)[1].rows == ((1,),)
    connection.execute("ROLLBACK")
    connection.close()


def test_a_sqlite_file_in_wal_mode_is_read_while_it_is_open_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = wal").fetchall()
    connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1)")
    grant = Grant((Table(("main", "t"), (Column("x"),)),))
    assert run_isolated("sqlite", path, (), "SELECT x FROM t", grant, Limits())[1].rows == ((1,),)
    connection.close()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DatabaseError, match=r"could not be opened by another process"):
        run_isolated("sqlite", path, (), "SELECT x FROM t", grant, Limits())


def test_the_worker_has_no_secrets_and_writes_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a worker that has been taken over could do: seen from inside, by the code that limits it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-SECRET")
    script = f"""
import os, json
from askwhere.bindings.isolation.worker import limit
limit("sqlite")
try:
    with open({str(tmp_path / "new")!r}, "w") as file:
        file.write("x")
        file.flush()
    wrote = True
except OSError:
    wrote = False
try:
    held = bytearray(2**29)
    held = True
except MemoryError:
    held = False
print(json.dumps([wrote, held]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[false, false]\n"

    seen: list[dict[str, str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *_, env, **__: seen.append(env) or pytest.skip("not reached"))
    with pytest.raises(pytest.skip.Exception):
        run_isolated("sqlite", tmp_path / "x.db", (), "SELECT 1", Grant(()), PATIENT)
    assert "OPENAI_API_KEY" not in seen[0]


def asking(shop: tuple[str, Path, Grant], reply: str) -> Any:
    """A registered connection to the shop whose generated SQL runs isolated; DuckDB shares files only for reading."""
    engine, path, _ = shop
    connection = connected(engine, path, read_only=engine == "duckdb")
    askwhere.register(
        connection, model=Scripted([reply]), isolation="process", query_timeout=1 if reply == ENDLESS else 60
    )
    return connection


def test_ask_gives_the_rows_that_the_worker_read(shop: tuple[str, Path, Grant]) -> None:
    connection = asking(shop, "SELECT name, id FROM customers")
    found = connection.execute("SELECT id, name FROM ask('who') ORDER BY id").fetchall()
    assert found == [(1, "Ann"), (2, "Bö")]
    connection.close()


@pytest.mark.parametrize("reply", [ENDLESS, "SELECT token FROM secrets", "DROP TABLE customers"])
def test_ask_stops_and_refuses_in_the_worker(shop: tuple[str, Path, Grant], reply: str) -> None:
    connection = asking(shop, reply)
    with pytest.raises((askwhere.AskError, duckdb.Error)):
        connection.execute("SELECT * FROM ask('anything')").fetchall()
    assert connection.execute("SELECT count(*) FROM customers").fetchall() == [(2,)]
    connection.close()


REAL = subprocess.Popen


class Hostile:
    """Stands for a process that has been taken over: it says what it likes, and then nothing more."""

    def __init__(self, says: Path) -> None:
        self.says = says

    def __call__(self, *_: Any, **options: Any) -> subprocess.Popen[bytes]:
        script = (
            f"import sys; sys.stdout.buffer.write(open({str(self.says)!r}, 'rb').read()); sys.stdout.flush();"
            " sys.stdin.buffer.read(20)"  # a request's first bytes: then it ends
        )
        return REAL([sys.executable, "-c", script], **options)


def frame(content: str, kind: bytes = MESSAGE, rows: int = 0) -> bytes:
    return FRAME.pack(len(content), kind, rows) + content.encode()


READY = frame('{"ready": true}')
END = frame('{"complete": true, "seconds": 0.1, "undecodable": false}')
X = Checked("SELECT 1", ("x",), ("",))


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (b"", DatabaseError),
        (b"nonsense, more than a frame", DatabaseError),
        (frame("[1]"), DatabaseError),
        (frame("{}"), DatabaseError),
        (frame("{"), DatabaseError),
        (READY + frame("{}"), DatabaseError),
        (READY + frame('{"complete": true}'), DatabaseError),
        (READY + frame("b1", ROWS, 1) + END, DatabaseError),
        (READY + frame("b[1]", ROWS, 1) + END, DatabaseError),
        (READY + frame("b[[1, 2]]", ROWS, 1) + END, DatabaseError),
        (READY + frame("b[[[1]]]", ROWS, 1) + END, DatabaseError),
        (READY + frame('t[[["evil", 1]]]', ROWS, 1) + END, DatabaseError),
        (READY + frame('t[[["decimal", "x"]]]', ROWS, 1) + END, DatabaseError),
        (READY + frame('t[[["date", 1]]]', ROWS, 1) + END, DatabaseError),
        (READY + frame("t[[[1, 2, 3]]]", ROWS, 1) + END, DatabaseError),
        (READY + frame("t[[" + '["list", [' * 5_000 + "]]" * 5_000 + "]]", ROWS, 1) + END, DatabaseError),
        (READY + frame("b[[1]]", ROWS, 2_000) + END, DatabaseError),
        (READY + frame("b[[1], [2]]", ROWS, 1) + END, DatabaseError),
        (READY + frame("b[[1]]", b"?", 1) + END, DatabaseError),
        (READY + FRAME.pack(2**32 - 1, ROWS, 1), TooMuch),
        (READY + frame("b" + "[" * 2**21, ROWS, 1) + END, TooMuch),
        (READY + frame('{"error": "Refused", "message": "m", "sql": "s"}'), Refused),
        (READY + frame('{"error": "SystemExit", "message": "m", "sql": "s"}'), askwhere.AskError),
    ],
)
def test_a_process_that_lies_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: bytes, error: type[Exception]
) -> None:
    (tmp_path / "says").write_bytes(says)
    monkeypatch.setattr(subprocess, "Popen", Hostile(tmp_path / "says"))
    with pytest.raises(error) as caught:
        QueryProcess(database_spec("sqlite", tmp_path / "x.db"), dict).run(
            X, Grant(()), Limits(seconds=60, rows=10, bytes=2**20)
        )
    assert isinstance(caught.value, askwhere.AskError)


NO_THREAD = """
import threading
started, real = [], threading.Thread.start
def start(thread):
    started.append(thread)
    if len(started) >= {first}:
        raise RuntimeError("can't start new thread")
    real(thread)
threading.Thread.start = start
from askwhere.bindings.isolation import worker
worker.main()
"""


@pytest.mark.parametrize(("first", "when"), [(1, "did not become ready: "), (2, "^")])
def test_a_process_that_may_start_no_thread_names_the_limit(
    monkeypatch: pytest.MonkeyPatch, shop: tuple[str, Path, Grant], first: int, when: str
) -> None:
    engine, path, grant = shop
    command = [sys.executable, "-c", NO_THREAD.format(first=first)]
    monkeypatch.setattr(subprocess, "Popen", lambda _, **options: REAL(command, **options))
    with pytest.raises(DatabaseError, match=f"{when}the system starts no more threads for this process: raise the"):
        run_isolated(engine, path, (), "SELECT id FROM customers", grant, PATIENT)


@pytest.mark.parametrize("says", [frame('{"again": true}'), frame("b[]", ROWS), frame("", ROWS)])
def test_a_process_that_never_stops_speaking_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: bytes
) -> None:
    script = f"import sys; sys.stdout.buffer.write({READY!r})\nwhile True: sys.stdout.buffer.write({says * 1_000!r})"
    monkeypatch.setattr(subprocess, "Popen", lambda _, **options: REAL([sys.executable, "-c", script], **options))
    with pytest.raises(TooMuch):
        QueryProcess(database_spec("sqlite", tmp_path / "x.db"), dict).run(
            X, Grant(()), Limits(seconds=0.1, bytes=2**20)
        )


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (frame('{"complete": true, "more": [' + "{}," * 2_000_000 + "1]}"), "larger than the limit on memory"),
        (frame("b[[{}]]", ROWS, 1) + END, "an object where rows have none"),
        (frame('b[["{,[", {"a": 1}]]', ROWS, 1) + END, "an object where rows have none"),
        (frame('b[["' + "\U0001f600" + "x" * 270_000 + '"]]', ROWS, 1) + END, "larger than 1 MB"),
        (frame('b[["' + r"\ud83d\ude00" + "x" * 270_000 + '"]]', ROWS, 1) + END, "larger than 1 MB"),
        (frame('b[["' + r"\u20ac" + "x" * 530_000 + '"]]', ROWS, 1) + END, "larger than 1 MB"),
    ],
)
def test_what_is_larger_here_than_as_it_is_sent_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: bytes, error: str
) -> None:
    (tmp_path / "says").write_bytes(READY + says)
    monkeypatch.setattr(subprocess, "Popen", Hostile(tmp_path / "says"))
    with pytest.raises(askwhere.AskError, match=error):
        QueryProcess(database_spec("sqlite", tmp_path / "x.db"), dict).run(
            X, Grant(()), Limits(seconds=60, rows=10, bytes=2**20)
        )


def test_commas_and_brackets_in_a_text_are_no_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(isolation, "MOST_VALUES", 100)
    text = r"[{,\"" * 1_000
    (tmp_path / "says").write_bytes(READY + frame(f'b[["{text}"]]', ROWS, 1) + END)
    monkeypatch.setattr(subprocess, "Popen", Hostile(tmp_path / "says"))
    result = QueryProcess(database_spec("sqlite", tmp_path / "x.db"), dict).run(
        X, Grant(()), Limits(seconds=60, rows=10, bytes=2**20)
    )
    assert result.rows == ((text.replace("\\", ""),),)


def test_lists_count_by_what_they_take_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(isolation, "MOST_VALUES", 100)
    (tmp_path / "says").write_bytes(READY + frame(f't[[["list", [{"[]," * 100}0]]]]', ROWS, 1) + END)
    monkeypatch.setattr(subprocess, "Popen", Hostile(tmp_path / "says"))
    with pytest.raises(TooMuch, match="the result is larger than 1 MB"):
        QueryProcess(database_spec("sqlite", tmp_path / "x.db"), dict).run(
            X, Grant(()), Limits(seconds=60, rows=10, bytes=2**20)
        )


VALUES = [
    None, True, 1, -(2**70), 1.5, math.inf, "é\ue000", b"\x00\xff", decimal.Decimal("1.20"),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6), datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
    datetime.date(2020, 1, 2), datetime.time(1, 2, 3), datetime.timedelta(-1, 2, 3), uuid.UUID(int=7),
    [1, [2, None]], (1, "a"), {"a": [1], 2: decimal.Decimal(1)}, [], {},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=[type(v).__name__ + str(i) for i, v in enumerate(VALUES)])
def test_values_keep_their_types(value: Any) -> None:
    ((found,),) = unpacked(packed([(value,)]), 1)
    assert found == value
    assert type(found) is type(value)


def test_not_a_number_stays_one() -> None:
    ((found, other),) = unpacked(packed([(math.nan, 1)]), 2)
    assert math.isnan(found)
    assert other == 1


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["list", "map", "bytes"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=8,
)


@given(json_like)
def test_anything_decodes_or_is_a_plain_error(content: Any) -> None:
    with contextlib.suppress(ValueError, TypeError, KeyError, ArithmeticError):
        decoded(content)
