"""The latest of things is by a date of their own: not by a birthday, and not by a date of another table."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def boats(make: Any) -> Any:
    return make(
        "CREATE TABLE guides (guide_id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE);"
        "CREATE TABLE divers (diver_id INTEGER PRIMARY KEY, name VARCHAR, birth_date DATE, joined_on DATE);"
        "CREATE TABLE lessons (lesson_id INTEGER PRIMARY KEY, title VARCHAR,"
        " guide_id INTEGER REFERENCES guides (guide_id));"
        "CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, diver_id INTEGER REFERENCES divers (diver_id),"
        " paid_on DATE, checked_on DATE, amount DOUBLE);"
        "INSERT INTO guides VALUES (1, 'Ida', '2020-01-01'), (2, 'Jo', '2021-01-01');"
        "INSERT INTO divers VALUES (1, 'Ann', '2001-05-01', '2022-01-01'), (2, 'Bo', '1990-05-01', '2023-01-01');"
        "INSERT INTO lessons VALUES (1, 'Wrecks', 1), (2, 'Caves', 2);"
        "INSERT INTO payments VALUES (7, 1, '2023-01-05', '2023-02-02', 5), (8, 2, '2023-02-01', '2023-02-01', 9);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("latest payment", [(8,)]),
        ("the 2 most recent payments", [(8,), (7,)]),
        ("which diver has the most recent payment", [("Bo",)]),
        ("newest diver", [("Bo",)]),
        ("youngest diver", [("Ann",)]),
    ],
)
def test_the_latest_is_by_the_first_date_of_the_thing_itself(boats: Any, question: str, rows: list[Any]) -> None:
    (reading,) = boats.read(question)
    assert boats.rows(reading.sql) == rows


def test_a_thing_without_a_date_has_no_newest(boats: Any) -> None:
    with pytest.raises(Unread):
        boats.read("newest lesson")


@pytest.mark.parametrize(
    "question", ["how many divers have a snorkel", "total payments per diver and harbour", "divers and snorkels"]
)
def test_what_things_have_and_what_is_asked_for_beside_is_not_left_out(boats: Any, question: str) -> None:
    with pytest.raises(Unread):
        boats.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("latest lesson", [(2,)]),
        ("earliest lesson of Ann", [(1,)]),
        ("latest lesson of Ann", [(3,)]),
        ("lessons per month", [("2024-01", 1), ("2024-02", 2)]),
    ],
)
def test_a_time_of_day_does_not_say_which_day_was_last(make: Any, question: str, rows: list[Any]) -> None:
    riding = make(
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (id), planned_for DATE,"
        " start_time VARCHAR);"
        "INSERT INTO riders VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO lessons VALUES (1, 1, '2024-01-05', '17:30'), (2, 2, '2024-02-09', '09:00'),"
        " (3, 1, '2024-02-01', '08:00');"
    )
    riding.answers(question, rows)
