"""What no query can have been meant to say: refused, however well the words fit."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def college(make: Any) -> Any:
    return make(
        "CREATE TABLE departments (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, budget INTEGER);"
        "CREATE TABLE students (id INTEGER PRIMARY KEY, name VARCHAR, terms INTEGER, level VARCHAR,"
        " department_id INTEGER REFERENCES departments (id));"
        "CREATE TABLE courses (id INTEGER PRIMARY KEY, title VARCHAR, credits INTEGER,"
        " is_final BOOLEAN, department_id INTEGER REFERENCES departments (id));"
        "INSERT INTO departments VALUES (1, 'Physics', 'Science', 9), (2, 'Law', 'Project', 5);"
        "INSERT INTO students VALUES (1, 'Ann', 2, 'first', 1), (2, 'Bo', 3, 'second', 2),"
        " (3, 'Cy', 1, 'first', 1);"
        "INSERT INTO courses VALUES (1, 'Optics', 5, TRUE, 1), (2, 'Torts', 4, FALSE, 2), (3, 'Heat', 6, TRUE, 1);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which students took Optics?",  # a course of the student's department is none that the student took
        "What are the names of the students and the titles of their courses?",
        "How many courses does each student have?",
        "Which courses are offered by more than one department?",  # each has one
        "Which students have at least two levels?",
        "Which departments does Physics border?",
        "What is the title of the project with the most credits?",  # a kind of department in the data
        "How many students share a department with Ann?",
        "How many departments border Physics courses?",
        "Which departments have more than one final?",  # yes and no are two
        "terms of first and second",  # of either level, not the numbers that both levels have
    ],
)
def test_what_cannot_be_meant_is_refused(college: Any, question: str) -> None:
    with pytest.raises(Unread):
        college.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which departments have more than one course and at least one student?", [("Physics",)]),
        ("names of science departments", [("Physics",)]),
        ("students of the department with the highest budget", [("Ann",), ("Cy",)]),
        ("levels in Physics", [("first",)]),  # values of no thing that is named: each once
    ],
)
def test_what_is_said_of_one_thing_twice_is_answered(college: Any, question: str, rows: list[Any]) -> None:
    college.answers(question, rows)
