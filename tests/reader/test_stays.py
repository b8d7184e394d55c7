"""Stays, which are counted in nights: "average stay in nights", "stays longer than 3 nights"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def inn(make: Any) -> Any:
    return make(
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR, nightly_rate INTEGER);"
        "CREATE TABLE bookings (booking_no VARCHAR PRIMARY KEY, room_id INTEGER REFERENCES rooms (id),"
        " guest VARCHAR, check_in DATE, check_out DATE);"
        "CREATE TABLE cleaners (id INTEGER PRIMARY KEY, name VARCHAR, hours INTEGER);"
        "INSERT INTO rooms VALUES (1, 'Attic', 60), (2, 'Cellar', 40);"
        "INSERT INTO bookings VALUES ('B1', 1, 'Ann', '2024-05-01', '2024-05-05'),"
        " ('B2', 2, 'Bo', '2024-05-01', '2024-05-03'), ('B3', 2, 'Cy', '2024-06-01', '2024-06-07');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average stay", [(4,)]),
        ("average stay in nights", [(4,)]),
        ("average number of nights per booking", [(4,)]),
        ("average stay by room", [("Attic", 4), ("Cellar", 4)]),
        ("bookings longer than 3 nights", [("B1",), ("B3",)]),
        ("rooms with a nightly rate over 50", [("Attic",)]),
    ],
)
def test_nights_are_the_days_of_a_stay(inn: Any, question: str, rows: list[Any]) -> None:
    inn.answers(question, rows)


def test_nights_that_are_counted_are_no_days(make: Any) -> None:
    counted = make(
        "CREATE TABLE bookings (booking_no VARCHAR PRIMARY KEY, check_in DATE, check_out DATE, nights INTEGER);"
        "INSERT INTO bookings VALUES ('B1', '2024-05-01', '2024-05-05', 4), ('B2', '2024-05-01', '2024-05-03', 2);"
    )
    (reading,) = counted.read("average nights per booking")
    assert "nights" in reading.sql


def test_what_departs_first_is_no_stay(make: Any) -> None:
    harbour = make(
        "CREATE TABLE sailings (sailing_no VARCHAR PRIMARY KEY, departure_date DATE, arrival_date DATE);"
        "CREATE TABLE calls (call_no VARCHAR PRIMARY KEY, arrival_date DATE, departure_date DATE);"
        "INSERT INTO sailings VALUES ('S1', '2024-05-01', '2024-05-05'), ('S2', '2024-05-01', '2024-05-03');"
        "INSERT INTO calls VALUES ('C1', '2024-05-05', '2024-05-06'), ('C2', '2024-05-03', '2024-05-09');"
    )
    harbour.answers("sailings longer than 3 days", [("S1",)])
    harbour.answers("average length of sailings", [(3,)])
    harbour.answers("calls longer than 3 days", [("C2",)])
    harbour.answers("average stay", [(3.5,)])
