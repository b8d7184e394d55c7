"""Whom somebody leads, "who does Ann mentor", what there is none of by name, and orders by an age."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def choir(make: Any) -> Any:
    return make(
        "CREATE TABLE singers (id INTEGER PRIMARY KEY, name VARCHAR, born DATE, voice VARCHAR,"
        " supervisor_id INTEGER REFERENCES singers (id), coach_id INTEGER REFERENCES singers (id));"
        "CREATE TABLE solos (id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singers (id), sung_on DATE);"
        "INSERT INTO singers VALUES (1, 'Ann', '1980-01-01', 'alto', NULL, NULL);"
        "INSERT INTO singers VALUES (2, 'Bo', '1960-01-01', 'bass', 1, NULL);"
        "INSERT INTO singers VALUES (3, 'Cy', '1970-01-01', 'bass', 1, 2);"
        "INSERT INTO solos VALUES (1, 1, '2024-01-01'), (2, 1, '2024-02-01'), (3, 2, '2024-03-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who does Ann supervise?", [("Bo",), ("Cy",)]),
        ("who does Bo coach", [("Cy",)]),
        ("singers that Ann supervised", [("Bo",), ("Cy",)]),
        ("who is coached by Bo?", [("Cy",)]),
        ("are there singers without solos? who", [("Cy",)]),
        ("do we have any singers without solos? which ones", [("Cy",)]),
        ("Is there any singer without solos? names please", [("Cy",)]),
    ],
)
def test_whom_somebody_leads_and_who_has_none(choir: Any, question: str, rows: list[Any]) -> None:
    choir.answers(question, rows)


def test_the_oldest_come_first_by_their_birth(choir: Any) -> None:
    (reading,) = choir.read("singers born before 1975, oldest first")
    assert choir.rows(reading.sql) == [("Bo",), ("Cy",)]


def test_things_are_not_counted_as_themselves_by_a_word_read_as_them(make: Any) -> None:
    gifts = make(
        "CREATE TABLE dnr (dnr_id INTEGER PRIMARY KEY, dnr_nm VARCHAR); INSERT INTO dnr VALUES (1, 'Ann'), (2, 'Bo');"
    )
    with pytest.raises(Unread):
        gifts.read("donors with at least two donors")
