"""Amounts that are added up or compared without their names, over keys that nobody declared."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    return make(
        "CREATE TABLE bands (band_id INTEGER PRIMARY KEY, band_name VARCHAR);"
        "CREATE TABLE desks (desk_id INTEGER PRIMARY KEY, desk_no VARCHAR, hourly_rate INTEGER, is_active INTEGER);"
        "CREATE TABLE recordings (recording_id INTEGER PRIMARY KEY, band_id INTEGER, desk_id INTEGER,"
        " recorded_on DATE, amount_due INTEGER, minutes INTEGER, floor VARCHAR);"
        "INSERT INTO bands VALUES (1, 'Ash'), (2, 'Elm');"
        "INSERT INTO desks VALUES (1, 'D1', 30, 1), (2, 'D2', 20, 0);"
        "INSERT INTO recordings VALUES (1, 1, 1, '2024-01-05', 100, 60, 'cellar'),"
        " (2, 1, 2, '2024-02-05', 50, 30, 'attic'),"
        " (3, 2, 1, '2024-02-09', 70, 45, 'attic');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue per band", [("Ash", 150), ("Elm", 70)]),
        ("minutes per band", [("Ash", 90), ("Elm", 45)]),
        ("the cheapest desk", [("D2",)]),
        ("which floor is used the most?", [("attic",)]),
        ("desks that are no longer active", [("D2",)]),
        ("how many recordings took place in February 2024?", [(2,)]),
    ],
)
def test_amounts_are_found_by_what_they_are(studio: Any, question: str, rows: list[Any]) -> None:
    studio.answers(question, rows)


def test_a_guessed_key_named_in_full_costs_no_more_than_a_declared_one(studio: Any, make: Any) -> None:
    declared = make(
        "CREATE TABLE bands (band_id INTEGER PRIMARY KEY, band_name VARCHAR);"
        "CREATE TABLE recordings (recording_id INTEGER PRIMARY KEY, band_id INTEGER REFERENCES bands (band_id));"
        "INSERT INTO bands VALUES (1, 'Ash'); INSERT INTO recordings VALUES (1, 1);"
    )
    asked = "How many recordings does each band have?"
    assert studio.read(asked)[0].confidence == declared.read(asked)[0].confidence


def test_who_may_be_a_coach(make: Any) -> None:
    sport = make(
        "CREATE TABLE coaches (coach_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE squads (squad_id INTEGER PRIMARY KEY, name VARCHAR, coach_id INTEGER);"
        "INSERT INTO coaches VALUES (1, 'Ivo'), (2, 'Una');"
        "INSERT INTO squads VALUES (1, 'Juniors', 2), (2, 'Seniors', 1);"
    )
    sport.answers("who is responsible for Juniors?", [("Una",)])
