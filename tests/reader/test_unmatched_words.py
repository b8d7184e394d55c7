"""What is said of things and no name of the schema says is not passed over: failed payments are not all payments."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def trade(make: Any) -> Any:
    return make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),"
        " order_date DATE, amount DOUBLE);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, colour VARCHAR);"
        "INSERT INTO customers VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Rome');"
        "INSERT INTO orders VALUES (1, 1, '2024-05-01', 5), (2, 1, '2025-05-01', 7), (3, 3, '2025-06-01', 9);"
        "INSERT INTO products VALUES (1, 'Lamp', 'red'), (2, 'Desk', 'red');"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which orders failed?",
        "Which orders are open?",
        "Which orders were approved?",
        "How many orders were paid?",
        "Which orders arrived?",
        "approved orders",
        "orders approved in 2025",
        "Which orders above 6 failed?",
        "Which customers died?",
        "Which customers in Oslo died?",
        "Which customers died in Oslo?",
        "Which customers were placed?",
        "Which customers used to live in Oslo?",
        "Which products are available?",
        "available products",
        "Which customers share a city?",
        "How many customers share a city?",
    ],
)
def test_what_becomes_of_things_is_not_passed_over(trade: Any, question: str) -> None:
    with pytest.raises(Unread):
        trade.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which customers live in Oslo?", [("Ann",), ("Bo",)]),
        ("How many orders were placed?", [(3,)]),
        ("Which orders were placed in 2025?", [(2,), (3,)]),
        ("How many orders were made?", [(3,)]),
        ("Which customers placed orders?", [("Ann",), ("Cy",)]),
        ("How many orders did Ann place?", [(2,)]),
        ("available colours of products", [("red",), ("red",)]),
        ("For each customer, how many orders did they make?", [("Ann", 2), ("Cy", 1)]),
    ],
)
def test_a_verb_with_an_object_or_a_subject_is_tied(trade: Any, question: str, rows: list[Any]) -> None:
    trade.answers(question, rows)
