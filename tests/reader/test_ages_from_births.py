"""Ages where the data only says when people were born: whole years until today."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

TODAY = date.today()
BORN = (TODAY.replace(year=TODAY.year - 40, day=1), date(TODAY.year - 20, 1, 1))  # both have had their birthdays


@pytest.fixture(scope="module")
def club(make: Any) -> Any:
    return make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, birth_date DATE);"
        f"INSERT INTO members VALUES (1, 'Ann', 'Hull', '{BORN[0]}'), (2, 'Bo', 'York', '{BORN[1]}'),"
        " (3, 'Cy', 'York', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average age of members", [(30.0,)]),
        ("members and their age", [("Ann", 40), ("Bo", 20), ("Cy", None)]),
        ("average age per town", [("Hull", 40.0), ("York", 20.0)]),
        ("age of the oldest member", [(40,)]),
        ("members older than 30", [("Ann",)]),
    ],
)
def test_an_age_is_counted_from_the_birth(club: Any, question: str, rows: list[Any]) -> None:
    ((reading),) = club.read(question)
    assert sorted(club.rows(reading.sql), key=str) == rows, reading.sql


def test_an_age_that_is_a_column_is_no_birth(make: Any) -> None:
    pets = make(
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER, birth_date DATE);"
        "INSERT INTO pets VALUES (1, 'Rex', 7, '1990-01-01');"
    )
    pets.answers("average age of pets", [(7.0,)])
