"""Questions that a shop's people ask: what is not understood, and what is added up once."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.mark.parametrize(
    "question",
    [
        "What is the highest average price?",
        "customers per year",
        "products per month",
        "customers with the most orders per month",
        "names of customers per month",
        "revenue per film",
        "average revenue per country",
        "most ordered product",
    ],
)
def test_what_is_not_understood_is_refused(business: Any, question: str) -> None:
    with pytest.raises(Unread):
        business.read(question)


@pytest.fixture(scope="module")
def invoices(make: Any) -> Any:
    """Invoices that have both a total and lines."""
    return make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);"
        "CREATE TABLE articles (id INTEGER PRIMARY KEY, name VARCHAR, color VARCHAR);"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), total DOUBLE);"
        "CREATE TABLE invoice_lines (id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices (id),"
        " article_id INTEGER REFERENCES articles (id), unit_price DOUBLE, quantity INTEGER);"
        "INSERT INTO clients VALUES (1, 'Ann', 'Rome'), (2, 'Bob', 'Oslo');"
        "INSERT INTO articles VALUES (1, 'Pen', 'red'), (2, 'Cup', 'blue');"
        "INSERT INTO invoices VALUES (1, 1, 7), (2, 2, 2);"
        "INSERT INTO invoice_lines VALUES (1, 1, 1, 2, 1), (2, 1, 2, 5, 1), (3, 2, 1, 1, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue per city", [("Oslo", 2.0), ("Rome", 7.0)]),
        ("total revenue by color", [("blue", 5.0), ("red", 4.0)]),  # of the lines: a total is of several colors
        ("total sales", [(9.0,)]),
    ],
)
def test_what_was_sold_is_added_up_once(invoices: Any, question: str, rows: list[Any]) -> None:
    invoices.answers(question, rows)


@pytest.mark.parametrize("discount", ["discount DECIMAL(10, 2)", "discount_percent DOUBLE"])
def test_a_discount_that_may_be_no_part_of_one_is_refused(make: Any, discount: str) -> None:
    orders = make(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, city VARCHAR);"
        "CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), unit_price DOUBLE,"
        f" quantity INTEGER, {discount}); INSERT INTO orders VALUES (1, 'Rome');"
        "INSERT INTO order_items VALUES (1, 1, 5, 2, 10);"
    )
    with pytest.raises(Unread):
        orders.read("revenue per city")
