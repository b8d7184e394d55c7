"""The change from each period to the next stands beside what is counted or added up in it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue growth by year", [("2022", 100.0, None), ("2023", 545.0, 445.0), ("2024", 55.0, -490.0)]),
        ("change in number of orders per year", [("2022", 1, None), ("2023", 3, 2), ("2024", 2, -1)]),
        (
            "year over year change in revenue in percent",
            [("2022", 100.0, None), ("2023", 545.0, 445.0), ("2024", 55.0, -89.908)],
        ),
    ],
)
def test_the_change_of_orders(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = depot.read(question)
    assert rounded(depot.rows(reading.sql)) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [("growth in number of bookings per year", [("2023", 2, None), ("2024", 3, 1)])],
)
def test_the_change_of_bookings(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = club.read(question)
    assert rounded(club.rows(reading.sql)) == rows, reading.sql


@pytest.mark.parametrize("question", ["growth of the members", "change in films", "growth in bookings per member"])
def test_without_a_period_there_is_no_change(club: Any, question: str) -> None:
    with pytest.raises(Unread):
        club.read(question)


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows with numbers rounded to three digits."""
    return [tuple(round(cell, 3) if isinstance(cell, float) else cell for cell in row) for row in rows]
