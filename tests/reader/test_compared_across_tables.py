"""Columns compared with a column of another table: "repairs billed above their quote"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    """Repairs with a quote and their bills, mechanics with a boss, and cars that are let below the rate of a class."""
    return make(
        "CREATE TABLE mechanics (mechanic_id INTEGER PRIMARY KEY, name VARCHAR, hourly_wage INTEGER,"
        " boss_id INTEGER REFERENCES mechanics (mechanic_id));"
        "CREATE TABLE classes (class_id INTEGER PRIMARY KEY, label VARCHAR, daily_rate INTEGER);"
        "CREATE TABLE lets (let_id INTEGER PRIMARY KEY, class_id INTEGER REFERENCES classes (class_id),"
        " agreed_rate INTEGER);"
        "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, quoted_price INTEGER,"
        " mechanic_id INTEGER REFERENCES mechanics (mechanic_id));"
        "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, repair_id INTEGER REFERENCES repairs (repair_id),"
        " amount INTEGER);"
        "INSERT INTO mechanics VALUES (1, 'Ora', 30, NULL); INSERT INTO mechanics VALUES (2, 'Pim', 35, 1),"
        " (3, 'Rex', 20, 1);"
        "INSERT INTO classes VALUES (1, 'small', 50), (2, 'large', 90);"
        "INSERT INTO lets VALUES (1, 1, 45), (2, 1, 50), (3, 2, 80);"
        "INSERT INTO repairs VALUES (1, 100, 2), (2, 200, 3), (3, 300, 3);"
        "INSERT INTO bills VALUES (1, 1, 120), (2, 1, 130), (3, 2, 150), (4, 3, 300);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("repairs with a bill above the quoted price", [(1,)]),
        ("repairs whose bill amount is higher than the quoted price", [(1,)]),
        ("repairs with a bill amount below their quoted price", [(2,)]),
        ("how many repairs were billed above their quoted price?", [(1,)]),
        ("mechanics with a higher hourly wage than their boss", [("Pim",)]),
        ("mechanics with a lower wage than their boss", [("Rex",)]),
        ("mechanics with a higher hourly wage than 25", [("Ora",), ("Pim",)]),
        ("lets with an agreed rate below the class's daily rate", [(1,), (3,)]),
        ("how many lets have an agreed rate below the class's daily rate?", [(2,)]),
    ],
)
def test_a_column_is_compared_with_one_of_another_table(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("repairs billed for less than 80% of their quoted price", [(2,)]),
        ("repairs billed more than 25 percent above the quoted price", [(1,)]),
        ("repairs billed 25% below the quoted price", [(2,)]),
        ("repairs billed for less than twice the quoted price", [(2,), (3,)]),
        ("classes with a daily rate above 1.2 times the average", [("large",)]),
        ("mechanics with a wage of more than half of the average", [("Ora",), ("Pim",), ("Rex",)]),
        ("mechanics with a wage above 120% of the average", [("Pim",)]),
        ("how many mechanics have a wage below 80% of the average?", [(1,)]),
    ],
)
def test_a_column_is_compared_with_a_multiple(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_less_than_a_percentage_above_is_refused_as_it_has_two_meanings(garage: Any) -> None:
    garage.refused("repairs billed less than 25 percent above the quoted price")


def test_what_compares_no_amounts_is_refused(garage: Any) -> None:
    garage.refused("mechanics with a higher name than their boss")


@pytest.fixture(scope="module")
def tickets(make: Any) -> Any:
    """Tickets that were opened and closed, with the hours that were worked on them."""
    return make(
        "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, opened_at TIMESTAMP, closed_at TIMESTAMP,"
        " labour_hours INTEGER);"
        "INSERT INTO tickets VALUES (1, '2024-01-01 08:00:00', '2024-01-01 20:00:00', 30),"
        " (2, '2024-01-01 08:00:00', '2024-01-04 08:00:00', 2), (3, '2024-01-02 08:00:00', NULL, 40);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tickets closed within 24 hours", [(1,)]),
        ("tickets closed in less than 24 hours", [(1,)]),
        ("how many tickets were closed in under 2 days?", [(1,)]),
        ("tickets with less than 24 hours", [(2,)]),
    ],
)
def test_what_was_done_within_hours_is_compared_by_its_times(tickets: Any, question: str, rows: list[Any]) -> None:
    tickets.answers(question, rows)


def test_half_and_double_are_values_where_nothing_is_compared(make: Any) -> None:
    rooms = make(
        "CREATE TABLE rooms (room_no VARCHAR PRIMARY KEY, kind VARCHAR, board VARCHAR, price INTEGER);"
        "INSERT INTO rooms VALUES ('A', 'double', 'half', 50), ('B', 'single', 'full', 10);"
    )
    rooms.answers("double rooms", [("A",)])
    rooms.answers("rooms with half board", [("A",)])
    rooms.answers("rooms with a price above half of the average", [("A",)])
