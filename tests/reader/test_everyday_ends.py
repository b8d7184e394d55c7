"""How everyday questions end: what comes first, and what is to be shown with none."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

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


def test_what_nothing_refers_to_was_never_used(club: Any, depot: Any) -> None:
    club.answers("which films were never used", [("Rise",)])
    depot.answers("which warehouses have never been used", [])


def test_who_never_sponsored_anybody_is_not_who_has_no_sponsor(club: Any) -> None:
    with pytest.raises(Unread):
        club.read("who has never sponsored anybody")


def test_nobody_ever_did_it(club: Any, depot: Any) -> None:
    club.answers("which films has nobody ever shown", [("Rise",)])
    club.answers("members who have not booked a single screening", [("Dov", "Eden"), ("Eve", "Ford")])
    depot.answers("clients who have not placed a single order", [("Ed Poe",)])


def test_nobody_is_in_it(make: Any) -> None:
    ward = make("""
        CREATE TABLE ward (ward_id INTEGER PRIMARY KEY, ward_name TEXT);
        INSERT INTO ward VALUES (1, 'Ash'), (2, 'Oak');
        CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, full_name TEXT,
                              ward_id INTEGER REFERENCES ward (ward_id));
        INSERT INTO patient VALUES (1, 'Kim Roe', 1);
    """)
    ward.answers("which ward has nobody in it", [("Oak",)])


def test_a_superlative_before_first_orders(club: Any) -> None:
    (reading,) = club.read("films, longest first")
    assert club.rows(reading.sql) == [("Deep",), ("Rise",), ("Salt",), ("Glow",)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients with at least 2 shipped orders", [("Ann Lee",)]),
        ("number of orders cancelled per client", [("Di Ray", 1)]),
        ("orders that took more than half a week to ship", None),
        ("orders that took more than a week to ship", []),
    ],
)
def test_a_state_is_said_of_what_is_counted(depot: Any, question: str, rows: list[tuple[Any, ...]] | None) -> None:
    if rows is None:
        with pytest.raises(Unread):
            depot.read(question)
    else:
        depot.answers(question, rows)


def test_a_state_is_said_of_screenings(club: Any) -> None:
    club.answers("films with at least 1 cancelled screening", [("Salt",)])


def test_hours_are_minutes_where_the_column_says_none(club: Any) -> None:
    club.answers("films longer than 2 hours", [("Deep",), ("Rise",)])
    club.answers("films under 2 hours", [("Glow",), ("Salt",)])


def test_hours_of_another_column_without_a_unit(make: Any) -> None:
    trails = make("""
        CREATE TABLE trail (trail_id INTEGER PRIMARY KEY, trail_name TEXT, duration INTEGER);
        INSERT INTO trail VALUES (1, 'Ridge', 200), (2, 'Brook', 50);
    """)
    trails.answers("trails longer than 3 hours", [("Ridge",)])


def test_a_state_may_be_written_in_short(make: Any) -> None:
    post = make("""
        CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY, stat TEXT, sent_on DATE);
        INSERT INTO parcel VALUES (1, 'DLVD', '2024-01-01'), (2, 'CANC', '2024-02-01'), (3, 'DLVD', '2024-04-01');
    """)
    post.answers("how many parcels were cancelled", [(1,)])
    post.answers("how many delivered parcels are there", [(2,)])


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
