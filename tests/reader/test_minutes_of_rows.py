"""How long rows took, "length of a call", is their only column of minutes or hours, and no length of other things."""

from __future__ import annotations

from typing import Any

import pytest

CALLS = """
CREATE TABLE lines (id INTEGER PRIMARY KEY, name VARCHAR, length_m INTEGER);
CREATE TABLE calls (id INTEGER PRIMARY KEY, line_id INTEGER REFERENCES lines (id), minutes INTEGER, made_on DATE);
INSERT INTO lines VALUES (1, 'Red', 100), (2, 'Blue', 300);
INSERT INTO calls VALUES (1, 1, 4, '2024-01-01'), (2, 1, 6, '2024-01-02'), (3, 2, 20, '2024-01-03');
"""


@pytest.fixture(scope="module")
def calls(make: Any) -> Any:
    return make(CALLS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average length of a call", [(10.0,)]),
        ("average call duration", [(10.0,)]),
        ("average duration of calls per line", [("Blue", 20.0), ("Red", 5.0)]),
        ("average length of lines", [(200.0,)]),
    ],
)
def test_the_length_of_rows_is_their_minutes(calls: Any, question: str, rows: list[Any]) -> None:
    calls.answers(question, rows)
