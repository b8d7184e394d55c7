"""Who is in charge, what somebody spent on something, what is overdue by any participle, and two times of one row."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    """Orders that are due and fitted, with a carver in charge, and visits of carvers that take hours."""
    return make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE carvers (carver_id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE);"
        "CREATE TABLE gates (gate_id INTEGER PRIMARY KEY, title VARCHAR,"
        " client_id INTEGER NOT NULL REFERENCES clients (client_id),"
        " lead_carver_id INTEGER REFERENCES carvers (carver_id), drawn_on DATE, due_on DATE, fitted_on DATE);"
        "CREATE TABLE yard_visits (visit_id INTEGER PRIMARY KEY, gate_id INTEGER REFERENCES gates (gate_id),"
        " carver_id INTEGER REFERENCES carvers (carver_id), visited_on DATE, hours INTEGER);"
        "INSERT INTO clients VALUES (1, 'Olga');"
        "INSERT INTO carvers VALUES (1, 'Mia Lund', '2019-01-01'), (2, 'Max Berg', '2020-01-01');"
        "INSERT INTO gates VALUES (1, 'Oak', 1, 1, '2020-01-01', '2020-02-01', '2020-03-01'),"
        " (2, 'Elm', 1, NULL, '2020-01-01', '2020-02-01', NULL),"
        " (3, 'Ash', 1, 2, '2020-01-01', '2020-05-01', '2020-04-01');"
        "INSERT INTO yard_visits VALUES (1, 1, 1, '2020-01-05', 3), (2, 2, 1, '2021-01-05', 4),"
        " (3, 3, 2, '2020-06-01', 9);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("gates with nobody assigned", [("Elm",)]),
        ("gates nobody leads", [("Elm",)]),
        ("gates that no one leads", [("Elm",)]),
        ("overdue gates", [("Elm",)]),
        ("which gates are overdue and not fitted yet", [("Elm",)]),
        ("late gates", [("Oak",)]),
        ("how many hours did Mia Lund spend on yard visits in 2020", [(3,)]),
        ("hours Mia Lund spent on yard visits", [(7,)]),
        ("total hours Max Berg spent on yard visits", [(9,)]),
    ],
)
def test_acts_of_people(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)


def test_a_condition_is_written_once(workshop: Any) -> None:
    (reading,) = workshop.read("which gates are overdue and not fitted yet")
    assert reading.sql.count("fitted_on IS NULL") == 1


@pytest.fixture(scope="module")
def rides(make: Any) -> Any:
    """Rides with two times each, and bookings of them that were made before."""
    return make(
        "CREATE TABLE rides (ride_id INTEGER PRIMARY KEY, takeoff TIMESTAMP, landing TIMESTAMP);"
        "CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, ride_id INTEGER REFERENCES rides (ride_id),"
        " booked_at TIMESTAMP);"
        "INSERT INTO rides VALUES (1, '2024-05-01 19:00:00', '2024-05-01 20:00:00'),"
        " (2, '2025-05-01 06:00:00', '2025-05-01 08:00:00'), (3, '2025-06-01 19:30:00', '2025-06-01 21:30:00');"
        "INSERT INTO bookings VALUES (1, 1, '2024-01-01 10:00:00'), (2, 3, '2024-12-01 10:00:00');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many rides after 6pm in 2025", [(1,)]),
        ("how many rides in 2025 after 6pm", [(1,)]),
        ("rides longer than 90 minutes", [(2,), (3,)]),
        ("average ride duration in minutes", [(100.0,)]),
    ],
)
def test_both_times_of_a_row_are_its_own(rides: Any, question: str, rows: list[Any]) -> None:
    rides.answers(question, rows)


@pytest.fixture(scope="module")
def laboratory(make: Any) -> Any:
    """Orders that are due on a day and sent at a time; technicians are `tech`, and lamps of a kind by a key."""
    return make(
        "CREATE TABLE tech (tech_id INTEGER PRIMARY KEY, tech_nm VARCHAR, card_no INTEGER);"
        "CREATE TABLE card (card_id INTEGER PRIMARY KEY, label VARCHAR);"
        "CREATE TABLE kinds (kind_id INTEGER PRIMARY KEY, common_name VARCHAR, latin_name VARCHAR);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, tech_id INTEGER REFERENCES tech (tech_id),"
        " due_date DATE, sent_at TIMESTAMP);"
        "CREATE TABLE lamps (lamp_id INTEGER PRIMARY KEY, tag VARCHAR, kind_id INTEGER REFERENCES kinds (kind_id));"
        "INSERT INTO tech VALUES (1, 'Ann', 5), (2, 'Bo', 6);"
        "INSERT INTO card VALUES (1, 'gold');"
        "INSERT INTO kinds VALUES (1, 'Brass lantern', 'L1'), (2, 'Desk lamp', 'L2');"
        "INSERT INTO orders VALUES (1, 1, '2024-05-10', '2024-05-10 15:00:00'),"
        " (2, 1, '2024-05-10', '2024-05-11 09:00:00'), (3, 2, '2024-05-10', '2024-05-09 09:00:00');"
        "INSERT INTO lamps VALUES (1, 'A', 1), (2, 'B', 1), (3, 'C', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which orders were sent after their due date", [(2,)]),  # the first was sent on the day
        ("late orders", [(2,)]),
        ("number of orders per technician", [("Ann", 2), ("Bo", 1)]),
        ("how many technicians are there", [(2,)]),
        ("how many brass lanterns are there", [(2,)]),
        ("how many Brass lanterns do we have", [(2,)]),
    ],
)
def test_days_short_names_and_plurals(laboratory: Any, question: str, rows: list[Any]) -> None:
    laboratory.answers(question, rows)
