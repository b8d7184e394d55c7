"""A column of revenue is added up for each thing; a name is no greatest value."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def chain(make: Any) -> Any:
    return make(
        "CREATE TABLE stores (store_id INTEGER PRIMARY KEY, store_name VARCHAR, employees INTEGER);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, store_id INTEGER REFERENCES stores (store_id), region VARCHAR,"
        " revenue INTEGER);"
        "CREATE TABLE rx (rx_id INTEGER PRIMARY KEY, drug_nm VARCHAR, qty INTEGER);"
        "INSERT INTO stores VALUES (1, 'North', 3), (2, 'South', 5);"
        "INSERT INTO sales VALUES (1, 1, 'A', 10), (2, 1, 'B', 10), (3, 2, 'A', 15);"
        "INSERT INTO rx VALUES (1, 'Zopax', 1), (2, 'Amol', 2), (3, 'Amol', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue by store name", [("North", 20), ("South", 15)]),
        ("revenue per region", [("A", 25), ("B", 10)]),
        ("which store has the highest revenue", [("North",)]),
    ],
)
def test_revenue_of_a_column_is_added_up(chain: Any, question: str, rows: list[Any]) -> None:
    chain.answers(question, rows)


def test_the_most_of_a_name_is_no_last_name(chain: Any) -> None:
    with pytest.raises(Exception, match="could not"):
        chain.read("most prescribed drug")
