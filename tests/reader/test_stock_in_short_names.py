"""Pieces on hand, `qty_oh`, are a stock: of what is out of it, how much there is, and whether that is enough."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def paints(make: Any) -> Any:
    return make(
        "CREATE TABLE pnt (pnt_id INTEGER PRIMARY KEY, pnt_nm TEXT, shade_cd TEXT, qty_oh INTEGER, reord_lvl INTEGER);"
        "CREATE TABLE lost_stock (rec_id INTEGER PRIMARY KEY, pnt_id INTEGER REFERENCES pnt (pnt_id),"
        " qty_lost INTEGER);"
        "INSERT INTO pnt VALUES (1, 'Chalk', 'W', 0, 4), (2, 'Fern', 'G', 9, 4), (3, 'Moss', 'G', 3, 5);"
        "INSERT INTO lost_stock VALUES (1, 1, 2), (2, 3, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which paints are out of stock", [("Chalk",)]),
        ("paints with less than 5 in stock", [("Chalk",), ("Moss",)]),
        ("paints with stock below 2", [("Chalk",)]),
        ("paints below reorder level", [("Chalk",), ("Moss",)]),
        ("total stock per shade code", [("G", 12), ("W", 0)]),
    ],
)
def test_a_number_on_hand_is_a_stock(paints: Any, question: str, rows: list[Any]) -> None:
    paints.answers(question, rows)
