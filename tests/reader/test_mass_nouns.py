"""What there is much of is added up, and not counted: stock, and the pieces of what was sold."""

from __future__ import annotations

from typing import Any

import pytest

PLANTS = """
    CREATE TABLE plant (plant_id INTEGER PRIMARY KEY, plant_name TEXT, region TEXT);
    INSERT INTO plant VALUES (1, 'Alder', 'west'), (2, 'Birch', 'east');
    CREATE TABLE consumption (plant_id INTEGER REFERENCES plant (plant_id), month_no INTEGER, kwh INTEGER);
    INSERT INTO consumption VALUES (1, 1, 10), (1, 2, 10), (1, 3, 10), (2, 1, 90), (2, 2, 50);
    CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, plant_id INTEGER REFERENCES plant (plant_id), tot_amt REAL,
                          issued_on DATE);
    INSERT INTO invoice VALUES (1, 1, 100.0, '2023-02-01'), (2, 2, 40.0, '2023-03-01'), (3, 2, 30.0, '2024-03-01');
"""


@pytest.fixture(scope="module")
def plants(make: Any) -> Any:
    return make(PLANTS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which warehouse has the most stock", [("Dockside",)]),
        ("which product has the least stock", [("Chair",)]),
        ("total stock per warehouse", [("Dockside", 100), ("North Hall", 15), ("Old Mill", 30)]),
        ("how much stock does each warehouse hold", [("Dockside", 100), ("North Hall", 15), ("Old Mill", 30)]),
        ("stock of each product", [("Chair", 16), ("Kettle", 95), ("Lamp", 34)]),
        ("how many kettles do we have in stock", [(95,)]),
        ("warehouses with more than 20 items in stock", [("Dockside",), ("Old Mill",)]),
        ("which products are not in stock", [("Rug",)]),
    ],
)
def test_stock_is_the_sum_of_its_quantity(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    depot.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which plant has the most consumption", [("Birch",)]),
        ("total consumption per plant", [("Alder", 30), ("Birch", 140)]),
    ],
)
def test_so_is_what_other_words_without_a_plural_name(plants: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    plants.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue by product", [("Chair", 300.0), ("Kettle", 260.0), ("Lamp", 140.0)]),
        ("total sales in 2023", [(545.0,)]),
        ("top 2 clients by total spending", [("Bo Kim", 220.0), ("Cy Fox", 240.0)]),
        ("total value of order 1", [(100.0,)]),
        ("best selling products by revenue", [("Chair",)]),
        ("how many kettles were bought", [(13,)]),
    ],
)
def test_revenue_is_a_price_in_short_times_a_quantity(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    depot.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("invoice value per plant", [("Alder", 100.0), ("Birch", 70.0)]),
        ("average invoice per plant", [("Alder", 100.0), ("Birch", 35.0)]),
        ("top 2 plants by invoice value, with the amounts", [("Alder", 100.0), ("Birch", 70.0)]),
        ("two biggest plants by revenue", [("Alder", 100.0), ("Birch", 70.0)]),
    ],
)
def test_an_invoice_is_its_amount(plants: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    plants.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue per film", [("Deep", 35.0), ("Salt", 25.0)]),
        ("average booking by genre", [("drama", 12.0)]),
        ("booking value per member", [("Ada", "Bell", 17.0), ("Ben", "Cole", 33.0), ("Cleo", "Dunn", 10.0)]),
    ],
)
def test_without_sales_revenue_is_what_bookings_cost(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    club.answers(question, rows)


def test_revenue_is_a_total_in_short(plants: Any) -> None:
    plants.answers("revenue per plant", [("Alder", 100.0), ("Birch", 70.0)])


def test_productions_that_have_titles_are_counted(make: Any) -> None:
    theatre = make(
        "CREATE TABLE production (production_id INTEGER PRIMARY KEY, title TEXT, running_minutes INTEGER);"
        "CREATE TABLE performance (performance_id INTEGER PRIMARY KEY,"
        " production_id INTEGER REFERENCES production (production_id));"
        "INSERT INTO production VALUES (1, 'Hamlet', 165), (2, 'Faust', 165);"
        "INSERT INTO performance VALUES (1, 1), (2, 1), (3, 2);"
    )
    theatre.answers("performances per production", [("Faust", 1), ("Hamlet", 2)])
