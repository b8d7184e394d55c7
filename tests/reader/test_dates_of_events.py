"""Dates that say whether and when something was done: "unpaid invoices", "who have left", "when was Ann hired"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def museum(make: Any) -> Any:
    return make(
        "CREATE TABLE guards (id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE, termination_date DATE,"
        " birth_date DATE);"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, invoice_no VARCHAR, issued DATE, paid_on DATE, amount INTEGER);"
        "CREATE TABLE loans (id INTEGER PRIMARY KEY, guard_id INTEGER REFERENCES guards (id), lent_on DATE,"
        " returned_on DATE);"
        "CREATE TABLE works (id INTEGER PRIMARY KEY, title VARCHAR, restored DATE, acquired DATE);"
        "INSERT INTO guards VALUES (1, 'Ann', '2019-05-01', NULL, '1990-02-03'),"
        " (2, 'Bo', '2020-06-01', '2022-01-31', '1985-07-08');"
        "INSERT INTO invoices VALUES (1, 'R1', '2023-01-01', '2023-01-20', 5), (2, 'R2', '2023-02-01', NULL, 9);"
        "INSERT INTO loans VALUES (1, 1, '2023-01-01', '2023-01-11'), (2, 2, '2023-02-01', NULL),"
        " (3, 2, '2023-03-01', '2023-03-21');"
        "INSERT INTO works VALUES (1, 'Dawn', '2001-01-01', '1950-03-04'), (2, 'Dusk', NULL, '1960-05-06');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("unpaid invoices", [("R2",)]),
        ("how many unpaid invoices are there?", [(1,)]),
        ("invoices not paid yet", [("R2",)]),
        ("which invoices have been paid?", [("R1",)]),
        ("paid invoices", [("R1",)]),
        ("amount of unpaid invoices", [(9,)]),
        ("loans not returned", [(2,)]),
        ("unreturned loans", [(2,)]),
        ("guards who have left", [("Bo",)]),
        ("guards who have not left", [("Ann",)]),
        ("how many guards left in 2022?", [(1,)]),
        ("works that were never restored", [("Dusk",)]),
        ("restored works", [("Dawn",)]),
    ],
)
def test_a_participle_asks_whether_its_date_is_there(museum: Any, question: str, rows: list[Any]) -> None:
    museum.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("when was Ann hired?", "2019-05-01"),
        ("when was the guard Bo hired?", "2020-06-01"),
        ("when did Bo leave?", "2022-01-31"),
        ("when was Bo born?", "1985-07-08"),
        ("when was the work Dawn acquired?", "1950-03-04"),
        ("when was 'R1' paid?", "2023-01-20"),
    ],
)
def test_when_shows_the_date_of_what_was_done(museum: Any, question: str, day: str) -> None:
    (reading,) = museum.read(question)
    assert [str(row[0]) for row in museum.rows(reading.sql)] == [day], reading.sql


@pytest.mark.parametrize("question", ["when were the guards promoted?", "when was Ann painted?", "cancelled invoices"])
def test_an_act_without_a_date_is_refused(museum: Any, question: str) -> None:
    with pytest.raises(Unread):
        museum.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average loan length", [(15.0,)]),
        ("what is the maximum loan duration?", [(20.0,)]),
        ("average loan time per guard", [("Ann", 10.0), ("Bo", 20.0)]),
        ("average number of days between loan and return", [(15.0,)]),
    ],
)
def test_the_length_of_what_begins_and_ends_is_in_days(museum: Any, question: str, rows: list[Any]) -> None:
    museum.answers(question, rows)


@pytest.fixture(scope="module")
def choir(make: Any) -> Any:
    """Short names without declared keys; `ls` is short for a table, and no plural of what somebody did."""
    return make(
        "CREATE TABLE cond (cond_cd VARCHAR PRIMARY KEY, cond_nm VARCHAR, jnd_dt DATE, lft_dt DATE);"
        "CREATE TABLE sngr (sngr_id INTEGER PRIMARY KEY, sngr_nm VARCHAR, cond_cd VARCHAR);"
        "CREATE TABLE lssn (ls_id INTEGER PRIMARY KEY, cond_cd VARCHAR, ls_dt DATE);"
        "CREATE TABLE disp (dp_id INTEGER PRIMARY KEY, sngr_id INTEGER REFERENCES sngr (sngr_id), dp_dt DATE);"
        "CREATE TABLE hrp (hrp_id INTEGER PRIMARY KEY, hrp_nm VARCHAR, sld_dt DATE);"
        "INSERT INTO cond VALUES ('A', 'Ann', '2019-05-01', NULL), ('B', 'Bo', '2020-06-01', '2022-01-31');"
        "INSERT INTO sngr VALUES (1, 'Cy', 'A'), (2, 'Di', 'B');"
        "INSERT INTO lssn VALUES (1, 'A', '2023-01-05'), (2, 'B', '2021-02-03');"
        "INSERT INTO disp VALUES (1, 2, '2023-05-05');"
        "INSERT INTO hrp VALUES (1, 'Luna', '2023-02-01'), (2, 'Sol', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("conductors who have left", [("Bo",)]),
        ("conductors who left in 2022", [("Bo",)]),
        ("which conductors have not left", [("Ann",)]),
        ("how many harps were sold", [(1,)]),
        ("harps not sold yet", [("Sol",)]),
        ("singers that never disputed anything", [("Cy",)]),  # a longer short form names what was done
    ],
)
def test_a_date_in_short_says_an_irregular_participle(choir: Any, question: str, rows: list[Any]) -> None:
    choir.answers(question, rows)


@pytest.mark.parametrize("question", ["singers who have left", "singers who left"])
def test_nobody_has_left_because_another_has(choir: Any, question: str) -> None:
    with pytest.raises(Unread):
        choir.read(question)


def test_what_is_held_for_the_dead_is_not_dated_by_their_death(make: Any) -> None:
    inquests = make(
        "CREATE TABLE inquests (id INTEGER PRIMARY KEY, subject VARCHAR, born DATE, died DATE, heard_on DATE);"
        "INSERT INTO inquests VALUES (1, 'Ann', '1950-01-01', '2023-12-30', '2024-01-09'),"
        " (2, 'Bo', '1940-02-02', '2024-03-01', '2024-03-20'), (3, 'Cy', '1930-02-02', '2024-12-30', '2025-01-02');"
    )
    inquests.answers("how many inquests in 2024", [(2,)])
    inquests.answers("inquests per year", [("2024", 2), ("2025", 1)])
    inquests.answers("subjects who died in 2024", [("Bo",), ("Cy",)])
    (reading,) = inquests.read("when did Ann die")
    assert [str(row[0]) for row in inquests.rows(reading.sql)] == ["2023-12-30"]


@pytest.fixture(scope="module")
def railway(make: Any) -> Any:
    return make(
        "CREATE TABLE shippers (id INTEGER PRIMARY KEY, name VARCHAR, account_since DATE);"
        "CREATE TABLE wagons (id INTEGER PRIMARY KEY, plate VARCHAR, owner_id INTEGER REFERENCES shippers (id),"
        " next_overhaul DATE);"
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, name VARCHAR, engine_id INTEGER REFERENCES wagons (id),"
        " departed_on DATE);"
        "CREATE TABLE loads (id INTEGER PRIMARY KEY, run_id INTEGER REFERENCES runs (id), shipper_id INTEGER"
        " REFERENCES shippers (id), wagon_id INTEGER REFERENCES wagons (id), revenue_eur DOUBLE, kg_moved INTEGER);"
        "CREATE TABLE accounts (id INTEGER PRIMARY KEY, opened_on DATE, closed_on DATE);"
        "INSERT INTO shippers VALUES (1, 'Ann', '2024-01-01'); INSERT INTO wagons VALUES (1, 'W', 1, '2024-01-01');"
        "INSERT INTO runs VALUES (1, 'R1', 1, '2023-05-01'), (2, 'R2', 1, '2024-05-01');"
        "INSERT INTO loads VALUES (1, 1, 1, 1, 10.0, 3), (2, 2, 1, 1, 7.0, 4), (3, 2, 1, 1, 5.0, 5);"
        "INSERT INTO accounts VALUES (1, '2022-01-01', '2024-01-01'), (2, '2022-01-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue in 2024", [(12.0,)]),
        ("revenue per shipper in 2023", [("Ann", 10.0)]),
        ("how many loads in 2023", [(1,)]),
        ("kg moved per shipper", [("Ann", 12)]),
        ("closed accounts per year", [("2024", 1)]),
    ],
)
def test_rows_without_dates_are_of_the_event_that_they_belong_to(railway: Any, question: str, rows: list[Any]) -> None:
    railway.answers(question, rows)


def test_a_table_of_days_dates_the_facts(make: Any) -> None:
    shop = make(
        "CREATE TABLE dim_date (date_key INTEGER PRIMARY KEY, full_date DATE, cal_year INTEGER, month_name VARCHAR,"
        " day_name VARCHAR);"
        "CREATE TABLE dim_customer (customer_key INTEGER PRIMARY KEY, full_name VARCHAR, signup_date DATE);"
        "CREATE TABLE fact_sales (sale_id INTEGER PRIMARY KEY, date_key INTEGER REFERENCES dim_date (date_key),"
        " customer_key INTEGER REFERENCES dim_customer (customer_key), net_amount INTEGER);"
        "INSERT INTO dim_date VALUES (1, '2023-01-05', 2023, 'January', 'Thursday'),"
        " (2, '2024-01-04', 2024, 'January', 'Thursday'), (3, '2024-02-01', 2024, 'February', 'Thursday');"
        "INSERT INTO dim_customer VALUES (1, 'Ann', '2020-07-01');"
        "INSERT INTO fact_sales VALUES (1, 1, 1, 10), (2, 2, 1, 20), (3, 3, 1, 25);"
    )
    shop.answers("revenue in 2024", [(45,)])
    shop.answers("how many sales were there in February 2024", [(1,)])
    shop.answers("revenue by month", [("February", 25), ("January", 30)])
    shop.answers("which month had the highest revenue", [("January",)])
    shop.answers("revenue per year", [(2023, 10), (2024, 45)])
