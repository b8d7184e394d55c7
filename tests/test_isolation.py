"""Generated SQL in a worker process: the same answers, and hard limits on what a query may use."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import json
import math
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.isolation import decoded, encoded, run_isolated
from askwhere.engine import Column, Grant, Limits, Table
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


def children() -> set[str]:
    """The processes that this one has started and not yet waited for, less those that were there before the test."""
    return _children() - _before


_before: set[str] = set()


@pytest.fixture(autouse=True)
def _note_children() -> None:
    """Other tests' pools leave a process that starts others."""
    _before.clear()
    _before.update(_children())


def _children() -> set[str]:
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return {line.split()[0] for line in listed.stdout.splitlines() if "ps -o" not in line}


def test_rows_come_back(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    checked, result = run_isolated(engine, path, (), "SELECT * FROM customers ORDER BY id", grant, PATIENT)
    assert result.columns == checked.columns == ("id", "name")
    assert result.rows == ((1, "Ann"), (2, "Bö"))
    assert result.complete
    assert not children()


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
    assert not children()


def test_memory_is_limited(shop: tuple[str, Path, Grant]) -> None:
    engine, path, grant = shop
    doubling = "".join(f", a{i + 1} AS (SELECT x || x AS x FROM a{i})" for i in range(31))
    sql = f"WITH a0 AS (SELECT name || 'xx' AS x FROM customers){doubling} SELECT length(x) FROM a31"
    with pytest.raises((TooMuch, QueryError)):
        run_isolated(engine, path, (), sql, grant, Limits(seconds=60, bytes=64 * 2**20))
    assert not children()


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
from askwhere.bindings import isolation
from askwhere.engine import Limits
isolation._limit("sqlite", Limits(bytes=2**20))
try:
    with open({str(tmp_path / "new")!r}, "w") as file:
        file.write("x")
        file.flush()
    wrote = True
except OSError:
    wrote = False
try:
    held = bytearray(2**28)
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
    assert not children()
    connection.close()


class Hostile:
    """Stands for a worker that has been taken over: it says what it likes."""

    def __init__(self, says: Path) -> None:
        self.says = says

    def __call__(self, *_: Any, **options: Any) -> subprocess.Popen[bytes]:
        script = f"import sys; sys.stdin.read(); sys.stdout.write(open({str(self.says)!r}).read()); sys.stdout.flush()"
        return REAL(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )


REAL = subprocess.Popen
READY = '{"ready": true}\n'
HEAD = READY + '{"sql": "SELECT 1", "columns": ["x"], "types": [""]}\n'


@pytest.mark.parametrize(
    ("says", "error"),
    [
        ("", TooMuch),
        ("nonsense\n", DatabaseError),
        ("[1]\n", DatabaseError),
        ("{}\n", DatabaseError),
        (READY, TooMuch),
        (READY + "{}\n", DatabaseError),
        (HEAD, TooMuch),
        (HEAD + '{"rows": 1}\n', DatabaseError),
        (HEAD + '{"rows": [[["evil", 1]]]}\n', DatabaseError),
        (HEAD + '{"rows": [[["decimal", "x"]]]}\n', DatabaseError),
        (HEAD + '{"rows": [[["date", 1]]]}\n', DatabaseError),
        (HEAD + '{"rows": [[[1, 2, 3]]]}\n', DatabaseError),
        (HEAD + '{"rows": [[' + '["list", [' * 5_000 + "]]" * 5_000 + "]]}\n", DatabaseError),
        (HEAD + '{"rows": [' + ",".join(["[1]"] * 2_000) + "]}\n", DatabaseError),
        (HEAD + '{"complete": true}\n', DatabaseError),
        (HEAD + "x" * 10_000_000, TooMuch),
        (READY + '{"error": "Refused", "message": "m", "sql": "s"}\n', Refused),
        (READY + '{"error": "SystemExit", "message": "m", "sql": "s"}\n', Exception),
    ],
)
def test_a_worker_that_lies_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, error: type[Exception]
) -> None:
    (tmp_path / "says").write_text(says)
    monkeypatch.setattr(subprocess, "Popen", Hostile(tmp_path / "says"))
    with pytest.raises(error):
        run_isolated("sqlite", tmp_path / "x.db", (), "SELECT 1", Grant(()), Limits(seconds=60, rows=10, bytes=2**20))


VALUES = [
    None, True, 1, -(2**70), 1.5, math.inf, "é\ud800", b"\x00\xff", decimal.Decimal("1.20"),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6), datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
    datetime.date(2020, 1, 2), datetime.time(1, 2, 3), datetime.timedelta(-1, 2, 3), uuid.UUID(int=7),
    [1, [2, None]], (1, "a"), {"a": [1], 2: decimal.Decimal(1)}, [], {},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=[type(v).__name__ + str(i) for i, v in enumerate(VALUES)])
def test_values_keep_their_types(value: Any) -> None:
    found = decoded(json.loads(json.dumps(encoded(value))))
    assert found == value
    assert type(found) is type(value)


def test_not_a_number_stays_one() -> None:
    assert math.isnan(decoded(encoded(math.nan)))


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["list", "map", "bytes"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=8,
)


@given(json_like)
def test_anything_decodes_or_is_a_plain_error(content: Any) -> None:
    with contextlib.suppress(ValueError, TypeError, KeyError, ArithmeticError):
        decoded(content)
