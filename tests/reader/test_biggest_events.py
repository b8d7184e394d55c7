"""The biggest of events without a size or an amount is the one that most people came to: `attendees`."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def hall(make: Any) -> Any:
    return make(
        "CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE parties (party_id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms (room_id),"
        " held DATE, attendees INTEGER);"
        "INSERT INTO rooms VALUES (1, 'Attic'), (2, 'Cellar');"
        "INSERT INTO parties VALUES (1, 1, '2024-01-01', 30), (2, 1, '2024-02-01', 90), (3, 2, '2024-03-01', 40);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [("biggest party", [(2,)]), ("biggest party in each room", [("Attic", 2), ("Cellar", 3)])],
)
def test_it_has_most_people(hall: Any, question: str, rows: list[Any]) -> None:
    hall.answers(question, rows)


def test_an_amount_comes_first(make: Any) -> None:
    trips = make(
        "CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, held DATE, participants INTEGER, amount INTEGER);"
        "INSERT INTO trips VALUES (1, '2024-01-01', 30, 5), (2, '2024-02-01', 20, 9);"
    )
    trips.answers("the biggest trip", [(2,)])
