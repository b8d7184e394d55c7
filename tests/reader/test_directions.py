"""A verb over a key of a table to itself has a direction, and an adjective may name a role."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who referred the most clients", [("Ann Lee",)]),
        ("who referred Bo Kim", [("Ann Lee",)]),
        ("clients referred by Ann Lee", [("Bo Kim",), ("Cy Fox",)]),
    ],
)
def test_who_referred_whom(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    depot.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who sponsored the most members", [("Ada", "Bell")]),
        ("who sponsored Cleo Dunn", [("Ada", "Bell")]),
        ("members sponsored by Ada Bell", [("Ben", "Cole"), ("Cleo", "Dunn")]),
        ("members without a sponsor", [("Ada", "Bell"), ("Eve", "Ford")]),
        ("home fixtures of the Lions", [(1,), (4,)]),
        ("how many away fixtures did each team play", [("Bears", 1), ("Foxes", 2), ("Lions", 1)]),
    ],
)
def test_who_sponsored_whom_and_who_played_at_home(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    club.answers(question, rows)


def test_another_role_of_airports(make: Any) -> None:
    flights = make("""
        CREATE TABLE port (port_id INTEGER PRIMARY KEY, port_name TEXT);
        INSERT INTO port VALUES (1, 'Dover'), (2, 'Calais');
        CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, outward_port_id INTEGER REFERENCES port (port_id),
                               return_port_id INTEGER REFERENCES port (port_id), sailed_on DATE);
        INSERT INTO crossing VALUES (1, 1, 2, '2024-01-01'), (2, 1, 2, '2024-01-02'), (3, 2, 1, '2024-01-03');
    """)
    flights.answers("outward crossings of Dover", [(1,), (2,)])
    flights.answers("number of return crossings per port", [("Calais", 2), ("Dover", 1)])
