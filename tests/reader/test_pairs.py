"""Things that a table lists in pairs, "which sports does Ann teach", beside other rows that have both."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def ski_school(make: Any) -> Any:
    return make(
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE instructors (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE sports (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE instructor_sports (instructor_id INTEGER REFERENCES instructors (id),"
        " sport_code VARCHAR REFERENCES sports (code), grade VARCHAR, PRIMARY KEY (instructor_id, sport_code));"
        "CREATE TABLE courses (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (id),"
        " instructor_id INTEGER REFERENCES instructors (id), sport_code VARCHAR REFERENCES sports (code));"
        "INSERT INTO guests VALUES (1, 'Kim'), (2, 'Lou');"
        "INSERT INTO instructors VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO sports VALUES ('TE', 'telemark'), ('SN', 'snowboard');"
        "INSERT INTO instructor_sports VALUES (1, 'TE', 'A'), (1, 'SN', 'B'), (2, 'SN', 'A'), (3, 'SN', 'C');"
        "INSERT INTO courses VALUES (1, 1, 1, 'TE'), (2, 1, 2, 'SN'), (3, 2, 2, 'SN');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which sports does Ann teach", [("snowboard",), ("telemark",)]),
        ("who teaches snowboard", [("Ann",), ("Bo",), ("Cy",)]),
        ("sports with only one instructor", [("telemark",)]),
        ("how many instructors per sport", [("snowboard", 3), ("telemark", 1)]),
        ("guests who took telemark courses", [("Kim",)]),
        ("how many courses did Bo teach", [(2,)]),
    ],
)
def test_a_table_of_pairs_says_what_belongs_together(ski_school: Any, question: str, rows: list[Any]) -> None:
    ski_school.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("the busiest instructor", [("Bo",)]),
        ("busiest instructor for each sport", [("snowboard", "Bo"), ("telemark", "Ann")]),
    ],
)
def test_who_is_busiest_has_most_of_what_is_done_for_others(ski_school: Any, question: str, rows: list[Any]) -> None:
    ski_school.answers(question, rows)


def test_pairs_of_others_are_no_shorter_way(make: Any) -> None:
    hall = make(
        "CREATE TABLE pupils (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE houses (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE clubs (id INTEGER PRIMARY KEY, name VARCHAR, house_id INTEGER REFERENCES houses (id));"
        "CREATE TABLE club_members (club_id INTEGER REFERENCES clubs (id), pupil_id INTEGER REFERENCES pupils (id),"
        " PRIMARY KEY (club_id, pupil_id));"
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, number VARCHAR, house_id INTEGER REFERENCES houses (id));"
        "CREATE TABLE contracts (id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms (id),"
        " pupil_id INTEGER REFERENCES pupils (id));"
        "INSERT INTO houses VALUES (1, 'Elm');"
    )
    assert len(hall.read("pupils in Elm")) == 2  # by their clubs, or by their rooms
