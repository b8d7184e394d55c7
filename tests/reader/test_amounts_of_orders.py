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


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    """Work orders are called so by nobody: `slips`, each with a total that the prices of its lines do not add up to."""
    return make(
        "CREATE TABLE bays (bay_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE parts (part_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE slips (slip_id INTEGER PRIMARY KEY, bay_id INTEGER REFERENCES bays (bay_id), done_on DATE,"
        " total INTEGER);"
        "CREATE TABLE slip_lines (line_id INTEGER PRIMARY KEY, slip_id INTEGER REFERENCES slips (slip_id),"
        " part_id INTEGER REFERENCES parts (part_id), price INTEGER, quantity INTEGER);"
        "INSERT INTO bays VALUES (1, 'East'), (2, 'West');"
        "INSERT INTO parts VALUES (1, 'belt'), (2, 'pump');"
        "INSERT INTO slips VALUES (1, 1, '2024-05-01', 19), (2, 1, '2024-06-02', 6), (3, 2, '2024-06-03', 35);"
        "INSERT INTO slip_lines VALUES (1, 1, 1, 5, 2), (2, 1, 2, 10, 1), (3, 2, 1, 5, 1), (4, 3, 2, 10, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total revenue", [(60,)]),
        ("takings per bay", [("East", 25), ("West", 35)]),
        ("revenue in june 2024 by bay", [("East", 6), ("West", 35)]),
        ("average slip value", [(20.0,)]),
        ("slip value per bay", [("East", 25), ("West", 35)]),
        ("revenue by part", [("belt", 15), ("pump", 40)]),  # what a part is in has no total of its own
    ],
)
def test_a_total_is_preferred_to_what_its_lines_add_up_to(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


@pytest.fixture(scope="module")
def surgery(make: Any) -> Any:
    """Visits with drugs, which have a price, and the invoices for visits, whose amounts are for more than drugs."""
    return make(
        "CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id), seen DATE);"
        "CREATE TABLE drugs (drug_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE drugs_given (visit_id INTEGER REFERENCES visits (visit_id),"
        " drug_id INTEGER REFERENCES drugs (drug_id), quantity INTEGER, unit_price DOUBLE,"
        " PRIMARY KEY (visit_id, drug_id));"
        "CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, visit_id INTEGER REFERENCES visits (visit_id),"
        " issued DATE, amount DOUBLE);"
        "INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO visits VALUES (1, 1, '2024-05-01'), (2, 1, '2024-06-01'), (3, 2, '2024-06-02');"
        "INSERT INTO drugs VALUES (1, 'Zinc'), (2, 'Iron');"
        "INSERT INTO drugs_given VALUES (1, 1, 2, 5), (3, 2, 1, 8);"
        "INSERT INTO invoices VALUES (1, 1, '2024-05-02', 60), (2, 2, '2024-06-02', 40), (3, 3, '2024-06-03', 58);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue by owner", [("Ann", 100.0), ("Bo", 58.0)]),
        ("how much did each owner spend", [("Ann", 100.0), ("Bo", 58.0)]),
        ("revenue by month", [("2024-05", 60.0), ("2024-06", 98.0)]),
        ("revenue by drug", [("Iron", 8.0), ("Zinc", 10.0)]),
    ],
)
def test_an_invoice_is_preferred_to_lines_of_what_it_is_for(surgery: Any, question: str, rows: list[Any]) -> None:
    surgery.answers(question, rows)
