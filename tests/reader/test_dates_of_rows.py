"""A period after a condition on rows of a thing is the rows' date; things of one name are one row each."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, name VARCHAR, member_since DATE);"
        "CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, name VARCHAR, owner_id INTEGER REFERENCES owner(owner_id),"
        " launched_on DATE, length_m INTEGER);"
        "CREATE TABLE coating (coating_code VARCHAR PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE survey (survey_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat(boat_id),"
        " surveyed_on DATE, finding VARCHAR, blisters INTEGER,"
        " coating_code VARCHAR REFERENCES coating(coating_code));"
        "INSERT INTO owner VALUES (1, 'Una', '2021-05-01'), (2, 'Vic', '2023-05-01'), (3, 'Vic', '2020-02-02');"
        "INSERT INTO boat VALUES (1, 'Tern', 1, '2023-03-01', 9), (2, 'Gull', 2, '2019-03-01', 12),"
        " (3, 'Tern', 3, '2019-06-01', 14);"
        "INSERT INTO coating VALUES ('EP', 'epoxy resin'), ('CU', 'copper paint');"
        "INSERT INTO survey VALUES (1, 1, '2022-04-01', 'osmosis', 8, 'EP'), (2, 2, '2023-04-01', 'osmosis', 2, 'CU'),"
        " (3, 3, '2023-06-01', 'osmosis', 9, 'EP'), (4, 3, '2023-09-01', 'osmosis', 9, 'EP'),"
        " (5, 1, '2021-09-01', 'sound', 0, 'CU');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats with osmosis in 2023", [("Gull",), ("Tern",)]),
        ("boats with osmosis in 2022", [("Tern",)]),
        ("boats with more than 5 blisters in 2022", [("Tern",)]),
        ("boats with epoxy resin in 2023", [("Tern",)]),
        ("owners with osmosis in 2022", [("Una",)]),
        ("boats launched in 2019", [("Gull",), ("Tern",)]),
        ("boats with osmosis launched in 2023", [("Tern",)]),
    ],
)
def test_a_period_is_that_of_the_rows_that_are_tested(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats with osmosis", [("Gull",), ("Tern",), ("Tern",)]),
        ("boats with osmosis by length", [("Gull",), ("Tern",), ("Tern",)]),
        ("owners of boats with osmosis", [("Una",), ("Vic",), ("Vic",)]),
        ("boats with osmosis but no copper paint", [("Tern",)]),
    ],
)
def test_things_of_one_name_are_one_row_each(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


def test_a_name_that_is_a_key_is_shown_once(harbour: Any) -> None:
    (reading,) = harbour.read("ids of boats with osmosis")
    assert "GROUP BY" not in reading.sql
