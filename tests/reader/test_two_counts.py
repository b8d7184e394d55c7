"""Two kinds of rows counted for each thing: what has none of the one still counts for the other."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def yards(make: Any) -> Any:
    return make(
        "CREATE TABLE yards (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE cranes (id INTEGER PRIMARY KEY, yard_id INTEGER REFERENCES yards (id));"
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, yard_id INTEGER REFERENCES yards (id));"
        "CREATE TABLE repairs (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id));"
        "INSERT INTO yards VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO cranes VALUES (1, 1), (2, 1), (3, 2);"
        "INSERT INTO boats VALUES (1, 1), (2, 1), (3, 1);"
        "INSERT INTO repairs VALUES (1, 1), (2, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("yards with number of cranes and boats", [("North", 2, 3), ("South", 1, 0)]),
        ("yards and their number of cranes and boats", [("North", 2, 3), ("South", 1, 0)]),
        ("number of boats and repairs per yard", [("North", 3, 2), ("South", 0, 0)]),
        ("number of boats and number of repairs per yard", [("North", 3, 2), ("South", 0, 0)]),
        ("cranes and boats per yard", [("North", 2, 3), ("South", 1, 0)]),
        ("cranes, boats and repairs per yard", [("North", 2, 3, 2), ("South", 1, 0, 0)]),
        ("how many cranes and boats does each yard have", [("North", 2, 3), ("South", 1, 0)]),
    ],
)
def test_rows_of_two_tables_are_counted_apart(yards: Any, question: str, rows: list[Any]) -> None:
    yards.answers(question, rows)


def test_two_numbers_of_no_common_rows_are_refused(yards: Any) -> None:
    with pytest.raises(Unread):
        yards.read("how many cranes and boats are there")


@pytest.mark.parametrize(
    ("question", "rows"), [("boat count", [(3,)]), ("crane count per yard", [("North", 2), ("South", 1)])]
)
def test_a_count_may_stand_behind_what_is_counted(yards: Any, question: str, rows: list[Any]) -> None:
    yards.answers(question, rows)
