"""The best customers, by revenue, where nothing else is said; what each did and who stands over them, beside them."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR, reports_to INTEGER REFERENCES staff (id));"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR,"
        " support_rep_id INTEGER REFERENCES staff (id));"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), order_date DATE);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, units_on_order INTEGER);"
        "CREATE TABLE order_details (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id),"
        " product_id INTEGER REFERENCES products (id), unit_price INTEGER, quantity INTEGER);"
        "INSERT INTO staff VALUES (1, 'Ann', NULL); INSERT INTO staff VALUES (2, 'Bo', 1), (3, 'Cy', 1);"
        "INSERT INTO customers VALUES (1, 'Acme', 'Rome', 2), (2, 'Blue', 'Rome', 3), (3, 'Core', 'Oslo', 3);"
        "INSERT INTO orders VALUES (1, 1, '2023-01-01'), (2, 2, '2023-02-01'), (3, 2, '2024-02-01'),"
        " (4, 3, '2024-03-01');"
        "INSERT INTO products VALUES (1, 'Tea', 9), (2, 'Jam', 4);"
        "INSERT INTO order_details VALUES (1, 1, 1, 5, 10), (2, 2, 1, 5, 4), (3, 3, 1, 5, 2), (4, 3, 2, 3, 10),"
        " (5, 4, 2, 3, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 2 customers", [("Blue", 60), ("Acme", 50)]),
        ("best customers", [("Blue", 60), ("Acme", 50), ("Core", 6)]),
        ("who is our best customer?", [("Blue",)]),
        ("the 2 biggest customers in 2023", [("Acme", 50), ("Blue", 20)]),
        ("best customer in each city", [("Rome", "Blue"), ("Oslo", "Core")]),
        ("biggest order", [(1,)]),
        ("top products by revenue", [("Tea", 80), ("Jam", 36)]),
        ("top 1 customer by number of orders", [("Blue", 2)]),
        ("1 biggest customer based on number of orders", [("Blue", 2)]),
    ],
)
def test_the_best_are_those_that_bring_most(shop: Any, question: str, rows: list[Any]) -> None:
    ((reading),) = shop.read(question)
    found = list(map(tuple, shop.rows(reading.sql)))
    assert (sorted(found) if "each" in question else found) == (sorted(rows) if "each" in question else rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of products per order", [(1, 1), (2, 1), (3, 2), (4, 1)]),
        ("staff and who they report to", [("Bo", "Ann"), ("Cy", "Ann")]),
        ("customers and who supports them", [("Acme", "Bo"), ("Blue", "Cy"), ("Core", "Cy")]),
        ("customers and the orders they placed", [("Acme", 1), ("Blue", 2), ("Blue", 3), ("Core", 4)]),
        ("each customer and their orders", [("Acme", 1), ("Blue", 2), ("Blue", 3), ("Core", 4)]),
    ],
)
def test_what_is_theirs_stands_beside_them(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("customers by revenue", [("Blue", 60), ("Acme", 50), ("Core", 6)]),
        ("customers by number of orders", [("Blue", 2), ("Acme", 1), ("Core", 1)]),
        ("customers by revenue in 2023", [("Acme", 50), ("Blue", 20)]),
    ],
)
def test_what_is_listed_by_an_amount_is_sorted_by_it(shop: Any, question: str, rows: list[Any]) -> None:
    ((reading),) = shop.read(question)
    found = list(map(tuple, shop.rows(reading.sql)))
    assert [row[-1] for row in found] == [row[-1] for row in rows]
    assert sorted(found) == sorted(rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which product brings in the most", [("Tea",)]),
        ("which product brings in the least", [("Jam",)]),
        ("which product earned the most", [("Tea",)]),
        ("which city brings in the most in 2024", [("Rome",)]),
    ],
)
def test_what_brings_in_the_most_does_so_by_revenue(shop: Any, question: str, rows: list[Any]) -> None:
    (reading,) = shop.read(question)
    assert list(map(tuple, shop.rows(reading.sql))) == rows
