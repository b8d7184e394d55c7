"""What is said of some rows is not said of others that are joined to them."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def campus(make: Any) -> Any:
    return make(
        "CREATE TABLE students (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, age INTEGER, rank VARCHAR);"
        "CREATE TABLE dorms (id INTEGER PRIMARY KEY, dorm_name VARCHAR);"
        "CREATE TABLE lives_in (student_id INTEGER REFERENCES students (id), dorm_id INTEGER REFERENCES dorms (id));"
        "CREATE TABLE clubs (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE members (student_id INTEGER REFERENCES students (id), club_id INTEGER REFERENCES clubs (id));"
        "CREATE TABLE bonds (id INTEGER PRIMARY KEY, friend VARCHAR);"
        "CREATE TABLE matches (id INTEGER PRIMARY KEY, team VARCHAR, beaten_by VARCHAR,"
        " student_id INTEGER REFERENCES students (id));"
        "INSERT INTO students VALUES (1, 'Ann', 'Hull', 20, 'Fellow'), (2, 'Bo', 'York', 22, 'Fellow'),"
        " (3, 'Cy', 'Hull', 30, 'Pupil');"
        "INSERT INTO dorms VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO lives_in VALUES (1, 1), (2, 2);"
        "INSERT INTO clubs VALUES (1, 'Chess'), (2, 'Rowing');"
        "INSERT INTO members VALUES (1, 1), (1, 2), (2, 1);"
        "INSERT INTO bonds VALUES (1, 'Bo'), (2, 'Ann'), (3, 'Cy');"
        "INSERT INTO matches VALUES (1, 'Reds', 'Ira', 1), (2, 'Reds', 'Ulf', 2), (3, 'Blues', 'Ira', 3);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many students live in each city?",  # the city is theirs; not only those with a room are meant
        "What is the average age of the students who live in York?",
        "How many friends does Cy have?",  # not how often Cy is one
        "ages of the fellows who do not play Chess as a club",
    ],
)
def test_what_would_be_said_of_other_rows_is_refused(campus: Any, question: str) -> None:
    with pytest.raises(Unread):
        campus.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of the students who live in North", [("Ann",)]),
        ("How many students live in each dorm?", [("North", 1), ("South", 1)]),
        ("names of students who live in a dorm", [("Ann",), ("Bo",)]),
        ("How many students are there in each city?", [("Hull", 2), ("York", 1)]),
        ("names of students that are not in Chess", [("Cy",)]),
        ("names of students in both Chess and Rowing", [("Ann",)]),
        ("How many different friends are there?", [(3,)]),
        ("Which teams have both students beaten by Ira and students beaten by Ulf?", [("Reds",)]),
    ],
)
def test_what_is_said_of_the_rows_themselves_is_answered(campus: Any, question: str, rows: list[Any]) -> None:
    campus.answers(question, rows)
