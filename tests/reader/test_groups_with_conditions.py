"""Titles that count by a column and say when, amounts that each thing has, and what is busiest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from askwhere.errors import Unread

Make = Callable[..., Any]

RESORT = """
CREATE TABLE dim_tow (tow_key INTEGER PRIMARY KEY, tow_name TEXT, tow_kind TEXT, seats INTEGER, rent_pct INTEGER,
  replaces_tow_key INTEGER REFERENCES dim_tow (tow_key));
INSERT INTO dim_tow VALUES (1, 'Long Tow', 'bar', 2, 10, NULL);
INSERT INTO dim_tow VALUES (2, 'Old Tow', 'bar', 1, 5, 1);
CREATE TABLE guest (guest_key INTEGER PRIMARY KEY, guest_name TEXT);
INSERT INTO guest VALUES (1, 'Ann'), (2, 'Bea');
CREATE TABLE fact_ride (ride_key INTEGER PRIMARY KEY, tow_key INTEGER REFERENCES dim_tow (tow_key),
  guest_key INTEGER REFERENCES guest (guest_key), ridden_on DATE, ticket TEXT, auto_gate INTEGER);
INSERT INTO fact_ride VALUES (1, 2, 1, '2023-01-02', 'day', 1), (2, 2, 2, '2023-02-02', 'week', 0),
  (3, 1, 1, '2024-01-03', 'day', 0), (4, 2, 1, '2024-01-04', 'day', 1);
CREATE TABLE fact_repair (repair_key INTEGER PRIMARY KEY, tow_key INTEGER REFERENCES dim_tow (tow_key),
  auto_renew INTEGER, channel TEXT);
INSERT INTO fact_repair VALUES (1, 1, 1, 'web'), (2, 1, 0, 'phone');
"""


@pytest.fixture
def resort(make: Make) -> Any:
    return make(RESORT)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("rides by ticket in 2024", [("day", 2)]),
        ("rides by ticket since 2024", [("day", 2)]),
        ("rides by ticket before February 2023", [("day", 1)]),
        ("number of rides by ticket in 2023", [("day", 1), ("week", 1)]),
        ("rides by ticket for Ann", [("day", 3)]),
    ],
)
def test_what_is_counted_by_a_column_may_be_limited_behind_it(
    resort: Any, question: str, rows: list[tuple[Any, ...]]
) -> None:
    resort.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("seats per tow", [("Long Tow", 2), ("Old Tow", 1)]),
        ("seats for each tow", [("Long Tow", 2), ("Old Tow", 1)]),
        ("rent percent per tow", [("Long Tow", 10), ("Old Tow", 5)]),
    ],
)
def test_what_each_thing_has_is_shown_with_its_name(resort: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    resort.answers(question, rows)
    assert "SUM" not in resort.read(question)[0].sql


@pytest.mark.parametrize("question", ["busiest tow", "most popular tow", "the busiest tow"])
def test_the_busiest_has_most_rows_that_refer_to_it(resort: Any, question: str) -> None:
    resort.answers(question, [("Old Tow",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many auto repairs", [(1,)]),
        ("auto renew repairs", [(1,)]),
    ],
)
def test_a_flag_before_things_limits_them(resort: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    resort.answers(question, rows)


def test_a_flag_called_after_its_things_limits_them(make: Make) -> None:
    database = make(
        "CREATE TABLE renewals (renewal_id INTEGER PRIMARY KEY, auto_renew INTEGER, channel TEXT);"
        "INSERT INTO renewals VALUES (1, 1, 'web'), (2, 0, 'web'), (3, 1, 'phone');"
    )
    database.answers("how many auto renewals", [(2,)])
    database.answers("auto renewals per channel", [("phone", 1), ("web", 1)])


def test_things_are_joined_so_that_each_meets_one(make: Make) -> None:
    database = make(
        "CREATE TABLE route (route_id INTEGER PRIMARY KEY, name TEXT);"
        "INSERT INTO route VALUES (1, 'North'), (2, 'East');"
        "CREATE TABLE stop (stop_id INTEGER PRIMARY KEY, route_id INTEGER REFERENCES route (route_id), street TEXT);"
        "INSERT INTO stop VALUES (1, 1, 'Elm'), (2, 2, 'Oak');"
        "CREATE TABLE student (student_id INTEGER PRIMARY KEY, name TEXT, stop_id INTEGER REFERENCES stop (stop_id));"
        "INSERT INTO student VALUES (1, 'Ann', 1), (2, 'Bea', 1), (3, 'Cid', 2);"
        "CREATE TABLE incident (incident_id INTEGER PRIMARY KEY, student_id INTEGER REFERENCES student (student_id),"
        "route_id INTEGER REFERENCES route (route_id), kind TEXT); INSERT INTO incident VALUES (1, 3, 1, 'fight');"
    )
    database.answers("students per route", [("East", 1), ("North", 2)])


MEDIA = """
CREATE TABLE account_manager (manager_id INTEGER PRIMARY KEY, full_name TEXT, reports_to INTEGER);
INSERT INTO account_manager VALUES (1, 'Ann', NULL), (2, 'Bea', 1);
CREATE TABLE campaign (campaign_id INTEGER PRIMARY KEY, title TEXT,
  manager_id INTEGER REFERENCES account_manager (manager_id), start_date DATE, reading_on DATE);
INSERT INTO campaign VALUES (1, 'Spring', 2, '2024-03-01', NULL), (2, 'Summer', 2, '2024-06-01', NULL);
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which manager has the most campaigns", [("Bea",)]),
        ("campaigns per manager", [("Bea", 2)]),
        ("account managers and their managers", [("Bea", "Ann")]),
        ("who reports to Ann", [("Bea",)]),
    ],
)
def test_a_manager_is_one_of_the_table_of_managers(make: Make, question: str, rows: list[tuple[Any, ...]]) -> None:
    make(MEDIA).answers(question, rows)


def test_the_highest_is_no_latest_date(make: Make) -> None:
    with pytest.raises(Unread):
        make(MEDIA).read("highest reading ever")


def test_a_price_per_month_is_no_monthly_revenue(make: Make) -> None:
    database = make("CREATE TABLE box_types (code TEXT PRIMARY KEY, title TEXT, monthly_cents INTEGER)")
    with pytest.raises(Unread):
        database.read("monthly revenue")


def test_a_rate_is_of_the_thing_named_before_it(make: Make) -> None:
    database = make(
        "CREATE TABLE contractor (contractor_id INTEGER PRIMARY KEY, name TEXT, hourly_rate INTEGER);"
        "INSERT INTO contractor VALUES (1, 'Ann', 40);"
        "CREATE TABLE work_order (order_id INTEGER PRIMARY KEY, contractor_id INTEGER REFERENCES contractor"
        " (contractor_id), unit TEXT); INSERT INTO work_order VALUES (1, 1, 'A1');"
    )
    database.answers("contractor rate", [(40,)])
    with pytest.raises(Unread):
        database.read("occupancy rate")


def test_the_highest_paid_is_no_payment(make: Make) -> None:
    database = make(
        "CREATE TABLE employees (emp_no INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);"
        "CREATE TABLE salaries (emp_no INTEGER REFERENCES employees (emp_no), amount INTEGER, from_date DATE);"
    )
    with pytest.raises(Unread):
        database.read("highest paid employee")
