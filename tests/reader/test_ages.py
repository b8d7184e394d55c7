"""Ages of people of whom only the date of birth is known, and amounts that are none where they are 0."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from askwhere.errors import Unread

YEAR = date.today().year


@pytest.fixture(scope="module")
def choir(make: Any) -> Any:
    return make(
        "CREATE TABLE singers (id INTEGER PRIMARY KEY, name VARCHAR, dob DATE, joined_on DATE, fee INTEGER,"
        " indoor INTEGER, died_on DATE);"
        "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, guest_name VARCHAR, age INTEGER);"
        f"INSERT INTO singers VALUES (1, 'Ann', '{YEAR - 60}-01-01', '2020-01-01', 0, 1, NULL),"
        f" (2, 'Bo', '{YEAR - 40}-01-01', '2021-01-01', 20, 0, '2022-05-01'),"
        f" (3, 'Cy', '{YEAR - 15}-01-01', '2022-01-01', NULL, 1, '2023-06-01');"
        "INSERT INTO guests VALUES (1, 'Dee', 12), (2, 'Eve', 70);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("singers older than 30", [("Ann",), ("Bo",)]),
        ("singers under 20", [("Cy",)]),
        ("How many singers are at least 50 years old?", [(1,)]),
        ("guests over 65", [("Eve",)]),
        ("singers without a fee", [("Ann",), ("Cy",)]),
        ("singers with a fee", [("Bo",)]),
        ("outdoor singers", [("Bo",)]),
        ("which singers died in 2022?", [("Bo",)]),
        ("singers who are still alive", [("Ann",)]),
        ("number of singers by indoor, leaving out Cy", [(0, 1), (1, 1)]),
    ],
)
def test_people_are_as_old_as_their_birth_says(choir: Any, question: str, rows: list[Any]) -> None:
    choir.answers(question, rows)


@pytest.mark.parametrize("question", ["average age of sheds", "age of each shed"])
def test_the_year_in_which_things_were_built_is_no_age(make: Any, question: str) -> None:
    sheds = make(
        "CREATE TABLE sheds (shed_id INTEGER PRIMARY KEY, town VARCHAR, built_year INTEGER);"
        "INSERT INTO sheds VALUES (1, 'Oslo', 1900), (2, 'Rome', 1950);"
    )
    with pytest.raises(Unread):
        sheds.read(question)
