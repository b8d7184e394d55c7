"""A small letter behind its column is a value, "in block b", where the data has a capital."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def allotments(make: Any) -> Any:
    return make(
        "CREATE TABLE plots (plot_id INTEGER PRIMARY KEY, name VARCHAR, section VARCHAR, grade VARCHAR,"
        " watered INTEGER);"
        "INSERT INTO plots VALUES (1, 'Ash', 'A', 'C', 1), (2, 'Bay', 'B', 'C', 0), (3, 'Elm', 'B', 'A', 1),"
        " (4, 'Fig', 'C', 'B', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("plots in section b", [("Bay",), ("Elm",)]),
        ("how many plots in section c", [(1,)]),
        ("watered plots in section b", [("Elm",)]),
        ("plots in section a", [("Ash",)]),
        ("plots of grade c", [("Ash",), ("Bay",)]),
        ("how many plots have grade b", [(1,)]),
    ],
)
def test_it_is_a_value_of_that_column(allotments: Any, question: str, rows: list[Any]) -> None:
    allotments.answers(question, rows)
