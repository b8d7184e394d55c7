"""Two names of columns side by side that mean one, and columns that are shown for a thing and named once more."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest


@pytest.fixture(scope="module")
def quarry(make: Any) -> Any:
    return make(
        "CREATE TABLE drivers (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, grade VARCHAR);"
        "CREATE TABLE trucks (id INTEGER PRIMARY KEY, make VARCHAR, model VARCHAR, fuel VARCHAR, built_year INTEGER,"
        " payload INTEGER);"
        "CREATE TABLE loads (id INTEGER PRIMARY KEY, driver_id INTEGER REFERENCES drivers (id),"
        " truck_id INTEGER REFERENCES trucks (id), loaded_on DATE, gross_kg INTEGER, toll_eur DECIMAL(8, 2),"
        " overtime VARCHAR, hours INTEGER, rock VARCHAR, remark VARCHAR);"
        "INSERT INTO drivers VALUES (1, 'Ann', 'Berg', 'senior'), (2, 'Bo', 'Clay', 'junior');"
        "INSERT INTO trucks VALUES (1, 'Volvo', 'FH', 'diesel', 2015, 24), (2, 'Tesla', 'Semi', 'electric', 2023, 20),"
        " (3, 'Scania', 'R', 'diesel', 2019, 26);"
        "INSERT INTO loads VALUES (1, 1, 1, '2024-01-05', 900, 10, 'Y', 3, 'slate', 'wet road'),"
        " (2, 1, 2, '2024-02-06', 700, 20, 'N', 5, 'slate', NULL), (3, 2, 3, '2024-03-07', 800, 5, 'Y', 4, 'chalk',"
        " 'wet stone'), (4, 2, 1, '2024-04-08', 600, 5, 'N', 2, 'chalk', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("gross kilos per rock", [("chalk", 1400), ("slate", 1600)]),
        ("toll income per rock", [("chalk", 10), ("slate", 30)]),
        ("toll costs by rock, highest first", [("chalk", 10), ("slate", 30)]),
        ("toll costs per rock, worst first", [("chalk", 10), ("slate", 30)]),
        ("number of trucks per fuel type", [("diesel", 2), ("electric", 1)]),
        ("overtime hours per rock", [("chalk", 4), ("slate", 3)]),
        ("overtime hours in 2024", [(7,)]),
    ],
)
def test_two_names_of_one_column_are_read_as_one(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    found = [tuple(str(c) if isinstance(c, date) else c for c in row) for row in quarry.rows(reading.sql)]
    assert sorted(found) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("electric trucks, make and model", [("Tesla", "Semi")]),
        ("junior drivers, first and last names", [("Bo", "Clay")]),
        (
            "latest load of each driver: name, date, rock",
            [("Ann", "Berg", "2024-02-06", "slate"), ("Bo", "Clay", "2024-04-08", "chalk")],
        ),
        ("latest load of each driver: driver, gross kilos", [("Ann", "Berg", 700), ("Bo", "Clay", 600)]),
    ],
)
def test_the_name_of_a_thing_may_be_asked_for_once_more(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    found = [tuple(str(c) if isinstance(c, date) else c for c in row) for row in quarry.rows(reading.sql)]
    assert sorted(found) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("remarks that contain 'wet', with the date", [("wet road", "2024-01-05"), ("wet stone", "2024-03-07")]),
        ("the two newest trucks with the year they were built", [("Scania", "R", 2019), ("Tesla", "Semi", 2023)]),
        ("top 2 trucks by payload, with the payload", [("Scania", "R", 26), ("Volvo", "FH", 24)]),
        ("top driver by total gross, with the gross", [("Ann", "Berg", 1600)]),
        ("loads by rock; skip the ones without a remark", [("chalk", 1), ("slate", 1)]),
    ],
)
def test_what_follows_with_or_by_is_shown(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    found = [tuple(str(c) if isinstance(c, date) else c for c in row) for row in quarry.rows(reading.sql)]
    assert sorted(found) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("loads per rock, 2024 only", [("chalk", 2), ("slate", 2)]),
        ("total gross kilos per rock, diesel trucks only", [("chalk", 1400), ("slate", 900)]),
        ("last names of the drivers in capitals, junior only", [("CLAY",)]),
    ],
)
def test_a_last_clause_with_only_is_a_condition(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    assert sorted(quarry.rows(reading.sql)) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total gross per driver: last name and kilos", [("Berg", 1600), ("Clay", 1400)]),
        ("how many loads for each driver? first name and number", [("Ann", 2), ("Bo", 2)]),
        ("gross kilos per driver - last name plus total", [("Berg", 1600), ("Clay", 1400)]),
        ("how many loads for each driver? number and first name", [("Ann", 2), ("Bo", 2)]),
    ],
)
def test_a_list_behind_groups_names_the_thing_and_what_is_counted(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    assert sorted(quarry.rows(reading.sql)) == rows, reading.sql


def test_a_number_beside_a_sum_is_that_of_the_thing(quarry: Any) -> None:
    quarry.answers("total gross per driver: last name and number", [("Berg", 1, 1600), ("Clay", 2, 1400)])


def test_kinds_of_a_column_are_its_values(make: Any) -> None:
    port = make(
        "CREATE TABLE boxes (id INTEGER PRIMARY KEY, kind VARCHAR);"
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, box_id INTEGER REFERENCES boxes (id), cargo VARCHAR);"
        "INSERT INTO boxes VALUES (1, 'reefer'), (2, 'tank');"
        "INSERT INTO bookings VALUES (1, 1, 'fruit'), (2, 2, 'oil'), (3, 1, 'fruit');"
    )
    port.answers("kinds of cargo", [("fruit",), ("oil",)])
    port.answers("kinds of boxes", [("reefer",), ("tank",)])


def test_a_column_of_one_value_is_shown_where_it_is_listed(make: Any) -> None:
    papers = make(
        "CREATE TABLE papers (paper_id INTEGER PRIMARY KEY, paper_name VARCHAR, paper_note VARCHAR);"
        "INSERT INTO papers VALUES (1, 'Deed', 'y'), (2, 'Will', 'y');"
    )
    papers.answers("List paper ids, paper names, and paper notes for all papers.", [(1, "Deed", "y"), (2, "Will", "y")])
    papers.answers("names of all papers whose id is above 1", [("Will",)])
