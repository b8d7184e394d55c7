"""Views that repeat other tables are asked only about what the tables do not answer."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.known import known_from, known_of

SHOP = """
CREATE TABLE categories (category_id INTEGER PRIMARY KEY, category_name VARCHAR);
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY, product_name VARCHAR, unit_price DOUBLE, discontinued BOOLEAN,
  category_id INTEGER REFERENCES categories (category_id)
);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, order_date DATE, freight DOUBLE);
CREATE TABLE "order details" (
  order_id INTEGER REFERENCES orders (order_id), product_id INTEGER REFERENCES products (product_id), quantity INTEGER,
  PRIMARY KEY (order_id, product_id)
);
INSERT INTO categories VALUES (1, 'Tea'), (2, 'Coffee');
INSERT INTO products VALUES (1, 'Assam', 4, FALSE, 1), (2, 'Sencha', 16, TRUE, 1), (3, 'Mocha', 12, FALSE, 2);
INSERT INTO orders VALUES (1, '2024-01-02', 10), (2, '2024-02-03', 20);
INSERT INTO "order details" VALUES (1, 1, 3), (1, 2, 1), (2, 3, 2);
CREATE VIEW invoices AS SELECT o.order_id, o.order_date, o.freight, p.product_name, d.quantity * p.unit_price AS price
  FROM orders o JOIN "order details" d ON d.order_id = o.order_id JOIN products p ON p.product_id = d.product_id;
CREATE VIEW "current products" AS SELECT p.*, category_name FROM products p
  JOIN categories c ON c.category_id = p.category_id WHERE NOT discontinued;
"""


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(SHOP)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total freight", [(30.0,)]),
        ("how many orders are there", [(2,)]),
        ("average unit price per category", [("Coffee", 12.0), ("Tea", 10.0)]),
        ("which products cost between 10 and 20", [("Mocha",), ("Sencha",)]),
        ("price of Assam", [(4.0,)]),
        ("what products do we sell?", [("Assam",), ("Mocha",), ("Sencha",)]),
    ],
)
def test_tables_answer_before_views_do(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


def test_a_view_that_is_named_is_asked(shop: Any) -> None:
    (reading,) = shop.read("how many current products are there")
    assert shop.rows(reading.sql) == [(2,)]
    (reading,) = shop.read("total freight of invoices")
    assert shop.rows(reading.sql) == [(40.0,)]


def test_tables_answer_where_a_category_is_named_in_the_plural(make: Any) -> None:
    drinks = make(
        "CREATE TABLE categories (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, product_name VARCHAR, unit_price DOUBLE, stopped BOOLEAN,"
        " category_id INTEGER REFERENCES categories (id));"
        "INSERT INTO categories VALUES (1, 'Teas'), (2, 'Juices');"
        "INSERT INTO products VALUES (1, 'Assam', 4, FALSE, 1), (2, 'Sencha', 16, TRUE, 1), (3, 'Apple', 3, FALSE, 2);"
        "CREATE VIEW product_list AS SELECT p.*, c.name AS category FROM products p"
        " JOIN categories c ON c.id = p.category_id WHERE NOT stopped;"
    )
    (reading,) = drinks.read("average unit price of teas")
    assert drinks.rows(reading.sql) == [(10.0,)], reading.sql


@pytest.mark.parametrize("question", ["largest order", "how many invoices does each category have"])
def test_no_view_is_guessed_or_joined(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)


def test_a_view_over_no_table_is_the_data_itself(make: Any) -> None:
    data = make(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR);"
        "CREATE VIEW rain_fall AS SELECT CAST('Bergen' AS VARCHAR) AS town, CAST(2250 AS INTEGER) AS rain_mm;"
    )
    (reading,) = data.read("How many different towns are there?")
    assert data.rows(reading.sql) == [(1,)]


def test_what_looks_values_up_is_known_with_and_without_views(make: Any) -> None:
    crates = make(
        "CREATE TABLE crates (id INTEGER PRIMARY KEY, label VARCHAR);"
        "INSERT INTO crates VALUES (1, 'green tea'), (2, 'salt'), (3, 'green tea, salt');"
        "CREATE VIEW packed AS SELECT label FROM crates;"
    )
    table = next(t for t in crates.catalog.tables if t.name == "crates")
    for known in (known_of(crates.catalog, crates.values), known_from(crates.catalog, crates.values)):
        for one in (known, known.without_views):
            assert one is not None
            assert one.words is not None
            assert one.words.is_in_a_value("tea")
            assert one.listed(table.path, "label", "salt")
