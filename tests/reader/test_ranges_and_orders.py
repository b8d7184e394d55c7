"""Ranges whose ends share a multiplier, orders "from highest to lowest", and "top 3 … in … by …"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def islands(make: Any) -> Any:
    return make(
        "CREATE TABLE seas (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE islands (id INTEGER PRIMARY KEY, name VARCHAR, sea_id INTEGER REFERENCES seas (id),"
        " inhabitants INTEGER, height_m INTEGER);"
        "CREATE TABLE keepers (id INTEGER PRIMARY KEY, name VARCHAR, birth_date DATE, wage INTEGER);"
        "INSERT INTO seas VALUES (1, 'Baltic'), (2, 'Aegean');"
        "INSERT INTO islands VALUES (1, 'Ara', 1, 7000000, 90), (2, 'Bor', 1, 12, 300), (3, 'Cyl', 2, 15000000, 50),"
        " (4, 'Dun', 2, 4000, 700), (5, 'Eri', 1, 1500000, 20);"
        "INSERT INTO keepers VALUES (1, 'Ann', '1970-01-01', 10), (2, 'Bo', '1980-01-01', 30),"
        " (3, 'Cy', '1960-01-01', 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("islands with inhabitants between 5 and 10 million", ["Ara"]),
        ("islands with 5 to 10 million inhabitants", ["Ara"]),
        ("islands with inhabitants from 1 to 2 million", ["Eri"]),
        ("islands with 1-2 million inhabitants", ["Eri"]),
        ("islands with inhabitants between 3 and 5 thousand", ["Dun"]),
        ("islands with inhabitants between 500 and 2 million", ["Dun", "Eri"]),  # 500 is no 500 million
        ("islands with inhabitants between 10 and 20", ["Bor"]),
    ],
)
def test_both_ends_of_a_range_have_its_multiplier(islands: Any, question: str, rows: list[str]) -> None:
    islands.answers(question, [(name,) for name in rows])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("islands from highest to lowest", ["Dun", "Bor", "Ara", "Cyl", "Eri"]),
        ("islands from the lowest to the highest", ["Eri", "Cyl", "Ara", "Bor", "Dun"]),
        ("keepers from oldest to youngest", ["Cy", "Ann", "Bo"]),
        ("keepers from youngest to oldest", ["Bo", "Ann", "Cy"]),
        ("islands from z to a", ["Eri", "Dun", "Cyl", "Bor", "Ara"]),
    ],
)
def test_things_are_sorted_by_what_the_degree_is_of(islands: Any, question: str, rows: list[str]) -> None:
    (reading,) = islands.read(question)
    assert [row[0] for row in islands.rows(reading.sql)] == rows


def test_what_is_shown_is_sorted_by_degree(islands: Any) -> None:
    (reading,) = islands.read("keepers and their wages from highest to lowest")
    assert islands.rows(reading.sql) == [("Bo", 30), ("Cy", 20), ("Ann", 10)]


def test_names_have_no_degree(islands: Any) -> None:
    with pytest.raises(Unread):
        islands.read("seas from highest to lowest")


@pytest.mark.parametrize("question", ["top 2 islands in the Baltic by height", "top 2 islands by height in the Baltic"])
def test_what_the_first_are_chosen_by_may_come_last(islands: Any, question: str) -> None:
    (reading,) = islands.read(question)
    assert [row[0] for row in islands.rows(reading.sql)] == ["Bor", "Ara"]


def test_the_longest_thing_has_not_the_longest_name(make: Any) -> None:
    roads = make(
        "CREATE TABLE roads (id INTEGER PRIMARY KEY, name VARCHAR, length_km INTEGER);"
        "INSERT INTO roads VALUES (1, 'Old Mountain Road', 5), (2, 'A1', 90);"
    )
    roads.answers("what is the longest road's name", [("A1",)])
    roads.answers("the longest road name", [("Old Mountain Road",)])


def test_who_is_not_answered_by_a_guess_that_is_of_no_people(make: Any) -> None:
    towns = make(
        "CREATE TABLE cities (id INTEGER PRIMARY KEY, name VARCHAR, population INTEGER);"
        "INSERT INTO cities VALUES (1, 'Oslo', 5), (2, 'Rome', 9);"
    )
    with pytest.raises(Unread):
        towns.read("who is the mayor of Oslo")


def test_numbers_without_a_hyphen_are_no_range(make: Any) -> None:
    hotels = make(
        "CREATE TABLE hotels (id INTEGER PRIMARY KEY, name VARCHAR, beds INTEGER);"
        "INSERT INTO hotels VALUES (1, 'Ara', 2), (2, 'Bor', 3), (3, 'Cyl', 9);"
    )
    hotels.answers("hotels with 2-3 beds", [("Ara",), ("Bor",)])
    with pytest.raises(Unread):
        hotels.read("hotels with 2 3 beds")


def test_the_ends_of_a_range_are_no_names_of_people(make: Any) -> None:
    shelves = make(
        "CREATE TABLE shelves (id INTEGER PRIMARY KEY, code VARCHAR, first VARCHAR, last VARCHAR);"
        "INSERT INTO shelves VALUES (1, 'S1', 'A', 'F'), (2, 'S2', 'G', 'K');"
    )
    shelves.answers("list the shelves", [("S1",), ("S2",)])
