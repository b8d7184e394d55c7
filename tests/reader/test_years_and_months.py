"""A year and a month in two columns of numbers are the date of a row: in March 2024, by month, since November."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def plants(make: Any) -> Any:
    return make(
        "CREATE TABLE plants (plant_id INTEGER PRIMARY KEY, name VARCHAR, opened DATE);"
        "CREATE TABLE output (plant_id INTEGER REFERENCES plants (plant_id), yr INTEGER, mon INTEGER, tonnes INTEGER);"
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, visit_year INTEGER, visit_month INTEGER, guests INTEGER);"
        "INSERT INTO plants VALUES (1, 'North', '2024-03-09'), (2, 'South', '2001-05-06');"
        "INSERT INTO output VALUES (1, 2023, 3, 10), (1, 2023, 12, 20), (1, 2024, 3, 30), (2, 2024, 3, 40),"
        " (2, 2024, 4, 50), (2, 2023, 11, 5);"
        "INSERT INTO visits VALUES (1, 2023, 9, 4), (2, 2023, 10, 6), (3, 2024, 9, 8);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total tonnes in March 2024", [(70,)]),
        ("total tonnes in March", [(80,)]),
        ("total tonnes in 2024", [(120,)]),
        ("total tonnes since November 2023", [(145,)]),
        ("total tonnes before March 2024", [(35,)]),
        ("total tonnes from March to April 2024", [(120,)]),
        ("total tonnes between March 2023 and November 2023", [(15,)]),
        ("total tonnes in the first quarter of 2024", [(70,)]),
        ("total tonnes of North in December 2023", [(20,)]),
        ("total tonnes by month in 2023", [("2023-03", 10), ("2023-11", 5), ("2023-12", 20)]),
        ("total tonnes per quarter in 2024", [(1, 70), (2, 50)]),
        ("total tonnes per year", [(2023, 35), (2024, 120)]),
        ("visits per month", [("2023-09", 1), ("2023-10", 1), ("2024-09", 1)]),
        ("visits per year", [(2023, 2), (2024, 1)]),
        ("latest visit", [(3,)]),
        ("visits in September 2023", [(1,)]),
        ("which month had the most visits in 2024", [("2024-09",)]),
    ],
)
def test_a_year_and_a_month_are_a_date(plants: Any, question: str, rows: list[Any]) -> None:
    plants.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    ["total tonnes on 5 March 2024", "total tonnes per weekday", "total guests in the last 30 days", "visits per day"],
)
def test_they_tell_no_day(plants: Any, question: str) -> None:
    plants.refused(question)
