"""Periods that amounts are for by their name, days of what is said of people, and words that count no rows."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE pupil (pupil_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, joined_on DATE,"
        " hobbies VARCHAR);"
        "CREATE TABLE lesson (lesson_id INTEGER PRIMARY KEY, title VARCHAR, yearly_cost REAL, renewed_on DATE);"
        "CREATE TABLE register (register_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupil(pupil_id),"
        " lesson_id INTEGER REFERENCES lesson(lesson_id), held_on DATE, status VARCHAR);"
        "CREATE TABLE production (run_no INTEGER PRIMARY KEY, lesson_id INTEGER REFERENCES lesson(lesson_id),"
        " sets_in INTEGER, sets_out INTEGER);"
        "CREATE TABLE bout (bout_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupil(pupil_id),"
        " prize_won INTEGER, entered_at TIMESTAMP, exited_at TIMESTAMP);"
        "INSERT INTO pupil VALUES (1, 'Ann', 'Ames', '2024-01-08', 'chess'), (2, 'Bob', 'Best', '2023-01-08', NULL),"
        " (3, 'Cleo', 'Cole', '2022-01-08', 'judo, chess');"
        "INSERT INTO lesson VALUES (1, 'Choir', 100, '2024-02-01'), (2, 'Brass', 250, '2023-02-01');"
        "INSERT INTO register VALUES (1, 1, 1, '2023-03-01', 'absent'), (2, 2, 1, '2024-03-01', 'absent'),"
        " (3, 3, 2, '2024-03-02', 'present');"
        "INSERT INTO production VALUES (1, 1, 5, 3), (2, 1, 4, 4), (3, 2, 9, 8);"
        "INSERT INTO bout VALUES (1, 1, 5, '2024-01-01 10:00:00', '2024-01-01 11:30:00'),"
        " (2, 2, 7, '2024-01-02 10:00:00', '2024-01-02 10:30:00');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total cost of lessons per year", [(350,)]),
        ("average lesson cost per year", [(175,)]),
        ("average bout length", [(1.0,)]),
        ("pupils absent in 2024", [("Bob", "Best")]),
        ("absent pupils in 2023", [("Ann", "Ames")]),
        ("pupils with hobbies", [("Ann", "Ames"), ("Cleo", "Cole")]),
    ],
)
def test_periods_and_days_are_those_of_what_is_said(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize("question", ["production per lesson", "win rate per pupil"])
def test_what_no_column_says_is_refused(school: Any, question: str) -> None:
    with pytest.raises(askwhere.Unread):
        school.read(question)
