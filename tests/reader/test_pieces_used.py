"""Pieces that were sold or used, and what is used most, in a schema of short names without keys."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def nursery(make: Any) -> Any:
    return make(
        "CREATE TABLE plnt (plnt_id INTEGER, plnt_nm VARCHAR, kind VARCHAR, price DOUBLE, stock_qty INTEGER,"
        " added_dt DATE);"
        "CREATE TABLE cust (cust_id INTEGER, cust_nm VARCHAR);"
        "CREATE TABLE ord (ord_id INTEGER, cust_id INTEGER, ord_dt DATE, paid INTEGER);"
        "CREATE TABLE ord_ln (ord_id INTEGER, plnt_id INTEGER, qty INTEGER, unit_price DOUBLE);"
        "INSERT INTO plnt VALUES (1, 'Fern', 'shade', 4, 12, '2023-01-05'), (2, 'Rose', 'sun', 9, 0, '2024-02-01'),"
        " (3, 'Hosta', 'shade', 6, 3, '2024-03-01');"
        "INSERT INTO cust VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO ord VALUES (1, 1, '2023-05-01', 1), (2, 1, '2024-05-01', 0), (3, 2, '2024-06-01', 1);"
        "INSERT INTO ord_ln VALUES (1, 1, 10, 4), (1, 2, 1, 9), (2, 2, 2, 9), (3, 2, 3, 9), (3, 3, 4, 6);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many ferns did we sell", [(10,)]),
        ("how many roses did we sell in 2024", [(5,)]),
        ("how many roses were ordered", [(6,)]),
        ("how many hostas do we have in stock", [(3,)]),
        ("most sold plant", [("Fern",)]),
        ("which plant was used the most", [("Fern",)]),
        ("the most frequently ordered plant", [("Rose",)]),
        ("how many orders were paid in 2024", [(1,)]),
    ],
)
def test_pieces_are_added_up(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


def test_who_buys_is_not_sold(nursery: Any) -> None:
    nursery.answers("how many customers bought in 2024", [(2,)])
    nursery.refused("how many customers do we sell to")


def test_who_sells_is_no_customer(nursery: Any) -> None:
    nursery.answers("who bought the most", [("Ann",)])
    nursery.refused("who sold the most")


@pytest.fixture(scope="module")
def theatre(make: Any) -> Any:
    return make(
        "CREATE TABLE plays (play_id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE stages (stage_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE evenings (evening_id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES plays (play_id),"
        " stage_id INTEGER REFERENCES stages (stage_id));"
        "CREATE TABLE seats_taken (id INTEGER PRIMARY KEY, evening_id INTEGER REFERENCES evenings (evening_id),"
        " guest_id INTEGER REFERENCES guests (guest_id));"
        "CREATE TABLE drinks (drink_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE drink_sales (id INTEGER PRIMARY KEY, drink_id INTEGER REFERENCES drinks (drink_id),"
        " guest_id INTEGER REFERENCES guests (guest_id), quantity INTEGER, total DOUBLE, sold_on DATE);"
        "INSERT INTO plays VALUES (1, 'Storm'), (2, 'Calm'); INSERT INTO stages VALUES (1, 'Big'), (2, 'Small');"
        "INSERT INTO guests VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO evenings VALUES (1, 1, 1), (2, 2, 1), (3, 2, 2);"
        "INSERT INTO seats_taken VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1);"
        "INSERT INTO drinks VALUES (1, 'Cola'), (2, 'Tea');"
        "INSERT INTO drink_sales VALUES (1, 1, 1, 5, 10, '2024-01-01'), (2, 2, 2, 2, 16, '2024-01-02'),"
        " (3, 2, 1, 1, 3, '2024-01-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many colas did we sell", [(5,)]),
        ("best selling drink", [("Cola",)]),
        ("most popular drink", [("Cola",)]),
        ("most popular play", [("Storm",)]),  # by the seats that people took, and not by the evenings
        ("revenue per drink", [("Cola", 10.0), ("Tea", 19.0)]),
        ("who spent the most on drinks", [("Bo",)]),
        ("which stage is used most", [("Big",)]),
    ],
)
def test_totals_of_sales_and_uses_are_counted(theatre: Any, question: str, rows: list[Any]) -> None:
    theatre.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total yarn used", [(60,)]),
        ("average yarn used per loom", [("L1", 10.0), ("L2", 50.0)]),
        ("looms that are not used", [("L2",)]),
    ],
)
def test_what_was_used_is_no_flag_of_what_used_it(make: Any, question: str, rows: list[Any]) -> None:
    mill = make(
        "CREATE TABLE looms (id INTEGER PRIMARY KEY, label VARCHAR, in_use BOOLEAN);"
        "CREATE TABLE shifts (id INTEGER PRIMARY KEY, loom_id INTEGER REFERENCES looms (id), worked_on DATE,"
        " yarn_kg INTEGER);"
        "INSERT INTO looms VALUES (1, 'L1', TRUE), (2, 'L2', FALSE);"
        "INSERT INTO shifts VALUES (1, 1, '2024-01-01', 10), (2, 2, '2024-01-02', 50);"
    )
    mill.answers(question, rows)


def test_how_many_were_sold_is_no_sum_of_prices(make: Any) -> None:
    shop = make(
        "CREATE TABLE lamps (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, sell_price DOUBLE);"
        "INSERT INTO lamps VALUES (1, 'Alto', 'desk', 20), (2, 'Brio', 'floor', 30);"
    )
    with pytest.raises(Unread):
        shop.read("how many desk lamps did we sell")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which part do we use the most?", [("bolt",)]),
        ("which part do we use the most of?", [("bolt",)]),
    ],
)
def test_what_is_used_most_is_what_most_pieces_were_used_of(make: Any, question: str, rows: list[Any]) -> None:
    garage = make(
        "CREATE TABLE parts (part_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE parts_used (job_id INTEGER, part_id INTEGER REFERENCES parts (part_id), quantity INTEGER,"
        " PRIMARY KEY (job_id, part_id));"
        "INSERT INTO parts VALUES (1, 'bolt'), (2, 'nut');"
        "INSERT INTO parts_used VALUES (1, 1, 50), (1, 2, 1), (2, 2, 1), (3, 2, 1);"
    )
    garage.answers(question, rows)
