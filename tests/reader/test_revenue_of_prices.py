"""Revenue is found by names of amounts, prices and quantities; rows are left out, and told apart by the weekday."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def kiosk(make: Any) -> Any:
    return make(
        "CREATE TABLE buyers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE snacks (id INTEGER PRIMARY KEY, name VARCHAR, aisle VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (id), status VARCHAR,"
        " placed_on DATE);"
        "CREATE TABLE order_lines (order_id INTEGER REFERENCES orders (id), snack_id INTEGER REFERENCES snacks (id),"
        " qty INTEGER, unit_price_cents INTEGER, PRIMARY KEY (order_id, snack_id));"
        "INSERT INTO buyers VALUES (1, 'Ines'), (2, 'Tomas');"
        "INSERT INTO snacks VALUES (1, 'Pretzel', 'salty'), (2, 'Waffle', 'sweet');"
        "INSERT INTO orders VALUES (1, 1, 'paid', '2024-03-01'), (2, 1, 'cancelled', '2024-03-02'),"
        " (3, 2, 'paid', '2024-03-08'), (4, 2, 'paid', '2025-01-06');"
        "INSERT INTO order_lines VALUES (1, 1, 2, 100), (2, 1, 9, 100), (2, 2, 1, 300), (3, 2, 4, 300), (4, 1, 1, 100);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue per buyer", [("Ines", 1400), ("Tomas", 1300)]),
        ("units sold per snack", [("Pretzel", 12), ("Waffle", 5)]),
        ("income by year, highest first", [("2024", 2600), ("2025", 100)]),
        ("revenue by year, newest first", [("2024", 2600), ("2025", 100)]),
        ("revenue per aisle, excluding cancelled orders", [("salty", 300), ("sweet", 1200)]),
        ("revenue per snack, leaving cancelled orders out", [("Pretzel", 300), ("Waffle", 1200)]),
        ("number of orders per buyer, cancelled orders excluded", [("Ines", 1), ("Tomas", 2)]),
        ("number of orders per status, leaving out cancelled orders", [("paid", 3)]),
        ("buyers without cancelled orders", [("Tomas",)]),
        ("orders by month in the year 2024", [("2024-03", 3)]),
        ("how many friday orders", [(2,)]),
        ("number of orders at the weekend", [(1,)]),
        ("orders per weekday (0 = Sunday)", [("1", 1), ("5", 2), ("6", 1)]),
        ("number of january orders", [(1,)]),
        ("which weekday has the most orders", [("5",)]),
    ],
)
def test_money_and_days_of_the_week(kiosk: Any, question: str, rows: list[Any]) -> None:
    kiosk.answers(question, rows)


@pytest.mark.parametrize(
    ("columns", "total"),
    [
        ("gross_sales INTEGER, target INTEGER", 30),  # named after revenue
        ("pieces INTEGER, price INTEGER", 500),
        ("units INTEGER, unit_price INTEGER", 500),
        ("jars INTEGER, price_per_jar INTEGER", 500),  # a price by what it is the price of
        ("tickets_sold INTEGER, unit_price INTEGER", 500),
        ("qty INTEGER, price INTEGER, discount_pct INTEGER", 450),  # 10 * 20 and 15 * 20, less 10 percent
        ("paid_cents INTEGER, minutes INTEGER", 30),
        ("fare_paid INTEGER, seats INTEGER", 30),
    ],
)
def test_columns_of_revenue(make: Any, columns: str, total: int) -> None:
    rows = ", ".join(f"({n}, 1, {first}, 20{', 10' if 'pct' in columns else ''})" for n, first in ((1, 10), (2, 20)))
    rows = rows.replace("(2, 1, 20, ", "(2, 1, 15, ") if total in (450, 500) else rows
    shop = make(
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR);"
        f"CREATE TABLE visits (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (id), {columns});"
        f"INSERT INTO guests VALUES (1, 'Ada'); INSERT INTO visits VALUES {rows};"
    )
    shop.answers("total revenue", [(total,)])
    [note] = (n for n in shop.read("total revenue")[0].notes if n.startswith("revenue is"))
    assert note.startswith("revenue is the sum of visits.")
