"""Superlatives of things in the plural, which give all that share the greatest or least value, and months."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def orchard(make: Any) -> Any:
    return make(
        "CREATE TABLE pickers (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, age INTEGER,"
        " team VARCHAR);"
        "CREATE TABLE crates (id INTEGER PRIMARY KEY, label VARCHAR, weight INTEGER, fill_date DATE,"
        " picker_id INTEGER REFERENCES pickers (id));"
        "INSERT INTO pickers VALUES (1, 'June', 'Ash', 61, 'red'), (2, 'Max', 'Elm', 61, 'blue'),"
        " (3, 'Ida', 'Fir', 20, 'red');"
        "INSERT INTO crates VALUES (1, 'A', 12, '2023-06-01', 1), (2, 'B', 9, '2023-07-01', 2),"
        " (3, 'C', 9, '2023-07-01', 3),"
        " (4, 'D', NULL, '2023-05-01', 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("the oldest pickers", [("June", "Ash"), ("Max", "Elm")]),
        ("the oldest pickers in the red team", [("June", "Ash")]),
        ("lightest crates", [("B",), ("C",)]),
        ("labels of the crates with the lowest weight", [("B",), ("C",)]),
        ("latest crates", [("B",), ("C",)]),
        ("the lightest crates by Ida Fir", [("C",)]),
    ],
)
def test_a_plural_gives_all_that_are_first(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)


def test_a_singular_gives_one(orchard: Any) -> None:
    (reading,) = orchard.read("the lightest crate")
    assert len(orchard.rows(reading.sql)) == 1


def test_a_month_behind_a_word_of_time_is_nobody(orchard: Any) -> None:
    assert "'June'" not in orchard.read("crates last June")[0].sql
    assert "'June'" not in orchard.read("crates filled since June")[0].sql


def test_a_month_behind_in_is_that_of_any_year(orchard: Any) -> None:
    (reading,) = orchard.read("crates whose fill date is in June")
    assert "a month without a year is that of any year" in reading.notes


def test_a_month_is_a_first_name_elsewhere(orchard: Any) -> None:
    orchard.answers("crates of June", [("A",)])


def test_readings_that_tie_say_what_each_takes_a_word_for(make: Any) -> None:
    posts = make(
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, first_port VARCHAR, last_port VARCHAR);"
        "INSERT INTO parcels VALUES (1, 'Oslo', 'Rome'), (2, 'Rome', 'Oslo');"
    )
    found = posts.read("parcels in Rome")
    assert [reading.notes for reading in found] == [
        ("“Rome” read as parcels.first_port",),
        ("“Rome” read as parcels.last_port",),
    ]
