"""What `askwhere serve` does before and beside Quack: sessions, addresses, tokens, and what it says."""

from __future__ import annotations

import contextlib
import importlib
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.advice import for_client
from askwhere.bindings.cli import main as cli
from askwhere.bindings.duckdb import extensions
from askwhere.bindings.duckdb import functions as duckdb_functions
from askwhere.bindings.serve import clients as serve_clients
from askwhere.bindings.serve import server as serve
from askwhere.bindings.serve import sessions as serve_sessions
from askwhere.bindings.serve import watch as serve_watch
from askwhere.bindings.serve.address import parse, refuse_used
from askwhere.bindings.serve.sessions import Sessions
from askwhere.bindings.source import Source
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.session import Session
from support import NO_BARS, SHOP

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "0123456789abcdef"
ASK = "SELECT * FROM ask('number of customers per country') ORDER BY 1"
ANSWER = [("Canada", 2), ("Norway", 1)]


def test_without_quack_it_is_said_what_to_install(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "shop.duckdb"
    with contextlib.closing(duckdb.connect(str(path))) as connection:
        connection.execute(SHOP)
        connection.execute(f"SET extension_directory = '{tmp_path}'")
        with pytest.raises(DatabaseError, match=r"no extension quack: .*INSTALL quack .*pip install .*in a checkout"):
            extensions.load(connection, "quack")


def test_the_extra_has_the_version_that_is_advised() -> None:
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["serve"]
    assert {line.partition("==")[2] for line in extra} == {extensions.TRIED}
    assert f"duckdb-cli=={extensions.TRIED}" in (ROOT / "Makefile").read_text()


ENDING = """
import os, signal, time
from askwhere.bindings.serve import server as serve
serve.CLEAN_SECONDS = 0.5
stopped = serve.ending()
os.kill(os.getpid(), signal.SIGINT)
stopped.wait()
os.kill(os.getpid(), signal.SIGTERM)
os.kill(os.getpid(), signal.SIGINT)
print("cleaning", flush=True)
while True:
    time.sleep(1)
"""


@pytest.mark.slow
def test_cleaning_that_hangs_ends_with_the_process() -> None:
    ran = subprocess.run([sys.executable, "-c", NO_BARS + ENDING], capture_output=True, text=True, timeout=600)
    assert (ran.returncode, ran.stdout) == (
        serve_watch.BROKEN,
        "cleaning\nended: cleaning up took more than 0.5 seconds\n",
    ), ran.stderr


HOLDING = """
import os, signal
from askwhere.bindings.serve import server as serve
stopped = serve.ending()
with stopped._cond:  # as waiting for it does, at moments
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
print(stopped.wait(60), flush=True)
os._exit(0)
"""


@pytest.mark.slow
def test_a_signal_at_any_moment_of_waiting_for_it_hangs_nothing() -> None:
    ran = subprocess.run([sys.executable, "-c", NO_BARS + HOLDING], capture_output=True, text=True, timeout=300)
    assert ran.stdout == "True\n", ran.stderr


def test_each_connection_has_a_session_of_its_own(tmp_path: Path) -> None:
    with contextlib.closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as connection:
        connection.execute(SHOP)
        duckdb_functions.publish(connection, Sessions().of, None)
        with connection.cursor() as one, connection.cursor() as other:
            one.execute("SELECT ask_set('effort', 'fast')").fetchall()
            effort = "SELECT value FROM ask_settings() WHERE name = 'effort'"
            assert [c.execute(effort).fetchall() for c in (one, other)] == [[("fast",)], [("balanced",)]]
            assert other.execute(ASK).fetchall() == ANSWER
        assert duckdb_functions.withdraw(connection) == []
        found = (
            "SELECT count(*) FROM duckdb_functions() WHERE function_type LIKE '%macro' AND function_name LIKE 'ask%'"
        )
        assert connection.execute(found).fetchall() == [(0,)]


def test_a_client_is_advised_settings_of_the_server(tmp_path: Path) -> None:
    with contextlib.closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as connection:
        connection.execute(SHOP)
        duckdb_functions.publish(connection, Sessions().of, None, advised=for_client)
        with pytest.raises(duckdb.Error, match="`askwhere serve --model NAME` sets one") as refused:
            connection.execute("SELECT * FROM ask('xyzzy customers')")
        assert "ask_set" not in str(refused.value)
        assert duckdb_functions.withdraw(connection) == []


def test_the_sessions_used_longest_ago_are_forgotten_and_settings_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_sessions, "CLIENTS", 3)
    sessions = Sessions()
    one, two, three = (sessions.of(client) for client in "123")
    one.set("effort", "fast")
    sessions.of("2")
    sessions.of("4")
    assert sessions.of("1") is one
    assert sessions.of("2") is two
    assert sessions.of("3") is not three
    for client in "234":
        sessions.of(client).set("effort", "fast")
    assert sessions.of("1") is not one  # all had settings


@pytest.mark.parametrize(
    ("listen", "shown", "local"),
    [
        ("localhost", "quack:localhost:9494", True),
        ("127.0.0.1:80", "quack:127.0.0.1:80", True),
        ("[::1]", "quack:[::1]:9494", True),
        ("db.example.com:9495", "quack:db.example.com:9495", False),
        ("0.0.0.0", "quack:0.0.0.0:9494", False),
    ],
)
def test_addresses(listen: str, shown: str, local: bool) -> None:
    address = parse(listen)
    assert (address.shown, address.local) == (shown, local)
    said = "\n".join(serve.lines(Source(("x.duckdb",)), address, None, None))
    assert ("TLS" in said) is ("disable_ssl" in said) is not local
    assert ("quack_query('quack:0.0.0.0" in said) is False
    assert ("Only programs on this machine can connect; --listen HOST lets others." in said) is local
    assert ("need its address in place of that name" in said) is (address.host in ("0.0.0.0", "[::]"))


def test_a_client_without_a_network_is_told_which_files_to_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said() -> str:
        return "\n".join(serve.lines(Source(("x.duckdb",)), parse("localhost"), None, None))

    found = "  -- where INSTALL cannot download from extensions.duckdb.org: "
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert f"{found}see docs/serving.md\n" in said()
    for name in serve.EXTENSIONS:
        folder = tmp_path / f"duckdb_extension_{name}" / "extensions" / f"v{duckdb.__version__}"
        folder.mkdir(parents=True)
        (folder.parent.parent / "__init__.py").touch()
        (folder / f"{name}.duckdb_extension").touch()
    importlib.invalidate_caches()
    httpfs, quack = (next(tmp_path.glob(f"*_{name}/*/*/{name}.*")) for name in ("httpfs", "quack"))
    assert f"{found}LOAD '{httpfs}'; LOAD '{quack}';\n" in said()
    assert extensions.available("quack")


def test_a_terminal_obeys_nothing_of_the_name_of_what_is_served(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Source(("x\x1b[31m\u202e.duckdb",))
    assert "\x1b[31m" in serve.lines(source, parse("localhost"), None, None)[0]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "serves x⟨U+001B⟩[31m⟨U+202E⟩.duckdb on" in serve.lines(source, parse("localhost"), None, None)[0]


def listening() -> socket.socket:
    """Return a socket that listens as Quack's does."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("127.0.0.1", 0))
    made.listen()
    return made


def test_a_port_is_taken_while_something_listens_but_not_by_connections_that_have_ended() -> None:
    with listening() as server:
        address = parse(f"127.0.0.1:{server.getsockname()[1]}")
        with socket.create_connection(server.getsockname()) as client:
            server.accept()[0].close()  # the side that ends first waits for a minute, or two
            assert client.recv(1) == b""
        with pytest.raises(DatabaseError, match="Address already in use"):
            refuse_used(address)
    with socket.socket() as tried, contextlib.suppress(OSError):
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind(("127.0.0.1", address.port))
        pytest.skip("this system lets anyone have the port at once")
    refuse_used(address)


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="nothing is reserved without this option")
def test_a_reserved_port_is_for_what_shares_it_alone() -> None:
    address, reserved = serve_watch.reserve()
    refuse_used(address)
    with reserved, socket.socket() as other, socket.socket() as sharing:
        with pytest.raises(OSError, match="Address already in use"):
            other.bind((address.host, address.port))
        sharing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sharing.bind((address.host, address.port))
        sharing.listen()
        socket.create_connection((address.host, address.port)).close()


@pytest.mark.parametrize("listen", ["", "a b", "host:", "host:0", "host:65536", "host:1x", "quack:x:1", "::1"])
def test_a_wrong_address_is_said(listen: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "x.duckdb", "--listen", listen]) == 1
    assert capsys.readouterr().err == f"askwhere: --listen: expected HOST or HOST:PORT, found {listen!r}\n"


def test_the_token_is_of_the_file_or_the_environment_or_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, new = serve.find_token(None)
    assert new
    assert len(made) == 32 != serve.find_token(None)[0]
    monkeypatch.setenv("ASKWHERE_TOKEN", TOKEN)
    assert serve.find_token(None) == (TOKEN, False)
    file = tmp_path / "token"
    file.write_text("f" * 20 + "\n")
    assert serve.find_token(file) == ("f" * 20, False)
    for wrong in ("short", "two\nlines of a token", ""):
        file.write_text(wrong)
        with pytest.raises(ArgumentError, match="one line of at least 16 characters"):
            serve.find_token(file)


def test_a_token_that_was_given_is_not_printed() -> None:
    address = parse("localhost")
    assert "TOKEN '…'" in "\n".join(serve.lines(Source(("x.duckdb",)), address, None, None))
    assert f"TOKEN '{TOKEN}'" in "\n".join(serve.lines(Source(("x.duckdb",)), address, TOKEN, None))


def test_a_wrong_setting_is_said_before_the_file_is_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASKWHERE_EFFORT", "heroic")
    with pytest.raises(askwhere.SettingError):
        Session({})
    assert cli.main(["serve", "missing.duckdb"]) == 1
    assert "effort" in capsys.readouterr().err


PERMITTED = """
SELECT * FROM ask('query (x)'); FROM customers WHERE n > 3
CREATE VIEW v AS SELECT * FROM ask('a')
CREATE MACRO mine(q) AS TABLE SELECT * FROM ask(q)
PRAGMA table_info('customers')
USE main
SET TimeZone = 'UTC'
BEGIN TRANSACTION
PREPARE p AS SELECT ?
EXECUTE p(1)
EXPLAIN ANALYZE SELECT 1
DROP TABLE customers
SELECT query, checkpoint FROM t
PIVOT customers ON country USING count(*)
SELECT 'quack_stop(1)', é."ü""(" -- quack_stop(
SELECT #1, #2 FROM customers
SELECT\u00a0count(*)\u2003FROM\u00a0"customers\u00a0"
CREATE TABLE made (macro TEXT, function TEXT, year INT)
CREATE MACRO "my shop".main.upper_name(x) AS upper(x)
DROP MACRO IF EXISTS mine
SET SESSION TimeZone = 'UTC'
UPDATE customers SET global = 1
EXPLAIN (ANALYZE, FORMAT json) SELECT 1
COMMENT ON TABLE customers IS 'x'
SHOW TABLES
no SQL at all
"""
REFUSED = """
CALL enable_logging(storage = 'file', storage_path = '/tmp/x')
FROM "Quack_Stop" /* a */ ('x')
SELECT 'é'; FROM main.quack_serve('x')
FROM quack_active_connections()
SELECT askwhere_change_0a1b2c3d('ask_set', '[]', 'ask_set', '7')
FROM query('FROM quack_sto' || 'p(1)')
FROM json_execute_serialized_sql('x')
ATTACH ':memory:' AS x
SELECT 1; DETACH x
LOAD json
INSTALL json
CHECKPOINT
FORCE CHECKPOINT
DROP MACRO TABLE IF EXISTS main.ask
CREATE OR REPLACE MACRO ask_sql(x) AS 1
create function memory.main."Ask"(x) as table select 1
EXPLAIN ANALYZE CALL quack_stop('x')
EXPLAIN ANALYZE LOAD json
SELECT 1; EXPLAIN ANALYZE CHECKPOINT
PRAGMA force_checkpoint
PRAGMA enable_profiling
PRAGMA version; PRAGMA force_checkpoint
CREATE SECRET s (TYPE quack, TOKEN 'x')
ALTER DATABASE a SET ALIAS TO b
COPY a TO 'x'
EXPORT DATABASE 'x'
COPY FROM DATABASE a TO b
FROM\u00a0quack_active_connections()
SELECT 1,\u2003\u00a0quack_stop('x')
FROM\ufeffquack_stop('x')
FROM query\u200b('x')
FROM "query"\u2060\u200b('x')
SELECT * FROM ask\ufeff('x'), "quack_stop"\ufeff('x')
FROM "query" /* " */ ('x')
FROM "query"/*"*/\u00a0('x')
SET\u200bGLOBAL integer_division = true
CREATE/*"*/MACRO "ask" /* " */ (x) AS 1
SET GLOBAL integer_division = true
RESET/**/GLOBAL TimeZone
CREATE MACRO current_connection_id() AS 7
CREATE OR REPLACE TEMP MACRO main."JSON_array"(a, b) AS 7
CREATE MACRO list_value(x) AS TABLE SELECT 1
CREATE MACRO 'lower'(x) AS 'LIE'
CREATE OR REPLACE MACRO e'ask'(question) AS TABLE SELECT 1
CREATE MACRO $$askwhere_may$$(a, b) AS true
CREATE MACRO askwhere_may(a, b) AS true
CREATE OR REPLACE MACRO "my shop".main.ask(question) AS TABLE SELECT 1
DROP MACRO TABLE "my ( shop".main.ask
FROM sqlite_scan('/other.db', 'secret')
FROM sqlite_attach('/other.db')
FROM enable_profiling(format = 'json', save_location = '/tmp/x')
PREPARE "a select" AS COPY a TO 'x'
IMPORT DATABASE '/tmp'
PRAGMA create_fts_index('a', 'b', 'c')
"""


@pytest.mark.parametrize("sql", PERMITTED.strip().split("\n"))
def test_a_client_may_run_sql_on_the_database(sql: str, caplog: pytest.LogCaptureFixture) -> None:
    assert serve_clients.Clients().may("7", sql)
    assert caplog.messages == []


@pytest.mark.slow
@pytest.mark.parametrize("sql", REFUSED.strip().split("\n"))
def test_a_client_may_not_change_the_server(sql: str, caplog: pytest.LogCaptureFixture) -> None:
    assert not serve_clients.Clients().may("7", sql)
    [said] = caplog.messages
    assert said.startswith("a client's statement was refused: ")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("sql", "may"),
    [
        ("SELECT * FROM ask('create a table')", True),
        ("PIVOT customers ON country USING count(*)", True),
        ("CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM ask('a')", True),
        ("CREATE TEMPORARY TABLE t AS SELECT 1 AS create", False),  # DuckDB's own word: said once too often
        ("SELECT ask_pin('create', 'SELECT 1')", True),
        ("CREATE VIEW memory.main.customers AS SELECT 'evil' AS name", False),
        ("CREATE/**/OR\u200bREPLACE VIEW customers AS SELECT 1", False),
        ("CREATE TEMP TABLE t (i INT); CREATE TABLE customers (i INT)", False),
        ("CREATE TYPE t AS ENUM ('a')", False),
        ("CREATE MACRO m(x) AS x", False),
        ("DROP VIEW customers", False),
        ("ALTER VIEW customers RENAME TO others", False),
        ("COMMENT ON VIEW customers IS 'evil'", False),
        ("EXPLAIN ANALYZE CREATE TABLE customers AS SELECT 1", False),
    ],
)
def test_a_client_of_what_is_only_read_makes_nothing_that_others_see(sql: str, may: bool) -> None:
    assert serve_clients.Clients(reading=True).may("7", sql) == may


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        ("CREATE MACRO mine(x) AS x", True),
        ("SELECT 1; DROP/**/Function mine", True),
        ("CREATE TEMP\u00a0MACRO m(x) AS x", True),
        ("SELECT 'macro' AS \"function\" -- macro", False),
        ("CREATE TABLE t AS SELECT * FROM ask('macro')", False),
    ],
)
def test_what_may_make_a_function_is_noted_before_it_runs(sql: str, made: bool) -> None:
    clients = serve_clients.Clients()
    clients.may("7", "SELECT 1")
    assert not clients.made
    clients.may("7", sql)
    clients.may("8", "SELECT 1")
    assert clients.made == made


@pytest.mark.parametrize("repeated", ["(1), ", "(alter macro), ", "(1 if), "])
def test_the_words_of_a_long_statement_are_read_once(repeated: str) -> None:
    words = Counted(serve_clients._words(f"INSERT INTO t VALUES {repeated * 2_000} (1)"))
    assert list(serve_clients._wrong(["INSERT"], words, "", frozenset())) == []
    assert words.read < 20 * len(words)


class Counted(list[str]):
    """Words that count how many of them were read."""

    read = 0

    def __iter__(self) -> Iterator[str]:
        for word in super().__iter__():
            self.read += 1
            yield word

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.read += len(found) if isinstance(place, slice) else 1
        return found


def test_a_macro_that_would_take_the_place_of_what_a_server_calls_is_refused(tmp_path: Path) -> None:
    with contextlib.closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as connection:
        connection.execute("CREATE MACRO askwhere_may(a, b) AS true")
        with pytest.raises(DatabaseError, match=r"a macro askwhere_may\(\) of its own, and a server has"):
            duckdb_functions.publish(connection, Sessions().of, None)


def test_signals_that_are_ignored_stay_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_DFL)
    assert serve.signals() == (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert serve.signals() == (signal.SIGINT, signal.SIGTERM)
