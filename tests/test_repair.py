"""A model's query that does not bind is replaced by the nearest one that does, where there is just one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.models import Scripted
from support import Database, Make, error, steps

QUESTION = "amounts of Ann"
UNJOINED = "SELECT amount FROM orders WHERE name = 'Ann' ORDER BY amount"


@pytest.mark.any_engine
def test_a_missing_join_costs_no_call(scripted: Make) -> None:
    connection, model = scripted(UNJOINED)
    answer = askwhere.ask(connection, QUESTION)
    assert answer.rows == ((10.0,), (20.0,))
    assert "JOIN" in answer.sql
    assert len(model.prompts) == 1
    assert steps(connection, QUESTION) == ["generate", "run", "repair", "run"]
    (best,) = answer.candidates
    assert best.before == UNJOINED
    assert best.notes == ("repaired: name by JOIN customers ON orders.customer_id = customers.id",)


@pytest.mark.parametrize(
    ("written", "right"),
    [
        (  # of a table that is not joined
            "SELECT T1.id, T2.city FROM stays AS T1 JOIN guests AS T2 ON T1.guest_id = T2.id ORDER BY T1.id",
            ((1, "Oslo"), (2, "Rome")),
        ),
        (  # of the other one
            "SELECT T1.name FROM stays AS T1 JOIN guests AS T2 ON T1.guest_id = T2.id ORDER BY T1.id",
            (("Ann",), ("Bo",)),
        ),
    ],
)
def test_a_column_that_the_alias_has_not_is_taken_from_where_it_is(
    database: Database, written: str, right: tuple[Any, ...]
) -> None:
    tables = """
    CREATE TABLE hotels (id INTEGER PRIMARY KEY, city TEXT);
    CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE stays (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests(id),
      hotel_id INTEGER REFERENCES hotels(id));
    INSERT INTO hotels VALUES (1, 'Oslo'), (2, 'Rome');
    INSERT INTO guests VALUES (1, 'Ann'), (2, 'Bo');
    INSERT INTO stays VALUES (1, 1, 1), (2, 2, 2);
    """
    connection = database.made(tables, model=Scripted([written]), method="sea")
    assert askwhere.ask(connection, QUESTION).rows == right


@pytest.mark.any_engine
def test_a_correction_is_repaired_too(scripted: Make) -> None:
    connection, _ = scripted("SELECT salary FROM orders", "It is no salary.", UNJOINED)
    assert askwhere.ask(connection, QUESTION).rows == ((10.0,), (20.0,))
    assert steps(connection, QUESTION) == ["generate", "run", "reflect", "correct", "run", "repair", "run"]


@pytest.mark.any_engine
def test_without_it_the_model_is_asked(scripted: Make) -> None:
    right = "SELECT amount FROM orders WHERE customer_id = 1 ORDER BY amount"
    connection, model = scripted(UNJOINED, "orders has no name", right, leave_out="repair")
    assert askwhere.ask(connection, QUESTION).rows == ((10.0,), (20.0,))
    assert len(model.prompts) == 3


@pytest.mark.any_engine
@pytest.mark.parametrize("method", ["dac", "mcs", ""])
def test_every_method_has_it(scripted: Make, method: str) -> None:
    connection, _ = scripted(
        *[UNJOINED] * 20, method=method, leave_out="entities,skeleton,linking", mcs="prompts=1, samples=2"
    )
    assert askwhere.ask(connection, QUESTION).rows == ((10.0,), (20.0,))


@pytest.mark.any_engine
def test_a_query_that_several_are_near_to_stays_as_it_is(scripted: Make) -> None:
    connection, _ = scripted("SELECT idd FROM orders, customers", leave_out="adjustment")
    assert "idd" in error(connection, f"SELECT * FROM ask('{QUESTION}')")


def test_what_the_guard_refuses_is_not_made_to_pass(scripted: Make) -> None:
    connection, _ = scripted("DELETE FROM orders", leave_out="adjustment")
    assert "must be one SELECT" in error(connection, f"SELECT * FROM ask('{QUESTION}')")
    assert connection.execute("SELECT count(*) FROM orders").fetchall() == [(4,)]


@pytest.mark.any_engine
def test_a_hidden_column_is_not_what_is_near(scripted: Make) -> None:
    connection, _ = scripted("SELECT countr FROM customers", leave_out="adjustment", hide_columns="customers.country")
    assert "countr" in error(connection, f"SELECT * FROM ask('{QUESTION}')")


TRIPS = """
CREATE TABLE trips (id INTEGER PRIMARY KEY, begun TEXT, ended DATE, state TEXT, seats TEXT);
INSERT INTO trips VALUES (1, '2024-02-20', '2024-03-01', 'late', '12'), (2, '2024-03-01', '2024-03-05', 'lost', '30');
"""


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    """Only SQLite: DuckDB refuses to compute with text."""
    opened = Database("sqlite", tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ("SELECT AVG(ended - begun) FROM trips", ((7.0,),)),
        ("SELECT t.id FROM trips AS t WHERE t.ended - (t.begun) > 7", ((1,),)),
        ("SELECT DATE(ended) - DATE(begun) AS days FROM trips ORDER BY days", ((4.0,), (10.0,))),
        (
            "SELECT MAX(ended) - '2024-03-04' FROM (SELECT ended FROM trips)",
            ((0,),),
        ),  # no column of a table: as written
        ("SELECT MAX(ended) - '2024-03-04' FROM trips", ((1.0,),)),
        ("SELECT SUM(seats) FROM trips", ((42,),)),  # numbers, though the column is one of text
        ("SELECT strftime('%Y', ended) - strftime('%Y', begun) FROM trips WHERE id = 1", ((0,),)),
    ],
)
def test_differences_of_dates_are_days_in_sqlite(sqlite: Database, written: str, rows: Any) -> None:
    connection = sqlite.made(TRIPS, model=Scripted([written]), method="sea")
    assert askwhere.ask(connection, QUESTION).rows == rows


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("SELECT SUM(state) FROM trips", "SUM computes with state, which holds text"),
        ("SELECT 100 * (t.state) / COUNT(*) FROM trips AS t", "MUL computes with t.state, which holds text"),
        ("SELECT AVG(ended) FROM trips", "AVG computes with ended, which holds text"),
        ("SELECT ended - 7 FROM trips", "ended - 7 computes with a date and 7"),
    ],
)
def test_what_computes_with_text_in_sqlite_is_shown_to_the_model(sqlite: Database, written: str, wrong: str) -> None:
    model = Scripted([written, "It is text.", "SELECT COUNT(*) FROM trips"])
    connection = sqlite.made(TRIPS, model=model, method="sea")
    assert askwhere.ask(connection, QUESTION).rows == ((2,),)
    assert wrong in model.prompts[1]
