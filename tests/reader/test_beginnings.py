"""When things began and how long they last, who did something, and spans of years."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def campsite(make: Any) -> Any:
    return make(
        "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE workers (worker_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE cabins (cabin_id INTEGER PRIMARY KEY, cabin_name VARCHAR, built_year INTEGER, length_m DOUBLE,"
        " designer VARCHAR);"
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (guest_id),"
        " cabin_id INTEGER REFERENCES cabins (cabin_id), arrival DATE, departure DATE);"
        "CREATE TABLE cleanings (cleaning_id INTEGER PRIMARY KEY, cabin_id INTEGER REFERENCES cabins (cabin_id),"
        " worker_id INTEGER REFERENCES workers (worker_id), done_on DATE);"
        "CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, title VARCHAR, price DOUBLE, start_date DATE, end_date DATE);"
        "INSERT INTO guests VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO workers VALUES (1, 'Cy'), (2, 'Di');"
        "INSERT INTO cabins VALUES (1, 'Pine', 1990, 9, 'Ito'), (2, 'Oak', 1975, 7, 'Roy'), (3, 'Elm', 2010, 5, 'Ito');"
        "INSERT INTO visits VALUES (1, 1, 1, '2022-05-01', '2022-05-03'), (2, 2, 3, '2023-05-01', '2023-05-11'),"
        " (3, 1, 2, '2024-05-01', '2024-05-04');"
        "INSERT INTO cleanings VALUES (1, 1, 1, '2022-05-04'), (2, 2, 2, '2024-05-05'), (3, 3, 2, '2023-05-12');"
        "INSERT INTO tours VALUES (1, 'Lakes', 40, '2023-01-01', '2023-09-01'),"
        " (2, 'Hills', 30, '2023-03-01', '2023-04-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("oldest cabin", [("Oak",)]),
        ("which cabin is the oldest", [("Oak",)]),
        ("newest tour", [("Hills",)]),
        ("which tour is the newest", [("Hills",)]),
        ("average length of visit", [(5.0,)]),
        ("who designed Oak", [("Roy",)]),
        ("who cleaned Oak", [("Di",)]),
        ("how many visits between 2022 and 2023", [(2,)]),
        ("how many cabins are there now", [(3,)]),
    ],
)
def test_things_are_taken_by_their_beginning_and_their_doer(campsite: Any, question: str, rows: list[Any]) -> None:
    campsite.answers(question, rows)


@pytest.mark.parametrize("question", ["which guests are here now", "how many guests are here", "profit per tour"])
def test_what_nothing_records_is_refused(campsite: Any, question: str) -> None:
    with pytest.raises(Unread):
        campsite.read(question)


def test_older_than_a_year_is_from_before_it(make: Any) -> None:
    yard = make(
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, name VARCHAR, yr_blt INTEGER, inspection_due DATE);"
        "CREATE TABLE depots (id INTEGER PRIMARY KEY, name VARCHAR, opened DATE);"
        "INSERT INTO vans VALUES (1, 'Ox', 2012, '2030-01-01'), (2, 'Elk', 2015, '2030-01-01'),"
        " (3, 'Ram', 2020, '2030-01-01');"
        "INSERT INTO depots VALUES (1, 'East', '1999-05-01'), (2, 'West', '2004-05-01');"
    )
    yard.answers("vans older than 2015", [("Ox",)])
    yard.answers("vans newer than 2015", [("Ram",)])
    yard.answers("which depots are older than 2000", [("East",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bills older than 60 days", [(1,), (2,)]),
        ("unsettled bills older than 60 days", [(2,)]),
        ("oldest bill", [(1,)]),
        ("newest bill", [(3,)]),
    ],
)
def test_a_bill_is_as_old_as_it_was_issued(make: Any, question: str, rows: list[Any]) -> None:
    office = make(
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, issued_on DATE, due_on DATE, settled_on DATE);"
        "INSERT INTO bills VALUES (1, '2023-01-01', '2023-02-01', '2023-01-20'), (2, '2023-05-01', '2023-06-01', NULL),"
        f" (3, '{date.today()}', '2099-01-01', NULL);"
    )
    office.answers(question, rows)


def test_what_took_long_is_not_old(make: Any) -> None:
    office = make(
        "CREATE TABLE tasks (id INTEGER PRIMARY KEY, asked_on DATE, visit_date DATE, hours INTEGER);"
        "INSERT INTO tasks VALUES (1, '2023-01-01', '2023-02-01', 2000);"
    )
    with pytest.raises(Unread):
        office.read("tasks older than 60 days")
