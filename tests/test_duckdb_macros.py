"""Macros of DuckDB that are named as built-in functions: no query calls them, nor one that was answered before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb import user_functions
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.models import Scripted

SQL = "SELECT max(upper(name)) AS n FROM people"


@pytest.fixture(params=["memory", "file"])
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    con = duckdb.connect(":memory:" if request.param == "memory" else str(tmp_path / "x.duckdb"))
    con.execute("CREATE TABLE people(id INTEGER, name VARCHAR); INSERT INTO people VALUES (1, 'Ann')")
    askwhere.register(con, model=Scripted([SQL] * 20))
    assert con.execute("SELECT * FROM ask('the last name')").fetchall() == [("ANN",)]
    yield con
    con.close()


@pytest.mark.slow
def test_a_remembered_answer_calls_no_macro_that_was_made_since(asked: Any) -> None:
    asked.execute("CREATE MACRO upper(x) AS 'mine'")
    with pytest.raises(duckdb.Error, match="the query calls the function 'upper', which it may not"):
        asked.execute("SELECT * FROM ask('the last name')").fetchall()
    asked.execute("DROP MACRO upper")
    assert asked.execute("SELECT * FROM ask('the last name')").fetchall() == [("ANN",)]


def test_a_macro_of_another_name_makes_no_question_a_new_one(asked: Any) -> None:
    asked.execute("CREATE MACRO shout(x) AS x || '!'")
    asked.execute("SELECT * FROM ask('the last name')").fetchall()
    steps = asked.execute("SELECT count(*) FROM ask_log()").fetchall()
    assert steps == [(1,)]


def test_functions_are_listed_once_while_nobody_can_have_made_one() -> None:
    with duckdb.connect() as connection:
        touched = False
        registration = Deliveries("f", lambda: not touched)
        before = user_functions.names(connection, registration, False)
        assert user_functions.names(connection, registration, False) is before
        connection.execute("CREATE MACRO shout(x) AS x || '!'")
        touched = True
        assert user_functions.names(connection, registration, False) - before == {"shout"}
        connection.execute("CREATE MACRO whisper(x) AS lower(x)")
        assert user_functions.names(connection, registration, False) - before == {"shout", "whisper"}


def test_functions_of_what_is_attached_later_are_listed(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "own.duckdb")) as other:
        other.execute("CREATE MACRO shout(x) AS x || '!'")
    with duckdb.connect() as connection:
        registration = Deliveries("f", lambda: True)
        before = user_functions.names(connection, registration, False)
        connection.execute(f"ATTACH '{tmp_path / 'own.duckdb'}' AS other (READ_ONLY)")
        assert user_functions.names(connection, registration, False) - before == {"shout"}
