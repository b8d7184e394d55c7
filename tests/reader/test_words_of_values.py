"""A word that is a value of the data is that value, and not a name that it is only near to or short for."""

from __future__ import annotations

from typing import Any

import pytest

CANTEEN = """
CREATE TABLE kinds (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE meals (
  id INTEGER PRIMARY KEY, name VARCHAR, kind_id INTEGER REFERENCES kinds (id), department VARCHAR, price INTEGER
);
INSERT INTO kinds VALUES (1, 'lunch'), (2, 'dep'), (3, 'soup');
INSERT INTO meals VALUES (1, 'Ada', 1, 'north', 5), (2, 'Bea', 1, 'south', 6), (3, 'Cleo', 2, 'north', 7);
"""


@pytest.fixture(scope="module")
def canteen(make: Any) -> Any:
    return make(CANTEEN)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many lunches", [(2,)]),  # near to meals by its vector
        ("list lunches", [("Ada",), ("Bea",)]),
        ("average price of lunches", [(5.5,)]),
        ("list deps", [("Cleo",)]),  # short for departments
        ("how many deps", [(1,)]),
        ("how many dinners", [(3,)]),  # no value, and so meals
        ("how many meals", [(3,)]),
    ],
)
def test_a_value_comes_before_a_guessed_name(canteen: Any, question: str, rows: list[Any]) -> None:
    canteen.answers(question, rows)
