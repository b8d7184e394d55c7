"""What is earned from something: "how much did we earn from tours", "revenue from cheese"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def farm(make: Any) -> Any:
    return make(
        "CREATE TABLE families (code VARCHAR PRIMARY KEY, label VARCHAR);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, family VARCHAR REFERENCES families (code));"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, order_date DATE);"
        "CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id),"
        " product_id INTEGER REFERENCES products (id), quantity INTEGER, unit_price INTEGER);"
        "CREATE TABLE workers (id INTEGER PRIMARY KEY, name VARCHAR, hourly_rate INTEGER);"
        "CREATE TABLE tours (id INTEGER PRIMARY KEY, worker_id INTEGER REFERENCES workers (id), tour_date DATE,"
        " kind VARCHAR, fee INTEGER);"
        "INSERT INTO families VALUES ('CH', 'Cheese'), ('BU', 'Butter');"
        "INSERT INTO products VALUES (1, 'Old Gold', 'CH'), (2, 'Salted', 'BU');"
        "INSERT INTO orders VALUES (1, '2024-03-01'), (2, '2023-03-01');"
        "INSERT INTO order_lines VALUES (1, 1, 1, 2, 10), (2, 1, 2, 1, 3), (3, 2, 1, 1, 9);"
        "INSERT INTO workers VALUES (1, 'Ann', 15);"
        "INSERT INTO tours VALUES (1, 1, '2024-05-01', 'school', 40), (2, 1, '2024-06-01', 'private', 70),"
        " (3, 1, '2023-06-01', 'school', 30);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue from cheese", [(29,)]),
        ("revenue from cheese in 2024", [(20,)]),
        ("how much did we earn from cheese", [(29,)]),
        ("how much did we make on butter in 2024", [(3,)]),
        ("how much did we earn from school tours", [(70,)]),
        ("how much have we taken from tours in 2024", [(110,)]),
        ("how much did we bring in from private tours", [(70,)]),
        ("how much does Ann earn", [(15,)]),
    ],
)
def test_what_we_earn_from_something_is_its_revenue(farm: Any, question: str, rows: list[Any]) -> None:
    farm.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("rent income in 2024", [(90,)]),
        ("rent income per berth", [("A1", 120), ("A2", 20)]),
        ("rent income by year", [("2023", 50), ("2024", 90)]),
        ("total amount paid in 2024", [(90,)]),
        ("total amount due in 2024", [(40,)]),
    ],
)
def test_income_is_what_was_paid_and_not_what_is_due(make: Any, question: str, rows: list[Any]) -> None:
    marina = make(
        "CREATE TABLE berths (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE rents (id INTEGER PRIMARY KEY, berth_id INTEGER REFERENCES berths (id), due_date DATE,"
        " paid_date DATE, amount_due INTEGER, amount_paid INTEGER);"
        "INSERT INTO berths VALUES (1, 'A1'), (2, 'A2');"
        "INSERT INTO rents VALUES (1, 1, '2023-01-01', '2023-02-01', 60, 50),"
        " (2, 1, '2023-12-01', '2024-01-09', 70, 70),"
        " (3, 2, '2024-05-01', '2024-05-01', 40, 20);"
    )
    marina.answers(question, rows)
