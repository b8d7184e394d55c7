"""What a question adds at its end: an order in a second sentence, one more column, "on average", "most recently"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def choirs(make: Any) -> Any:
    return make(
        "CREATE TABLE choirs (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, date_formed DATE, location VARCHAR);"
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER, choir_id INTEGER"
        " REFERENCES choirs (id));"
        "CREATE TABLE pieces (id INTEGER PRIMARY KEY, title VARCHAR, key_code VARCHAR, released DATE);"
        "CREATE TABLE sung (member_id INTEGER REFERENCES members (id), piece_id INTEGER REFERENCES pieces (id));"
        "INSERT INTO choirs VALUES (1, 'Lark', 'Hull', '1990-01-01', 'Old Mill'),"
        " (2, 'Wren', 'Hull', '1980-01-01', 'Pier'),"
        " (3, 'Rook', 'York', '2000-01-01', 'Barn');"
        "INSERT INTO members VALUES (1, 'Ann', 30, 1), (2, 'Bo', 50, 2);"
        "INSERT INTO pieces VALUES (1, 'Rain', 'Am', '2001-01-01'), (2, 'Snow', 'C', '2011-01-01');"
        "INSERT INTO sung VALUES (1, 1), (2, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "How many choirs are there per town? Order the towns by decreasing number of choirs.",
            [("Hull", 2), ("York", 1)],
        ),
        ("names of choirs ordered by the date they were formed", [("Wren",), ("Lark",), ("Rook",)]),
    ],
)
def test_an_order_is_read_where_it_stands(choirs: Any, question: str, rows: list[Any]) -> None:
    (reading,) = choirs.read(question)
    assert choirs.rows(reading.sql) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which piece was released most recently?", [("Snow",)]),
        ("What is the title of the piece that was released first?", [("Rain",)]),
        ("How old are the members of the choir Lark on average?", [(30.0,)]),
        ("Where is the choir Wren located?", [("Pier",)]),
        ("names of members who sung some piece and the corresponding titles", [("Ann", "Rain"), ("Bo", "Snow")]),
        ("names of members who sung a piece and the key code", [("Ann", "Am"), ("Bo", "C")]),
    ],
)
def test_what_stands_at_the_end_belongs_to_the_question(choirs: Any, question: str, rows: list[Any]) -> None:
    choirs.answers(question, rows)
