"""Phrases that were read as something else: answered rightly, or refused."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE dorms (id INTEGER PRIMARY KEY, dorm_name VARCHAR, gender VARCHAR, address VARCHAR);"
        "CREATE TABLE students (id INTEGER PRIMARY KEY, name VARCHAR, gender VARCHAR, phone VARCHAR, advisor INTEGER,"
        " division VARCHAR, points INTEGER, days_held VARCHAR, dorm_id INTEGER REFERENCES dorms (id));"
        "CREATE TABLE teachers (id INTEGER PRIMARY KEY, name VARCHAR, phone VARCHAR, rank INTEGER);"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, kind VARCHAR, price INTEGER, publisher VARCHAR, open_date DATE,"
        " open_year INTEGER, student_id INTEGER REFERENCES students (id), teacher_id INTEGER REFERENCES teachers (id));"
        "INSERT INTO dorms VALUES (1, 'North', 'M', '1 Lane'), (2, 'South', 'F', '2 Lane');"
        "INSERT INTO students VALUES (1, 'Ann', 'F', '55', 7, 'Division 1', 30, '12', 1),"
        " (2, 'Bo', 'M', '66', 8, 'Division 2', 40, '70', 1), (3, 'Cy', 'M', '77', 7, 'Division 1', 50, '80', 2);"
        "INSERT INTO teachers VALUES (7, 'Tim', '55', 1), (8, 'Una', '88', 2);"
        "INSERT INTO lessons VALUES (1, 'piano', 10, 'Murray Press', '2020-01-02', 1990, 1, 7),"
        " (2, 'piano', 30, 'Oxford', '2021-01-02', 1991, 2, 7), (3, 'drums', 20, 'Oxford', '2022-01-02', 1992, 3, 8);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of students in a male dorm", [("Ann",), ("Bo",)]),  # the dorm is
        ("What is the highest and lowest price of different kinds?", [("drums", 20, 20), ("piano", 30, 10)]),
        ("publishers whose name contains 'Murray'", [("Murray Press",)]),  # the publisher's name
        ("Which students have over 50 days held?", [("Bo",), ("Cy",)]),  # no more than 50 different numbers of days
        ("students per dorm", [("North", 2), ("South", 1)]),
        ("How many points does Cy have?", [(50,)]),
        (
            "What are the names of students with lessons? Give me the names and the points.",
            [("Ann", 30), ("Bo", 40), ("Cy", 50)],
        ),
    ],
)
def test_a_phrase_is_read_as_it_is_meant(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "Which students have a division that is not 1?",  # divisions are called otherwise
        "names of students ordered by the year they were born and their points",
        "phone numbers that are used by students and teachers",
        "Show all information about students and teachers.",
        "Which teacher has the highest rank?",  # the first, or the greatest number?
        "the open date of open year of the lesson 1",
        "the kinds and numbers of all lessons",
        "the most expensive lesson by student",  # of all, or of each student?
    ],
)
def test_what_would_be_read_as_something_else_is_refused(school: Any, question: str) -> None:
    with pytest.raises(Unread):
        school.read(question)


@pytest.fixture(scope="module")
def parties(make: Any) -> Any:
    return make(
        "CREATE TABLE hosts (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE parties (id INTEGER PRIMARY KEY, theme VARCHAR, theme_type VARCHAR, number_of_hosts INTEGER,"
        " highest INTEGER, total DOUBLE, city VARCHAR);"
        "CREATE TABLE party_hosts (party_id INTEGER REFERENCES parties (id), host_id INTEGER REFERENCES hosts (id));"
        "INSERT INTO hosts VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO parties VALUES (1, 'Space', 'Fun', 5, 50, 10, 'Hull'), (2, 'Sea', 'Calm', 3, 40, 20, 'Hull'),"
        " (3, 'Wood', 'Calm', 4, 10, 5, 'York');"
        "INSERT INTO party_hosts VALUES (1, 1), (2, 1), (2, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "themes of parties in ascending order of number of hosts",
            [("Sea",), ("Wood",), ("Space",)],
        ),  # a column's name
        ("the theme of the party with the most number of hosts", [("Space",)]),
        ("What is the highest attendance of the Sea party?", [(40,)]),  # of what, the column does not say
    ],
)
def test_a_column_is_named_from_its_first_word_to_its_last(parties: Any, question: str, rows: list[Any]) -> None:
    (reading,) = parties.read(question)
    assert parties.rows(reading.sql) == rows, reading.sql


def test_a_total_may_be_of_each_or_of_all(parties: Any) -> None:
    with pytest.raises(Unread):
        parties.read("total amount of parties in Hull")


def test_advisors_are_counted_each_once_as_the_teachers_that_they_are(school: Any) -> None:
    school.answers("How many advisors are there?", [(2,)])
    school.answers("Who is the advisor of Ann? Give me the name and phone.", [("Tim", "55")])


def test_the_longest_text_is_not_what_takes_longest(make: Any) -> None:
    school = make(
        "CREATE TABLE courses (id INTEGER PRIMARY KEY, title VARCHAR, duration INTEGER);"
        "INSERT INTO courses VALUES (1, 'Knots', 90), (2, 'Navigation', 30);"
    )
    school.answers("longest course title", [("Navigation",)])
    school.answers("title of the longest course", [("Knots",)])


def test_a_share_of_its_own_amount_is_no_share_of_all(make: Any) -> None:
    films = make(
        "CREATE TABLE films (id INTEGER PRIMARY KEY, title VARCHAR, budget INTEGER);"
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (id), amount INTEGER);"
        "INSERT INTO films VALUES (1, 'Dune', 100); INSERT INTO bills VALUES (1, 1, 40);"
    )
    films.refused("what percent of its budget has each film used")
