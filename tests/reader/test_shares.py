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


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("share of tenants without a lease", [(0.5,)]),
        ("what percentage of tenants have no lease", [(50.0,)]),
        ("share of tenants with a lease", [(0.5,)]),
        ("percentage of flats that have never been leased", [(200 / 3,)]),
        ("share of leases without a guarantor", [(0.5,)]),
        ("share of tenants without a lease, by town", [("Oslo", 1.0), ("Rome", 1 / 3)]),
    ],
)
def test_the_share_of_things_with_or_without_rows(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    leases = make(
        "CREATE TABLE tenants (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE flats (id INTEGER PRIMARY KEY, street VARCHAR);"
        "CREATE TABLE guarantors (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE leases (id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants (id),"
        " flat_id INTEGER REFERENCES flats (id), guarantor_id INTEGER REFERENCES guarantors (id));"
        "INSERT INTO tenants VALUES (1, 'Ann', 'Rome'), (2, 'Bo', 'Rome'), (3, 'Cy', 'Rome'), (4, 'Di', 'Oslo');"
        "INSERT INTO flats VALUES (1, 'A'), (2, 'B'), (3, 'C'); INSERT INTO guarantors VALUES (1, 'Eve');"
        "INSERT INTO leases VALUES (1, 1, 1, 1), (2, 2, 1, NULL);"
    )
    (reading,) = leases.read(question)
    found = sorted(leases.rows(reading.sql))
    assert [tuple(c if isinstance(c, str) else pytest.approx(c) for c in row) for row in rows] == found, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("share of unsigned wills", [(1 / 3,)]),
        ("percentage of unsigned wills per notary", [("Kerr", 50.0), ("Lomax", 0.0)]),
        ("share of signed wills", [(2 / 3,)]),
    ],
)
def test_the_share_of_what_was_not_done_yet(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    office = make(
        "CREATE TABLE notaries (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE wills (id INTEGER PRIMARY KEY, notary_id INTEGER REFERENCES notaries (id), drafted_on DATE,"
        " signed_on DATE);"
        "INSERT INTO notaries VALUES (1, 'Kerr'), (2, 'Lomax');"
        "INSERT INTO wills VALUES (1, 1, '2024-01-01', '2024-02-01'), (2, 1, '2024-01-02', NULL),"
        " (3, 2, '2024-01-03', '2024-01-09');"
    )
    (reading,) = office.read(question)
    found = sorted(office.rows(reading.sql))
    assert [tuple(c if isinstance(c, str) else pytest.approx(c) for c in row) for row in rows] == found, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("share of walkouts", [(0.5,)]),
        ("percentage of walkouts by hall", [("East", 50.0), ("West", 50.0)]),
        ("share of late starts by hall", [("East", 0.5), ("West", 0.0)]),
        ("share of shows by hall", [("East", 0.5), ("West", 0.5)]),
    ],
)
def test_the_share_of_rows_by_their_state_alone(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    stage = make(
        "CREATE TABLE shows (id INTEGER PRIMARY KEY, hall VARCHAR, ending VARCHAR, late_start BOOLEAN);"
        "INSERT INTO shows VALUES (1, 'East', 'walkout', TRUE), (2, 'East', 'applause', FALSE),"
        " (3, 'West', 'walkout', FALSE), (4, 'West', 'applause', FALSE);"
    )
    stage.answers(question, rows)
