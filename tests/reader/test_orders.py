"""Dates and names of orders: days and times, the latest of several dates, names that are not the order's own."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, order_date TIMESTAMP, shipped_date TIMESTAMP, ship_name VARCHAR,"
        " ship_city VARCHAR, ship_country VARCHAR, weight VARCHAR);"
        "INSERT INTO orders VALUES"
        " (7, '2024-01-02 10:00:00', '2024-03-01 00:00:00', 'Ann Lee', 'Oslo', 'Norway', '12'),"
        " (8, '2024-02-01 00:00:00', '2024-02-02 08:00:00', 'Bo Ek', 'Turku', 'Finland', 'unknown'),"
        " (9, '2024-02-01 23:30:00', '2024-02-02 09:00:00', 'Cy Roe', 'Turku', 'Finland', '40');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("show the orders", [(7,), (8,), (9,)]),
        ("latest order", [(9,)]),
        ("orders shipped to Oslo", [(7,)]),
        ("which orders were shipped to Norway", [(7,)]),
        ("orders on 2024-02-01", [(8,), (9,)]),
        ("orders after 2024-01-02", [(8,), (9,)]),
        ("orders between 2024-01-02 and 2024-01-31", [(7,)]),
        ("orders with order date 2024-02-01", [(8,), (9,)]),
        ("orders with weight below 30", [(7,)]),
        ("orders whose ship name contains 'EK'", [(8,)]),
    ],
)
def test_orders_are_found(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


def test_the_most_recent_of_a_date_is_by_that_date(shop: Any) -> None:
    for question, day in (("most recent order date", "2024-02-01"), ("earliest shipped date", "2024-02-02")):
        (reading,) = shop.read(question)
        assert str(shop.rows(reading.sql)[0][0]).startswith(day)


def test_half_of_a_question_is_no_name(make: Any) -> None:
    staff = make(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, name VARCHAR, person_id INTEGER REFERENCES people (id));"
        "INSERT INTO people VALUES (1, 'Ann', 'Lee'); INSERT INTO visits VALUES (1, 'Tea', 1), (2, 'Tour', 1);"
    )
    staff.answers("the name of the last visit", [("Tour",)])
    (reading,) = staff.read("the last name of the person")
    assert staff.rows(reading.sql) == [("Lee",)]
