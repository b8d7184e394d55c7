"""What holds until a date: "insured cars", `insured_until`, "no longer taxed", "unexpired warranties"."""

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
