"""Flags whose names begin with a preposition, said just behind things: "trucks off road" (`off_road`)."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def yard(make: Any) -> Any:
    return make(
        "CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE pumps (pump_id INTEGER PRIMARY KEY, name VARCHAR, maker VARCHAR,"
        " depot_id INTEGER REFERENCES depots (depot_id), out_of_order INTEGER, on_hire INTEGER);"
        "INSERT INTO depots VALUES (1, 'Leith'), (2, 'Perth');"
        "INSERT INTO pumps VALUES (1, 'P1', 'Grund', 1, 1, 0), (2, 'P2', 'Grund', 1, 0, 1), (3, 'P3', 'Varo', 2, 1, 0),"
        " (4, 'P4', 'Varo', 2, 0, 0), (5, 'P5', 'Varo', 2, 1, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("pumps out of order", [("P1",), ("P3",), ("P5",)]),
        ("Varo pumps out of order", [("P3",), ("P5",)]),
        ("how many pumps out of order", [(3,)]),
        ("pumps out of order per depot", [("Leith", 1), ("Perth", 2)]),
        ("pumps on hire", [("P2",), ("P5",)]),
        ("pumps that are not out of order", [("P2",), ("P4",)]),
    ],
)
def test_they_are_conditions(yard: Any, question: str, rows: list[Any]) -> None:
    yard.answers(question, rows)
