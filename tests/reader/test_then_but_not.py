"""Rows in one span of time and none in another, and rows above the average of their only amount."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

ORDERS = """
CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, headcount INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), ordered_on DATE,
  paid_on DATE, amount INTEGER);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), hours INTEGER);
INSERT INTO clients VALUES (1, 'Ann', 4), (2, 'Bo', 40), (3, 'Cy', 12);
INSERT INTO orders VALUES (1, 1, '2023-03-01', '2023-04-01', 10), (2, 1, '2024-03-01', NULL, 20),
  (3, 2, '2023-05-01', '2023-05-09', 90), (4, 3, '2024-05-01', NULL, 40);
INSERT INTO lessons VALUES (1, 1, 2), (2, 2, 5);
"""


@pytest.fixture(scope="module")
def orders(make: Any) -> Any:
    return make(ORDERS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients with orders in 2023 but not in 2024", [("Bo",)]),
        ("clients with orders in 2023 but none in 2024", [("Bo",)]),
        ("clients who have orders in March 2023 but none in May 2024", [("Ann",)]),
        ("how many clients have orders in 2024 but not in 2023", [(1,)]),
    ],
)
def test_rows_then_but_not_in_another_span(orders: Any, question: str, rows: list[Any]) -> None:
    orders.answers(question, rows)


def test_none_of_the_rows_is_refused_without_a_span(orders: Any) -> None:
    with pytest.raises(Unread):
        orders.read("clients with orders but none paid")


@pytest.mark.parametrize(
    ("question", "rows"), [("orders above the average", [(3,)]), ("orders below average", [(1,), (2,)])]
)
def test_rows_above_the_average_of_their_only_amount(orders: Any, question: str, rows: list[Any]) -> None:
    orders.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients with more than 10 staff", [("Bo",), ("Cy",)]),
        ("clients with fewer than 10 employees", [("Ann",)]),
        ("longest lesson", [(2,)]),
    ],
)
def test_headcounts_and_hours_have_other_words(orders: Any, question: str, rows: list[Any]) -> None:
    orders.answers(question, rows)
