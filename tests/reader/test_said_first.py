"""What is said to come first, in whatever words and wherever it stands, is the order of all rows."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def cellar(make: Any) -> Any:
    return make(
        "CREATE TABLE guild (guild_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE barrel (barrel_id INTEGER PRIMARY KEY, name VARCHAR,"
        " guild_id INTEGER REFERENCES guild (guild_id), price DOUBLE, litres INTEGER, density_kg DOUBLE,"
        " filled_on DATE);"
        "CREATE TABLE tasting (tasting_id INTEGER PRIMARY KEY, barrel_id INTEGER REFERENCES barrel (barrel_id),"
        " held_on DATE, stars INTEGER);"
        "INSERT INTO guild VALUES (1, 'Oak', 'Ghent'), (2, 'Elm', 'Bruges');"
        "INSERT INTO barrel VALUES (1, 'Rust', 1, 30, 200, 1.1, '2021-01-02'),"
        " (2, 'Moss', 1, 90, 150, 1.4, '2020-03-04'), (3, 'Clay', 2, 60, 300, 1.2, '2023-05-06');"
        "INSERT INTO tasting VALUES (1, 1, '2024-01-01', 5), (2, 1, '2024-01-09', 4), (3, 2, '2024-02-01', 2),"
        " (4, 3, '2024-02-07', 3), (5, 3, '2024-03-01', 3), (6, 3, '2024-03-02', 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("barrels, dearest first", [("Moss",), ("Clay",), ("Rust",)]),
        ("barrels, dearest first, with the litres", [("Moss", 150), ("Clay", 300), ("Rust", 200)]),
        ("barrels, densest on top", [("Moss",), ("Clay",), ("Rust",)]),
        ("barrels with more than 160 litres, most first", [("Clay",), ("Rust",)]),
        ("number of tastings per barrel, most tasted first", [("Clay", 3), ("Rust", 2), ("Moss", 1)]),
        ("number of barrels per guild, busiest at the top", [("Oak", 2), ("Elm", 1)]),
        ("average stars per barrel, worst first", [("Moss", 2.0), ("Clay", 3.0), ("Rust", 4.5)]),
        ("average litres by town, strongest town first", [("Bruges", 300.0), ("Ghent", 175.0)]),
        ("average litres per guild, strongest guild first", [("Elm", 300.0), ("Oak", 175.0)]),
    ],
)
def test_rows_are_sorted_as_said(cellar: Any, question: str, rows: list[Any]) -> None:
    (reading,) = cellar.read(question)
    assert [tuple(row) for row in cellar.rows(reading.sql)] == rows, reading.sql


def test_what_is_not_about_the_key_is_refused(cellar: Any) -> None:
    with pytest.raises(Unread):
        cellar.read("price by town, best first")


def test_dearer_is_compared_by_the_price(cellar: Any) -> None:
    cellar.answers("barrels dearer than 50", [("Clay",), ("Moss",)])
