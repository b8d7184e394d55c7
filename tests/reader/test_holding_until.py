"""What holds until a date or runs out then, "insured cars", "licences that run out", and what there is no more of."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, taxed_until DATE);"
        "CREATE TABLE warranties (warranty_no VARCHAR PRIMARY KEY, van_id INTEGER REFERENCES vans (id),"
        " expiry_date DATE);"
        "INSERT INTO vans VALUES (1, 'AB1', '2020-05-01'), (2, 'CD2', '2090-05-01'), (3, 'EF3', NULL);"
        "INSERT INTO warranties VALUES ('W1', 1, '2020-05-09'), ('W2', 2, '2090-01-01'), ('W3', 3, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("taxed vans", [("CD2",)]),
        ("how many vans are still taxed", [(1,)]),
        ("untaxed vans", [("AB1",), ("EF3",)]),
        ("vans that are not taxed", [("AB1",), ("EF3",)]),
        ("vans that are no longer taxed", [("AB1",)]),
        ("warranties with no expiry date", [("W3",)]),
        ("unexpired warranties", [("W2",), ("W3",)]),
        ("vans taxed after 2030", [("CD2",)]),
    ],
)
def test_what_holds_until_a_date_holds_today(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("warranties that have run out", [("W1",)]),
        ("warranties that run out in 2090", [("W2",)]),
        ("warranties running out before 2021", [("W1",)]),
    ],
)
def test_what_runs_out_expires(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_what_is_in_stock_runs_out_otherwise(make: Any) -> None:
    stocked = make(
        "CREATE TABLE seeds (id INTEGER PRIMARY KEY, name VARCHAR, units_in_stock INTEGER, expiry_date DATE);"
        "INSERT INTO seeds VALUES (1, 'oats', 0, '2090-01-01'), (2, 'rye', 4, '2020-01-01');"
    )
    stocked.answers("seeds we have run out of", [("oats",)])
    stocked.answers("which seeds are we out of", [("oats",)])


@pytest.mark.parametrize("question", ["vans we are out of", "which vans are we almost out of"])
def test_what_no_column_counts_is_not_passed_over(garage: Any, question: str) -> None:
    garage.refused(question)
