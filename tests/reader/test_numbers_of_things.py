"""A number just behind one thing is its key: "the status of order 1042"; from 1900 on it is rather a year."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def works(make: Any) -> Any:
    return make(
        "CREATE TABLE orders (order_no INTEGER, state VARCHAR, placed_on DATE, closed_on DATE);"
        "CREATE TABLE bill (bill_id INTEGER PRIMARY KEY, order_no INTEGER, amount INTEGER);"
        "INSERT INTO orders VALUES (1042, 'open', '2023-01-02', NULL), (1043, 'done', '2023-01-05', '2023-02-01');"
        "INSERT INTO bill VALUES (5001, 1042, 70), (5002, 1043, 20), (5003, 1043, 30);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what is the state of order 1042", [("open",)]),
        ("amount of bill 5002", [(20,)]),
        ("bills of order 1043", [(5002,), (5003,)]),
        ("state of the order placed in 2023 with bill 5001", [("open",)]),
    ],
)
def test_a_number_behind_one_thing_is_its_key(works: Any, question: str, rows: list[Any]) -> None:
    works.answers(question, rows)


def test_a_year_behind_a_thing_stays_a_year(make: Any) -> None:
    shows = make(
        "CREATE TABLE fair (fair_id INTEGER PRIMARY KEY, town VARCHAR, held_on DATE);"
        "INSERT INTO fair VALUES (1, 'Aby', '2022-05-05'), (2, 'Bro', '2023-05-05');"
    )
    shows.answers("town of the fair 2023", [("Bro",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how often was each room booked", [("Blue", 2), ("Red", 1)]),
        ("rooms that were booked at least twice, and how often", [("Blue", 2)]),
        ("rooms booked more than once and how many times", [("Blue", 2)]),
    ],
)
def test_how_often_something_was_done(make: Any, question: str, rows: list[Any]) -> None:
    studio = make(
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms (id), people INTEGER);"
        "INSERT INTO rooms VALUES (1, 'Blue'), (2, 'Red');"
        "INSERT INTO bookings VALUES (1, 1, 2), (2, 1, 5), (3, 2, 1);"
    )
    studio.answers(question, rows)
