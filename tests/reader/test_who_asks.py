"""Whom "who" asks for: the doer that a key is named after, the other side of a link table, and pairs."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def coast(make: Any) -> Any:
    return make(
        "CREATE TABLE crew (id INTEGER PRIMARY KEY, call_name VARCHAR, points INTEGER);"
        "CREATE TABLE lamps (code VARCHAR PRIMARY KEY, lamp VARCHAR, keeper_id INTEGER REFERENCES crew (id),"
        " inspector_id INTEGER REFERENCES crew (id));"
        "CREATE TABLE farms (id INTEGER PRIMARY KEY, farm VARCHAR);"
        "CREATE TABLE crops (id INTEGER PRIMARY KEY, crop VARCHAR);"
        "CREATE TABLE grows (farm_id INTEGER REFERENCES farms (id), crop_id INTEGER REFERENCES crops (id));"
        "INSERT INTO crew VALUES (1, 'Ann', 30), (2, 'Bo', 50);"
        "INSERT INTO lamps VALUES ('A', 'Cape Mercy', 1, 2), ('B', 'Low Point', 2, 1);"
        "INSERT INTO farms VALUES (1, 'Hill'), (2, 'Dale'); INSERT INTO crops VALUES (1, 'wheat'), (2, 'maize');"
        "INSERT INTO grows VALUES (1, 1), (2, 2), (2, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who keeps Cape Mercy?", [("Ann",)]),
        ("who inspected Cape Mercy", [("Bo",)]),
        ("who grows maize?", [("Dale",)]),
        ("who has the most points", [("Bo",)]),
        ("who has the most points? call name and points", [("Bo", 50)]),
        ("who keeps which lamp?", [("Ann", "Cape Mercy"), ("Bo", "Low Point")]),
        ("which farms grow which crops", [("Dale", "maize"), ("Dale", "wheat"), ("Hill", "wheat")]),
    ],
)
def test_who_asks_for_those_who_do_it(coast: Any, question: str, rows: list[Any]) -> None:
    (reading,) = coast.read(question)
    assert sorted(coast.rows(reading.sql)) == rows, reading.sql


@pytest.fixture(scope="module")
def boatyard(make: Any) -> Any:
    return make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE riggers (id INTEGER PRIMARY KEY, name VARCHAR, hired DATE);"
        "CREATE TABLE refits (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),"
        " rigger_id INTEGER REFERENCES riggers (id), hours INTEGER);"
        "INSERT INTO customers VALUES (1, 'Sea Line'), (2, 'Tess'); INSERT INTO riggers VALUES (1, 'Ann', NULL),"
        " (2, 'Bo', NULL);"
        "INSERT INTO refits VALUES (1, 1, 1, 5), (2, 1, 1, 6), (3, 1, 2, 20), (4, 2, 1, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who did the most refits", [("Ann",)]),
        ("who does the fewest refits", [("Bo",)]),
        ("who did the most refit hours", [("Bo",)]),
        ("who did the most hours", [("Bo",)]),
    ],
)
def test_who_did_the_most_is_one_of_the_staff(boatyard: Any, question: str, rows: list[Any]) -> None:
    (reading,) = boatyard.read(question)
    assert boatyard.rows(reading.sql) == rows, reading.sql


def test_who_is_no_number(boatyard: Any) -> None:
    boatyard.refused("who clocked the most hours")


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE sites (id INTEGER PRIMARY KEY, name VARCHAR, caretaker_id INTEGER);"
        "CREATE TABLE tutors (id INTEGER PRIMARY KEY, name VARCHAR, salary INTEGER,"
        " site_id INTEGER REFERENCES sites (id));"
        "CREATE TABLE pupils (id INTEGER PRIMARY KEY, name VARCHAR, site_id INTEGER REFERENCES sites (id));"
        "CREATE TABLE coachings (id INTEGER PRIMARY KEY, tutor_id INTEGER REFERENCES tutors (id),"
        " pupil_id INTEGER REFERENCES pupils (id), held_on DATE);"
        "INSERT INTO sites VALUES (1, 'Parkside', 2), (2, 'Hilltop', 7);"
        "INSERT INTO tutors VALUES (1, 'Ann', 10, 1), (2, 'Bo', 20, 1), (3, 'Cy', 30, 2);"
        "INSERT INTO pupils VALUES (1, 'Dee', 1), (2, 'Eli', 2), (3, 'Fay', 2);"
        "INSERT INTO coachings VALUES (1, 1, 1, '2023-01-01'), (2, 3, 1, '2023-01-02'), (3, 2, 2, '2023-01-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who works at parkside", [("Ann",), ("Bo",)]),
        ("who is employed at hilltop", [("Cy",)]),
        ("how many people work at parkside", [(2,)]),
    ],
)
def test_who_works_somewhere_is_none_of_those_who_are_served(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who coached Dee", [("Ann",), ("Cy",)]),
        ("who has coached the pupil Dee", [("Ann",), ("Cy",)]),
        ("who never coached Dee", [("Bo",)]),
    ],
)
def test_who_does_something_to_somebody_is_another(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize("question", ["who manages parkside", "who runs the hilltop site", "tutors who lead parkside"])
def test_who_manages_a_place_is_not_whoever_is_there(school: Any, question: str) -> None:
    with pytest.raises(Unread):
        school.read(question)


def test_who_somebody_is_is_not_answered_by_a_number(make: Any) -> None:
    port = make(
        "CREATE TABLE crews (id INTEGER PRIMARY KEY, name VARCHAR, cook_no INTEGER);"
        "INSERT INTO crews VALUES (1, 'Tern', 12), (2, 'Gull', 14);"
    )
    with pytest.raises(Unread):
        port.read("who is the cook of the tern crew")


def test_who_does_something_is_no_thing_of_that_kind(make: Any) -> None:
    shop = make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR, manager_id INTEGER, town VARCHAR);"
        "CREATE TABLE goods (id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR);"
        "INSERT INTO employees VALUES (1, 'Ann', NULL, 'Oslo'), (2, 'Bo', 1, 'Oslo');"
        "INSERT INTO goods VALUES (1, 'Assam', 'Tea'), (2, 'Jam', 'Spread');"
    )
    shop.answers("who manages Bo", [("Ann",)])
    with pytest.raises(Unread):
        shop.read("who manages tea")
