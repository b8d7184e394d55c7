"""The processes that run generated SQL: kept from one question to the next, replaced when one is gone, and ended."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.bindings.isolation import engine as isolation
from askwhere.bindings.isolation import pool as isolation_pool
from askwhere.bindings.isolation.engine import QueryProcess, database_spec
from askwhere.bindings.isolation.process import DatabaseSpec
from askwhere.engine import Checked, Column, Grant, Limits, Table
from askwhere.models import Scripted
from support import ERRORS, NO_BARS, PER_COUNTRY, SHOP, connected

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes and descriptors in /proc"),
]

ENDLESS = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"
LONG = Limits(seconds=60)


@pytest.fixture(autouse=True)
def _end_processes() -> Iterator[None]:
    isolation_pool.end_all()
    yield
    isolation_pool.end_all()


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[DatabaseSpec, Grant]:
    """A file that nobody has open, and what may be read of it."""
    path = tmp_path / "shop.db"
    connection = connected(request.param, path)
    connection.execute(SHOP)
    connection.close()
    return database_spec(request.param, path), granted(request.param, "customers", "id", "name", "country")


def granted(engine: str, table: str, *columns: str) -> Grant:
    prefix = ("main",) if engine == "sqlite" else ("shop", "main")
    return Grant((Table((*prefix, table), tuple(map(Column, columns))),))


def rows(spec: DatabaseSpec, grant: Grant, sql: str, limits: Limits = LONG) -> tuple[Any, ...]:
    process = QueryProcess(spec, dict)
    return process.run(process.check(sql, grant), grant, limits).rows


def workers() -> list[int]:
    return [worker.pid for worker in isolation_pool.alive()]


def asking(spec: DatabaseSpec, *replies: str, **settings: Any) -> Any:
    connection = connected(spec.engine, spec.path, read_only=spec.engine == "duckdb")
    askwhere.register(connection, model=Scripted(replies), isolation="process", method="sea", **settings)
    return connection


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def used(pid: int) -> float:
    """Seconds of processor time."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_one_process_answers_all_that_is_asked_of_a_file(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, grant = shop
    assert rows(spec, grant, "SELECT name FROM customers WHERE id = 1") == (("Ann",),)
    first = workers()
    for _ in range(2):
        connection = asking(spec, PER_COUNTRY)
        assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [("Canada", 2), ("Norway", 1)]
        assert askwhere.ask(connection, "flurb").rows == (("Canada", 2), ("Norway", 1))
        connection.close()
    assert workers() == first
    assert len(first) == 1


def test_one_that_was_killed_is_replaced(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, grant = shop
    for _ in range(2):
        assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
        (pid,) = workers()
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def test_two_at_once_both_go_on_and_one_that_is_ended_takes_no_other_along(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, grant = shop
    met: list[BaseException] = []

    def endless() -> None:
        try:
            rows(spec, grant, ENDLESS, Limits(seconds=60))
        except askwhere.AskError as exc:
            met.append(exc)

    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    (busy,) = workers()  # it has started, and the next request is its
    thread = threading.Thread(target=endless)
    thread.start()
    until(lambda: not isolation_pool._pool.idle)
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    assert thread.is_alive()
    os.kill(busy, signal.SIGKILL)
    thread.join(60)
    assert "SIGKILL" in str(met[0])
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)


def test_a_table_that_another_process_makes_is_seen(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, grant = shop
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    (pid,) = workers()
    other = connected(spec.engine, spec.path)  # DuckDB lets nobody write while a process has the file open
    other.execute("INSERT INTO customers VALUES (4, 'Di', 'Peru'); CREATE TABLE more AS SELECT 7 AS x")
    other.close()
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((4,),)
    assert rows(spec, granted(spec.engine, "more", "x"), "SELECT x FROM more") == ((7,),)
    assert workers() == [pid]


def test_a_file_in_place_of_the_old_one_is_seen(shop: tuple[DatabaseSpec, Grant], tmp_path: Path) -> None:
    spec, grant = shop
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    new = connected(spec.engine, tmp_path / "new.db")
    new.execute("CREATE TABLE customers (id INTEGER, name TEXT, country TEXT)")
    new.close()
    os.replace(tmp_path / "new.db", spec.path)
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((0,),)


def test_a_file_that_is_being_written_is_an_error_and_then_read(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    duckdb.connect(str(path)).execute(SHOP).close()
    spec, grant = database_spec("duckdb", path), granted("duckdb", "customers", "id")
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    writing = duckdb.connect(str(path))
    with pytest.raises(askwhere.DatabaseError, match="open it with read_only=True"):
        rows(spec, grant, "SELECT count(*) AS n FROM customers")
    writing.execute("INSERT INTO customers VALUES (4, 'Di', 'Peru')")
    writing.close()
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((4,),)


def test_random_kills_give_right_rows_or_an_error_of_ours_and_leave_nothing(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, grant = shop
    assert rows(spec, grant, "SELECT count(*) AS n FROM customers") == ((3,),)
    isolation_pool.end_all()
    open_before = len(os.listdir("/proc/self/fd"))
    during: list[object] = []
    after: list[object] = []
    killed = threading.Event()

    def ask(number: int) -> object:
        try:
            return rows(spec, grant, f"SELECT id + {number} AS n FROM customers ORDER BY 1")[0][0] - number
        except askwhere.AskError:
            return "error"

    def ask_on() -> None:
        number = 0
        while not killed.is_set():
            during.append(ask(number := number + 1))
        after.append(ask(number + 1))

    def kill() -> None:
        choice = random.Random(1)
        try:
            for _ in range(20):
                until(lambda: bool(workers()))
                time.sleep(choice.uniform(0, 0.5))
                for pid in choice.sample(pids := workers(), min(1, len(pids))):
                    os.kill(pid, signal.SIGKILL)
                    until(lambda pid=pid: pid not in workers())
        finally:  # a kill that fails ends the questions, too
            killed.set()

    threads = [threading.Thread(target=ask_on) for _ in range(8)]
    killer = threading.Thread(target=kill)
    for thread in (*threads, killer):
        thread.start()
    for thread in (killer, *threads):
        thread.join(300)
    assert set(during) <= {1, "error"}
    assert after == [1] * 8
    isolation_pool.end_all()
    assert workers() == []
    assert len(os.listdir("/proc/self/fd")) == open_before


HOST = """
import sys, threading
sys.path[:0] = {path!r}
from askwhere.bindings.isolation import pool as isolation_pool
from askwhere.bindings.isolation.engine import QueryProcess, database_spec
from askwhere.engine import Grant, Limits
process = QueryProcess(database_spec({engine!r}, {file!r}), dict)
print(process.run(process.check('SELECT 1 AS x', Grant(())), Grant(()), Limits()).rows, flush=True)
print([worker.pid for worker in isolation_pool.alive()], flush=True)
{more}
"""


def host(spec: DatabaseSpec, more: str) -> subprocess.Popen[str]:
    """Another process that has asked, and then does `more`; the number of the process that it has asked is printed."""
    code = HOST.format(path=sys.path, engine=spec.engine, file=spec.path, more=more)
    started = subprocess.Popen(
        [sys.executable, "-c", NO_BARS + code], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "((1,),)\n"
    return started


@pytest.mark.parametrize("busy", [False, True])
def test_a_process_ends_with_a_host_that_is_killed(shop: tuple[DatabaseSpec, Grant], busy: bool) -> None:
    spec, _ = shop
    endless = f"process.run(process.check({ENDLESS!r}, Grant(())), Grant(()), Limits(seconds=60))"
    started = host(spec, f"threading.Thread(target=lambda: {endless}).start()\nsys.stdin.read()" if busy else "input()")
    with started:
        pid = int(started.stdout.readline().strip("[]\n"))  # type: ignore[union-attr]
        started.kill()
    until(lambda: gone(pid))


def test_a_host_that_ends_ends_its_process(shop: tuple[DatabaseSpec, Grant]) -> None:
    with host(shop[0], "") as started:
        pid = int(started.stdout.readline().strip("[]\n"))  # type: ignore[union-attr]
        assert started.wait(60) == 0
    assert gone(pid)


def test_a_fork_has_processes_of_its_own(shop: tuple[DatabaseSpec, Grant]) -> None:
    more = """
import os
mine = isolation_pool.alive()[0].pid
child = os.fork()
if not child:
    assert not isolation_pool.alive()
    process.run(process.check('SELECT 2 AS x', Grant(())), Grant(()), Limits())
    sys.exit(isolation_pool.alive()[0].pid == mine)
print(os.waitpid(child, 0)[1], process.run(process.check('SELECT 3 AS x', Grant(())), Grant(()), Limits()).rows)
print([worker.pid for worker in isolation_pool.alive()] == [mine], flush=True)
"""
    with host(shop[0], more) as started:
        assert started.stdout is not None
        assert started.stdout.readlines()[1:] == ["0 ((3,),)\n", "True\n"]
        assert started.wait(60) == 0


def test_ctrl_c_stops_a_query_at_once(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, _ = shop
    more = f"""
try:
    print('now', flush=True)
    process.run(process.check({ENDLESS!r}, Grant(())), Grant(()), Limits(seconds=600))
except KeyboardInterrupt:
    print(len(isolation_pool.alive()), flush=True)
"""
    with host(spec, more) as started:
        assert started.stdout is not None
        pid = int(started.stdout.readline().strip("[]\n"))
        began = used(pid)
        assert started.stdout.readline() == "now\n"
        until(lambda: used(pid) > began + 0.5)  # it runs the query
        started.send_signal(signal.SIGINT)
        assert started.stdout.readline() == "0\n"
        assert started.wait(60) == 0


MANY = {
    "sqlite": "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {0}) SELECT i, {1} AS t FROM k",
    "duckdb": "SELECT range AS i, {1} AS t FROM range(1, {0} + 1)",
}


def test_many_rows_are_delivered_in_order(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, _ = shop
    connection = asking(spec, MANY[spec.engine].format(100_000, "'x'"))
    found = connection.execute("SELECT i, t FROM ask('flurb')").fetchall()
    assert found == [(i, "x") for i in range(1, 100_001)]
    assert connection.execute("SELECT i FROM ask('flurb') WHERE i > 99998").fetchall() == [(99_999,), (100_000,)]
    assert len(connection.execute("SELECT i FROM ask('flurb') LIMIT 5").fetchall()) == 5
    made = connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM ask('flurb')")
    assert made is not None
    assert connection.execute("SELECT count(*), sum(i) FROM kept").fetchall() == [(100_000, 5_000_050_000)]
    connection.close()


def test_more_than_max_rows_are_refused(shop: tuple[DatabaseSpec, Grant]) -> None:
    spec, _ = shop
    connection = asking(spec, MANY[spec.engine].format(5_000, "'x'"), max_rows=4_999)
    with pytest.raises(ERRORS, match="more than max_rows = 4,999 rows"):
        connection.execute("SELECT * FROM ask('flurb')").fetchall()
    connection.close()


def test_a_large_result_is_refused_before_this_process_grows(shop: tuple[DatabaseSpec, Grant]) -> None:
    """In a process of its own, as the most that one had is never forgotten."""
    spec, _ = shop
    long = {"sqlite": "printf('%.1000c', 'x')", "duckdb": "repeat('x', 1000)"}[spec.engine]
    sql = MANY[spec.engine].format(300_000, long)
    more = f"""
import askwhere, resource
from askwhere.models import Scripted
limits = {{"query_timeout": 600, "max_seconds": 900}}
settings = {{"model": Scripted([{sql!r}]), "isolation": "process", "method": "sea", **limits}}
connection = askwhere.connect({spec.path!r}, read_only=True, **settings)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    connection.execute("SELECT * FROM ask('flurb')").fetchall()
except Exception as exc:
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print('larger than 256 MB' in str(exc) or str(exc).replace(' ', '_'), grown)
connection.close()
"""
    with host(spec, more) as started:
        assert started.stdout is not None
        said, grown = started.stdout.readlines()[1].split()
    assert said == "True"
    assert int(grown) < 256 * 1024


def test_a_join_reads_each_answer_once(shop: tuple[DatabaseSpec, Grant], monkeypatch: pytest.MonkeyPatch) -> None:
    spec, _ = shop
    connection = asking(spec, PER_COUNTRY, "SELECT name, country FROM customers")
    query = "SELECT b.name, a.n FROM ask('flurb') a JOIN ask('flurb flurb') b ON a.country = b.country ORDER BY b.name"
    assert connection.execute(query).fetchall() == [("Ann", 2), ("Bo", 2), ("Cy", 1)]
    read: list[str] = []
    real = QueryProcess.spooled
    monkeypatch.setattr(QueryProcess, "spooled", lambda *a: read.append(a[1].sql) or real(*a))
    assert connection.execute(query).fetchall() == [("Ann", 2), ("Bo", 2), ("Cy", 1)]
    assert len(read) == len(set(read)) == 2
    connection.close()


def test_a_view_cannot_hold_rows_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    connected("sqlite", path).execute(SHOP)
    connection = asking(database_spec("sqlite", path), PER_COUNTRY)
    for kind in ("VIEW", "TEMP VIEW"):
        with pytest.raises(askwhere.AskError, match="a view or trigger cannot hold ask"):
            connection.execute(f"CREATE {kind} v AS SELECT * FROM ask('flurb')")
    connection.close()


TYPES = r"""
-170141183460469231731687303715884105727::HUGEINT; 0.1::FLOAT; 1e-310::DOUBLE; 'nan'::DOUBLE; '-inf'::DOUBLE
123456789012345678901234567890.12345678::DECIMAL(38,8); 'a''b"c\n' || chr(0) || chr(10); '\x00\xff'::BLOB; '0101'::BIT
DATE '0044-03-15 (BC)'; DATE '99999-12-31'; 'infinity'::DATE; TIMESTAMP '290000-01-01 00:00:00'; '24:00:00'::TIME
'2020-01-01 00:00:00.123456789'::TIMESTAMP_NS; TIMETZ '12:00:00+15:59'; INTERVAL '1 year -2 months -04:05:06.000007'
'b'::ENUM('a', 'b', 'it''s'); [1, NULL, 3]; ['a,b', 'NULL', NULL, '', '[x]', '"q"', 'it''s', '\', '{a}', ' lead ']
{'a': 1, 'b c': 'x, y', 'd': NULL}; MAP {'k,1': 1, '=': 2}; [1.5, 2.25]::DOUBLE[2]; NULL::INTEGER[]; '{"a": [1]}'::JSON
"""


@pytest.mark.parametrize("value", [v.strip() for line in TYPES.strip().splitlines() for v in line.split("; ")])
def test_duckdb_gives_every_value_as_it_is(tmp_path: Path, value: str) -> None:
    path = tmp_path / "shop.db"
    duckdb.connect(str(path)).execute(f"CREATE TABLE t AS SELECT {value} AS x").close()
    connection = asking(database_spec("duckdb", path), "SELECT x FROM t", values="hide")
    kind = "SELECT typeof(x), x IS NOT DISTINCT FROM (SELECT x FROM t) FROM "
    (plain,) = connection.execute(f"{kind} t").fetchall()
    assert connection.execute(f"{kind} ask('flurb')").fetchall() == [plain] == [(plain[0], True)]
    expected = connection.execute("SELECT x FROM t").fetchall()
    assert repr(connection.execute("SELECT x FROM ask('flurb')").fetchall()) == repr(expected)
    assert repr(list(askwhere.ask(connection, "flurb").rows)) == repr(expected)
    connection.close()


def test_a_type_that_has_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    duckdb.connect(str(path)).execute("CREATE TABLE t AS SELECT union_value(k := 1) AS x").close()
    connection = asking(database_spec("duckdb", path), "SELECT x FROM t")
    with pytest.raises(duckdb.Error, match="cannot be delivered by another process; ask for it as text"):
        connection.execute("SELECT * FROM ask('flurb')")
    connection.close()


INJECTED = """VARCHAR) AS n, CAST((SELECT 1) AS VARCHAR; DECIMAL((SELECT 1),2); INTEGER, x INTEGER; INTEGER -- ; now()
STRUCT(a INTEGER)) AS n, (SELECT 1; ENUM('a') || 'b'; STRUCT(a "read_text"('x'))"""


def test_what_a_process_says_a_type_is_runs_nothing() -> None:
    for kind in INJECTED.replace("\n", "; ").split("; "):
        with pytest.raises(askwhere.DatabaseError, match="as a type"):
            Deliveries("f").reading(Checked("SELECT 1", ("n",), (kind,)), lambda: isolation.Spool(1))
    for kind in ("ENUM('a)', 'b''(')", 'STRUCT("a (" MAP(VARCHAR, INTEGER[3][]), b TIMESTAMP WITH TIME ZONE)'):
        assert kind in Deliveries("f").reading(Checked("SELECT 1", ("n",), (kind,)), lambda: isolation.Spool(1))
