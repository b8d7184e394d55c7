"""From and to: which end of a way is meant, by a preposition or by a verb."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def routes(make: Any) -> Any:
    return make(
        "CREATE TABLE airports (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE flights (flight_no INTEGER PRIMARY KEY, src_airport VARCHAR REFERENCES airports (code),"
        " dst_airport VARCHAR REFERENCES airports (code));"
        "INSERT INTO airports VALUES ('OSL', 'Oslo'), ('LHR', 'Heathrow'), ('CDG', 'Roissy');"
        "INSERT INTO flights VALUES (1, 'OSL', 'LHR'), (2, 'OSL', 'CDG'), (3, 'LHR', 'CDG'), (4, 'LHR', 'OSL');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many flights arrive at LHR?", [(1,)]),
        ("How many flights depart at LHR?", [(2,)]),
        ("How many flights are there from OSL?", [(2,)]),
        ("Which airport do the most flights end at?", [("Roissy",)]),
        ("What is the name of the airport that the most flights end at?", [("Roissy",)]),
    ],
)
def test_the_end_that_is_said_is_meant(routes: Any, question: str, rows: list[Any]) -> None:
    routes.answers(question, rows)
