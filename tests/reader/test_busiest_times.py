"""The busiest month, where the question names nothing else, is the one in which most was done."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

_SCHOOL = (
    "CREATE TABLE clerks (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, hired_on DATE, month_pay INTEGER);"
    "CREATE TABLE pupils (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, joined_on DATE, birth_date DATE);"
    "CREATE TABLE yards (id INTEGER PRIMARY KEY, town VARCHAR, opened_on DATE);"
    "CREATE TABLE lorries (id INTEGER PRIMARY KEY, yard_id INTEGER REFERENCES yards (id), next_service DATE);"
    "CREATE TABLE lessons (id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils (id),"
    " clerk_id INTEGER REFERENCES clerks (id), lorry_id INTEGER REFERENCES lorries (id), held_on DATE);"
    "CREATE TABLE bills (id INTEGER PRIMARY KEY, lesson_id INTEGER REFERENCES lessons (id), billed_on DATE);"
    "INSERT INTO clerks VALUES (1, 'Ann', 'a', '2020-01-01', 9), (2, 'Bo', 'b', '2020-01-02', 8);"
    "INSERT INTO pupils VALUES (1, 'Cy', 'c', '2020-01-01', '1990-01-01'), (2, 'Di', 'd', '2020-01-05', '1991-01-01');"
    "INSERT INTO yards VALUES (1, 'Rome', '2019-01-01'); INSERT INTO lorries VALUES (1, 1, '2030-01-01');"
    "INSERT INTO lessons VALUES (1, 1, 1, 1, '2024-03-04'), (2, 2, 1, 1, '2024-03-11'), (3, 1, 2, 1, '2024-05-07'),"
    " (4, 1, 2, 1, '2023-06-06'), (5, 1, 2, 1, '2023-06-06'), (6, 1, 2, 1, '2023-06-06');"
    "INSERT INTO bills VALUES (1, 1, '2024-07-01'), (2, 2, '2024-07-01'), (3, 3, '2024-07-01');"
)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("busiest month", [("2023-06",)]),
        ("busiest month in 2024", [("2024-03",)]),
        ("what was our busiest month", [("2023-06",)]),
        ("busiest day in june 2023", [("2023-06-06",)]),
    ],
)
def test_it_is_of_what_is_done_for_people(make: Any, question: str, rows: list[Any]) -> None:
    school = make(_SCHOOL)
    (reading,) = school.read(question)
    assert [(str(row[0]),) for row in school.rows(reading.sql)] == rows, reading.sql


def test_a_thing_that_is_named_is_what_counts(make: Any) -> None:
    make(_SCHOOL).answers("busiest month for bills in 2024", [("2024-07",)])


@pytest.mark.parametrize("question", ["busiest month", "busiest month in 2024"])
def test_it_is_refused_where_several_things_are_done(make: Any, question: str) -> None:
    shop = make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE hires (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), hired_on DATE);"
        "CREATE TABLE repairs (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), done_on DATE);"
    )
    with pytest.raises(Unread):
        shop.read(question)


def test_of_several_things_that_are_done_with_machines_none_is_meant(make: Any) -> None:
    kiosks = make(
        "CREATE TABLE spots (spot_id INTEGER PRIMARY KEY, spot VARCHAR);"
        "CREATE TABLE kiosks (kiosk_no VARCHAR PRIMARY KEY, spot_id INTEGER REFERENCES spots (spot_id), bought DATE);"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, kiosk_no VARCHAR REFERENCES kiosks (kiosk_no), sold_on DATE);"
        "CREATE TABLE faults (fault_id INTEGER PRIMARY KEY, kiosk_no VARCHAR REFERENCES kiosks (kiosk_no), seen DATE);"
        "INSERT INTO spots VALUES (1, 'Quay'); INSERT INTO kiosks VALUES ('K1', 1, '2020-01-01');"
        "INSERT INTO sales VALUES (1, 'K1', '2024-05-01'), (2, 'K1', '2024-05-02');"
        "INSERT INTO faults VALUES (1, 'K1', '2024-06-01');"
    )
    with pytest.raises(Unread):
        kiosks.read("busiest month")
