"""What is held or ordered in money, and shares of what each thing has."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, country VARCHAR);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR, category VARCHAR, list_price DOUBLE,
  unit_cost DOUBLE, stock_qty INTEGER);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, order_date DATE,
  status VARCHAR);
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders,
  product_id INTEGER REFERENCES products, quantity INTEGER, unit_price DOUBLE);
CREATE TABLE workers (worker_id INTEGER PRIMARY KEY, worker_name VARCHAR);
CREATE TABLE entries (entry_id INTEGER PRIMARY KEY, worker_id INTEGER REFERENCES workers, hours DOUBLE,
  billable VARCHAR);
INSERT INTO customers VALUES (1, 'Ann', 'France'), (2, 'Bob', 'Spain'), (3, 'Cid', 'France');
INSERT INTO products VALUES (1, 'Kettle', 'Kitchen', 30, 12, 10), (2, 'Lamp', 'Light', 50, 20, 2),
  (3, 'Pan', 'Kitchen', 20, 9, 0);
INSERT INTO orders VALUES (1, 1, '2022-01-05', 'shipped'), (2, 1, '2022-03-05', 'shipped'),
  (3, 2, '2023-02-01', 'cancelled'), (4, 2, '2023-05-01', 'shipped');
INSERT INTO order_lines VALUES (1, 1, 1, 2, 28), (2, 1, 2, 1, 44), (3, 2, 3, 4, 20), (4, 3, 2, 1, 45),
  (5, 4, 1, 3, 25);
INSERT INTO workers VALUES (1, 'Eve'), (2, 'Gus');
INSERT INTO entries VALUES (1, 1, 2, 'Y'), (2, 1, 2, 'N'), (3, 2, 4, 'Y');
"""
STORE = """
CREATE TABLE items (item_no INTEGER PRIMARY KEY, item_name VARCHAR, item_group VARCHAR, unit_cost DOUBLE);
CREATE TABLE stock (stock_id INTEGER PRIMARY KEY, item_no INTEGER REFERENCES items, place VARCHAR, qty INTEGER);
INSERT INTO items VALUES (1, 'Nail', 'Iron', 2), (2, 'Board', 'Wood', 10);
INSERT INTO stock VALUES (1, 1, 'A', 5), (2, 1, 'B', 1), (3, 2, 'A', 3);
"""


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(SHOP)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("value of the stock at cost", [(160.0,)]),
        ("how much is all our stock worth at cost per category", [("Kitchen", 120.0), ("Light", 40.0)]),
        ("total stock value at list price by category", [("Kitchen", 300.0), ("Light", 100.0)]),
        ("which category has the highest stock value at cost", [("Kitchen",)]),
        ("products and their stock value at cost", [("Kettle", 120.0), ("Lamp", 40.0), ("Pan", 0.0)]),
    ],
)
def test_what_is_held_is_worth_its_quantity_times_a_price(
    shop: Any, question: str, rows: list[tuple[Any, ...]]
) -> None:
    shop.answers(question, rows)


def test_stock_in_a_table_of_its_own_is_worth_the_price_of_the_items(make: Any) -> None:
    store = make(STORE)
    store.answers("what is our stock worth per item group", [("Iron", 12.0), ("Wood", 30.0)])
    store.answers("value of the stock", [(42.0,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("value of each order", [(1, 100.0), (2, 80.0), (3, 45.0), (4, 75.0)]),
        ("order totals for shipped orders", [(1, 100.0), (2, 80.0), (4, 75.0)]),
        ("order value per customer", [("Ann", 180.0), ("Bob", 120.0)]),
        ("value of each order and its status", [(45.0, "cancelled"), *((n, "shipped") for n in (75.0, 80.0, 100.0))]),
    ],
)
def test_orders_are_worth_what_their_lines_sell(shop: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what percentage of each customer's orders were cancelled?", [("Ann", 0.0), ("Bob", 50.0)]),
        ("percent of each customer's orders that got cancelled", [("Ann", 0.0), ("Bob", 50.0)]),
        ("statuses as a percentage of all orders", [("cancelled", 25.0), ("shipped", 75.0)]),
        ("share of each category in all revenue", [("Kitchen", 211 / 300), ("Light", 89 / 300)]),
        ("Light's share of revenue in percent", [(8900 / 300,)]),
        ("what percentage of hours was billable?", [(75.0,)]),
        ("what percentage of each worker's logged hours was billable?", [("Eve", 50.0), ("Gus", 100.0)]),
        ("share of the hours by worker", [("Eve", 0.5), ("Gus", 0.5)]),
    ],
)
def test_shares_of_what_each_has_and_of_sums(shop: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = shop.read(question)
    assert sorted(shop.rows(reading.sql)) == [pytest.approx(row) for row in rows], reading.sql


BAKERY = """
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_name VARCHAR);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR, price_cents INTEGER);
CREATE TABLE daily_sales (sale_id INTEGER PRIMARY KEY, sale_date DATE, shop_id INTEGER REFERENCES shops,
  product_id INTEGER REFERENCES products, baked INTEGER, sold INTEGER);
INSERT INTO shops VALUES (1, 'North'), (2, 'South');
INSERT INTO products VALUES (1, 'Rye', 300), (2, 'Bun', 50);
INSERT INTO daily_sales VALUES (1, '2023-01-01', 1, 1, 9, 4), (2, '2023-01-01', 1, 2, 20, 10),
  (3, '2023-02-01', 2, 2, 30, 20);
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue by shop", [("North", 1700), ("South", 1000)]),
        ("which shop has the highest revenue", [("North",)]),
        ("shops with revenue above 1000", [("North",)]),
        ("total revenue in euros", [(27.0,)]),
        ("revenue per month", [("2023-01", 1700), ("2023-02", 1000)]),
    ],
)
def test_what_was_sold_is_worth_the_price_of_the_goods(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    make(BAKERY).answers(question, rows)


@pytest.mark.parametrize("question", ["value of the stock", "quantity as a share of order value"])
def test_values_that_may_be_several_are_refused(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)


def test_a_refusal_says_at_which_prices_stock_can_be_valued(shop: Any) -> None:
    refused = shop.refused("stock value per category")
    assert refused.questions == ("stock value at cost per category", "stock value at price per category")
    assert "At its cost: SELECT * FROM ask('stock value at cost per category');" in str(refused)


@pytest.fixture(scope="module")
def cobbler(make: Any) -> Any:
    return make(
        "CREATE TABLE services (code VARCHAR PRIMARY KEY, service_name VARCHAR, list_price INTEGER);"
        "CREATE TABLE goods (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, sell_price INTEGER,"
        " cost_price INTEGER);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, visited DATE);"
        "CREATE TABLE visit_lines (id INTEGER PRIMARY KEY, visit_id INTEGER REFERENCES visits (id),"
        " code VARCHAR REFERENCES services (code), price INTEGER);"
        "INSERT INTO services VALUES ('A', 'New heel', 14), ('B', 'Stitching', 9);"
        "INSERT INTO goods VALUES (1, 'Black wax', 'polish', 6, 2), (2, 'Long laces', 'laces', 3, 1);"
        "INSERT INTO visits VALUES (1, '2024-01-01'); INSERT INTO visit_lines VALUES (1, 1, 'A', 12), (2, 1, 'A', 13);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what does a new heel cost", [(14,)]),
        ("how much does stitching cost", [(9,)]),
        ("how much is the black wax", [(6,)]),
        ("what do long laces cost?", [(3,)]),
        ("what does polish cost", [(6,)]),
    ],
)
def test_what_a_thing_costs_is_its_price(cobbler: Any, question: str, rows: list[Any]) -> None:
    cobbler.answers(question, rows)
