"""Codes that a lookup table explains are shown as what they mean, unless the code is asked for."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def nursery(make: Any) -> Any:
    return make(
        "CREATE TABLE soil (soil_cd VARCHAR, descr VARCHAR);"
        "CREATE TABLE plant_status (status_code VARCHAR PRIMARY KEY, status_description VARCHAR, sort_no INTEGER);"
        "CREATE TABLE bed (bed_id INTEGER PRIMARY KEY, bed_nm VARCHAR, soil_cd VARCHAR, area INTEGER);"
        "CREATE TABLE plant (plant_id INTEGER PRIMARY KEY, plant_nm VARCHAR, bed_id INTEGER,"
        " status_code VARCHAR REFERENCES plant_status (status_code), grade VARCHAR, sow_dt DATE, move_dt DATE);"
        "INSERT INTO soil VALUES ('SD', 'sandy'), ('CL', 'clay');"
        "INSERT INTO plant_status VALUES ('G', 'growing', 1), ('R', 'ready', 2);"
        "INSERT INTO bed VALUES (1, 'North', 'SD', 10), (2, 'South', 'CL', 30), (3, 'Hill', 'CL', 50);"
        "INSERT INTO plant VALUES (1, 'Aster', 1, 'G', 'A+', '2023-02-01', '2023-05-20'),"
        " (2, 'Basil', 2, 'R', 'A-', '2023-05-02', '2023-06-11'), (3, 'Clove', 2, 'R', 'A+', '2023-05-09', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many plants per status", [("growing", 1), ("ready", 2)]),
        ("average area of beds by soil", [("clay", 40.0), ("sandy", 10.0)]),
        ("list beds with their soil", [("Hill", "clay"), ("North", "sandy"), ("South", "clay")]),
        ("number of plants per status code", [("G", 1), ("R", 2)]),
    ],
)
def test_codes_are_shown_as_what_they_mean(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"), [("plants of grade A-", [("Basil",)]), ("how many plants have grade A+?", [(2,)])]
)
def test_signs_tell_values_apart(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


def test_a_word_that_names_a_date_before_a_time_is_said_of_that_date(make: Any) -> None:
    office = make(
        "CREATE TABLE claim (claim_no INTEGER PRIMARY KEY, filed_dt DATE, due_dt DATE, expiry_date DATE);"
        "INSERT INTO claim VALUES (1, '2023-05-01', '2023-06-01', '2024-01-01'),"
        " (2, '2023-04-01', '2023-05-05', '2023-06-01'), (3, '2023-05-02', '2023-07-01', '2023-06-30');"
    )
    office.answers("claims due in May 2023", [(2,)])
    office.answers("how many claims expire in June 2023", [(2,)])
    office.answers("how many claims were due before June 2023", [(1,)])


@pytest.fixture(scope="module")
def fleet(make: Any) -> Any:
    """What the codes mean is one of two texts, and several kinds end in one noun."""
    return make(
        "CREATE TABLE kinds (kind_code VARCHAR PRIMARY KEY, description VARCHAR, licence VARCHAR);"
        "CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE vehicles (plate VARCHAR PRIMARY KEY, kind_code VARCHAR REFERENCES kinds (kind_code),"
        " depot_id INTEGER REFERENCES depots (depot_id), daily_rent INTEGER);"
        "INSERT INTO kinds VALUES ('MB', 'Mountain bike', 'none'), ('RB', 'Road bike', 'none'), ('SC', 'Scooter', 'A'),"
        " ('TR', 'Cargo trike', 'none');"
        "INSERT INTO depots VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO vehicles VALUES ('A1', 'MB', 1, 10), ('A2', 'RB', 1, 20), ('A3', 'RB', 2, 30),"
        " ('A4', 'SC', 2, 40);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("vehicles per kind", [("Mountain bike", 1), ("Road bike", 2), ("Scooter", 1)]),
        ("how many road bikes do we have", [(2,)]),
        ("how many bikes do we have", [(3,)]),
        ("bikes per depot", [("North", 2), ("South", 1)]),
        ("bikes with a daily rent under 25", [("A1",), ("A2",)]),
        ("vehicles that are not bikes", [("A4",)]),
    ],
)
def test_rows_are_of_the_kinds_that_a_description_names(fleet: Any, question: str, rows: list[Any]) -> None:
    fleet.answers(question, rows)


def test_a_noun_for_several_kinds_is_noted(fleet: Any) -> None:
    (reading,) = fleet.read("how many bikes are there")
    assert "“bikes” is taken for 'Mountain bike', 'Road bike' in kinds.description" in reading.notes


def test_a_table_of_its_own_codes_refers_to_no_other(make: Any) -> None:
    harbour = make(
        "CREATE TABLE basins (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE hull_types (code VARCHAR PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE hulls (id INTEGER PRIMARY KEY, type_code VARCHAR REFERENCES hull_types (code),"
        " basin_code VARCHAR REFERENCES basins (code), built INTEGER);"
        "INSERT INTO basins VALUES ('N', 'North'), ('S', 'South');"
        "INSERT INTO hull_types VALUES ('S', 'steel barge'), ('W', 'wooden boat');"
        "INSERT INTO hulls VALUES (1, 'S', 'N', 1990), (2, 'S', 'S', 1970), (3, 'W', 'N', 1960);"
    )
    harbour.answers("how many steel barges are there", [(2,)])
    harbour.answers("oldest steel barge", [(2,)])
    harbour.answers("number of steel barges per basin", [("North", 1), ("South", 1)])
