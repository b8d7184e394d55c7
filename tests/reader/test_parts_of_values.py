"""A part of a value, and what is lacking or costs nothing, in other words."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    return make(
        "CREATE TABLE pupils (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, town VARCHAR, birth_date DATE);"
        "CREATE TABLE classes (id INTEGER PRIMARY KEY, title VARCHAR, owner_group VARCHAR, fee INTEGER,"
        " established INTEGER);"
        "CREATE TABLE prizes (id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils (id), amount INTEGER);"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, class_id INTEGER REFERENCES classes (id), lesson_status VARCHAR,"
        " rslt VARCHAR);"
        "INSERT INTO pupils VALUES (1, 'Ann Hadley', 'a@x.org', 'Lyon', '2003-05-01'),"
        " (2, 'Bo Orr', NULL, 'Nice', NULL);"
        "INSERT INTO classes VALUES (1, 'Yoga', 'Meridian Media', 0, 1960), (2, 'Dance', 'Oaty', 20, 1990);"
        "INSERT INTO prizes VALUES (1, 1, 50), (2, 1, 20), (3, 2, 10);"
        "INSERT INTO lessons VALUES (1, 1, 'no show', 'ok'), (2, 2, 'held', 'bad');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("pupils we have no email for", [("Bo Orr",)]),
        ("Pupils whose birthday we don't know, with their town", [("Bo Orr", "Nice")]),
        ("classes that cost nothing", [("Yoga",)]),
        ("prize money per pupil", [("Ann Hadley", 70), ("Bo Orr", 10)]),
        ("Kids from outside Lyon", [("Bo Orr",)]),
        ("pupils born in or after 2003", [("Ann Hadley",)]),
        ("which classes belong to Meridian", [("Yoga",)]),
        ("what is the email of Hadley", [("a@x.org",)]),
        ("what is the email of hadley", [("a@x.org",)]),
        ("hadley's town", [("Lyon",)]),
        ("how many prizes does hadley have", [(2,)]),
        ("how many no-shows were there", [(1,)]),
        ("different towns we work with", [("Lyon",), ("Nice",)]),
        ("classes founded before 1970", [("Yoga",)]),
        ("lesson results", [("bad",), ("ok",)]),
    ],
)
def test_what_is_said_otherwise_is_read(studio: Any, question: str, rows: list[Any]) -> None:
    studio.answers(question, rows)


def test_a_part_of_two_values_is_refused(make: Any) -> None:
    towns = make(
        "CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR, people INTEGER);"
        "INSERT INTO towns VALUES (1, 'Newport East', 5), (2, 'Newport West', 6);"
    )
    with pytest.raises(Exception, match="Newport"):
        towns.read("how many people does Newport have")
    with pytest.raises(Exception, match="newport"):
        towns.read("how many people does newport have")
