"""Rows that have neither name nor key, what began and has not ended, amounts that are added up, and who did most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from askwhere.errors import Unread

Make = Callable[..., Any]

STAFF = """
CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, full_name TEXT, invited_by INTEGER);
INSERT INTO employee VALUES (1, 'Ann', NULL), (2, 'Bea', 1), (3, 'Cid', 1);
CREATE TABLE skill (skill_code TEXT PRIMARY KEY, skill_name TEXT, needs_certificate TEXT);
INSERT INTO skill VALUES ('WLD', 'Welding', 'Y'), ('PNT', 'Painting', 'N');
CREATE TABLE certificate (employee_id INTEGER, skill_code TEXT, awarded_on DATE, expires_on DATE);
INSERT INTO certificate VALUES (1, 'WLD', '2020-01-01', '2021-01-01'), (2, 'WLD', '2020-01-01', '2999-01-01');
"""

SALES = """
CREATE TABLE brand (brand_id INTEGER PRIMARY KEY, brand_name TEXT);
INSERT INTO brand VALUES (1, 'Zip'), (2, 'Oak');
CREATE TABLE outlet (outlet_id INTEGER PRIMARY KEY, brand_id INTEGER REFERENCES brand (brand_id), city TEXT);
INSERT INTO outlet VALUES (1, 1, 'Leeds'), (2, 2, 'York');
CREATE TABLE takings (outlet_id INTEGER REFERENCES outlet (outlet_id), day DATE, gross_sales DECIMAL(9, 2),
  postage_cents INTEGER, carrier TEXT);
INSERT INTO takings VALUES (1, '2023-01-01', 10, 500, 'DHL'), (1, '2023-01-02', 20, 100, 'UPS'),
  (2, '2024-01-01', 5, 50, 'DHL');
"""

DEALS = """
CREATE TABLE deals (deal_id INTEGER PRIMARY KEY, title TEXT, opened_on DATE, expected_close DATE, closed_on DATE);
INSERT INTO deals VALUES (1, 'Mill', '2024-01-01', '2024-03-01', '2024-02-10'),
  (2, 'Dock', '2024-01-01', '2024-03-01', NULL);
CREATE TABLE repair_jobs (job_id INTEGER PRIMARY KEY, bike TEXT, dropped_off DATE, finished_on DATE, collected_on DATE);
INSERT INTO repair_jobs VALUES (1, 'Red', '2024-01-01', '2024-01-05', '2024-01-09');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("certificates that have expired", [(1, "WLD", "2020-01-01", "2021-01-01")]),
        ("expired certificates", [(1, "WLD", "2020-01-01", "2021-01-01")]),
    ],
)
def test_rows_that_have_only_foreign_keys_are_shown_whole(
    make: Make, question: str, rows: list[tuple[Any, ...]]
) -> None:
    database = make(STAFF)
    (reading,) = database.read(question)
    assert [tuple(str(v) if not isinstance(v, int) else v for v in row) for row in database.rows(reading.sql)] == rows


def test_who_did_something_to_most_people_is_ranked_by_them(make: Make) -> None:
    make(STAFF).answers("who invited the most people", [("Ann",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("gross sales per brand", [("Oak", 5), ("Zip", 30)]),
        ("gross sales in 2023", [(30,)]),
        ("postage per carrier", [("DHL", 550), ("UPS", 100)]),
    ],
)
def test_money_of_what_happened_is_added_up(make: Make, question: str, rows: list[tuple[Any, ...]]) -> None:
    make(SALES).answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("open deals", [("Dock",)]), ("how long do repair jobs take", [(4,)]), ("average repair job length", [(4.0,)])],
)
def test_what_is_expected_is_no_end_and_the_date_before_it_the_beginning(
    make: Make, question: str, rows: list[tuple[Any, ...]]
) -> None:
    make(DEALS).answers(question, rows)


LAB = """
CREATE TABLE analyst (analyst_id INTEGER PRIMARY KEY, analyst_name TEXT);
INSERT INTO analyst VALUES (1, 'Ann'), (2, 'Bea');
CREATE TABLE fact_lab_test (test_id INTEGER PRIMARY KEY, tested_by INTEGER REFERENCES analyst (analyst_id),
  signed_on DATE, checked_by INTEGER REFERENCES analyst (analyst_id));
INSERT INTO fact_lab_test VALUES (1, 1, '2024-01-01', 2), (2, 1, '2024-01-02', 2), (3, 2, '2024-01-03', 1);
CREATE TABLE plan (plan_id INTEGER PRIMARY KEY, plan_name TEXT, price INTEGER);
INSERT INTO plan VALUES (1, 'Basic', 5), (2, 'Gold', 20);
CREATE TABLE subscription (sub_id INTEGER PRIMARY KEY, plan_id INTEGER REFERENCES plan (plan_id), start_date DATE,
  end_date DATE);
INSERT INTO subscription VALUES (1, 1, '2024-01-01', '2024-02-01'), (2, 2, '2024-01-01', NULL);
CREATE TABLE order_items (order_id INTEGER, plan_id INTEGER REFERENCES plan (plan_id), qty INTEGER);
INSERT INTO order_items VALUES (1, 1, 9), (2, 2, 1), (3, 2, 1);
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many lab tests", [(3,)]),
        ("active subscriptions", [(2,)]),
        ("how many active subscriptions per plan", [("Gold", 1)]),
        ("best selling plan", [("Basic",)]),
    ],
)
def test_tests_are_no_testers_and_what_is_active_has_not_ended(
    make: Make, question: str, rows: list[tuple[Any, ...]]
) -> None:
    make(LAB).answers(question, rows)


def test_who_signed_the_most_is_not_who_signed_last(make: Make) -> None:
    with pytest.raises(Unread):
        make(LAB).read("who signed the most")


def test_how_many_people_there_are_is_the_population(make: Make) -> None:
    database = make(
        "CREATE TABLE city (city_id INTEGER PRIMARY KEY, name TEXT, population INTEGER);"
        "INSERT INTO city VALUES (1, 'Lima', 900), (2, 'Cusco', 40);"
    )
    database.answers("How many people live in Lima?", [(900,)])
