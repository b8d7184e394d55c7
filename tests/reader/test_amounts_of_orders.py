"""Amounts of orders: a currency in a column's name, and totals by what an order has several of."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def bakery(make: Any) -> Any:
    return make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " sold_on DATE, total_eur DOUBLE);"
        "CREATE TABLE breads (bread_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE sale_lines (line_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales (sale_id),"
        " bread_id INTEGER REFERENCES breads (bread_id), quantity INTEGER);"
        "INSERT INTO clients VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome');"
        "INSERT INTO sales VALUES (1, 1, '2024-05-01', 5), (2, 1, '2024-06-02', 7), (3, 2, '2024-06-03', 9);"
        "INSERT INTO breads VALUES (1, 'rye'), (2, 'focaccia');"
        "INSERT INTO sale_lines VALUES (1, 1, 1, 2), (2, 1, 2, 1), (3, 2, 1, 1), (4, 3, 2, 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total revenue", [(21.0,)]),
        ("revenue per month", [("2024-05", 5.0), ("2024-06", 16.0)]),
        ("revenue by town", [("Oslo", 12.0), ("Rome", 9.0)]),
        ("total quantity per bread", [("focaccia", 5), ("rye", 3)]),
    ],
)
def test_a_total_in_a_currency_is_revenue(bakery: Any, question: str, rows: list[Any]) -> None:
    (reading,) = bakery.read(question)
    assert sorted((str(a)[:8], *rest) if rest else (a,) for a, *rest in bakery.rows(reading.sql)) == sorted(
        (str(a)[:8], *rest) if rest else (a,) for a, *rest in rows
    )


@pytest.mark.parametrize("question", ["total sales per bread", "revenue by bread"])
def test_the_total_of_a_sale_is_not_added_up_by_what_it_has_several_of(bakery: Any, question: str) -> None:
    with pytest.raises(Unread):
        bakery.read(question)
