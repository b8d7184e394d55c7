"""Opening by what a file is, and registering on connections of all kinds."""

from __future__ import annotations

import contextlib
import gzip
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import database_files
from askwhere.models import Scripted
from support import NO_BARS, PER_COUNTRY, SHOP, Database, in_threads


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shop.db", "shop.duckdb", "shop", "shop.txt"])
def test_the_header_decides_and_not_the_name(tmp_path: Path, database: Database, name: str) -> None:
    raw = database.raw(tmp_path / name)
    raw.execute(SHOP)
    raw.close()
    opened = askwhere.connect(tmp_path / name)
    assert isinstance(opened, apsw.Connection if database.kind == "sqlite" else duckdb.DuckDBPyConnection)
    assert opened.execute("SELECT ask_version()").fetchall() == [(askwhere.__version__,)]
    opened.close()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"PAR1 and more", "it is a Parquet file"),
        (b"PK\x03\x04rest", "it is a ZIP archive or a spreadsheet"),
        (gzip.compress(b"x", mtime=0), "it is a gzip file"),
        (b"name,country\nAnn,Canada", "it is a text file that begins with 'name,country'"),
        (b"\xff\xfe\x00\x01", "it is a file that begins with the bytes ff fe 00 01"),
    ],
)
def test_another_kind_of_file_is_named(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(content)
    with pytest.raises(askwhere.DatabaseError) as caught:
        askwhere.connect(path)
    assert f"{path} is neither a SQLite nor a DuckDB database" in str(caught.value)
    assert text in str(caught.value)


def test_a_missing_file_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(askwhere.DatabaseError, match="there is no file"):
        askwhere.connect(tmp_path / "none.db")
    with pytest.raises(askwhere.DatabaseError, match=r"the folder .* has no files"):
        askwhere.connect(tmp_path)
    assert not (tmp_path / "none.db").exists()


def test_an_empty_file_is_an_empty_database(tmp_path: Path) -> None:
    (tmp_path / "x.db").touch()
    connection = askwhere.connect(tmp_path / "x.db")
    with pytest.raises(askwhere.AskError, match="no tables that can be asked"):
        connection.execute("SELECT * FROM ask('how many?')")
    connection.close()


def test_a_wrong_setting_opens_nothing(tmp_path: Path) -> None:
    with pytest.raises(askwhere.SettingError, match="there is no setting 'modle'; did you mean 'model'"):
        askwhere.connect(":memory:", modle="reader")


def test_pythons_own_sqlite3_is_told_where_to_go() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(askwhere.DatabaseError, match=r"askwhere\.connect\(path\), or with apsw"):
        askwhere.register(connection)
    with pytest.raises(askwhere.DatabaseError, match=r"Python's own sqlite3 cannot be asked: open the file with"):
        askwhere.ask(connection, "how many?")
    connection.close()


def test_something_else_is_not_a_connection() -> None:
    with pytest.raises(askwhere.DatabaseError, match=r"expected an apsw.Connection .* found builtins.str"):
        askwhere.register("chinook.db")
    with pytest.raises(askwhere.DatabaseError, match=r"expected an apsw.Connection .* found builtins.NoneType"):
        askwhere.ask(None, "how many?")


@pytest.mark.parametrize(
    ("question", "options", "text"),
    [
        (3, {}, "question must be a text, found the number 3"),
        ("", {}, "question must be a text, found an empty text"),
        ("q", {"choose": "1"}, "choose must be a whole number, found the text '1'"),
        ("q", {"choose": True}, "choose must be a whole number, found the truth value true"),
        ("q", {"hint": 5}, "hint must be a text, found the number 5"),
    ],
)  # fmt: skip
def test_python_says_of_wrong_arguments_what_sql_says(question: Any, options: dict[str, Any], text: str) -> None:
    with pytest.raises(askwhere.ArgumentError) as caught:
        askwhere.ask(apsw.Connection(":memory:"), question, **options)
    assert str(caught.value) == f"ask(question, [model], [effort], [hint], [choose], [follows]): {text}"


def test_a_database_opened_read_only_answers_and_is_not_written(tmp_path: Path, database: Database) -> None:
    database.shop(tmp_path / "x").close()
    opened = askwhere.connect(tmp_path / "x", read_only=True)
    other = askwhere.connect(tmp_path / "x", read_only=True)
    assert opened.execute("SELECT * FROM ask('how many customers are there?')").fetchall() == [(3,)]
    with pytest.raises((apsw.ReadOnlyError, duckdb.Error), match=r"read-?only"):
        opened.execute("DELETE FROM orders")
    opened.close()
    other.close()


def test_a_duckdb_file_that_may_only_be_read_is_opened_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = duckdb.connect(str(tmp_path / "x.duckdb"))
    made.execute(SHOP)
    made.close()
    monkeypatch.setattr(database_files, "access", lambda path, mode: False)  # whoever runs this may write everything
    opened = askwhere.connect(tmp_path / "x.duckdb")
    assert opened.execute("SELECT readonly FROM duckdb_databases() WHERE database_name = 'x'").fetchall() == [(True,)]
    opened.close()


HOLD = {
    "read": "import duckdb; con = duckdb.connect({path!r}, read_only=True)",
    "write": "import duckdb; con = duckdb.connect({path!r})",
    "exclusive": "import apsw; con = apsw.Connection({path!r}); con.execute('BEGIN EXCLUSIVE')",
}


@contextlib.contextmanager
def held(path: Path, how: str) -> Iterator[None]:
    """Another process has the file."""
    code = HOLD[how].format(path=str(path)) + "; print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", NO_BARS + code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        yield
        holder.communicate("\n")


def test_a_duckdb_file_that_others_read_can_be_read_and_the_error_says_how(tmp_path: Path) -> None:
    made = duckdb.connect(str(tmp_path / "x.duckdb"))
    made.execute(SHOP)
    made.close()
    with held(tmp_path / "x.duckdb", "read"):
        with pytest.raises(askwhere.DatabaseError, match=r"to share it, open it with read_only=True.*--read-only$"):
            askwhere.connect(tmp_path / "x.duckdb")
        askwhere.connect(tmp_path / "x.duckdb", read_only=True).close()
    with (
        held(tmp_path / "x.duckdb", "write"),
        pytest.raises(askwhere.DatabaseError, match="close it in that program, or ask"),
    ):
        askwhere.connect(tmp_path / "x.duckdb", read_only=True)


def test_a_sqlite_file_that_is_locked_or_damaged_is_said(tmp_path: Path) -> None:
    made = apsw.Connection(str(tmp_path / "x.db"))
    made.execute(SHOP)
    made.close()
    with held(tmp_path / "x.db", "exclusive"):
        opened = askwhere.connect(tmp_path / "x.db")
        opened.set_busy_timeout(50)
        with pytest.raises(askwhere.DatabaseError, match="locked by another connection; try again when that is done"):
            askwhere.ask(opened, "how many customers are there?")
        opened.close()
    content = (tmp_path / "x.db").read_bytes()
    (tmp_path / "x.db").write_bytes(content[:100] + b"\xff" * 1000 + content[1100:])
    opened = askwhere.connect(tmp_path / "x.db")
    with pytest.raises(askwhere.DatabaseError, match="the database is damaged; restore it from a copy"):
        askwhere.ask(opened, "how many customers are there?")
    opened.close()


def test_asking_from_python_needs_no_registration(database: Database) -> None:
    connection = database.raw()
    connection.execute(SHOP)
    assert askwhere.ask(connection, "how many customers are there?").rows == ((3,),)


def test_settings_come_from_environment_and_file_in_that_order(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "config" / "askwhere"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('max_rows = 11\nquery_timeout = 12\nhide_columns = ["a.b?", "c.d?"]\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ASKWHERE_QUERY_TIMEOUT", "13")
    found = database.shop(effort="fast").execute("SELECT name, value, source FROM ask_settings()").fetchall()
    assert ("effort", "fast", "register") in found
    assert ("query_timeout", "13", "environment") in found
    assert ("max_rows", "11", "file") in found
    assert ("hide_columns", "a.b?,c.d?", "file") in found


def test_a_broken_configuration_file_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "askwhere").mkdir()
    (tmp_path / "askwhere" / "config.toml").write_text("max_rows = ")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(askwhere.SettingError, match="is not valid TOML"):
        askwhere.connect(":memory:")


@pytest.mark.slow
def test_many_threads_ask_on_connections_of_their_own(database: Database) -> None:
    first = database.shop(database.path)

    def work(_: int) -> None:
        connection: Any = askwhere.connect(database.path) if database.kind == "sqlite" else first.cursor()
        askwhere.register(connection, model=Scripted([PER_COUNTRY] * 5), method="sea")
        for number in range(5):
            assert len(connection.execute(f"SELECT * FROM ask('flurb {number}')").fetchall()) == 2
        connection.close()

    in_threads(work, range(6))


def test_threads_that_share_a_connection_ask_once(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    connection = database.shop(model=model, method="sea")
    in_threads(lambda _: askwhere.ask(connection, "flurb").rows, range(4))
    assert len(model.prompts) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["apsw", "duckdb"])
def test_nothing_is_printed_as_python_ends(kind: str) -> None:
    opened = "apsw.Connection(':memory:')" if kind == "apsw" else "duckdb.connect()"
    asked = "print(con.execute('SELECT ask_version()').fetchall())"
    code = f"import {kind}, askwhere\ncon = {opened}\naskwhere.register(con)\n{asked}"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_BARS + code], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert askwhere.__version__ in ran.stdout


def test_a_closed_duckdb_file_can_be_opened_with_other_options(tmp_path: Path) -> None:
    first = duckdb.connect(str(tmp_path / "x.duckdb"))
    first.execute(SHOP)
    askwhere.register(first)
    first.execute("SELECT * FROM ask('how many customers are there?')").fetchall()
    first.close()
    second = duckdb.connect(str(tmp_path / "x.duckdb"), config={"threads": 1}, read_only=True)
    askwhere.register(second)
    assert second.execute("SELECT * FROM ask('how many customers are there?')").fetchall() == [(3,)]
    second.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["apsw", "duckdb"])
@pytest.mark.parametrize("asked", ["askwhere.ask(con, 'flurb')", "con.execute(\"SELECT * FROM ask('flurb')\")"])
def test_ctrl_c_stops_a_question_and_the_connection_lives(kind: str, asked: str) -> None:
    opened = "apsw.Connection(':memory:')" if kind == "apsw" else "duckdb.connect()"
    endless = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"
    code = f"""
import os, signal, threading, {kind}, askwhere, askwhere.models
class Asked(askwhere.models.Scripted):
    def complete(self, *arguments, **options):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        return super().complete(*arguments, **options)
con = {opened}
con.execute("CREATE TABLE t (x INTEGER)")
askwhere.register(con, model=Asked([{endless!r}]), query_timeout=3_600, max_seconds=3_600)
try:
    {asked}
except BaseException as exc:
    assert "interrupt" in repr(exc).lower(), repr(exc)
print(con.execute("SELECT 40 + 2").fetchall())
"""
    ran = subprocess.run(
        [sys.executable, "-c", NO_BARS + code], capture_output=True, text=True, check=False, timeout=600
    )
    assert (ran.stdout, ran.stderr) == ("[(42,)]\n", "")


@pytest.mark.parametrize("address", ["https://host/a.duckdb?sig=geheim", "md:db?motherduck_token=geheim"])
def test_the_error_for_an_address_that_is_no_file_repeats_no_secret(address: str) -> None:
    said = str(database_files.missing(Path(address)))
    assert said == f"there is no file of this name, which begins with {address.partition(':')[0]}: as an address does"
