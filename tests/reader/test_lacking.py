"""What things lack may be said in many ways: with nobody assigned, of an unknown author, still needing one."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE mechanics (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, mechanic_id INTEGER REFERENCES mechanics(id),"
        " colour VARCHAR);"
        "INSERT INTO mechanics VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO vans VALUES (1, 'AB 1', 1, 'red'), (2, 'CD 2', NULL, NULL), (3, 'EF 3', 2, 'blue');"
    )


@pytest.mark.parametrize(
    "question",
    [
        "vans with no mechanic assigned",
        "vans with nobody assigned",
        "vans nobody is assigned to",
        "vans lacking a mechanic",
        "vans that still need a mechanic",
        "vans whose mechanic is unknown",
        "vans with an unknown mechanic",
        "vans where the mechanic is missing",
        "vans with no known mechanic",
        "vans with no colour recorded",
    ],
)
def test_what_is_lacking(garage: Any, question: str) -> None:
    garage.answers(question, [("CD 2",)])


def test_a_word_with_the_first_letters_of_a_particle_is_not_short_for_it(make: Any) -> None:
    members = make(
        "CREATE TABLE mbr (mbr_id INTEGER PRIMARY KEY, signed_up DATE);"
        "CREATE TABLE pitches (id INTEGER PRIMARY KEY, mbr_id INTEGER);"
        "INSERT INTO mbr VALUES (1, '2020-01-01'); INSERT INTO pitches VALUES (1, 1);"
    )
    assert "“unused”" in str(members.refused("unused pitches"))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("mechanics with neither a van nor a tool", [("Di",)]),
        ("mechanics that have had neither vans nor tools", [("Di",)]),
        ("mechanics with no van, nor any tool", [("Di",)]),
        ("mechanics with neither a phone nor an email", [("Bo",)]),
        ("vans that are neither red nor blue", [("GH 4",)]),
        ("mechanics with 2+ vans", [("Cy",)]),
    ],
)
def test_what_is_neither_this_nor_that(make: Any, question: str, rows: list[Any]) -> None:
    crew = make(
        "CREATE TABLE mechanics (id INTEGER PRIMARY KEY, name VARCHAR, phone VARCHAR, email VARCHAR);"
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, mechanic_id INTEGER REFERENCES mechanics(id),"
        " colour VARCHAR);"
        "CREATE TABLE tools (id INTEGER PRIMARY KEY, name VARCHAR, mechanic_id INTEGER REFERENCES mechanics(id));"
        "INSERT INTO mechanics VALUES (1, 'Ann', '1', NULL), (2, 'Bo', NULL, NULL), (3, 'Cy', '3', 'c@x'),"
        " (4, 'Di', NULL, 'd@x');"
        "INSERT INTO vans VALUES (1, 'AB 1', 1, 'red'), (2, 'CD 2', 3, 'blue'), (3, 'EF 3', 3, 'blue'),"
        " (4, 'GH 4', NULL, 'green');"
        "INSERT INTO tools VALUES (1, 'saw', 2), (2, 'jack', 3);"
    )
    crew.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("rides without a guide in 2024", [(2,)]),
        ("rides with no guide after 2024", [(3,)]),
        ("how many rides without a guide were there in 2024", [(1,)]),
        ("guides without a ride in 2024", [("Bo",)]),
    ],
)
def test_a_time_is_of_what_lacks_another_thing(make: Any, question: str, rows: list[Any]) -> None:
    stable = make(
        "CREATE TABLE guides (id INTEGER PRIMARY KEY, name VARCHAR, insured_until DATE);"
        "CREATE TABLE rides (id INTEGER PRIMARY KEY, ridden_on DATE, guide_id INTEGER REFERENCES guides(id));"
        "INSERT INTO guides VALUES (1, 'Ann', '2024-05-01'), (2, 'Bo', '2030-01-01');"
        "INSERT INTO rides VALUES (1, '2024-03-01', 1), (2, '2024-04-01', NULL), (3, '2025-04-01', NULL),"
        " (4, '2025-06-01', 2);"
    )
    stable.answers(question, rows)


def test_things_without_the_number_that_they_are_known_by_are_counted_and_not_listed(make: Any) -> None:
    harps = make(
        "CREATE TABLE harps (harp_id INTEGER PRIMARY KEY, model VARCHAR, serial_number VARCHAR, height INTEGER);"
        "INSERT INTO harps VALUES (1, 'Lyon', 'H-1', 180), (2, 'Lyon', NULL, 170), (3, NULL, NULL, 160);"
    )
    harps.answers("how many harps have no serial number", [(2,)])
    harps.answers("number of harps without a serial number", [(2,)])
    with pytest.raises(Unread):
        harps.read("harps without a serial number")


def test_a_key_for_another_act_does_not_say_that_nobody_did_it(make: Any) -> None:
    flats = make(
        "CREATE TABLE tenants (id INTEGER PRIMARY KEY, full_name VARCHAR, born DATE);"
        "CREATE TABLE requests (id INTEGER PRIMARY KEY, problem VARCHAR, reported_by INTEGER REFERENCES tenants (id));"
        "INSERT INTO tenants VALUES (1, 'Ann Lee', '1990-01-01');"
        "INSERT INTO requests VALUES (1, 'leak', 1), (2, 'draught', NULL);"
    )
    flats.refused("requests nobody was assigned to")
    flats.answers("requests nobody reported", [(2,)])
