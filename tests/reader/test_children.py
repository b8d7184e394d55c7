"""Who "kids" and "children" are where nothing is called so: those of whom others are the parents."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def ballet(make: Any) -> Any:
    return make(
        "CREATE TABLE mothers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE dancers (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, born DATE,"
        " beginner BOOLEAN, mother_id INTEGER REFERENCES mothers (id));"
        "CREATE TABLE teachers (id INTEGER PRIMARY KEY, name VARCHAR, born DATE);"
        "INSERT INTO mothers VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO dancers VALUES (1, 'Di', 'Ash', '2012-01-01', TRUE, 1), (2, 'Eve', 'Ash', '2014-01-01', FALSE, 1),"
        " (3, 'Flo', 'Elm', '2013-01-01', TRUE, 2);"
        "INSERT INTO teachers VALUES (1, 'Gil', '1980-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many kids are there", [(3,)]),
        ("how many kids are beginners", [(2,)]),
        ("mothers with more than one child", [("Ann",)]),
        ("mothers without children", [("Cy",)]),
        ("the oldest child", [("Di", "Ash")]),
    ],
)
def test_children_are_those_who_refer_to_parents(ballet: Any, question: str, rows: list[Any]) -> None:
    ballet.answers(question, rows)


def test_children_are_nobody_where_there_are_no_parents(make: Any) -> None:
    club = make(
        "CREATE TABLE rowers (id INTEGER PRIMARY KEY, name VARCHAR); INSERT INTO rowers VALUES (1, 'Ann'), (2, 'Bo');"
    )
    assert "children" in str(club.refused("how many children are there"))
