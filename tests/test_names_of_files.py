"""Names of database files that an engine could take for something else: the file of that name is opened, or none."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
import sqlalchemy as sa
from askwhere.bindings import database_files
from askwhere.bindings.cli import main as cli
from askwhere.errors import ArgumentError, DatabaseError
from support import Database, rows

pytestmark = pytest.mark.slow

NAMES = (
    ":memory:",
    ":memory:x",
    "md:x",
    "motherduck:x",
    "duckdb:x",
    "sqlite:x",
    "ducklake:x",
    "file:x",
    "file:x?mode=memory",
    "http:x",
    "~",
    "~x",
    "$HOME",
    "new\nline",
    "qu'ote",
    'dou"ble',
    "h#ash",
    "p%00q%41",
    "what?",
    "*",
    "[ab]",
    "-dash",
    "--help",
    "a=b, c;d",
    "select",
    "main",
    "temp",
    "\u202ex\x1b[31m",
)
QUESTION = "how many customers are there"


@pytest.fixture
def folder(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a shop in `shop`; the home folder is another one."""
    database.raw(tmp_path / "shop").execute(
        "CREATE TABLE customers (id INTEGER); INSERT INTO customers VALUES (1), (2)"
    )
    database.close()
    for name in ("home", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "there")
    return tmp_path


def ending(database: Database) -> str:
    return ".db" if database.kind == "sqlite" else ".duckdb"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_is_itself(database: Database, folder: Path, name: str) -> None:
    file = f"{name}{ending(database)}"
    shutil.copy(folder / "shop", file)
    with contextlib.closing(askwhere.connect(file)) as con:
        assert rows(con, f"SELECT * FROM ask('{QUESTION}')") == [(2,)]
        rows(con, "SELECT ask_index()")
        rows(con, "INSERT INTO customers VALUES (3)")
    with contextlib.closing(askwhere.connect(file, read_only=True, isolation="process")) as con:
        assert askwhere.ask(con, QUESTION).rows == ((3,),)
    assert os.listdir(".") == [file]
    assert os.listdir(folder / "home") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["md:x.duckdb", "~x.duckdb", ":memory:.duckdb", "what?.duckdb"])
def test_sqlalchemy_and_keep_take_names_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with duckdb.connect(str(tmp_path / name)) as made:
        made.execute("CREATE TABLE customers (id INTEGER)")
    engine = sa.create_engine(sa.URL.create("askwhere+duckdb", database=name))
    with engine.connect() as connection:
        assert connection.execute(sa.text(f"SELECT * FROM ask('{QUESTION}')")).fetchall() == [(0,)]
    engine.dispose()
    Path("pets.csv").write_text("pet,age\ncat,3\ndog,4\n")
    with contextlib.closing(askwhere.connect("pets.csv", keep=f"kept-{name}")) as con:
        rows(con, "SELECT ask_index()")
    assert sorted(os.listdir(".")) == sorted([name, f"kept-{name}", "pets.csv"])


@pytest.mark.parametrize("how", ["connect", "attach"])
def test_duckdb_opens_what_the_system_does_behind_a_link(tmp_path: Path, how: str) -> None:
    """DuckDB takes `link/..` for the folder that holds the link."""
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "inner")
    for place, count in ((tmp_path, 1), (tmp_path / "real", 2)):
        with duckdb.connect(str(place / "shop.duckdb")) as made:
            made.execute(f"CREATE TABLE customers AS FROM range({count})")
    file = f"{tmp_path}/link/../shop.duckdb"
    options: dict[str, Any] = {"attach": {"crm": file}} if how == "attach" else {}
    with contextlib.closing(askwhere.connect(":memory:" if options else file, **options)) as con:
        assert askwhere.ask(con, QUESTION).rows == ((2,),)


@pytest.mark.parametrize("how", ["connect", "attach", "keep"])
def test_duckdb_opens_no_name_with_a_backslash(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB takes it for a slash, so that it opened another file, or made one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    for name in ("a/b.duckdb", "a\\b.duckdb"):
        shutil.copyfile(duckdb_file(tmp_path), name)
    Path("pets.csv").write_text("pet\ncat\n")
    path = {"connect": "a\\b.duckdb", "attach": ":memory:", "keep": "pets.csv"}[how]
    options: dict[str, Any] = {
        "connect": {},
        "attach": {"attach": {"crm": "a\\b.duckdb"}},
        "keep": {"keep": "a\\c.db"},
    }[how]
    with pytest.raises(DatabaseError, match=r"DuckDB takes the backslash in .* for a slash; rename it"):
        askwhere.connect(path, **options)


def duckdb_file(folder: Path) -> Path:
    file = folder / "made.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE OR REPLACE TABLE customers (id INTEGER)")
    return file


def test_the_log_of_a_duckdb_file_is_found_whatever_its_name(tmp_path: Path) -> None:
    for name in ("plain.duckdb", "what? and?.duckdb"):
        con = duckdb.connect(str(tmp_path / name))
        con.execute("CREATE TABLE customers (id INTEGER)")
        assert database_files.duckdbs_log(str(tmp_path / name)).stat().st_size > 0
        askwhere.register(con)
        rows(con, "SELECT ask_pin('how many', 'SELECT count(*) AS n FROM customers')")
        con.close()
    assert sorted(os.listdir(tmp_path)) == ["plain.duckdb", "what? and?.duckdb"]


def test_a_name_as_long_as_one_may_be_is_asked(database: Database, folder: Path) -> None:
    """The file beside it, for what cannot be kept in it, would have a longer name than any may have."""
    file = f"{'x' * 240}{ending(database)}"
    shutil.copy(folder / "shop", file)
    for read_only in (True, False):
        with contextlib.closing(askwhere.connect(file, read_only=read_only)) as con:
            assert askwhere.ask(con, QUESTION).rows == ((2,),)


@pytest.mark.parametrize("name", ["shop.db", "shop.duckdb"])
def test_a_link_to_a_database_is_opened_as_that(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(duckdb_file(tmp_path), "shop.duckdb")
    with contextlib.closing(sqlite3.connect("shop.db")) as made:
        made.execute("CREATE TABLE customers (id INTEGER)")
    Path("link").symlink_to(name)
    with contextlib.closing(askwhere.connect("link")) as con:
        assert askwhere.ask(con, QUESTION).rows == ((0,),)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
@pytest.mark.parametrize(
    ("database", "pipe", "options"),
    [
        ("shop.db", "shop.db-journal", {}),
        ("shop.db", "shop.db-wal", {}),
        ("shop.duckdb", "shop.duckdb.wal", {}),
        ("pets.csv", "kept.duckdb.wal", {"keep": "kept.duckdb"}),
        (":memory:", "shop.duckdb.wal", {"attach": {"crm": "shop.duckdb"}}),
    ],
)
def test_a_pipe_in_the_place_of_a_log_is_refused(
    database: str, pipe: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it would wait for somebody who writes to it, also after Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    Path("pets.csv").write_text("pet\ncat\n")
    shutil.copyfile(duckdb_file(tmp_path), "shop.duckdb")
    with contextlib.closing(sqlite3.connect("shop.db")) as made:
        made.execute("CREATE TABLE customers (id INTEGER)")
    os.mkfifo(pipe)
    with pytest.raises(DatabaseError, match=rf"{pipe} is a pipe, where the database's log would be: remove it"):
        askwhere.connect(database, **options)


@pytest.mark.parametrize("name", ["x" * 300, f"{'x' * 300}.csv", f"{'x' * 300}/*.csv", "x/" * 3_000])
def test_a_name_that_is_too_long_is_an_error_of_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DatabaseError, match=r"File name too long|no file matches"):
        askwhere.connect(name)
    assert cli.main(["ask", name, QUESTION]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_nothing_is_attached_by_the_name_of_askwheres_own_database(tmp_path: Path) -> None:
    """Its tables would have been asked for askwhere's own, and hidden."""
    with pytest.raises(ArgumentError, match="attach: expected another name than askwhere_kept"):
        askwhere.connect(attach={"Askwhere_Kept": str(duckdb_file(tmp_path))})


@pytest.mark.parametrize("options", [{}, {"read_only": True}, {"read_only": True, "isolation": "process"}])
def test_a_file_named_like_askwheres_own_database_is_asked(tmp_path: Path, options: dict[str, Any]) -> None:
    """DuckDB calls a file's database by the file's name, and the tables of askwhere's own were left out of all."""
    file = tmp_path / "askwhere_kept.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('Ann')")
    with contextlib.closing(askwhere.connect(file)) as con:
        assert rows(con, "SELECT ask_index()")[0][0].startswith("indexed 1 value of 1 column")
        rows(con, "SELECT ask_pin('how many', 'SELECT count(*) AS n FROM customers')")
    with contextlib.closing(askwhere.connect(file, **options)) as con:
        assert rows(con, f"SELECT * FROM ask('{QUESTION}')") == [(1,)]
        assert rows(con, "SELECT * FROM ask('how many')") == [(1,)]


def test_a_folder_with_a_question_mark_is_no_other_folder(tmp_path: Path) -> None:
    """DuckDB takes the log of `what?/x.duckdb` for `what.wal?/x.duckdb`, where another file may be."""
    (tmp_path / "what?").mkdir()
    (tmp_path / "what.wal?").mkdir()
    file = duckdb_file(tmp_path).rename(tmp_path / "what?" / "x.duckdb")
    with contextlib.closing(askwhere.connect(file)) as con:
        assert askwhere.ask(con, QUESTION).rows == ((0,),)
        with pytest.raises(
            duckdb.Error, match=r"what\?/x\.duckdb cannot be written: DuckDB looks for its log in .*what.wal"
        ):
            rows(con, "SELECT ask_index()")
    assert os.listdir(tmp_path / "what.wal?") == []
    with contextlib.closing(askwhere.connect(file, read_only=True)) as con:
        assert rows(con, "SELECT ask_pin('how many', 'SELECT count(*) AS n FROM customers')")
        assert rows(con, "SELECT * FROM ask('how many')") == [(0,)]
    assert sorted(os.listdir(tmp_path / "what?")) == ["x.duckdb", "x.duckdb.askwhere"]


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["what?", "st*r", "[ab]", "{x,y}", "~x", "md:x"])
@pytest.mark.parametrize("asked", ["", "pets.csv", "*.csv"])
def test_a_folder_of_any_name_is_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, asked: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir()
    Path(folder, "pets.csv").write_text("pet,age\ncat,3\n")
    if folder == "[ab]" and asked == "*.csv":
        with pytest.raises(DatabaseError, match="no file matches"):  # as in a shell: the folders a and b
            askwhere.connect(f"{folder}/{asked}")
        return
    with contextlib.closing(askwhere.connect(f"{folder}/{asked}", keep=f"{folder}/kept.db")) as con:
        assert rows(con, "SELECT * FROM ask('how many pets are there')") == [(1,)]
        if "?" not in folder:
            assert rows(con, "SELECT ask_index()")
    with contextlib.closing(askwhere.connect(f"{folder}/{asked}", isolation="process")) as con:
        assert askwhere.ask(con, "how many pets are there").rows == ((1,),)
