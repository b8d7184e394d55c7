"""Words that deny a flag, said of what somebody did: "who failed the test"; and what sold best by its sales alone."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE learners (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE exams (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), kind VARCHAR,"
        " passed INTEGER, held DATE);"
        "CREATE TABLE packages (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE purchases (id INTEGER PRIMARY KEY, package_id INTEGER REFERENCES packages (id), bought DATE);"
        "INSERT INTO learners VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO exams VALUES (1, 1, 'theory', 1, '2024-01-01'), (2, 2, 'theory', 0, '2024-01-02'),"
        " (3, 2, 'theory', 0, '2024-02-02'), (4, 1, 'practical', 0, '2024-03-01'), (5, 2, 'theory', 1, '2024-04-01');"
        "INSERT INTO packages VALUES (1, 'Basic'), (2, 'Full'); INSERT INTO purchases VALUES (1, 2, '2024-01-01'),"
        " (2, 2, '2024-01-02'), (3, 1, '2024-01-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("failed theory exams", [(2,), (3,)]),
        ("how many exams were failed?", [(3,)]),
        ("learners with failed exams", [("Ann",), ("Bo",)]),
        ("which learners failed the theory exam?", [("Bo",)]),
        ("learners who failed the theory exam more than once", [("Bo",)]),
        ("how many learners failed an exam in 2024?", [(2,)]),
        ("best selling package", [("Full",)]),
        ("top 1 best selling package", [("Full",)]),
    ],
)
def test_they_are_read(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)
