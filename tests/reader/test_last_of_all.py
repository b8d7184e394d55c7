"""The last row of all: who has it, and what it says, "who placed the last order", "status of the first booking"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def ferry(make: Any) -> Any:
    return make(
        "CREATE TABLE passenger (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR);"
        "CREATE TABLE cabin (id INTEGER PRIMARY KEY, label VARCHAR);"
        "CREATE TABLE passengerTrip (id INTEGER PRIMARY KEY, passenger_id INTEGER REFERENCES passenger(id),"
        " trip_date DATE, state VARCHAR, fare INTEGER);"
        "CREATE TABLE trip_cabin (trip_id INTEGER REFERENCES passengerTrip(id), cabin_id INTEGER REFERENCES cabin(id));"
        "INSERT INTO passenger VALUES (1, 'Ann', 'a@x'), (2, 'Bob', 'b@x');"
        "INSERT INTO cabin VALUES (1, 'Aft'), (2, 'Bow');"
        "INSERT INTO passengerTrip VALUES (5, 1, '2024-01-02', 'done', 90), (6, 2, '2024-03-01', 'open', 40),"
        " (7, 1, '2024-02-01', 'done', 50);"
        "INSERT INTO trip_cabin VALUES (5, 1), (6, 1), (6, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who made the last trip", [("Bob",)]),
        ("who made the first trip", [("Ann",)]),
        ("who took the most expensive trip", [("Ann",)]),
        ("which passenger made the last trip", [("Bob",)]),
        ("passenger of the last trip", [("Bob",)]),
        ("state of the last trip", [("open",)]),
        ("email of the passenger with the first trip", [("a@x",)]),
    ],
)
def test_the_last_row_says_who_or_what(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)


@pytest.mark.parametrize(
    "question", ["which passengers made the last trip", "cabins of the last trip", "passengers of the last trips"]
)
def test_several_things_are_not_cut_to_one(ferry: Any, question: str) -> None:
    with pytest.raises(Unread):
        ferry.read(question)
