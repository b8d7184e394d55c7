"""Comparisons whose column is said by a unit or a size: "heavier than 150 gsm", "longer than a year", "largest"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def store(make: Any) -> Any:
    return make(
        "CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE barns (barn_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners(owner_id), name VARCHAR,"
        " floor_area_sqm INTEGER);"
        "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, barn_id INTEGER REFERENCES barns(barn_id),"
        " repaired_on DATE, price REAL);"
        "CREATE TABLE cloths (cloth_id INTEGER PRIMARY KEY, name VARCHAR, finish VARCHAR, gsm INTEGER);"
        "CREATE TABLE bills (bill_no VARCHAR PRIMARY KEY, billed_on DATE, paid_on DATE, amount REAL);"
        "CREATE TABLE rents (rent_no VARCHAR PRIMARY KEY, start_date DATE, end_date DATE);"
        "INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bob');"
        "INSERT INTO barns VALUES (1, 1, 'Red', 200), (2, 1, 'Blue', 500), (3, 2, 'Old', 300), (4, 2, 'New', 90);"
        "INSERT INTO repairs VALUES (1, 1, '2024-02-01', 900), (2, 2, '2024-03-01', 50), (3, 4, '2024-04-01', 700),"
        " (4, 3, '2024-05-01', 10);"
        "INSERT INTO cloths VALUES (1, 'Linen', 'plain', 180), (2, 'Silk', 'plain', 90), (3, 'Felt', 'rough', 300);"
        "INSERT INTO bills VALUES ('B1', '2024-01-02', NULL, 500), ('B2', '2024-01-03', '2024-02-01', 900),"
        " ('B3', '2024-01-04', NULL, 50);"
        "INSERT INTO rents VALUES ('R1', '2023-01-01', '2024-01-01'), ('R2', '2023-01-01', '2024-01-02'),"
        " ('R3', '2023-06-01', '2023-09-01'), ('R4', '2020-01-01', '2023-01-01'), ('R5', '2024-01-01', '2025-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("cloths heavier than 150 gsm", [("Felt",), ("Linen",)]),
        ("plain cloths lighter than 100 gsm", [("Silk",)]),
        ("unpaid bills over 100", [("B1",)]),
        ("unpaid bills above 100", [("B1",)]),
        ("rents longer than a year", [("R4",)]),
        ("rents longer than 2 years", [("R4",)]),
        ("rents shorter than a year", [("R3",)]),
        ("rents of at least a year", [("R1",), ("R2",), ("R4",), ("R5",)]),
        ("rents longer than 12 weeks", [("R1",), ("R2",), ("R3",), ("R4",), ("R5",)]),
        ("biggest barn", [("Blue",)]),
        ("largest barn of each owner", [("Ann", "Blue"), ("Bob", "Old")]),
    ],
)
def test_the_unit_or_size_says_the_column(store: Any, question: str, rows: list[Any]) -> None:
    store.answers(question, rows)
