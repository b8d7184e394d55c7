"""People and the crews that they are in, grades that are called as people are, contracts that end, and outcomes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def yard(make: Any) -> Any:
    return make(
        "CREATE TABLE crew (crew_cd VARCHAR, depot VARCHAR);"
        "CREATE TABLE emp (emp_no INTEGER, emp_nm VARCHAR, crew_cd VARCHAR, grd VARCHAR);"
        "CREATE TABLE cust (cust_no INTEGER, cust_nm VARCHAR);"
        "CREATE TABLE contr (contr_no INTEGER, cust_no INTEGER, dt_from DATE, dt_to DATE);"
        "CREATE TABLE insp (insp_no INTEGER, dt_insp DATE, res VARCHAR);"
        "CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, title VARCHAR, quoted_price INTEGER, final_price INTEGER);"
        "INSERT INTO crew VALUES ('A', 'North'), ('B', 'South');"
        "INSERT INTO emp VALUES (1, 'Ann', 'A', 'Senior'), (2, 'Bo', 'A', 'Technician'), (3, 'Cy', 'B', 'Junior');"
        "INSERT INTO cust VALUES (1, 'Acme');"
        "INSERT INTO contr VALUES (1, 1, '2024-01-01', '2025-06-01'), (2, 1, '2025-01-01', '2026-01-01');"
        "INSERT INTO insp VALUES (1, '2025-01-01', 'FAIL'), (2, '2025-01-02', 'PASS'), (3, '2025-01-03', 'PASS'),"
        " (4, '2025-01-04', 'PASS');"
        "INSERT INTO jobs VALUES (1, 'roof', 10, 12), (2, 'door', 20, 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many people work in each depot?", [("North", 2), ("South", 1)]),
        ("senior technicians", [("Ann",)]),
        ("contracts that ended in 2025", [(1,)]),
        ("inspections that failed", [(1,)]),
        ("what percentage of inspections failed?", [(25.0,)]),
        ("jobs over the quoted price", [("roof",)]),
    ],
)
def test_people_grades_ends_and_outcomes(yard: Any, question: str, rows: list[Any]) -> None:
    yard.answers(question, rows)


@pytest.fixture(scope="module")
def chapel(make: Any) -> Any:
    """Services that clients booked, most of which are over; contracts of boats and their owners."""
    return make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, full_name VARCHAR);"
        "CREATE TABLE services (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), held_on DATE,"
        " status VARCHAR);"
        "CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, owner_name VARCHAR);"
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id),"
        " boat_name VARCHAR);"
        "CREATE TABLE moorings (mooring_code VARCHAR PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id));"
        "INSERT INTO clients VALUES (1, 'Ann Lee'), (2, 'Bo Ray'), (3, 'Cy Orr');"
        "INSERT INTO services VALUES (1, 1, '2024-01-01', 'completed'), (2, 2, '2026-12-01', 'booked');"
        "INSERT INTO owners VALUES (1, 'Di'); INSERT INTO boats VALUES (1, 1, 'Una');"
        "INSERT INTO moorings VALUES ('A1', 1), ('A2', NULL), ('A3', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients who never booked a service", [("Cy Orr",)]),
        ("booked services", [(2,)]),
        ("boats used more than once", [("Una",)]),
        ("how often was each boat used?", [("Una", 2)]),
        ("moorings with the boat", [("A1", "Una"), ("A3", "Una")]),
        ("boats with an owner", [("Una",)]),
    ],
)
def test_what_was_booked_and_what_is_shown_with_the_things(chapel: Any, question: str, rows: list[Any]) -> None:
    chapel.answers(question, rows)


@pytest.fixture(scope="module")
def marina(make: Any) -> Any:
    """Stays with nights at berths with a length, work on boats, and pianos of two kinds of clients."""
    return make(
        "CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, berth_code VARCHAR, max_length_m INTEGER);"
        "CREATE TABLE visitor_stays (vessel_name VARCHAR PRIMARY KEY, berth_id INTEGER REFERENCES berths (berth_id),"
        " flag VARCHAR, arrived_on DATE, nights INTEGER);"
        "CREATE TABLE yard_jobs (job_id INTEGER PRIMARY KEY, requested_on DATE, finished_on DATE);"
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR, client_type VARCHAR);"
        "CREATE TABLE pianos (piano_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id));"
        "INSERT INTO berths VALUES (1, 'A1', 30), (2, 'B1', 10);"
        "INSERT INTO visitor_stays VALUES ('Una', 1, 'FR', '2024-01-01', 2), ('Ida', 2, 'NL', '2025-01-01', 9),"
        " ('Eve', 2, 'NL', '2026-01-01', 5);"
        "INSERT INTO yard_jobs VALUES (1, '2024-01-01', '2024-01-20'), (2, '2024-01-01', '2024-03-01');"
        "INSERT INTO clients VALUES (1, 'Ann', 'household'), (2, 'Hall', 'studio');"
        "INSERT INTO pianos VALUES (1, 2), (2, 2), (3, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("longest stay", [("Ida",)]),
        ("average length of stay by flag", [("FR", 2.0), ("NL", 7.0)]),
        ("stays before the end of 2025", [("Ida",), ("Una",)]),
        ("stays since the start of 2025", [("Eve",), ("Ida",)]),
        ("yard jobs that took longer than a month", [(2,)]),
        ("do household clients or studios have more pianos?", [("studio",)]),
    ],
)
def test_stays_ends_of_years_and_months(marina: Any, question: str, rows: list[Any]) -> None:
    marina.answers(question, rows)
