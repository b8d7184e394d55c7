"""Superlatives leave out what has no value: NULL is neither the greatest nor the least."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def wells(make: Any) -> Any:
    return make(
        "CREATE TABLE wells (id INTEGER PRIMARY KEY, name VARCHAR, depth DOUBLE, bored DATE);"
        "CREATE TABLE samples (id INTEGER PRIMARY KEY, well_id INTEGER REFERENCES wells (id), nitrate DOUBLE);"
        "INSERT INTO wells VALUES (1, 'Elm', 30, '2001-04-01'), (2, 'Fen', NULL, NULL), (3, 'Ivy', 12, NULL),"
        " (4, 'Oak', NULL, '1990-05-01');"
        "INSERT INTO samples VALUES (1, 1, 5.0), (2, 1, NULL), (3, 2, NULL), (4, 3, 2.5), (5, 4, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("the 3 wells with the highest depth", [("Elm",), ("Ivy",)]),
        ("the 3 wells with the lowest depth", [("Elm",), ("Ivy",)]),
        ("the well with the lowest depth", [("Ivy",)]),
        ("the second deepest well", [("Ivy",)]),
        ("top 4 wells by depth", [("Elm", 30), ("Ivy", 12)]),
        ("the well with the lowest average nitrate", [("Ivy",)]),
        ("top 3 wells by average nitrate", [("Elm", 5.0), ("Ivy", 2.5)]),
        ("the 3 wells with the highest total nitrate", [("Elm",), ("Ivy",)]),
    ],
)
def test_what_has_no_value_is_left_out(wells: Any, question: str, rows: list[Any]) -> None:
    wells.answers(question, rows)


def test_where_none_has_a_value_none_is_the_first(make: Any) -> None:
    kilns = make(
        "CREATE TABLE kilns (id INTEGER PRIMARY KEY, name VARCHAR, heat DOUBLE);"
        "INSERT INTO kilns VALUES (1, 'A', NULL);"
    )
    kilns.answers("the kiln with the highest heat", [])


def test_counts_and_plain_orders_keep_every_row(wells: Any) -> None:
    for question in ("wells sorted by depth", "the well with the most samples"):
        (reading,) = wells.read(question)
        assert "IS NOT NULL" not in reading.sql
