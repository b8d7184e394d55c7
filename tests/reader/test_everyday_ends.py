"""How everyday questions end: what comes first, and what is to be shown with none."""

from __future__ import annotations

from typing import Any

import pytest

WITH_NONE = [("Ada", "Bell", 2), ("Ben", "Cole", 2), ("Cleo", "Dunn", 1), ("Dov", "Eden", 0), ("Eve", "Ford", 0)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("films, cheapest first", [("Glow",), ("Salt",), ("Rise",), ("Deep",)]),
        ("films, most expensive first", [("Deep",), ("Rise",), ("Salt",), ("Glow",)]),
        ("bookings, newest first", [(4,), (3,), (2,), (5,), (1,)]),
    ],
)
def test_an_adjective_orders_the_films(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = club.read(question)
    assert club.rows(reading.sql) == rows, reading.sql


def test_an_adjective_orders_the_orders(depot: Any) -> None:
    (reading,) = depot.read("orders, oldest first")
    assert depot.rows(reading.sql) == [(1,), (2,), (3,), (4,), (5,), (6,)]


@pytest.mark.parametrize(
    "question",
    [
        "number of bookings per member, include members with none",
        "how many bookings did each member make? show members with none too",
        "number of bookings per member, also the members without any",
    ],
)
def test_members_with_none_are_shown(club: Any, question: str) -> None:
    club.answers(question, WITH_NONE)


def test_clients_with_none_are_shown(depot: Any) -> None:
    rows = [("Ann Lee", 2), ("Bo Kim", 2), ("Cy Fox", 1), ("Di Ray", 1), ("Ed Poe", 0)]
    depot.answers("number of orders per client, include clients with none", rows)


def test_what_a_flag_denies_is_not_missing(club: Any) -> None:
    club.answers("films without subtitles", [("Deep",), ("Glow",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("members who joined in March", [("Ada", "Bell"), ("Cleo", "Dunn"), ("Eve", "Ford")]),
        ("bookings between March and April", [(1,), (2,), (3,), (4,), (5,)]),
    ],
)
def test_a_month_of_any_year_at_the_club(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    club.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"), [("how many orders were placed in March", [(3,)]), ("revenue in May", [(200.0,)])]
)
def test_a_month_of_any_year_at_the_depot(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    depot.answers(question, rows)
