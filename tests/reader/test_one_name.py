"""Groups by a name say that things of the same name are one group; groups by a thing keep them apart."""

from __future__ import annotations

from typing import Any

import pytest

NOTE = "grouped by riders.rider_name: riders of the same name are one group"


@pytest.fixture(scope="module")
def stables(make: Any) -> Any:
    return make(
        "CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR UNIQUE);"
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, rider_name VARCHAR, town_id INTEGER REFERENCES towns (id));"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, fee INTEGER, rider_id INTEGER REFERENCES riders (id));"
        "INSERT INTO towns VALUES (1, 'Oslo'), (2, 'Rome');"
        "INSERT INTO riders VALUES (1, 'Ann', 1), (2, 'Bo', 2), (3, 'Ann', 2);"
        "INSERT INTO lessons VALUES (1, 10, 1), (2, 5, 1), (3, 7, 2), (4, 1, 3);"
    )


@pytest.mark.parametrize("question", ["total fee per rider name", "total fee for each rider name"])
def test_a_group_by_a_name_says_what_it_puts_together(stables: Any, question: str) -> None:
    (reading,) = stables.read(question)
    assert sorted(stables.rows(reading.sql)) == [("Ann", 16), ("Bo", 7)]
    assert NOTE in reading.notes


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total fee per rider", [("Ann", 1), ("Ann", 15), ("Bo", 7)]),
        ("number of riders per rider name", [("Ann", 2), ("Bo", 1)]),
        ("number of riders per town name", [("Oslo", 1), ("Rome", 2)]),
    ],
)
def test_other_groups_say_nothing(stables: Any, question: str, rows: list[Any]) -> None:
    (reading,) = stables.read(question)
    assert sorted(stables.rows(reading.sql)) == rows
    assert reading.notes == ()
