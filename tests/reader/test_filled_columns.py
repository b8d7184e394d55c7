"""Whether a column is filled at all, and words that say which rows are meant and must not be left out."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

CHOIR = """
CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR, hourly_rent INTEGER, monthly_fee INTEGER);
CREATE TABLE singers (
  id INTEGER PRIMARY KEY, name VARCHAR, phone VARCHAR, room_id INTEGER REFERENCES rooms (id), leave_date DATE
);
CREATE TABLE rehearsals (id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms (id), begun_at TIMESTAMP);
INSERT INTO rooms VALUES (1, 'Hall', 9, 90), (2, 'Attic', 5, 50);
INSERT INTO singers VALUES (1, 'Ann', '55', 1, NULL), (2, 'Bo', NULL, 1, '2024-03-01'),
  (3, 'Cy', '77', 2, '2023-04-01');
INSERT INTO rehearsals VALUES (1, 1, '2024-01-02 18:00:00'), (2, 2, '2024-01-09 19:00:00');
"""


@pytest.fixture(scope="module")
def choir(make: Any) -> Any:
    return make(CHOIR)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("singers who left", [("Bo",), ("Cy",)]),
        ("singers with a leave date", [("Bo",), ("Cy",)]),
        ("singers with a phone", [("Ann",), ("Cy",)]),
        ("singers without a leave date", [("Ann",)]),
        ("singers with their phone", [("Ann", "55"), ("Bo", None), ("Cy", "77")]),
        ("how many rehearsals were there in 2024", [(2,)]),
    ],
)
def test_a_column_is_filled_or_shown(choir: Any, question: str, rows: list[Any]) -> None:
    (reading,) = choir.read(question)
    assert sorted(choir.rows(reading.sql), key=str) == rows, reading.sql


@pytest.mark.parametrize(
    "question",
    [
        "how many rehearsals were cancelled in 2024",  # others were not
        "cancelled rehearsals",
    ],
)
def test_a_word_that_changes_the_rows_is_not_left_out(choir: Any, question: str) -> None:
    with pytest.raises(Unread):
        choir.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("rooms and the singers they house", [("Attic", "Cy"), ("Hall", "Ann"), ("Hall", "Bo")]),
        ("rooms and the rehearsals they hold", [("Attic", 2), ("Hall", 1)]),
        ("number of singers by leave month", [("2023-04", 1), ("2024-03", 1), (None, 1)]),  # no `monthly_fee`
    ],
)
def test_what_is_asked_for_beside_a_thing_is_not_lost(choir: Any, question: str, rows: list[Any]) -> None:
    (reading,) = choir.read(question)
    assert sorted(choir.rows(reading.sql), key=lambda row: (row[0] is None, row)) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("shoots with more than 20 photos", [(2,), (3,)]),
        ("shoots with one photo", [(4,)]),
        ("shoots without a photo", [(1,)]),
        ("shoots without photos", [(1,)]),
        ("shoot with the most photos", [(3,)]),
        ("shoots with photos", [(2,), (3,), (4,)]),
        ("how many photos were delivered", [(122,)]),
    ],
)
def test_things_are_counted_in_a_column_of_what_was_done_with_them(make: Any, question: str, rows: list[Any]) -> None:
    studio = make(
        "CREATE TABLE shoots (shoot_id INTEGER PRIMARY KEY, taken_on DATE, photos_delivered INTEGER, fee INTEGER);"
        "INSERT INTO shoots VALUES (1, '2024-01-01', 0, 90), (2, '2024-01-02', 21, 80), (3, '2024-01-03', 100, 70),"
        " (4, '2024-01-04', 1, 60);"
    )
    studio.answers(question, rows)
