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


@pytest.fixture(scope="module")
def couriers(make: Any) -> Any:
    """States of small words, states that are verbs, in other letters than the questions, and titles of small words."""
    return make(
        "CREATE TABLE couriers (id INTEGER PRIMARY KEY, name VARCHAR, shift VARCHAR);"
        "CREATE TABLE parcels (code VARCHAR PRIMARY KEY, courier_id INTEGER REFERENCES couriers (id), status VARCHAR,"
        " shipped_on DATE);"
        "CREATE TABLE songs (id INTEGER PRIMARY KEY, title VARCHAR);"
        "INSERT INTO couriers VALUES (1, 'Ann', 'off duty'), (2, 'Bo', 'at work');"
        "INSERT INTO parcels VALUES ('P1', 1, 'LOST', NULL), ('P2', 2, 'Lost', NULL),"
        " ('P3', 2, 'Delivered', '2024-01-02'), ('P4', 2, 'in the', NULL), ('P5', 1, 'Shipped', '2024-03-01'),"
        " ('P6', 1, 'not out', NULL);"
        "INSERT INTO songs VALUES (1, 'What Is'), (2, 'Are There'), (3, 'Of The');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which couriers are off duty", [("Ann",)]),
        ("how many parcels are not out", [(1,)]),
        ("how many parcels are there", [(6,)]),
        ("what is the title of each song", [("Are There",), ("Of The",), ("What Is",)]),
        ("parcels delivered by Bo", [("P3",)]),
        ("which parcels has Bo delivered", [("P3",)]),
        ("which parcels did Bo deliver", [("P3",)]),
        ("parcels shipped by Ann", [("P5",)]),
        ("how many parcels were shipped in January 2024", [(1,)]),
        ("parcels not yet shipped", [("P1",), ("P2",), ("P4",), ("P6",)]),
    ],
)
def test_a_value_of_few_wins_over_its_words(couriers: Any, question: str, rows: list[Any]) -> None:
    couriers.answers(question, rows)


@pytest.mark.parametrize("question", ["who lost parcels", "riders at rest"])
def test_a_state_that_a_verb_says_is_not_left_aside(couriers: Any, question: str) -> None:
    with pytest.raises(Unread):
        couriers.read(question)


@pytest.fixture(scope="module")
def coaches(make: Any) -> Any:
    return make(
        "CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, name VARCHAR, phase VARCHAR, starts_on DATE);"
        "CREATE TABLE seats (seat_id INTEGER PRIMARY KEY, tour_id INTEGER REFERENCES tours (tour_id), dropped_on DATE);"
        "INSERT INTO tours VALUES (1, 'Alps', 'dropped', '2024-05-01'), (2, 'Coast', 'sold out', '2024-06-01'),"
        " (3, 'Lakes', 'dropped', '2023-06-01');"
        "INSERT INTO seats VALUES (1, 1, NULL), (2, 2, '2024-01-01'), (3, 2, NULL), (4, 3, '2024-02-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many tours were dropped in 2024", [(1,)]),
        ("tours that were dropped", [("Alps",), ("Lakes",)]),
        ("seats that were dropped", [(2,), (4,)]),
    ],
)
def test_a_state_of_things_wins_over_a_date_of_others(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("delivered letters", [(2,)]),
        ("how many letters were delivered", [(1,)]),
        ("delivered boxes", [(3,)]),
        ("letters in delivered boxes", [(1,)]),
    ],
)
def test_a_state_that_is_written_otherwise_wins_over_that_of_others(make: Any, question: str, rows: list[Any]) -> None:
    post = make(
        "CREATE TABLE boxes (box_id INTEGER PRIMARY KEY, state VARCHAR);"
        "CREATE TABLE letters (letter_id INTEGER PRIMARY KEY, result VARCHAR,"
        " box_id INTEGER REFERENCES boxes (box_id));"
        "INSERT INTO boxes VALUES (3, 'delivered'), (4, 'sent');"
        "INSERT INTO letters VALUES (1, 'return', 3), (2, 'deliver', 4);"
    )
    post.answers(question, rows)


@pytest.fixture(scope="module")
def insurer(make: Any) -> Any:
    """States that are listed in a table of their own, by codes and by numbers, beside dates that say the same."""
    return make(
        "CREATE TABLE clm_st (st_cd VARCHAR PRIMARY KEY, st_desc VARCHAR);"
        "CREATE TABLE clm (clm_no INTEGER PRIMARY KEY, rpt_dt DATE, stl_dt DATE, st_cd VARCHAR);"
        "CREATE TABLE permit_states (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE permits (permit_no VARCHAR PRIMARY KEY, state_id INTEGER REFERENCES permit_states (id),"
        " issued_on DATE, expiry_date DATE);"
        "INSERT INTO clm_st VALUES ('O', 'Open'), ('S', 'Shipped'), ('R', 'Rejected');"
        "INSERT INTO clm VALUES (1, '2026-01-02', NULL, 'O'), (2, '2026-01-05', NULL, 'R'),"
        " (3, '2026-01-05', '2026-02-01', 'S');"
        "INSERT INTO permit_states VALUES (1, 'current'), (2, 'expired'), (3, 'withdrawn');"
        "INSERT INTO permits VALUES ('P1', 1, '2020-01-01', '2020-02-01'), ('P2', 2, '2020-01-01', '2020-03-01'),"
        " ('P3', 3, '2020-01-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open claims", [(1,)]),
        ("how many claims are open", [(1,)]),
        ("how many shipped claims are there", [(1,)]),
        ("current permits", [("P1",)]),
        ("permits that are expired", [("P2",)]),
    ],
)
def test_a_state_in_a_table_of_states_wins_over_dates(insurer: Any, question: str, rows: list[Any]) -> None:
    insurer.answers(question, rows)


@pytest.fixture(scope="module")
def planned(make: Any) -> Any:
    """Jobs with a status and the day for which they are, or were, scheduled."""
    return make(
        "CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, status VARCHAR, scheduled_for DATE, finished_on DATE);"
        "INSERT INTO jobs VALUES (1, 'scheduled', '2026-01-01', NULL), (2, 'done', '2024-01-01', '2024-01-02'),"
        " (3, 'quoted', NULL, NULL), (4, 'done', '2026-02-01', '2026-02-02');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("scheduled jobs", [(1,)]),
        ("which jobs are scheduled?", [(1,)]),
        ("how many jobs are scheduled?", [(1,)]),
        ("jobs scheduled in 2026", [(1,), (4,)]),
        ("finished jobs", [(2,), (4,)]),
    ],
)
def test_a_status_says_what_is_scheduled_and_a_date_when_it_was(planned: Any, question: str, rows: list[Any]) -> None:
    planned.answers(question, rows)
