"""The numbers of two groups stand beside each other, one column for each."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, country VARCHAR);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, order_date DATE,
  shipped_date DATE, status VARCHAR, total DOUBLE);
INSERT INTO customers VALUES (1, 'Ann', 'France'), (2, 'Bob', 'Spain'), (3, 'Cid', 'France');
INSERT INTO orders VALUES (1, 1, '2022-01-05', '2022-01-08', 'shipped', 10),
  (2, 1, '2022-03-05', '2022-03-09', 'shipped', 20), (3, 2, '2023-02-01', NULL, 'cancelled', 30),
  (4, 2, '2023-05-01', '2023-05-09', 'shipped', 40), (5, 3, '2023-06-01', NULL, 'new', 50);
"""


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(SHOP)


@pytest.mark.parametrize(
    ("question", "columns", "rows"),
    [
        ("how many orders were shipped and how many cancelled", ["shipped", "cancelled"], [(3, 1)]),
        (
            "how many orders were shipped and how many cancelled per customer",
            ["customer_name", "shipped", "cancelled"],
            [("Ann", 2, 0), ("Bob", 1, 1), ("Cid", 0, 0)],
        ),
        (
            "number of shipped and number of cancelled orders per year",
            ["year", "shipped", "cancelled"],
            [("2022", 2, 0), ("2023", 1, 1)],
        ),
        ("how many customers are from France and how many from Spain", ["france", "spain"], [(2, 1)]),
        ("compare revenue in 2022 and 2023 side by side", ["in_2022", "in_2023"], [(30.0, 120.0)]),
        (
            "revenue in 2022 vs 2023 per customer",
            ["customer_name", "in_2022", "in_2023"],
            [("Ann", 30.0, 0.0), ("Bob", 0.0, 70.0), ("Cid", 0.0, 50.0)],
        ),
    ],
)
def test_two_groups_are_two_columns(shop: Any, question: str, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
    (reading,) = shop.read(question)
    assert [tuple(map(_plain, row)) for row in sorted(shop.rows(reading.sql))] == rows, reading.sql
    assert shop.columns(reading.sql) == columns


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


def test_counts_of_different_things_are_no_groups_of_one(shop: Any) -> None:
    with pytest.raises(Unread):
        shop.read("how many shipped orders and how many cancelled customers")
