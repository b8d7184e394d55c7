"""Amounts in a unit, "longer than 10 minutes", beside columns whose names or comments say which unit they are in."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.words.units import UNITS, Quantity, converted


@pytest.fixture(scope="module")
def kennel(make: Any) -> Any:
    return make(
        "CREATE TABLE walks (id INTEGER PRIMARY KEY, title VARCHAR, duration_sec INTEGER, distance_m INTEGER);"
        "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name VARCHAR, weight_kg DOUBLE, height INTEGER, nap INTEGER,"
        " price_cents INTEGER);"
        "INSERT INTO walks VALUES (1, 'Lake', 600, 900), (2, 'Hill', 4000, 5200),"
        " (3, 'Wood', 7300, 12000);"
        "INSERT INTO dogs VALUES (1, 'Ace', 2.5, 20, 3, 900), (2, 'Bo', 31.0, 61, 9, 25000),"
        " (3, 'Cu', 48.0, 70, 1, 99);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("walks longer than 1 hour", [("Hill",), ("Wood",)]),
        ("walks longer than an hour", [("Hill",), ("Wood",)]),
        ("walks shorter than 15 minutes", [("Lake",)]),
        ("walks over 90 minutes", [("Wood",)]),
        ("walks that are at least 5 km long", [("Hill",), ("Wood",)]),
        ("walks with a duration between 10 and 70 minutes", [("Hill",), ("Lake",)]),
        ("how many walks take more than 10 minutes?", [(2,)]),
        ("dogs over 100 pounds", [("Cu",)]),
        ("dogs lighter than 3000 grams", [("Ace",)]),
        ("dogs that cost less than 5 dollars", [("Cu",)]),
        ("dogs taller than 60 cm", [("Bo",), ("Cu",)]),  # a usual unit of heights, which the column does not deny
    ],
)
def test_an_amount_is_compared_in_the_unit_of_the_column(kennel: Any, question: str, rows: list[Any]) -> None:
    kennel.answers(question, rows)


def test_a_note_says_what_was_converted(kennel: Any) -> None:
    (reading,) = kennel.read("walks longer than 2 hours")
    assert "2 hours are 7200 in walks.duration_sec" in reading.notes


@pytest.mark.parametrize("question", ["dogs with a nap over 2 hours", "dogs taller than 2 feet", "dogs over 3 miles"])
def test_a_unit_that_no_column_says_is_refused(kennel: Any, question: str) -> None:
    with pytest.raises(Unread):
        kennel.read(question)


@pytest.mark.parametrize(
    ("number", "unit", "own", "same"),
    [(10, "minutes", "ms", 600_000), (1.5, "h", "min", 90), (500, "g", "kg", 0.5), (3, "kg", "km", None)],
)
def test_units_of_one_dimension_are_converted(number: float, unit: str, own: str, same: float | None) -> None:
    assert converted(Quantity(number, unit), UNITS[own]) == same
