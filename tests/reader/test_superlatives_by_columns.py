"""The column that an adjective in the superlative goes by may be named: "the most expensive books by list price"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE lamps (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER, list_price INTEGER, sold_on DATE);"
        "INSERT INTO lamps VALUES (1, 'Arc', 10, 50, '2024-01-01'), (2, 'Bow', 20, 40, '2023-01-01'),"
        " (3, 'Cup', 30, 30, '2022-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the two most expensive lamps by list price?", [("Arc",), ("Bow",)]),
        ("the most expensive lamp by price", [("Cup",)]),
    ],
)
def test_it_is_the_column_that_is_named(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


def test_by_is_never_left_out(shop: Any) -> None:
    shop.refused("the most expensive lamp by the day it was sold on")
