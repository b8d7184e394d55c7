"""Amounts, and things with more than so many others, by period; texts by their length; states with a noun for them."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.errors import Unread
from support import Database

BREWERY = """
CREATE TABLE maltster (maltster_id INTEGER PRIMARY KEY, maltster_name TEXT, tier TEXT, motto TEXT);
INSERT INTO maltster VALUES (1, 'Crisp', 'silver', 'Grain by grain'), (2, 'Simpsons', 'gold', 'Slow'),
  (3, 'Fawcett', 'bronze', 'From floor to flask');
CREATE TABLE delivery (delivery_id INTEGER PRIMARY KEY, maltster_id INTEGER REFERENCES maltster(maltster_id),
  arrived DATE, kg DECIMAL(8,1), status TEXT);
INSERT INTO delivery VALUES (1, 1, '2023-02-01', 10, 'ok'), (2, 1, '2023-05-03', 20, 'ok'),
  (3, 2, '2024-05-03', 40, 'wet'), (4, 1, '2024-06-09', 80, 'ok');
"""


@pytest.fixture(scope="module")
def brewery(standing: Database) -> Any:
    return standing.made(BREWERY)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("kg by year", [("2023", 30), ("2024", 120)]),
        ("kg by quarter of 2023", [(1, 10), (2, 20)]),
        ("kg by year and month", [("2023", "02", 10), ("2023", "05", 20), ("2024", "05", 40)]),
        ("deliveries by quarter and year", [(1, "2023", 1), (2, "2023", 1), (2, "2024", 2)]),
        ("deliveries per quarter, across all years", [(1, 1), (2, 3)]),
        ("deliveries by month, all years together", [("02", 1), ("05", 2), ("06", 1)]),
        ("deliveries by month of the year", [("02", 1), ("05", 2), ("06", 1)]),
        ("mottos longer than 12 letters", [("From floor to flask",)]),
        ("mottos with more than 12 characters", [("From floor to flask",)]),
        ("maltsters whose motto has at most 12 letters", [("Simpsons",)]),
        ("kg per maltster and year", [("Crisp", "2023", 30), ("Crisp", "2024", 80), ("Simpsons", "2024", 40)]),
        ("deliveries per month, across all years", [("2023-02", 1), ("2023-05", 1), ("2024-05", 1), ("2024-06", 1)]),
        ("maltsters with two deliveries or more", [("Crisp",)]),
        ("longest motto", [("From floor to flask",)]),
        ("the maltster with the shortest motto", [("Simpsons",)]),
        ("maltsters with silver or gold status", [("Crisp",), ("Simpsons",)]),
    ],
)
def test_amounts_lengths_and_states_are_read(brewery: Any, question: str, rows: list[Any]) -> None:
    found = [tuple(str(v).removesuffix(".0") for v in row) for row in askwhere.ask(brewery, question).rows]
    expected = [tuple(map(str, row)) for row in rows]
    assert sorted(found)[: len(expected)] == sorted(expected), found


def test_a_name_in_two_columns_has_no_one_length(standing: Database) -> None:
    staff = standing.made("CREATE TABLE staff (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);")
    with pytest.raises(Unread):
        askwhere.ask(staff, "which staff member has the longest name?")
