"""Words that are said of a row itself: two values of one column, two years, a state, and what was never done."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);"
        "CREATE TABLE parts (id INTEGER PRIMARY KEY, name VARCHAR, maker_id INTEGER REFERENCES makers (id));"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, part_id INTEGER REFERENCES parts (id), quantity INTEGER,"
        " unit_price INTEGER, sold_on DATE, ship_country VARCHAR);"
        "CREATE TABLE repairs (id INTEGER PRIMARY KEY, title VARCHAR, opened_on DATE, status VARCHAR);"
        "INSERT INTO makers VALUES (1, 'Alba', 'Spain'), (2, 'Brio', 'Italy'), (3, 'Cato', 'Norway');"
        "INSERT INTO parts VALUES (1, 'lamp', 1), (2, 'horn', 2), (3, 'belt', 3), (4, 'hose', 1);"
        "INSERT INTO sales VALUES (1, 1, 5, 3, '2022-05-01', 'Spain'), (2, 2, 7, 4, '2023-06-01', 'Italy'),"
        " (3, 2, 1, 4, '2024-02-01', 'Spain');"
        "INSERT INTO repairs VALUES (1, 'brakes', '2024-01-02', 'open'), (2, 'engine', '2024-01-03', 'done'),"
        " (3, 'tyres', '2024-02-03', 'open');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("makers in Spain and Italy", [("Alba",), ("Brio",)]),
        ("how many makers are in Spain and Norway", [(2,)]),
        ("how many sales were there in 2022 and 2023", [(2,)]),
        ("how many sales were there in 2022 or 2024", [(2,)]),
        ("how many parts were never sold", [(2,)]),
        ("how many parts were not sold in 2022", [(3,)]),
        ("how many open repairs are there", [(2,)]),
        ("titles of open repairs", [("brakes",), ("tyres",)]),
    ],
)
def test_what_is_said_of_a_row_is_a_column_of_its_own(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)
