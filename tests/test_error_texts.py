"""An error says the same in both engines, with nothing of how it came through DuckDB, and no macro hides it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.cli import main as cli
from askwhere.bindings.cli.script import message
from support import Database, error, rows

CALLS = {
    "SELECT * FROM ask('zorb the flux')": "The built-in reader could not place “zorb”, “flux”",
    "SELECT ask_value('zorb the flux')": "The built-in reader could not place “zorb”, “flux”",
    "SELECT * FROM ask_candidates('zorb')": "The built-in reader could not place “zorb”",
    "SELECT ask_explain('how many trees')": (
        "the query cannot be read: unexpected “trees” (line 1, column 14);"
        " if it is a question: SELECT * FROM ask('how many trees');"
    ),
    "SELECT ask_explain('DELETE FROM customers')": (
        "a query may only read: it must be one SELECT, and this begins with 'delete'"
    ),
    "SELECT ask_fix('how many trees')": (
        "a query may only read: it must be one SELECT, and this begins with 'how';"
        " if it is a question: SELECT * FROM ask('how many trees');"
    ),
    "SELECT ask_fix('selec')": "a query may only read: it must be one SELECT, and this begins with 'selec'",
    "SELECT ask_set('modl', 'x')": "there is no setting 'modl'; did you mean 'model'?",
    "SELECT ask_set('max_rows', 'many')": "setting max_rows: expected a number from 1, found 'many'",
    "SELECT ask_unpin('x')": "there is no pin for 'x'; ask_pins() lists them",
    "SELECT * FROM ask_values('x', 0)": "ask_values(text, [k]): k must be at least 1, found 0",
    "SELECT ask_sql(1)": "ask_sql(question, [model], [effort], [hint], [choose], [follows]): question must be",
}
# Macros of a user that have the names of functions which those of ours are made of.
HIDING = ("error(a)", "list_transform(a, b)", "list_extract(a, b)", "json_array(a, b)", "current_query()")


@pytest.mark.parametrize("call", CALLS)
def test_the_text_is_ours_alone(asked: Any, call: str) -> None:
    said = error(asked, call)
    plain = said.removeprefix("Invalid Input Error: ").partition("\n\nLINE 1: SELECT * FROM ask")[0]
    assert plain.startswith(CALLS[call])
    assert "Error" not in plain
    assert "UDF" not in said
    assert "\n" not in plain


@pytest.fixture(scope="module")
def file(standing: Database) -> str:
    standing.shop(standing.path).close()
    return str(standing.path)


@pytest.mark.parametrize("call", CALLS)
def test_the_shell_prints_it_without_the_engines_words(
    file: str, capsys: pytest.CaptureFixture[str], call: str
) -> None:
    assert cli.main(["shell", file, call]) == 1
    found = capsys.readouterr().err
    assert CALLS[call] in found
    assert "Invalid Input" not in found
    assert "LINE" not in found


def test_another_error_of_duckdb_is_said_whole() -> None:
    with pytest.raises(duckdb.Error) as caught:
        duckdb.sql("SELECT 1 AS asked, ask(FROM 2)")
    assert message(caught.value) == str(caught.value)
    assert "LINE 1: " in message(caught.value)


def test_duckdb_quotes_a_query_as_it_was_given() -> None:
    connection = duckdb.connect()
    askwhere.register(connection)
    with pytest.raises(duckdb.Error, match=r"\n\nLINE 1: SELECT nothing\n {15}\^"):
        connection.execute("SELECT ask_pin('x', 'SELECT nothing')")


def test_no_macro_of_the_users_hides_an_error_or_an_answer(tmp_path: Path) -> None:
    database = Database("duckdb", tmp_path)
    connection = database.shop()
    for macro in HIDING:
        connection.execute(f"CREATE MACRO {macro} AS 'mine'")
    connection.execute("CREATE MACRO query(a) AS TABLE SELECT 'mine'")
    for call, text in CALLS.items():
        assert text in error(connection, call)
    assert rows(connection, "SELECT * FROM ask('how many customers are there')") == [(3,)]
    assert rows(connection, "SELECT ask_value('how many customers are there')") == [("3",)]
    assert rows(connection, "SELECT name FROM ask_settings() WHERE name = 'max_rows'") == [("max_rows",)]
    assert "effort" in rows(connection, "SELECT ask_set('effort', 'fast')")[0][0]
    database.close()
