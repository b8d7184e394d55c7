"""What is said of a thing is not read in its rows of another table: no place of an order is an employee's."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def trade(make: Any) -> Any:
    return make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);"
        "CREATE TABLE carriers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR,"
        " employee_id INTEGER REFERENCES employees (id));"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees (id),"
        " carrier_id INTEGER REFERENCES carriers (id), ship_city VARCHAR, ship_country VARCHAR);"
        "CREATE TABLE groups (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, price DOUBLE, length INTEGER,"
        " group_id INTEGER REFERENCES groups (id), carrier_id INTEGER REFERENCES carriers (id));"
        "INSERT INTO employees VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome');"
        "INSERT INTO carriers VALUES (1, 'Fast'), (2, 'Slow');"
        "INSERT INTO customers VALUES (1, 'Cy', 'Lima', 1), (2, 'Di', 'Rome', 1);"
        "INSERT INTO orders VALUES (1, 1, 1, 'Paris', 'France'), (2, 2, 1, 'Rome', 'Italy');"
        "INSERT INTO groups VALUES (1, 'Light'), (2, 'Wood');"
        "INSERT INTO products VALUES (1, 'Lamp', 5, 30, 1, 1), (2, 'Desk', 50, 150, 2, 1), (3, 'Torch', 2, 20, 1, 2);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which employees live in France?",
        "employees from Paris",
        "How many employees are in Paris?",
        "Which employees speak French?",
        "carriers in Italy",
        "customers in Oslo",  # their employee is
        "employees in Lima",
        "What is the cheapest group?",
        "longest group",
        "Which group is the longest?",
    ],
)
def test_what_is_true_of_other_rows_is_refused(trade: Any, question: str) -> None:
    with pytest.raises(Unread):
        trade.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which employees live in Rome?", [("Bo",)]),
        ("orders in France", [(1,)]),
        ("Which employees have orders to France?", [("Ann",)]),
        ("Which employees have customers in Lima?", [("Ann",)]),
        ("Which group has the cheapest product?", [("Light",)]),
        ("the longest product", [("Desk",)]),
    ],
)
def test_what_is_said_of_rows_that_are_named_is_read_in_them(trade: Any, question: str, rows: list[Any]) -> None:
    trade.answers(question, rows)
