"""The first and last of each thing, by its date, and counts beside sums of a group."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def bakery(make: Any) -> Any:
    return make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), order_date DATE,"
        " quantity INTEGER, minutes INTEGER);"
        "INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO orders VALUES (1, 1, '2022-03-01', 5, 10), (2, 1, '2022-12-31', 1, 20),"
        " (3, 2, '2023-01-01', 2, 60);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("customers whose last order was before 2023", [("Ann",)]),
        ("customers whose last order was after 2022", [("Bo",)]),
        ("customers whose first order was since 2023", [("Bo",)]),
        ("customers whose last order was before 2022-12-31", []),
        ("customers whose last order was until 2022", [("Ann",)]),
        ("orders and total quantity per customer", [("Ann", 2, 6), ("Bo", 1, 2)]),
        ("customers with more than 1 order and their number", [("Ann", 2)]),
    ],
)
def test_first_and_last_of_each_are_read(bakery: Any, question: str, rows: list[Any]) -> None:
    bakery.answers(question, rows)


@pytest.mark.parametrize("question", ["most recent order date by customer", "date of the last order per customer"])
def test_the_last_date_of_each_is_shown(bakery: Any, question: str) -> None:
    (reading,) = bakery.read(question)
    assert sorted((name, str(date)) for name, date in bakery.rows(reading.sql)) == [
        ("Ann", "2022-12-31"),
        ("Bo", "2023-01-01"),
    ]
