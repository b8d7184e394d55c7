"""All things that tie for the first place, or the first few, and the order of those that do."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def regatta(make: Any) -> Any:
    return make(
        "CREATE TABLE skipper (skipper_id INTEGER PRIMARY KEY, name VARCHAR, harbour VARCHAR, age INTEGER);"
        "CREATE TABLE entry (entry_id INTEGER PRIMARY KEY, skipper_id INTEGER REFERENCES skipper (skipper_id),"
        " boat VARCHAR, points INTEGER);"
        "INSERT INTO skipper VALUES (1, 'Zoe', 'Cowes', 30), (2, 'Ann', 'Cowes', 41), (3, 'Bo', 'Poole', 41);"
        "INSERT INTO entry VALUES (1, 1, 'Tern', 5), (2, 1, 'Gull', 4), (3, 2, 'Tern', 9), (4, 2, 'Kite', 1),"
        " (5, 3, 'Kite', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which skipper has the most entries? list everyone if it's a tie", [("Ann",), ("Zoe",)]),
        ("the skipper with the most entries, all of them if tied", [("Ann",), ("Zoe",)]),
        ("skipper or skippers with the most entries, ties included", [("Ann",), ("Zoe",)]),
        ("which skipper has the most entries - name everybody in case of a tie", [("Ann",), ("Zoe",)]),
        ("which skipper has the most points, everyone if tied", [("Ann",)]),
        ("oldest skipper, all of them if there is a tie", [("Ann",), ("Bo",)]),
        ("most common boat, all of them if several tie", [("Kite",), ("Tern",)]),
        ("top 2 boats by number of entries, with ties", [("Kite", 2), ("Tern", 2)]),
    ],
)
def test_all_that_tie_are_shown(regatta: Any, question: str, rows: list[Any]) -> None:
    regatta.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of entries per skipper, most first, ties in alphabetical order", [("Ann", 2), ("Zoe", 2), ("Bo", 1)]),
        ("skippers by age, oldest first, ties alphabetical", [("Ann",), ("Bo",), ("Zoe",)]),
    ],
)
def test_what_ties_is_put_in_order(regatta: Any, question: str, rows: list[Any]) -> None:
    assert [row[: len(rows[0])] for row in regatta.rows(regatta.read(question)[0].sql)] == rows


def test_ties_of_nothing_that_is_ranked_are_refused(regatta: Any) -> None:
    with pytest.raises(Unread):
        regatta.read("everyone tied for first in number of entries")
