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


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("complaints not resolved yet: date and topic", [("2023-03-01", "mud")]),
        ("complaints (not resolved): date and topic", [("2023-03-01", "mud")]),
        ("vans from 2020 or later", [("AB 1",)]),
        ("vans retired in 2022", [("CD 2",)]),
    ],
)
def test_the_date_of_a_thing_is_when_it_began(make: Any, question: str, rows: list[Any]) -> None:
    firm = make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, signed_on DATE);"
        "CREATE TABLE complaints (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id),"
        " received_on DATE, resolved_on DATE, topic VARCHAR);"
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, model_year INTEGER, retired_on DATE);"
        "INSERT INTO clients VALUES (1, 'Ann', '2020-01-01');"
        "INSERT INTO complaints VALUES (1, 1, '2023-03-01', NULL, 'mud'), (2, 1, '2023-04-01', '2023-04-02', 'dust');"
        "INSERT INTO vans VALUES (1, 'AB 1', 2021, NULL), (2, 'CD 2', 2015, '2022-06-01');"
    )
    (reading,) = firm.read(question)
    assert [tuple(map(str, row)) for row in firm.rows(reading.sql)] == rows
