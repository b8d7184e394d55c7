"""A time without a word of its own is said of what is counted or added up, and not of what it is counted for."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

GARAGE = """
CREATE TABLE mechanics (id INTEGER PRIMARY KEY, name VARCHAR, trained_on DATE);
CREATE TABLE cars (id INTEGER PRIMARY KEY, plate VARCHAR, mechanic_id INTEGER REFERENCES mechanics (id));
CREATE TABLE repairs (
  id INTEGER PRIMARY KEY, mechanic_id INTEGER REFERENCES mechanics (id), begun_on DATE, state VARCHAR, hours INTEGER
);
CREATE TABLE parts (id INTEGER PRIMARY KEY, repair_id INTEGER REFERENCES repairs (id), label VARCHAR, price INTEGER);
INSERT INTO mechanics VALUES (1, 'Ann', '2024-02-01'), (2, 'Bo', '2011-05-01');
INSERT INTO cars VALUES (1, 'A 1', 1), (2, 'B 2', 2);
INSERT INTO repairs VALUES (1, 1, '2023-03-01', 'finished', 2), (2, 1, '2024-04-01', 'finished', 3),
  (3, 2, '2024-05-01', 'finished', 4), (4, 2, '2024-06-01', 'aborted', 5);
INSERT INTO parts VALUES (1, 1, 'hose', 7), (2, 3, 'belt', 8), (3, 3, 'hose', 9);
"""


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(GARAGE)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("repairs per mechanic in 2024", [("Ann", 1), ("Bo", 2)]),
        ("finished repairs per mechanic in 2024", [("Ann", 1), ("Bo", 1)]),
        ("repairs in 2024 per mechanic", [("Ann", 1), ("Bo", 2)]),
        ("number of repairs of each mechanic since May 2024", [("Bo", 2)]),
        ("which mechanic had the most repairs in 2024", [("Bo",)]),
        ("mechanics with more than 1 repair in 2024", [("Bo",)]),
        ("average hours of repairs per mechanic in 2024", [("Ann", 3.0), ("Bo", 4.5)]),
        ("repairs per mechanic trained in 2024", [("Ann", 2)]),
        ("mechanics trained in 2024", [("Ann",)]),
    ],
)
def test_a_time_is_said_of_what_is_counted(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_the_date_of_what_groups_is_not_that_of_what_is_counted_without_one(garage: Any) -> None:
    with pytest.raises(Unread, match="the words of this question"):
        garage.read("cars per mechanic in 2024")


@pytest.mark.parametrize("question", ["cars of mechanics with repairs", "cars per mechanic with repairs"])
def test_rows_that_only_belong_to_the_same_thing_are_not_joined(garage: Any, question: str) -> None:
    garage.refused(question)
