"""Who has been here longest, works for whom and still works here; values that appear twice."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def office(make: Any) -> Any:
    return make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, full_name VARCHAR, job_title VARCHAR, team_lead_id INTEGER,"
        " hired_on DATE, left_on DATE, height_cm INTEGER);"
        "CREATE TABLE insurers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE policies (id INTEGER PRIMARY KEY, insurer_id INTEGER REFERENCES insurers (id), premium INTEGER,"
        " score INTEGER, verified_by VARCHAR);"
        "INSERT INTO employees VALUES (1, 'Ann', 'clerk', NULL, '2001-01-01', NULL, 170),"
        " (2, 'Bo', 'clerk', 1, '2010-01-01', '2020-01-01', 180), (3, 'Cy', 'cook', 1, '2015-01-01', NULL, 175);"
        "INSERT INTO insurers VALUES (1, 'Albion'), (2, 'Nord'), (3, 'West');"
        "INSERT INTO policies VALUES (1, 1, 10, 3, 'Ann'), (2, 1, 5, 4, NULL), (3, 2, 40, 5, 'Ann'),"
        " (4, 3, 1, 4, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who has been with us longest", [("Ann",)]),
        ("who reports to whom", [("Ann", "Bo"), ("Ann", "Cy")]),
        ("everyone who reports to Ann", [("Bo",), ("Cy",)]),
        ("who still works here", [("Ann",), ("Cy",)]),
        ("how many people still work here", [(2,)]),
        ("how many employees still work for us", [(2,)]),
        ("employees who no longer work here", [("Bo",)]),
        ("largest policy by premium", [(3,)]),
        ("job titles that appear more than once", [("clerk",)]),
        ("premium by insurer, highest first", [("Albion", 15), ("Nord", 40), ("West", 1)]),
        ("total premium per insurer, highest two", [("Albion", 15), ("Nord", 40)]),
        ("average policy score overall", [(4.0,)]),
        ("policies nobody has verified yet", [(2,), (4,)]),
    ],
)
def test_what_is_said_of_staff_is_read(office: Any, question: str, rows: list[Any]) -> None:
    office.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the salesmen", [("Ann",), ("Bo",)]),
        ("how many firemen do we have", [(1,)]),
        ("draughtsman", [("Dee",)]),  # as the data has it in the plural
    ],
)
def test_the_plural_of_a_man_is_men(make: Any, question: str, rows: list[Any]) -> None:
    works = make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR, trade VARCHAR);"
        "INSERT INTO staff VALUES (1, 'Ann', 'salesman'), (2, 'Bo', 'salesman'), (3, 'Cy', 'Fireman'),"
        " (4, 'Dee', 'draughtsmen');"
    )
    works.answers(question, rows)
