"""What state things are in, of which the words are small ("on hold", "to do"), or which no row is in."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(
        "CREATE TABLE bikes (id INTEGER PRIMARY KEY, frame_no VARCHAR, state VARCHAR);"
        "CREATE TABLE bills (bill_no VARCHAR PRIMARY KEY, bike_id INTEGER REFERENCES bikes (id), paid_date DATE,"
        " amount DOUBLE);"
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, name VARCHAR);"
        "INSERT INTO riders VALUES (1, 'Ann');"
        "INSERT INTO bikes VALUES (1, 'K1', 'on hold'), (2, 'K2', 'to do'), (3, 'K3', 'finished');"
        "INSERT INTO bills VALUES ('B1', 1, NULL, 2100), ('B2', 2, '2024-05-01', 2200), ('B3', 3, NULL, 90);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many bikes are on hold", [(1,)]),
        ("how many bikes are to do", [(1,)]),
        ("how many bikes do we hold", [(3,)]),
        ("unpaid bills", [("B1",), ("B3",)]),
    ],
)
def test_a_state_of_small_words_is_found_in_the_data(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "how many riders are on hold",
        "riders on hold",
        "how many bikes are in transit",
        "how many bikes are on display",
        "unpaid bills over 1900",  # no bill was paid after 1900 and never paid
    ],
)
def test_a_state_that_nothing_names_is_not_left_out(workshop: Any, question: str) -> None:
    with pytest.raises(Unread):
        workshop.read(question)
