"""Several keys of one table to another: each is a role, and what the question says of it tells which is meant."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def parcels(make: Any) -> Any:
    """Parcels with a sender and a receiver, and trips between two stations."""
    return make(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, label VARCHAR, sender_id INTEGER REFERENCES people (id),"
        " receiver_id INTEGER REFERENCES people (id), weight DOUBLE);"
        "CREATE TABLE stations (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE trips (id INTEGER PRIMARY KEY, origin_station_id INTEGER REFERENCES stations (id),"
        " destination_station_id INTEGER REFERENCES stations (id), price DOUBLE);"
        "INSERT INTO people VALUES (1, 'Ann', 'Rome'), (2, 'Bob', 'Oslo'), (3, 'Cem', 'Bern');"
        "INSERT INTO parcels VALUES (1, 'books', 1, 2, 5), (2, 'tea', 1, 3, 1), (3, 'wool', 2, 1, 2);"
        "INSERT INTO stations VALUES (1, 'North'), (2, 'South'), (3, 'Harbour');"
        "INSERT INTO trips VALUES (1, 1, 2, 4), (2, 2, 1, 5), (3, 1, 3, 9);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("label and sender of all parcels", [("books", "Ann"), ("tea", "Ann"), ("wool", "Bob")]),
        ("sender and receiver of each parcel", [("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Ann")]),
        ("parcels by receiver", [("Ann", "wool"), ("Bob", "books"), ("Cem", "tea")]),
        ("number of parcels per sender", [("Ann", 2), ("Bob", 1)]),
        ("parcels sent by Ann", [("books",), ("tea",)]),
        ("parcels received by Ann", [("wool",)]),
        ("parcels from Ann to Cem", [("tea",)]),
        ("parcels where Ann was the receiver", [("wool",)]),
        ("average weight of parcels for each receiver", [("Ann", 2.0), ("Bob", 5.0), ("Cem", 1.0)]),
    ],
)
def test_the_role_that_is_said_is_joined(parcels: Any, question: str, rows: list[Any]) -> None:
    parcels.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of trips by origin station", [("North", 2), ("South", 1)]),
        ("trips from North to Harbour", [(3,)]),
        ("origin and destination of each trip", [("North", "Harbour"), ("North", "South"), ("South", "North")]),
        ("are there any trips from Harbour to North", [("no",)]),
    ],
)
def test_ways_are_roles(parcels: Any, question: str, rows: list[Any]) -> None:
    parcels.answers(question, rows)


def test_columns_of_a_row_and_of_what_it_belongs_to_are_listed_together(parcels: Any) -> None:
    parcels.answers("the weight and the sender of each parcel", [(1.0, "Ann"), (2.0, "Bob"), (5.0, "Ann")])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("rangers who are older than their supervisor", [("Cem",)]),
        ("rangers whose pay is higher than their supervisor's pay", [("Bob",)]),
        ("rangers who earn less than their supervisors", [("Cem",)]),
    ],
)
def test_a_row_is_compared_with_the_one_over_it(make: Any, question: str, rows: list[Any]) -> None:
    rangers = make(
        "CREATE TABLE rangers (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER, pay DOUBLE,"
        " supervisor_id INTEGER REFERENCES rangers (id));"
        "INSERT INTO rangers VALUES (1, 'Ann', 40, 100, NULL);"
        "INSERT INTO rangers VALUES (2, 'Bob', 30, 120, 1), (3, 'Cem', 50, 90, 1);"
    )
    rangers.answers(question, rows)
