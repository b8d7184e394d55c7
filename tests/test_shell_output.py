"""What the shells print of a statement: rows in a box, a long text whole, and nothing of what gives no rows."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import database_files
from askwhere.bindings.cli import commands, shell
from askwhere.bindings.cli import main as cli
from askwhere.bindings.cli.show import fitted
from askwhere.bindings.cli.writing import written_as
from askwhere.bindings.source import Source
from askwhere.display import html, table, whole
from askwhere.indexer import progress
from support import connected

LONG = "SELECT name FROM countries WHERE code IN (" + ", ".join(f"'{i:03}'" for i in range(400)) + ")"


@pytest.fixture(params=["sqlite", "duckdb"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    found = tmp_path / "some.db"
    connection = connected(request.param, found)
    connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR)")
    connection.close()
    return found


@pytest.fixture
def prompt() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR)")
    askwhere.register(connection)
    yield connection
    connection.close()


def shown(connection: Any, text: str) -> str:
    out = io.StringIO()
    commands.execute(shell.shell_of(connection, out), text)
    return out.getvalue()


def test_a_text_that_is_all_there_is_stands_whole(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quoted = LONG.replace("'", "''")
    assert shell.run(Source((str(path),)), [f"SELECT '{quoted}' AS query"], {}) == 0
    assert capsys.readouterr().out == f"{LONG}\n"


@pytest.mark.any_engine
def test_a_schema_of_many_lines_can_be_read(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run(Source((str(path),)), ["SELECT ask_schema()"], {}) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "CREATE TABLE notes ("
    assert len(lines) > 2


def test_short_texts_and_several_rows_stand_in_a_box(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run(Source((str(path),)), ["SELECT 'a text'", "SELECT 1 AS one UNION ALL SELECT 2"], {}) == 0
    out = capsys.readouterr().out
    assert "│ a text" in out
    assert "one" in out
    assert whole([("a", "b\nc")]) is None
    assert whole([("a\nb",), ("c",)]) is None
    assert table(("x",), [("a\n\x1b[31mb",)]) == "a\n⟨U+001B⟩[31mb"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("x = 'New York' y", ["x =", "'New York'", "y"]),
        ("  1: one two", ["  1: one", "  two"]),
        ("onetwothreefour\n\ntwo", ["onetwothreefour", "", "two"]),
        ("it's a day", ["it's a", "day"]),
        ("try `askwhere ask` now", ["try", "`askwhere ask`", "now"]),
    ],
)
def test_lines_are_broken_between_words_and_never_within_quotes(
    text: str, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "9")
    assert fitted(text, Terminal()).split("\n") == lines
    assert fitted(text, io.StringIO()) == text


def test_the_duckdb_prompt_shows_a_column_named_count(prompt: duckdb.DuckDBPyConnection) -> None:
    assert "│     0 │" in shown(prompt, 'SELECT count(*) AS "Count" FROM notes;')
    assert "1 row" in shown(prompt, """SELECT 'yes' AS "Success";""")


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO notes VALUES (1, 'a')",
        "CREATE TABLE more AS SELECT 1 AS x",
        "CREATE VIEW seen AS SELECT 1 AS x",
        "COMMENT ON TABLE notes IS 'what is said'",
        "SET threads = 1",
        "BEGIN; COMMIT",
    ],
)
def test_the_duckdb_prompt_is_silent_where_there_are_no_rows(prompt: duckdb.DuckDBPyConnection, statement: str) -> None:
    assert shown(prompt, statement) == ""


@pytest.mark.any_engine
@pytest.mark.parametrize(
    "command",
    [
        ("shell", ".schema"),
        ("shell", "SELECT * FROM notes"),
        ("shell", 'SELECT * FROM "missing\x1b]0;title\x07"'),
        ("ask", "names of places", "--csv"),
        ("fix", 'SELECT nme AS "a\x1b[2J" FROM places'),
        ("explain", 'SELECT name AS "a\x1b[2J" FROM places'),
        ("comments", "--synonym", "a\x1b]0;b\x07", "places"),
        ("keys", "--suggest"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_terminal_obeys_nothing_of_names_and_values(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    connection = connected(database_files.kind_of_file(path), path)
    connection.execute('ALTER TABLE notes ADD COLUMN "a\x1b]52;c;ZXZpbA==\x07" VARCHAR')
    connection.execute("CREATE TABLE places (id INTEGER PRIMARY KEY, name VARCHAR)")
    connection.execute("INSERT INTO places VALUES (1, 'Oslo\x1b[2J\x9b1m\u202e')")
    connection.close()
    for out in (sys.stdout, sys.stderr):
        monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr(progress, "QUIET", 0.0)
    cli.main([command[0], str(path), *command[1:]])
    said = capsys.readouterr()
    coloured = re.sub("\x1b\\[[0-9;]*m|\r\x1b\\[K", "", said.out + said.err)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", coloured)


def test_what_is_no_terminal_gets_values_as_they_are(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = connected(database_files.kind_of_file(path), path)
    connection.execute("CREATE TABLE places (id INTEGER PRIMARY KEY, name VARCHAR)")
    connection.execute("INSERT INTO places VALUES (1, 'Oslo\x1b[2J')")
    connection.close()
    assert cli.main(["ask", str(path), "names of places", "--csv"]) == 0
    assert capsys.readouterr().out == "name\nOslo\x1b[2J\n"


def test_tables_are_listed_with_their_rows_also_where_keys_begin_high(path: Path) -> None:
    connection = askwhere.connect(path)
    connection.execute("INSERT INTO notes VALUES (20001, 'a'), (20002, 'b'), (20003, 'c')")
    assert re.search(r"notes\W+table\W+3\b", shown(connection, ".tables"))
    connection.close()


@pytest.mark.any_engine
def test_a_script_of_questions_says_how_they_are_asked(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("how many notes are there?\nlist the notes\n"))
    assert shell.run(Source((str(path),)), [], {}) == 1
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "askwhere: a script asks a question by .ask, in a line: .ask how many notes are there?"
    monkeypatch.setattr(sys, "stdin", io.StringIO(".ask how many notes are there?\n"))
    assert shell.run(Source((str(path),)), [], {}) == 0
    assert shell.run(Source((str(path),)), ["SELECT missing FROM notes"], {}) == 1
    assert ".ask" not in capsys.readouterr().err


def test_a_question_behind_the_shell_is_told_the_command_that_asks_it(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["how", "many", "notes"], ["how many notes;"]):
        assert shell.run(Source((str(path),)), words, {}) == 1
        *_, last = capsys.readouterr().err.splitlines()
        assert last == f"askwhere: to ask it: askwhere ask {path} {shlex.join(words)}"
    assert shell.run(Source((str(path),)), ["SELECT 1", "how many"], {}) == 1
    assert "to ask it" not in capsys.readouterr().err


def test_a_table_that_the_schema_lacks_is_an_error_with_a_near_name(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shell.run(Source((str(path),)), [".schema notse"], {}) == 1
    assert "there is no table \"notse\"; did you mean 'notes'?; .tables lists them" in capsys.readouterr().err
    assert shell.run(Source((str(path),)), [".schema notes"], {}) == 0
    assert capsys.readouterr().out != ""


@pytest.mark.any_engine
def test_people_are_shown_numbers_without_the_digits_in_which_sums_err(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    total = 425988.80000000016
    select = f"SELECT {total!r}e0 AS total, 1e22 AS much, 9007199254740993 AS whole"
    assert shell.run(Source((str(path),)), [select], {}) == 0
    connection = askwhere.connect(path)
    by_prompt = shown(connection, f"{select};")
    connection.close()
    for text in (capsys.readouterr().out, by_prompt, html(("n",), [(total,), (1e22,), (9007199254740993,)], "", "")):
        assert [part in text for part in ("425988.8", "1e+22", "9007199254740993")] == [True] * 3
        assert "00016" not in text
    assert written_as("csv", ("n",), [(total,)], io.StringIO(), fit=True) == f"n\n{total!r}"
    assert written_as("json", ("n",), [(total,)], io.StringIO(), fit=True) == json.dumps([{"n": total}])
