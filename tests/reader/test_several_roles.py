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


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    """Owners with berths by leases, or by surveys that some of them made; regattas that owners led or sailed in."""
    return make(
        "CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, code VARCHAR, length_m DOUBLE);"
        "CREATE TABLE leases (lease_id INTEGER PRIMARY KEY, berth_id INTEGER REFERENCES berths (berth_id),"
        " owner_id INTEGER REFERENCES owners (owner_id), signed DATE);"
        "CREATE TABLE surveys (survey_id INTEGER PRIMARY KEY, berth_id INTEGER REFERENCES berths (berth_id),"
        " surveyor_id INTEGER REFERENCES owners (owner_id), made DATE);"
        "CREATE TABLE regattas (regatta_id INTEGER PRIMARY KEY, title VARCHAR,"
        " leader_id INTEGER REFERENCES owners (owner_id));"
        "CREATE TABLE crews (regatta_id INTEGER REFERENCES regattas (regatta_id),"
        " owner_id INTEGER REFERENCES owners (owner_id), hours DOUBLE);"
        "INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cem');"
        "INSERT INTO berths VALUES (1, 'A1', 8), (2, 'A2', 12), (3, 'A3', 15);"
        "INSERT INTO leases VALUES (1, 1, 1, '2024-01-01'), (2, 2, 1, '2024-01-01'), (3, 3, 2, '2024-05-01');"
        "INSERT INTO surveys VALUES (1, 1, 3, '2024-02-01'), (2, 2, 3, '2024-02-01'), (3, 3, 3, '2024-02-01');"
        "INSERT INTO regattas VALUES (1, 'Spring cup', 1), (2, 'Night race', 1);"
        "INSERT INTO crews VALUES (1, 2, 4), (2, 2, 6), (1, 1, 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who has the longest berth", [("Bob",)]),
        ("owners with two or more berths", [("Ann",)]),
        ("number of berths per owner", [("Ann", 2), ("Bob", 1)]),
        ("who surveyed berth A3", [("Cem",)]),
        ("owners who were never in a regatta", [("Cem",)]),
        ("who led the most regattas", [("Ann",)]),
    ],
)
def test_a_way_over_keys_without_a_role_is_joined_where_none_is_said(
    harbour: Any, question: str, rows: list[Any]
) -> None:
    harbour.answers(question, rows)


def test_things_are_those_of_their_author_and_not_what_somebody_rated(make: Any) -> None:
    kitchen = make(
        "CREATE TABLE users (user_id INTEGER PRIMARY KEY, user_name VARCHAR);"
        "CREATE TABLE recipes (recipe_id INTEGER PRIMARY KEY, title VARCHAR,"
        " author_id INTEGER REFERENCES users (user_id));"
        "CREATE TABLE ratings (recipe_id INTEGER REFERENCES recipes (recipe_id), user_id INTEGER REFERENCES users"
        " (user_id), stars INTEGER);"
        "INSERT INTO users VALUES (1, 'ann'), (2, 'bo'); INSERT INTO recipes VALUES (1, 'Pie', 1), (2, 'Tart', 1);"
        "INSERT INTO ratings VALUES (1, 2, 5);"
    )
    kitchen.answers("recipes per user", [("ann", 2)])
    kitchen.answers("users without recipes", [("bo",)])
