"""What was so on a day, "shows open on 1 July", what was done by a day or not, and how long it took."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def hall(make: Any) -> Any:
    return make(
        "CREATE TABLE shows (id INTEGER PRIMARY KEY, title VARCHAR, opened_on DATE, closed_on DATE);"
        "CREATE TABLE loans (loan_no VARCHAR PRIMARY KEY, show_id INTEGER REFERENCES shows (id), lent_on DATE,"
        " due_on DATE, returned_on DATE);"
        "INSERT INTO shows VALUES (1, 'Glass', '2024-01-10', '2024-03-31'), (2, 'Steam', '2024-06-01', '2024-08-15'),"
        " (3, 'Wool', '2024-07-01', NULL);"
        "INSERT INTO loans VALUES ('L1', 1, '2024-01-05', '2024-02-01', '2024-01-30'),"
        " ('L2', 1, '2024-02-10', '2024-03-01', '2024-04-02'), ('L3', 2, '2024-05-20', '2024-09-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("shows open on 1 july 2024", [("Steam",), ("Wool",)]),
        ("shows running on 30 june 2024", [("Steam",)]),
        ("which shows were on in march 2024", [("Glass",)]),
        ("shows still open on 1 january 2025", [("Wool",)]),
        ("how many loans were out on 1 march 2024", [(1,)]),
        ("loans out on 1 march 2024", [("L2",)]),
        ("how many shows were open in july 2024", [(2,)]),
        ("how many shows opened in july 2024", [(1,)]),
    ],
)
def test_what_was_under_way_had_begun_and_not_ended(hall: Any, question: str, rows: list[Any]) -> None:
    hall.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many loans were returned by march 2024", [(1,)]),
        ("loans returned by 2 april 2024", [("L1",), ("L2",)]),
        ("loans not returned by 2 april 2024", [("L3",)]),
        ("loans not returned before 1 march 2024", [("L2",), ("L3",)]),
        ("loans not returned in january 2024", [("L2",), ("L3",)]),
        ("how many loans were lent by 2024", [(3,)]),
    ],
)
def test_what_was_not_done_by_a_day_was_done_later_or_never(hall: Any, question: str, rows: list[Any]) -> None:
    hall.answers(question, rows)


def test_what_was_overdue_on_a_day_is_refused(hall: Any) -> None:
    with pytest.raises(Unread, match="could not fit “overdue”"):
        hall.read("loans overdue on 1 march 2024")


@pytest.fixture(scope="module")
def rescue(make: Any) -> Any:
    return make(
        "CREATE TABLE callouts (id INTEGER PRIMARY KEY, reported_at TIMESTAMP, stood_down_at TIMESTAMP, cause VARCHAR);"
        "CREATE TABLE attendance (callout_id INTEGER REFERENCES callouts (id), person VARCHAR, hours DOUBLE);"
        "CREATE TABLE kits (id INTEGER PRIMARY KEY, serial_no VARCHAR, next_inspection_on DATE);"
        "INSERT INTO callouts VALUES (1, '2024-01-01 08:00:00', '2024-01-01 20:30:00', 'fall'),"
        " (2, '2024-02-01 10:00:00', '2024-02-01 13:00:00', 'lost');"
        "INSERT INTO attendance VALUES (1, 'Ann', 2.0), (2, 'Ann', 11.0), (2, 'Bo', 12.0);"
        "INSERT INTO kits VALUES (1, 'S1', NULL), (2, 'S2', '2025-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many callouts took longer than 10 hours", [(1,)]),
        ("callouts longer than 10 hours", [(1,)]),
        ("longest callout", [(1,)]),
        ("callouts jan to march 2024", [(1,), (2,)]),
        ("how many callouts february to april 2024", [(1,)]),
    ],
)
def test_things_last_from_their_first_to_their_second_time(rescue: Any, question: str, rows: list[Any]) -> None:
    rescue.answers(question, rows)


@pytest.mark.parametrize("question", ["kits never inspected", "callouts at night"])
def test_what_no_column_says_is_refused(rescue: Any, question: str) -> None:
    with pytest.raises(Unread):
        rescue.read(question)


def test_ages_and_deaths_are_those_of_the_people_asked_for(make: Any) -> None:
    crew = make(
        "CREATE TABLE crew (id INTEGER PRIMARY KEY, name VARCHAR, role VARCHAR, born_on DATE, left_on DATE,"
        " joined_on DATE);"
        "CREATE TABLE patients (id INTEGER PRIMARY KEY, full_name VARCHAR, age INTEGER, died_on DATE);"
        "CREATE TABLE kits (id INTEGER PRIMARY KEY, serial_no VARCHAR, purchased_on DATE, next_check_on DATE);"
        "INSERT INTO crew VALUES (1, 'Ann', 'medic', '1900-01-01', NULL, '1950-01-01'),"
        " (2, 'Bo', 'medic', '1900-01-01', '1960-01-01', '1950-01-01');"
        "INSERT INTO patients VALUES (1, 'Cy', 40, '2020-01-01'), (2, 'Di', 50, NULL);"
        "INSERT INTO kits VALUES (1, 'S1', '2001-01-01', '2030-01-01');"
    )
    for question, rows in (
        ("active medics", [("Ann",)]),
        ("average age of patients", [(45.0,)]),
        ("patients who died in 2020", [("Cy",)]),
        ("how many patients died before 2019", [(0,)]),
        ("kits older than 5 years", [("S1",)]),
    ):
        crew.answers(question, rows)
    (reading,) = crew.read("crew and their age")
    assert [row[0] for row in crew.rows(reading.sql)] == ["Ann", "Bo"]


def test_a_state_is_how_things_are_now_and_a_date_until_when_is_none_of_the_rows(make: Any) -> None:
    yard = make(
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, status VARCHAR, insured_until DATE);"
        "CREATE TABLE stalls (id INTEGER PRIMARY KEY, market_id INTEGER, market_day DATE, fee INTEGER);"
        "CREATE TABLE markets (market_id INTEGER PRIMARY KEY, market_name VARCHAR);"
        "CREATE TABLE funds (fund_code VARCHAR PRIMARY KEY, fund_name VARCHAR);"
        "CREATE TABLE holdings (fund_code VARCHAR REFERENCES funds (fund_code), valued_on DATE, market_value INTEGER);"
        "INSERT INTO vans VALUES (1, 'P1', 'on hire', '2024-01-01'), (2, 'P2', 'free', '2025-01-01');"
        "INSERT INTO markets VALUES (1, 'Quay'), (2, 'Hill');"
        "INSERT INTO stalls VALUES (1, 1, '2024-01-01', 5), (2, 1, '2024-01-02', 6), (3, 2, '2024-01-01', 7);"
        "INSERT INTO funds VALUES ('G', 'Gilts');"
        "INSERT INTO holdings VALUES ('G', '2024-01-01', 10), ('G', '2024-02-01', 12);"
    )
    yard.answers("vans on hire", [("P1",)])
    yard.answers("total fees by market", [("Hill", 7), ("Quay", 11)])
    yard.answers("latest value of each fund", [("Gilts", 12)])
    for question in ("vans on hire on 1 may 2024", "vans in 2024"):
        with pytest.raises(Unread):
            yard.read(question)


def test_what_was_rented_out_on_a_day_had_not_come_back(make: Any) -> None:
    garage = make(
        "CREATE TABLE cars (id INTEGER PRIMARY KEY, plate VARCHAR, value INTEGER, width_m DOUBLE, distance_km INTEGER);"
        "CREATE TABLE rentals (id INTEGER PRIMARY KEY, car_id INTEGER REFERENCES cars (id), pickup_date DATE,"
        " return_date DATE);"
        "CREATE TABLE boards (id INTEGER PRIMARY KEY, code VARCHAR, thk_mm INTEGER);"
        "INSERT INTO cars VALUES (1, 'P1', 900, 1.5, 70), (2, 'P2', 500, 2.0, 20);"
        "INSERT INTO rentals VALUES (1, 1, '2024-01-01', '2024-01-20'), (2, 2, '2024-01-15', NULL);"
        "INSERT INTO boards VALUES (1, 'B1', 18), (2, 'B2', 40);"
    )
    for question, rows in (
        ("cars rented out on 10 january 2024", [("P1",)]),
        ("how many cars were rented out on 18 january 2024", [(2,)]),
        ("cars rented in january 2024", [("P1",), ("P2",)]),
        ("most expensive car", [("P1",)]),
        ("cars further than 50 km", [("P1",)]),
        ("narrowest car", [("P1",)]),
        ("thickest board", [("B2",)]),
        ("boards thicker than 20 mm", [("B2",)]),
        ("code and thickness of boards between 20 and 50 mm thick", [("B2", 40)]),
    ):
        garage.answers(question, rows)


def test_admissions_that_have_no_discharge_are_current(make: Any) -> None:
    ward = make(
        "CREATE TABLE pat (pat_no INTEGER PRIMARY KEY, pat_nm VARCHAR);"
        "CREATE TABLE adm (adm_no INTEGER PRIMARY KEY, pat_no INTEGER REFERENCES pat (pat_no), adm_dt DATE,"
        " dis_dt DATE);"
        "INSERT INTO pat VALUES (1, 'Ann Ames'), (2, 'Bo Burns');"
        "INSERT INTO adm VALUES (1, 1, '2024-01-01', NULL), (2, 2, '2024-01-01', '2024-01-05');"
    )
    ward.answers("patients currently admitted", [("Ann Ames",)])
    ward.answers("how many patients are still admitted", [(1,)])


def test_what_is_still_not_done_has_no_date(make: Any) -> None:
    station = make(
        "CREATE TABLE alerts (id INTEGER PRIMARY KEY, raised_on DATE, cleared_on DATE);"
        "INSERT INTO alerts VALUES (1, '2024-01-01', NULL), (2, '2024-01-01', '2024-01-05');"
    )
    station.answers("how many alerts are still uncleared", [(1,)])


def test_subscribers_are_current_until_they_cancel(make: Any) -> None:
    shop = make(
        "CREATE TABLE subscribers (subscriber_id INTEGER PRIMARY KEY, name VARCHAR, signed_up_on DATE,"
        " cancelled_on DATE);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, placed_on DATE, cancelled_on DATE);"
        "INSERT INTO subscribers VALUES (1, 'Ann', '2020-01-01', NULL), (2, 'Bo', '2020-01-01', '2021-01-01');"
        "INSERT INTO orders VALUES (1, '2020-01-01', NULL);"
    )
    shop.answers("current subscribers", [("Ann",)])
    shop.answers("number of current subscribers", [(1,)])
    shop.refused("current orders")
