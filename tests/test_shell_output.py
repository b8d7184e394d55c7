"""What the shells print of a statement: rows in a box, a long text whole, and nothing of what gives no rows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import askwhere
import duckdb
import pytest
from askwhere.bindings import duckdb_shell, shell
from askwhere.bindings.show import table, whole
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


def shown(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    out = io.StringIO()
    duckdb_shell.execute(connection, text, out)
    return out.getvalue()


def test_a_text_that_is_all_there_is_stands_whole(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quoted = LONG.replace("'", "''")
    assert shell.run(str(path), [f"SELECT '{quoted}' AS query"]) == 0
    assert capsys.readouterr().out == f"{LONG}\n"


def test_a_schema_of_many_lines_can_be_read(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run(str(path), ["SELECT ask_schema()"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "# table notes"
    assert len(lines) > 2


def test_short_texts_and_several_rows_stand_in_a_box(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run(str(path), ["SELECT 'a text'", "SELECT 1 AS one UNION ALL SELECT 2"]) == 0
    out = capsys.readouterr().out
    assert "│ a text" in out
    assert "one" in out
    assert whole([("a", "b\nc")]) is None
    assert whole([("a\nb",), ("c",)]) is None
    assert table(("x",), [("a\n\x1b[31mb",)]) == "a\n⟨U+001B⟩[31mb"


def test_the_duckdb_prompt_shows_a_column_named_count(prompt: duckdb.DuckDBPyConnection) -> None:
    assert "│       0 │" in shown(prompt, 'SELECT count(*) AS "Count" FROM notes;')
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
