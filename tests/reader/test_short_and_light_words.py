"""First names of two letters, light verbs, adjectives near a flag, and keys that are guessed in two parts."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def orchestra(make: Any) -> Any:
    return make(
        "CREATE TABLE tuners (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR);"
        "CREATE TABLE pianos (id INTEGER PRIMARY KEY, maker VARCHAR, heated VARCHAR);"
        "CREATE TABLE tunings (id INTEGER PRIMARY KEY, tuner_id INTEGER REFERENCES tuners (id),"
        " piano_id INTEGER REFERENCES pianos (id), status VARCHAR);"
        "INSERT INTO tuners VALUES (1, 'Jo Lind', 'jo@x.org'), (2, 'Ida Berg', 'ida@x.org'), (3, 'Uwe Kern', NULL);"
        "INSERT INTO pianos VALUES (1, 'Bluthner', 'Y'), (2, 'Kawai', 'N');"
        "INSERT INTO tunings VALUES (1, 1, 1, 'done'), (2, 1, 2, 'open'), (3, 2, 1, 'open');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tunings by Jo", [(1,), (2,)]),
        ("email of Ida", [("ida@x.org",)]),
        ("tuners who have never done a tuning", [("Uwe Kern",)]),
        ("tunings that are done", [(1,)]),
    ],
)
def test_short_names_and_light_verbs_are_read(orchestra: Any, question: str, rows: list[Any]) -> None:
    orchestra.answers(question, rows)


@pytest.mark.parametrize("question", ["cold pianos", "warm pianos"])
def test_an_adjective_that_is_only_near_a_flag_is_refused(orchestra: Any, question: str) -> None:
    orchestra.refused(question)


def test_keys_that_are_guessed_in_both_parts_are_said(make: Any) -> None:
    club = make(
        "CREATE TABLE halls (hall_id INTEGER, hall_name VARCHAR);"
        "CREATE TABLE shows (show_id INTEGER, hall_id INTEGER, act VARCHAR);"
        "INSERT INTO halls VALUES (1, 'Odeon'), (2, 'Apollo');"
        "INSERT INTO shows VALUES (1, 1, 'Circus'), (2, 1, 'Magic'), (3, 2, 'Magic');"
    )
    (reading,) = club.read("halls that had both Circus and Magic")
    assert club.rows(reading.sql) == [("Odeon",)]
    assert "guessed that shows.hall_id refers to halls.hall_id" in reading.notes
