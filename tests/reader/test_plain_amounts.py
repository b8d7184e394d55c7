"""Amounts that are not named, values that are listed, participles behind things, and columns that say what is shown."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def zoo(make: Any) -> Any:
    return make(
        "CREATE TABLE pens (id INTEGER PRIMARY KEY, code VARCHAR, side VARCHAR, discount INTEGER,"
        " year_built INTEGER);"
        "CREATE TABLE sponsors (sponsor_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, birth_date DATE,"
        " founded INTEGER);"
        "CREATE TABLE gifts (gift_id INTEGER PRIMARY KEY, sponsor_id INTEGER REFERENCES sponsors (sponsor_id),"
        " pen_id INTEGER REFERENCES pens (id), cost DOUBLE, given_on DATE);"
        "CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, pen_id INTEGER REFERENCES pens (id), begins DATE, ends DATE);"
        "INSERT INTO pens VALUES (1, 'P1', 'north', 0, 1990), (2, 'P2', 'south', 10, 2005), "
        " (3, 'P3', 'north', NULL, 2001);"
        "INSERT INTO sponsors VALUES (1, 'Ann', 'Rome', '1980-02-01', 1990), (2, 'Bo', 'Oslo', '1990-05-01', 2012),"
        " (3, 'Cy', 'Rome', '1990-07-01', 2020), (4, 'Di', 'Lima', '1970-01-01', 2001);"
        "INSERT INTO gifts VALUES (1, 1, 1, 5, '2024-01-01'), (2, 2, 1, 40, '2024-01-02'), "
        " (3, 2, 2, 20, '2024-02-01');"
        "INSERT INTO loans VALUES (1, 2, '2024-01-01', NULL), (2, 3, '2023-01-01', '2023-04-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("biggest gift", [(2,)]),
        ("the smallest gift", [(1,)]),
        ("gifts over 15", [(2,), (3,)]),
        ("oldest pen", [("P1",)]),
        ("youngest sponsor", [("Cy",)]),
        ("sponsors in these towns: Oslo, Lima", [("Bo",), ("Di",)]),
        ("sponsors from these towns: Rome and Lima", [("Ann",), ("Cy",), ("Di",)]),
        ("sponsors born in 1990", [("Bo",), ("Cy",)]),
        ("sponsors from Rome who were born in 1990 or founded before 2000", [("Ann",), ("Cy",)]),
        ("sponsors founded after 2000", [("Bo",), ("Cy",), ("Di",)]),
        ("which towns do the sponsors come from", [("Lima",), ("Oslo",), ("Rome",)]),
        ("pens with gifts", [("P1",), ("P2",)]),
        ("pens on loan", [("P2",)]),
        ("pens currently on loan", [("P2",)]),  # loans begin and end, and the other one has ended
        ("gifts per pen", [("P1", 2), ("P2", 1)]),
    ],
)
def test_plain_questions(zoo: Any, question: str, rows: list[Any]) -> None:
    zoo.answers(question, rows)


def test_each_row_is_shown_where_one_value_is_asked_for(zoo: Any) -> None:
    zoo.answers("what is the town of each sponsor", [("Lima",), ("Oslo",), ("Rome",), ("Rome",)])


@pytest.mark.parametrize("question", ["how much has each pen paid", "biggest pen"])
def test_what_is_not_understood_is_refused(zoo: Any, question: str) -> None:
    with pytest.raises(Unread):
        zoo.read(question)


def test_a_cost_is_the_amount_of_that_name_and_two_are_both_added_up(make: Any) -> None:
    garage = make(
        "CREATE TABLE kinds (kind_cd VARCHAR PRIMARY KEY, kind_desc VARCHAR, cost INTEGER);"
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, kind_cd VARCHAR REFERENCES kinds (kind_cd), paint_amt INTEGER,"
        " wages_amt INTEGER);"
        "INSERT INTO kinds VALUES ('D', 'Door', 1), ('R', 'Roof', 2);"
        "INSERT INTO jobs VALUES (1, 'D', 10, 3), (2, 'D', 20, 4), (3, 'R', 7, 5);"
    )
    garage.answers("average paint cost by kind", [("Door", 15), ("Roof", 7)])
    garage.answers("total paint cost", [(37,)])
    garage.answers("paint and wages cost per kind", [("Door", 30, 7), ("Roof", 7, 5)])
