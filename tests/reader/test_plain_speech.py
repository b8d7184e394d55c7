"""Ways of asking that people in a business have: short, with fillers, with the order said last."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest


@pytest.fixture(scope="module")
def depot(make: Any) -> Any:
    return make(
        "CREATE TABLE member (memberId INTEGER PRIMARY KEY, fullName VARCHAR, enrolledOn DATE, dropoffDate DATE);"
        "CREATE TABLE partsOrder (orderId INTEGER PRIMARY KEY, memberId INTEGER REFERENCES member (memberId),"
        " placedOn DATE, state VARCHAR);"
        "CREATE TABLE orderPart (lineId INTEGER PRIMARY KEY, orderId INTEGER REFERENCES partsOrder (orderId),"
        " partId INTEGER, pricePerUnit DOUBLE, quantity INTEGER);"
        "CREATE TABLE part (partId INTEGER PRIMARY KEY, title VARCHAR, salePrice DOUBLE, costPrice DOUBLE);"
        "INSERT INTO member VALUES (1, 'Abe', '2020-01-02', '2021-05-05'), (2, 'Bea', '2022-02-02', NULL);"
        "INSERT INTO partsOrder VALUES (1, 1, '2023-01-03', 'open'), (2, 1, '2023-01-09', 'open'),"
        " (3, 2, '2023-02-01', 'done');"
        "INSERT INTO orderPart VALUES (1, 1, 1, 5, 2), (2, 2, 1, 5, 1), (3, 3, 2, 1, 4);"
        "INSERT INTO part VALUES (1, 'Bolt', 5, 2), (2, 'Nut', 1, 4), (3, 'Pin', 3, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many of our orders are open right now?", [(2,)]),
        ("orders per month", [("2023-01", 2), ("2023-02", 1)]),  # of the two kinds of tables the one that is an order
        ("members with more than one order", [("Abe",)]),
        ("who dropped off in 2021", [("Abe",)]),
        ("parts nobody has ever ordered", [("Pin",)]),
        ("the most expensive part", [("Bolt",)]),  # what it costs its maker is no price
        ("total revenue", [(19.0,)]),
        ("average number of orders per member", [(1.5,)]),
        ("What is the average order value?", [(19 / 3,)]),
        ("What percentage of orders is done?", [(100 / 3,)]),
        ("What share of the orders in January 2023 is open?", [(1.0,)]),  # when they were placed is said of all of them
        ("percentage of open orders per member", [("Abe", 100.0), ("Bea", 0.0)]),
        ("open orders: order id and state", [(1, "open"), (2, "open")]),
        ("orders with the member's name", [(1, "Abe"), (2, "Abe"), (3, "Bea")]),
        ("Which member enrolled first?", [("Abe",)]),
        ("Abe's orders", [(1,), (2,)]),
        ("members with more than 0.001k orders", [("Abe",)]),
        ("monthly number of orders in 2023", [("2023-01", 2), ("2023-02", 1)]),
        ("top 2 members by number of orders", [("Abe", 2), ("Bea", 1)]),  # with what they are chosen by
    ],
)
def test_it_is_read(depot: Any, question: str, rows: list[Any]) -> None:
    (reading,) = depot.read(question)
    assert sorted(tuple(map(_plain, row)) for row in depot.rows(reading.sql)) == [
        tuple(map(_near, row)) for row in rows
    ], reading.sql


def _plain(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


def _near(cell: Any) -> Any:
    return pytest.approx(cell) if isinstance(cell, float) else cell


def test_the_order_is_said_last(depot: Any) -> None:
    (reading,) = depot.read("number of orders per member, highest first")
    assert depot.rows(reading.sql) == [("Abe", 2), ("Bea", 1)]
