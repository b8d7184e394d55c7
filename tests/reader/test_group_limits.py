"""Conditions on what a question asks for of each group, which need not be named again: "…, at least 3"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def kennels(make: Any) -> Any:
    return make(
        "CREATE TABLE breeds (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name VARCHAR, breed_id INTEGER REFERENCES breeds (id),"
        " city VARCHAR, born DATE, price INTEGER);"
        "INSERT INTO breeds VALUES (1, 'Boxer'), (2, 'Pug'), (3, 'Collie');"
        "INSERT INTO dogs VALUES (1, 'Rex', 1, 'Hull', '2021-01-01', 300), (2, 'Ace', 1, 'Hull', '2022-01-01', 500),"
        " (3, 'Bo', 1, 'York', '2022-03-01', 100), (4, 'Fay', 2, 'York', '2021-05-01', 900),"
        " (5, 'Gus', 2, 'Leeds', '2023-01-01', 200);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("dogs per city with more than 1", [("Hull", 2), ("York", 2)]),
        ("dogs per city, only those with at least 2", [("Hull", 2), ("York", 2)]),
        ("number of dogs per city, more than 1 only", [("Hull", 2), ("York", 2)]),
        ("dogs per city where the count is below 2", [("Leeds", 1)]),
        ("cities and number of dogs, at least 2", [("Hull", 2), ("York", 2)]),
        ("breeds and their number of dogs, more than 2", [("Boxer", 3)]),
        ("average price of dogs per breed, only above 400", [("Pug", 550.0)]),
        ("total price of the dogs per city, where the total is over 700", [("Hull", 800), ("York", 1000)]),
        ("number of dogs born in 2022 per city, at least 1", [("Hull", 1), ("York", 1)]),
        ("dogs per city with more than 1 dog", [("Hull", 2), ("York", 2)]),
    ],
)
def test_a_number_alone_limits_the_groups(kennels: Any, question: str, rows: list[Any]) -> None:
    kennels.answers(question, rows)


def test_an_amount_of_money_is_a_price_and_no_number_of_rows(kennels: Any) -> None:
    kennels.answers("dogs per city over 250 dollars", [("Hull", 2), ("York", 1)])


@pytest.mark.parametrize("question", ["by the more than 3", "per with more than 3", "by with a count over 3 only"])
def test_a_limit_of_no_groups_is_refused(kennels: Any, question: str) -> None:
    kennels.refused(question)
