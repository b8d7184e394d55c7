"""What somebody earns "an hour" is in the column that says so; no flag says what they earn."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def academy(make: Any) -> Any:
    return make(
        "CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, name VARCHAR, hourly_rate INTEGER);"
        "CREATE TABLE lesson (lesson_id INTEGER PRIMARY KEY, coach_id INTEGER REFERENCES coach (coach_id), hours INT,"
        " paid_flag INTEGER);"
        "INSERT INTO coach VALUES (1, 'Ann', 25), (2, 'Ben', 35), (3, 'Cas', 45);"
        "INSERT INTO lesson VALUES (1, 1, 40, 1), (2, 2, 2, 0), (3, 3, 3, 1);"
    )


@pytest.mark.parametrize(
    "question",
    ["coaches who earn more than 30 an hour", "which coaches earn over 30 per hour", "which coaches earn more than 30"],
)
def test_a_rate_is_in_the_column_that_says_so(academy: Any, question: str) -> None:
    academy.answers(question, [("Ben",), ("Cas",)])
