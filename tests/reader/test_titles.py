"""Titles without a verb: "driver of each tour", "revenue by customers", "severity by cause"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def coaches(make: Any) -> Any:
    return make(
        "CREATE TABLE drivers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE species (id INTEGER PRIMARY KEY, species_name VARCHAR);"
        "CREATE TABLE vendors (id INTEGER PRIMARY KEY, vendor_name VARCHAR, support_phone VARCHAR);"
        "CREATE TABLE trips (trip_no VARCHAR PRIMARY KEY, driver_id INTEGER REFERENCES drivers (id),"
        " vendor_id INTEGER REFERENCES vendors (id), left_on DATE, cancelled_on DATE, km INTEGER, kind VARCHAR,"
        " weather VARCHAR);"
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, trip_no VARCHAR REFERENCES trips (trip_no), guest VARCHAR,"
        " booked_on DATE, seats_booked INTEGER);"
        "CREATE TABLE cages (id INTEGER PRIMARY KEY, label VARCHAR, species_id INTEGER REFERENCES species (id));"
        "INSERT INTO drivers VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO species VALUES (1, 'lynx'), (2, 'otter');"
        "INSERT INTO vendors VALUES (1, 'Kraft', '555');"
        "INSERT INTO trips VALUES ('T1', 1, 1, '2024-01-05', NULL, 100, 'false alarm', 'rain'),"
        " ('T2', 2, 1, '2024-01-20', '2024-02-01', 300, 'false alarm', 'sun'),"
        " ('T3', 2, 1, '2024-03-01', '2024-03-02', 50, 'rescue', 'sun');"
        "INSERT INTO bookings VALUES (1, 'T1', 'Cy', '2024-01-01', 2), (2, 'T2', 'Cy', '2024-01-02', 3),"
        " (3, 'T2', 'Di', '2024-01-03', 1);"
        "INSERT INTO cages VALUES (1, 'north', 1), (2, 'south', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("driver of each trip", [("T1", "Ann"), ("T2", "Bo"), ("T3", "Bo")]),
        ("vendor for every trip", [("T1", "Kraft"), ("T2", "Kraft"), ("T3", "Kraft")]),
        ("species of each cage", [("north", "lynx"), ("south", "otter")]),
    ],
)
def test_one_of_each_is_listed_beside_the_things(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total km by drivers", [("Ann", 100), ("Bo", 350)]),
        ("average km by drivers", [("Ann", 100.0), ("Bo", 175.0)]),
        ("number of cages by species", [("lynx", 1), ("otter", 1)]),
        ("km by weather", [("rain", 100), ("sun", 350)]),
    ],
)
def test_a_plural_behind_by_groups_as_well(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("kind by weather", [("rain", "false alarm", 1), ("sun", "false alarm", 1), ("sun", "rescue", 1)]),
        ("false alarms by month", [("2024-01", 2)]),
        ("number of false alarms by month in 2024", [("2024-01", 2)]),
        ("which driver has the most false alarms", [("Ann",)]),
        ("driver with most rescues", [("Bo",)]),
    ],
)
def test_kinds_are_counted(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many trips were cancelled per month", [("2024-02", 1), ("2024-03", 1)]),
        ("trips cancelled per month in 2024", [("2024-02", 1), ("2024-03", 1)]),
        ("how many trips were cancelled in february 2024", [(1,)]),
        ("km for every trip cancelled in february 2024", [("T2", 300)]),
    ],
)
def test_a_period_is_of_the_date_of_what_was_done(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who drove T1", [("Ann",)]),
        ("how many seats did each guest book", [("Cy", 5), ("Di", 1)]),
    ],
)
def test_a_verb_at_the_end_is_no_table(coaches: Any, question: str, rows: list[Any]) -> None:
    coaches.answers(question, rows)


def test_totals_of_months_are_added_up_and_not_counted(make: Any) -> None:
    shops = make(
        "CREATE TABLE shops (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE monthly_sales (shop_id INTEGER REFERENCES shops (id), sales_month DATE, gross_sales INTEGER,"
        " PRIMARY KEY (shop_id, sales_month));"
        "INSERT INTO shops VALUES (1, 'Quay'), (2, 'Hill');"
        "INSERT INTO monthly_sales VALUES (1, '2024-01-01', 100), (1, '2024-02-01', 50), (2, '2024-01-01', 30);"
    )
    for question, rows in (
        ("sales per shop", [("Hill", 30), ("Quay", 150)]),
        ("total sales by shop", [("Hill", 30), ("Quay", 150)]),
        ("sales in january 2024", [(130,)]),
        ("sales per month", [("2024-01", 130), ("2024-02", 50)]),
        ("monthly sales per shop", [("2024-01", "Hill", 30), ("2024-01", "Quay", 100), ("2024-02", "Quay", 50)]),
    ):
        shops.answers(question, rows)


def test_owners_may_be_listed_in_a_table_called_own(make: Any) -> None:
    boats = make(
        "CREATE TABLE own (own_cd VARCHAR PRIMARY KEY, own_nm VARCHAR);"
        "CREATE TABLE prt (prt_cd VARCHAR PRIMARY KEY, prt_nm VARCHAR);"
        "CREATE TABLE ves (ves_no INTEGER PRIMARY KEY, ves_nm VARCHAR, own_cd VARCHAR REFERENCES own (own_cd),"
        " home_prt VARCHAR REFERENCES prt (prt_cd));"
        "INSERT INTO own VALUES ('A', 'Ann'), ('B', 'Bo'); INSERT INTO prt VALUES ('L', 'Leith');"
        "INSERT INTO ves VALUES (1, 'Tern', 'A', 'L'), (2, 'Skua', 'A', 'L'), (3, 'Knot', 'B', 'L');"
    )
    boats.answers("owners", [("Ann",), ("Bo",)])
    boats.answers("owners with more than one vessel", [("Ann",)])


def test_who_has_something_is_a_person_and_no_company(make: Any) -> None:
    assets = make(
        "CREATE TABLE vendor (id INTEGER PRIMARY KEY, vendor_name VARCHAR, support_phone VARCHAR);"
        "CREATE TABLE employee (id INTEGER PRIMARY KEY, given_name VARCHAR, family_name VARCHAR);"
        "CREATE TABLE asset (tag VARCHAR PRIMARY KEY, vendor_id INTEGER REFERENCES vendor (id));"
        "CREATE TABLE assignment (id INTEGER PRIMARY KEY, tag VARCHAR REFERENCES asset (tag),"
        " employee_id INTEGER REFERENCES employee (id));"
        "INSERT INTO vendor VALUES (1, 'Kraft', '555'); INSERT INTO employee VALUES (1, 'Ann', 'Ames');"
        "INSERT INTO asset VALUES ('LT-001', 1); INSERT INTO assignment VALUES (1, 'LT-001', 1);"
    )
    assets.answers("who has asset LT-001", [("Ann", "Ames")])


def test_active_is_no_activity(make: Any) -> None:
    club = make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, joined_on DATE, left_on DATE);"
        "CREATE TABLE outings (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (id), activity VARCHAR);"
        "INSERT INTO members VALUES (1, 'Ann', '2020-01-01', NULL), (2, 'Bo', '2020-01-01', '2021-01-01');"
        "INSERT INTO outings VALUES (1, 2, 'hiking');"
    )
    club.answers("active members", [("Ann",)])


def test_who_did_something_to_others_are_those_that_a_key_names(make: Any) -> None:
    club = make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, sponsor_id INTEGER, plays VARCHAR);"
        "INSERT INTO members VALUES (1, 'Ann', NULL, 'Violin'), (2, 'Bo', 1, 'Cello'), (3, 'Cy', 1, 'Violin');"
    )
    club.answers("members who sponsored someone", [("Ann",)])
    club.answers("how many violinists", [(2,)])


def test_people_called_by_what_they_do_are_those_who_do_it(make: Any) -> None:
    clinic = make(
        "CREATE TABLE doctors (id INTEGER PRIMARY KEY, name VARCHAR, field VARCHAR, salary INTEGER);"
        "INSERT INTO doctors VALUES (1, 'Ann', 'Surgery', 9), (2, 'Bo', 'Dentistry', 5), (3, 'Cy', 'Cardiology', 7);"
    )
    for question, rows in (
        ("average salary of surgeons", [(9,)]),
        ("dentists", [("Bo",)]),
        ("how many cardiologists", [(1,)]),
    ):
        clinic.answers(question, rows)
    # Psychiatrists are doctors, but not all of them, and no value says which.
    with pytest.raises(Unread):
        clinic.read("average salary of psychiatrists")


def test_stays_are_added_up_and_keys_name_their_rows(make: Any) -> None:
    inn = make(
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR, birth_date DATE, barred_until DATE, met_on DATE);"
        "CREATE TABLE workers (id INTEGER PRIMARY KEY, full_name VARCHAR, role VARCHAR);"
        "CREATE TABLE stays (stay_no VARCHAR PRIMARY KEY, guest_id INTEGER REFERENCES guests (id), check_in DATE,"
        " check_out DATE, porter_id INTEGER REFERENCES workers (id));"
        "INSERT INTO guests VALUES (1, 'Ann', '1980-01-01', '2025-05-01', '2020-01-01'),"
        " (2, 'Bo', '1990-01-01', NULL, '2025-01-01');"
        "INSERT INTO workers VALUES (1, 'Cy Ames', 'porter');"
        "INSERT INTO stays VALUES ('S1', 1, '2024-01-01', '2024-01-04', 1), ('S2', 1, '2024-02-01', '2024-02-02', 1),"
        " ('S3', 2, '2024-03-01', '2024-03-03', 1);"
    )
    for question, rows in (
        ("nights per guest", [("Ann", 4), ("Bo", 2)]),
        ("porter of each stay", [("S1", "Cy Ames"), ("S2", "Cy Ames"), ("S3", "Cy Ames")]),
        ("guests barred until 2025", [("Ann",)]),
    ):
        inn.answers(question, rows)
