"""Flags that are called after a verb and its object, `allows_pets`, are conditions on what allows it."""

from __future__ import annotations

from typing import Any

import pytest

CABINS = """
CREATE TABLE cabins (id INTEGER PRIMARY KEY, name VARCHAR, allows_pets INTEGER, accepts_cards VARCHAR,
  needs_permit BOOLEAN, price INTEGER);
INSERT INTO cabins VALUES (1, 'Elk', 1, 'Y', FALSE, 90), (2, 'Fox', 0, 'N', TRUE, 80), (3, 'Owl', 1, 'N', FALSE, 120);
"""


@pytest.fixture(scope="module")
def cabins(make: Any) -> Any:
    return make(CABINS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which cabins allow pets?", [("Elk",), ("Owl",)]),
        ("cabins allowing pets", [("Elk",), ("Owl",)]),
        ("cabins that do not allow pets", [("Fox",)]),
        ("how many cabins allow pets", [(2,)]),
        ("which cabins accept cards", [("Elk",)]),
        ("which cabins need a permit", [("Fox",)]),
        ("cabins that need no permit", [("Elk",), ("Owl",)]),
        ("average price of cabins that allow pets", [(105.0,)]),
        ("cabins with pets allowed", [("Elk",), ("Owl",)]),
        ("show name and allows pets of all cabins", [("Elk", 1), ("Fox", 0), ("Owl", 1)]),
    ],
)
def test_what_a_flag_says_is_a_condition(cabins: Any, question: str, rows: list[Any]) -> None:
    cabins.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bookings where no deposit was paid", [("B2",), ("B3",)]),
        ("bookings where a deposit was paid", [("B1",)]),
        ("bookings whose deposit was not paid", [("B2",), ("B3",)]),
        ("held bookings but no deposit was paid", [("B2",)]),
        ("how many bookings had no deposit paid", [(2,)]),
    ],
)
def test_what_a_flag_says_was_done_is_a_condition(make: Any, question: str, rows: list[Any]) -> None:
    bookings = make(
        "CREATE TABLE bookings (booking_no VARCHAR PRIMARY KEY, status VARCHAR, deposit_paid BOOLEAN);"
        "INSERT INTO bookings VALUES ('B1', 'held', TRUE), ('B2', 'held', FALSE), ('B3', 'gone', FALSE);"
    )
    bookings.answers(question, rows)
