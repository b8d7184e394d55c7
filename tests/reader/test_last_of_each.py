"""The first and last of each thing, by its date, and counts beside sums of a group."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


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


@pytest.fixture(scope="module")
def dredger(make: Any) -> Any:
    return make(
        "CREATE TABLE cust (cust_no INTEGER PRIMARY KEY, cust_nm VARCHAR);"
        "CREATE TABLE trip (trip_no INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust (cust_no), ord_dt DATE,"
        " trip_dt DATE);"
        "CREATE TABLE inspection (inspection_id INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust (cust_no),"
        " carried_out DATE);"
        "INSERT INTO cust VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO trip VALUES (1, 1, '2022-12-01', '2022-12-09'), (2, 2, '2022-12-30', '2023-01-04'),"
        " (3, 2, '2023-02-01', '2023-02-05');"
        "INSERT INTO inspection VALUES (1, 1, '2024-03-05'), (2, 2, '2024-02-01'), (3, 2, '2025-03-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("customers whose last trip was before 2023", [("Ann",)]),
        ("customers whose first trip was in 2023", [("Bo",)]),
        ("customers whose last inspection was in 2024", [("Ann",)]),
        ("customers whose last inspection was in March 2025", [("Bo",)]),
        ("last trip of each customer", [("Ann", 1), ("Bo", 3)]),
    ],
)
def test_the_last_of_each_is_by_a_short_name_or_the_only_date(dredger: Any, question: str, rows: list[Any]) -> None:
    dredger.answers(question, rows)


@pytest.mark.parametrize("question", ["broken lifts at last check", "lifts broken at the last check"])
def test_what_was_so_at_the_last_one_names_nobody(make: Any, question: str) -> None:
    lifts = make(
        "CREATE TABLE inspectors (inspector_id INTEGER PRIMARY KEY, first_name VARCHAR, surname VARCHAR);"
        "CREATE TABLE lifts (lift_id INTEGER PRIMARY KEY, code VARCHAR);"
        "CREATE TABLE checks (check_id INTEGER PRIMARY KEY, lift_id INTEGER REFERENCES lifts (lift_id), made DATE,"
        " result VARCHAR, inspector_id INTEGER REFERENCES inspectors (inspector_id));"
        "INSERT INTO inspectors VALUES (1, 'Ann', 'Lee'); INSERT INTO lifts VALUES (1, 'L1'), (2, 'L2');"
        "INSERT INTO checks VALUES (1, 1, '2024-01-01', 'broken', 1), (2, 1, '2024-02-01', 'fine', 1);"
    )
    with pytest.raises(Unread):
        lifts.read(question)
