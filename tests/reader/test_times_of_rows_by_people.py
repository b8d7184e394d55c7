"""A time is said of the rows that are asked for, and not of when the people who did them were hired or joined."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    return make(
        "CREATE TABLE nurses (id INTEGER PRIMARY KEY, name VARCHAR, grade VARCHAR, hired_on DATE);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, nurse_id INTEGER REFERENCES nurses (id), visited_on DATE,"
        " kind VARCHAR, fee INTEGER);"
        "INSERT INTO nurses VALUES (1, 'Ann', 'junior', '2024-01-01'), (2, 'Bo', 'senior', '2020-01-01'),"
        " (3, 'Cy', 'junior', '2022-01-01');"
        "INSERT INTO visits VALUES (1, 1, '2024-03-01', 'home', 10), (2, 3, '2024-04-01', 'home', 20),"
        " (3, 3, '2023-04-01', 'ward', 40), (4, 2, '2024-04-01', 'ward', 80);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many visits by junior nurses in 2024", [(2,)]),
        ("visits by junior nurses in 2024", [(1,), (2,)]),
        ("visits of junior nurses in April 2024", [(2,)]),
        ("total fee of visits by junior nurses in 2023", [(40,)]),
        ("how many visits by nurses hired in 2024", [(1,)]),
        ("visits by nurses who were hired before 2021", [(4,)]),
    ],
)
def test_the_time_of_what_people_did_is_its_own(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("largest visit by kind", [("home", 2), ("ward", 4)]), ("longest serving nurse", [("Bo",)])],
)
def test_the_largest_by_a_kind_is_that_of_each_kind(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


def test_what_is_most_expensive_is_not_ordered_by_its_date(make: Any) -> None:
    faults = make(
        "CREATE TABLE faults (id INTEGER PRIMARY KEY, repaired_on DATE, repair_cost INTEGER);"
        "INSERT INTO faults VALUES (1, '2024-05-01', 10), (2, '2023-05-01', 90);"
    )
    faults.answers("most expensive repair", [(90,)])
