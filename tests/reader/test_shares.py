"""The share of each group, and spans of hours."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("percentage of orders by status", [("cancelled", 16.667), ("open", 16.667), ("shipped", 66.667)]),
        ("share of revenue per category", [("furniture", 0.429), ("kitchen", 0.371), ("lighting", 0.2)]),
        (
            "what percent of sales comes from each category",
            [("furniture", 42.857), ("kitchen", 37.143), ("lighting", 20.0)],
        ),
        ("average hours between order and shipping", [(51.0,)]),
    ],
)
def test_shares_of_groups_and_hours_of_orders(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = depot.read(question)
    assert rounded(depot.rows(reading.sql)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("percentage of members by sex", [("F", 60.0), ("M", 40.0)]),
        ("share of bookings by genre", [("drama", 1.0)]),
        ("average hours between start and end of a screening", [(2.125,)]),
        ("how many hours does each screening last", [(1, 2.0), (2, 1.5), (3, 3.0), (4, 2.0)]),
        ("how many minutes did the screenings last on average", [(127.5,)]),
    ],
)
def test_shares_of_groups_and_hours_at_the_club(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = club.read(question)
    assert rounded(club.rows(reading.sql)) == rows


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows sorted, with numbers rounded to three digits."""
    return sorted(tuple(round(cell, 3) if isinstance(cell, float) else cell for cell in row) for row in rows)
