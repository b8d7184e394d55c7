"""A flag of 0 and 1 called `paid` beside an amount: it is no second amount, and the revenue is the sum of the first."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def moorings(make: Any) -> Any:
    return make(
        "CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, skipper_id INTEGER REFERENCES skippers (skipper_id),"
        " arrival DATE, total_amount INTEGER, paid INTEGER);"
        "INSERT INTO skippers VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO bookings VALUES (1, 1, '2024-05-01', 40, 1), (2, 1, '2024-05-09', 50, 0),"
        " (3, 2, '2024-06-02', 30, 1), (4, 2, '2024-06-03', 10, 0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("takings per month", [("2024-05", 90), ("2024-06", 40)]),
        ("total revenue", [(130,)]),
        ("how much did each skipper spend", [("Ann", 90), ("Bo", 40)]),
        ("unpaid bookings", [(2,), (4,)]),
    ],
)
def test_the_amount_is_added_up(moorings: Any, question: str, rows: list[Any]) -> None:
    moorings.answers(question, rows)
