"""Questions that a shop's people ask, from `business.sql`: answered by the rows of their SQL, in both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from askwhere.errors import Unread

HERE = Path(__file__).parent


def pairs() -> list[tuple[str, str]]:
    text = (HERE / "business.sql").read_text()
    return [(q.strip(), sql.strip()) for q, sql in (part.split("\n", 1) for part in text.split("-- ")[1:])]


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make((HERE / "shop.sql").read_text())


@pytest.mark.parametrize(("question", "expected"), pairs())
def test_question_gives_the_rows_of_its_sql(shop: Any, question: str, expected: str) -> None:
    readings = shop.read(question)
    assert len(readings) == 1, [r.sql for r in readings]
    found, wanted = shop.rows(readings[0].sql), shop.rows(expected)
    if "ORDER BY" not in expected:
        found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
    assert found == wanted, readings[0].sql


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
def test_what_is_not_understood_is_refused(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)


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
    (reading,) = invoices.read(question)
    assert sorted(invoices.rows(reading.sql)) == rows, reading.sql


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
