"""Ordinary shapes of questions: wordy openings, "of all …, how many", what was never done, ranges, flags of what is
counted.
"""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, name VARCHAR, port VARCHAR, licensed BOOLEAN,"
        " age INTEGER, registration_date DATE);"
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, name VARCHAR, skipper_id INTEGER"
        " REFERENCES skippers (skipper_id), state VARCHAR, tonnage INTEGER, launch_year INTEGER);"
        "CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id), sailed_on DATE,"
        " returned_on DATE, catch_kg INTEGER);"
        "INSERT INTO skippers VALUES (1, 'Ann', 'Cork', TRUE, 30, '2019-05-01'),"
        " (2, 'Bo', 'Cork', TRUE, 50, '2021-01-02'), (3, 'Cy', 'Howth', FALSE, 61, '2023-02-03'),"
        " (4, 'Di', 'Howth', TRUE, 39, '2024-03-04');"
        "INSERT INTO boats VALUES (1, 'Gull', 1, 'under repair', 10, 1990), (2, 'Tern', 2, 'afloat', 40, 2004),"
        " (3, 'Skua', 2, 'afloat', 25, 2010), (4, 'Knot', 3, 'under repair', 5, 2010);"
        "INSERT INTO trips VALUES (1, 1, '2023-05-01', '2023-05-02', 100), (2, 2, '2024-05-01', '2024-05-04', 300),"
        " (3, 2, '2024-06-01', NULL, 250);"
    )


def answers_or_refuses(database: Any, question: str, rows: list[Any] | None) -> None:
    """Fail unless the question gives these rows, or is refused where they are None."""
    if rows is None:
        with pytest.raises(Unread):
            database.read(question)
    else:
        database.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("I'd like to know which skippers are from Howth", [("Cy",), ("Di",)]),
        ("We're looking at boats launched in 2010", None),
        ("I'm looking for boats of more than 20 tonnage", [("Skua",), ("Tern",)]),
        ("Of all boats, how many are afloat?", [(2,)]),
        ("Of our skippers, which are from Cork?", [("Ann",), ("Bo",)]),
        ("Of the trips in 2024, how many were there in May?", [(1,)]),
    ],
)
def test_openings_are_read_in_many_words(harbour: Any, question: str, rows: list[Any] | None) -> None:
    answers_or_refuses(harbour, question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which boats have never sailed?", [("Knot",), ("Skua",)]),
        ("Which boats have not sailed in 2024?", [("Gull",), ("Knot",), ("Skua",)]),
        ("Which boats have not sailed any trips yet?", [("Knot",), ("Skua",)]),
        ("trips that have not returned", [(3,)]),  # a date of the trips' own
    ],
)
def test_what_was_never_done_lacks_the_rows_that_say_when(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the difference between the highest and the lowest tonnage?", [(35,)]),
        ("the difference between the largest tonnage and the smallest tonnage of boats afloat", [(15,)]),
        ("For each state, what is the difference between the highest and lowest tonnage?",
         [("afloat", 15), ("under repair", 5)]),
    ],
)  # fmt: skip
def test_the_two_ends_of_a_column_are_a_difference(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


def test_the_ends_of_two_columns_are_none(harbour: Any) -> None:
    with pytest.raises(Unread):
        harbour.read("What is the difference between the highest tonnage and the lowest launch year?")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which boats weigh a tonnage above the average boat?", None),
        ("Which skippers are older than the average skipper?", [("Bo",), ("Cy",)]),
        ("Which skippers are older than the average boat?", None),
    ],
)
def test_the_average_is_of_the_same_things(harbour: Any, question: str, rows: list[Any] | None) -> None:
    answers_or_refuses(harbour, question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names and registration dates of the skippers registered after 2021",
         [("Cy", "2023-02-03"), ("Di", "2024-03-04")]),
        ("Show the name and launch year of boats launched between 2004 and 2010",
         [("Knot", 2010), ("Skua", 2010), ("Tern", 2004)]),
    ],
)  # fmt: skip
def test_a_column_and_the_verb_behind_its_thing_are_two(harbour: Any, question: str, rows: list[Any]) -> None:
    (reading,) = harbour.read(question)
    assert sorted((a, str(b) if not isinstance(b, int) else b) for a, b in harbour.rows(reading.sql)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("ports with at least two licensed skippers", [("Cork",)]),
        ("Tell me the ports our skippers come from.", [("Cork",), ("Howth",)]),
        ("how many boats are still under repair", [(2,)]),
    ],
)
def test_flags_and_hanging_prepositions(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)
