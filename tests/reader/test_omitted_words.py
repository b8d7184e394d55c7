"""What a reading does without, although the data knows of it, counts against it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.read import possible
from askwhere.reader.readings import Reading

COURSES = """
    CREATE TABLE course (course_id INTEGER PRIMARY KEY, course_name TEXT, fee REAL);
    INSERT INTO course VALUES (1, 'Morning yoga', 9.0), (2, 'Pottery for two', 12.0);
    CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES course (course_id), stage TEXT,
                         grams INTEGER);
    INSERT INTO parcel VALUES (1, 1, 'Delivered', 10), (2, 2, 'Lost', 20);
"""


@pytest.fixture(scope="module")
def courses(make: Any) -> Any:
    return make(COURSES)


def searched(database: Any, question: str) -> tuple[Reading, ...]:
    """Return all readings of a question, however unlikely."""
    best, others = possible(question, database.catalog, database.values, database.dialect)
    return (*best, *others)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("yoga courses", "left out: in a value"),
        ("bricklaying courses", "left out: says something"),
    ],
)
def test_what_the_data_knows_is_a_feature_of_a_reading_without_it(courses: Any, question: str, name: str) -> None:
    assert any(reading.features.get(name) == 1.0 for reading in searched(courses, question))


@pytest.mark.parametrize("question", ["how many courses are there", "courses for single"])
def test_other_words_are_none(courses: Any, question: str) -> None:
    names = {"left out: in a value", "left out: says something"}
    assert all(not names & set(reading.features) for reading in searched(courses, question))


def test_no_reading_takes_a_state_of_its_rows_for_a_mere_verb(courses: Any) -> None:
    for question in ("courses that delivered parcels", "parcels delivered by Morning yoga"):
        assert all("Delivered" in reading.sql for reading in searched(courses, question))


def test_what_a_number_is_compared_of_is_not_left_out(make: Any) -> None:
    camp = make(
        "CREATE TABLE campers (id INTEGER PRIMARY KEY, name VARCHAR, birth_date DATE);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, camper_id INTEGER REFERENCES campers (id), booked_on DATE,"
        " arrival DATE, departure DATE, status VARCHAR);"
        "INSERT INTO campers VALUES (1, 'Ann', '1990-01-01');"
        "INSERT INTO stays VALUES (1, 1, '2023-01-01', '2023-05-01', '2023-05-03', 'camped');"
    )
    with pytest.raises(Unread):  # and not those older than 7
        camp.read("campers who camped more than 7 nights")
