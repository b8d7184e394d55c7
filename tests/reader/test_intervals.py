"""Intervals of numbers and years, however they are written."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def orchard(make: Any) -> Any:
    return make(
        "CREATE TABLE orchards (orchard_id INTEGER PRIMARY KEY, name VARCHAR, planted INTEGER);"
        "CREATE TABLE pickers (picker_id INTEGER PRIMARY KEY, name VARCHAR, hired DATE, wage DOUBLE, grade INTEGER);"
        "CREATE TABLE pickings (picking_id INTEGER PRIMARY KEY, picker_id INTEGER REFERENCES pickers (picker_id),"
        " picked_on DATE, kilos DOUBLE);"
        "INSERT INTO orchards VALUES (1, 'Upper', 1960), (2, 'Lower', 1985);"
        "INSERT INTO pickers VALUES (1, 'Ida', '2018-05-01', 12.0, 1), (2, 'Max', '2020-06-01', 15.0, 2),"
        " (3, 'Una', '2022-04-01', 18.0, 3);"
        "INSERT INTO pickings VALUES (1, 1, '2021-09-01', 50.0), (2, 2, '2022-09-01', 70.0),"
        " (3, 2, '2023-09-01', 60.0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("pickers hired from 2018 to 2020", [("Ida",), ("Max",)]),
        ("pickers hired from 2019 until 2022", [("Max",), ("Una",)]),
        ("pickers hired 2019-2021", [("Max",)]),
        ("how many pickings were there from 2022 to 2023", [(2,)]),
        ("total kilos picked in 2021 to 2022", [(120.0,)]),
        ("orchards planted from 1950 to 1970", [("Upper",)]),
        ("pickers with a wage from 13 to 16", [("Max",)]),
        ("pickers of grade 2 to 3", [("Max",), ("Una",)]),
        ("growth of kilos from 2022 to 2023", [(-10.0,)]),
    ],
)
def test_both_ends_belong_to_an_interval(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)
