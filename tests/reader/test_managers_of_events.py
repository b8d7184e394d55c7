"""A key `manager_id` that nobody declares: of events it refers to people, and of events without any to nothing."""

from __future__ import annotations

from typing import Any

import pytest

_TOURS = (
    "CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, manager_id INTEGER, held DATE, rating INTEGER);"
    "INSERT INTO tours VALUES (1, 2, '2024-01-01', 4), (2, 2, '2024-02-01', 2), (3, 1, '2024-03-01', 5);"
)


@pytest.fixture(scope="module")
def agency(make: Any) -> Any:
    return make(
        "CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, full_name VARCHAR, hourly_pay INTEGER, hired DATE);"
        "INSERT INTO staff VALUES (1, 'Ann', 20, '2020-01-01'), (2, 'Bo', 30, '2021-01-01');"
        "CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR, hire_fee INTEGER);"
        f"INSERT INTO halls VALUES (1, 'Old Hall', 90); {_TOURS}"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tours per manager", [("Ann", 1), ("Bo", 2)]),
        ("average rating per manager", [("Ann", 5.0), ("Bo", 3.0)]),
    ],
)
def test_halls_for_hire_are_no_people(agency: Any, question: str, rows: list[Any]) -> None:
    agency.answers(question, rows)


def test_no_event_manages_another(make: Any) -> None:
    (reading,) = make(_TOURS).read("tours per manager")
    assert "JOIN" not in reading.sql
