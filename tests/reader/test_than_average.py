"""Comparisons with the average of all things: their numbers of rows, their own amounts, and what they spent."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def farm(make: Any) -> Any:
    return make(
        "CREATE TABLE growers (grower_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, fields INTEGER);"
        "CREATE TABLE harvests (harvest_id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES growers (grower_id),"
        " crop VARCHAR, picked DATE);"
        "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES growers (grower_id),"
        " price DOUBLE, day DATE);"
        "INSERT INTO growers VALUES (1, 'Ann', 'Hill', 2), (2, 'Bo', 'Hill', 9), (3, 'Cy', 'Dale', 4),"
        " (4, 'Di', 'Dale', 1);"
        "INSERT INTO harvests VALUES (1, 1, 'oats', '2024-01-01'), (2, 1, 'rye', '2024-02-01'),"
        " (3, 1, 'oats', '2024-03-01'), (4, 2, 'oats', '2024-03-02'), (5, 3, 'rye', '2024-03-02');"
        "INSERT INTO tickets VALUES (1, 1, 5, '2024-01-01'), (2, 2, 20, '2024-01-01'), (3, 2, 10, '2024-02-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("growers with more harvests than average", [("Ann",)]),
        ("which growers have more harvests than the average grower", [("Ann",)]),
        ("growers with fewer harvests than average", [("Bo",), ("Cy",)]),
        ("growers with more fields than average", [("Bo",)]),
        ("growers who spent more than the average grower", [("Bo",)]),
        ("growers from Hill with fewer harvests than the average grower", [("Bo",)]),
    ],
)
def test_things_are_compared_with_the_average_of_their_kind(farm: Any, question: str, rows: list[Any]) -> None:
    farm.answers(question, rows)


def test_a_note_says_which_things_the_average_is_over(farm: Any) -> None:
    (reading,) = farm.read("growers with more harvests than average")
    assert "the average is over the rows of growers that have any in harvests" in reading.notes


def test_an_average_of_other_things_is_refused(farm: Any) -> None:
    with pytest.raises(Unread):
        farm.read("growers with more harvests than the average ticket")
