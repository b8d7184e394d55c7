"""How old things are by the year or day at which they began, and how long something takes."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def theatre(make: Any) -> Any:
    return make(
        "CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, name VARCHAR, built_year INTEGER, capacity INTEGER);"
        "CREATE TABLE runs (run_id INTEGER PRIMARY KEY, title VARCHAR, hall_id INTEGER REFERENCES halls (hall_id),"
        " premiere_date DATE, closing_date DATE, genre VARCHAR);"
        "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES halls (hall_id),"
        " reported_at TIMESTAMP, resolved_at TIMESTAMP, part VARCHAR);"
        "CREATE TABLE pianos (piano_id INTEGER PRIMARY KEY, name VARCHAR, bought_on DATE);"
        "INSERT INTO halls VALUES (1, 'Great', 1911, 900), (2, 'Small', 2022, 120);"
        "INSERT INTO runs VALUES (1, 'Hamlet', 1, '2023-01-01', '2023-01-11', 'drama'),"
        " (2, 'Tosca', 1, '2023-02-01', '2023-02-21', 'opera'), (3, 'Faust', 2, '2023-03-01', '2023-03-05', 'drama');"
        "INSERT INTO repairs VALUES (1, 1, '2024-01-01 08:00:00', '2024-01-03 07:00:00', 'curtain'),"
        " (2, 1, '2024-02-01 01:00:00', '2024-02-03 23:00:00', 'stage'),"
        " (3, 2, '2024-03-01 08:00:00', '2024-03-03 23:30:00', 'stage');"
        "INSERT INTO pianos VALUES (1, 'Bechstein', '1950-05-01'), (2, 'Yamaha', '2024-05-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("halls older than 50 years", [("Great",)]),
        ("halls older than 50", [("Great",)]),
        ("halls newer than 2000", [("Small",)]),
        ("pianos older than 40 years", [("Bechstein",)]),
        ("halls over 50 years old", [("Great",)]),
        ("pianos at least 40 years old", [("Bechstein",)]),
        ("dramas older than 2 years", [("Faust",), ("Hamlet",)]),
        ("how many pianos are older than 600 months?", [(1,)]),
        ("how long did Tosca run", [(20,)]),
        ("how long does it take to resolve a repair of the stage", [(66.75,)]),
        ("how many days does it take us to resolve repairs on average", [(2.0,)]),
        ("how long do we take to resolve a repair of the stage", [(66.75,)]),
        ("how long does it take to resolve repairs per hall", [("Great", 58.5), ("Small", 63.5)]),
        ("how long are repairs open on average", [(60.166666666666664,)]),
        ("average repair time in days", [(2.0,)]),
        ("the longest repair of each part", [("curtain", 1), ("stage", 2)]),
        ("halls for more than 300 people", [("Great",)]),
    ],
)
def test_spans_since_and_between(theatre: Any, question: str, rows: list[Any]) -> None:
    theatre.answers(question, rows)


def test_within_some_days_is_counted_from_what_comes_first(make: Any) -> None:
    parcels = make(
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, order_date DATE, shipped_date DATE, delivery_date DATE,"
        " hours DOUBLE);"
        "INSERT INTO parcels VALUES (1, '2023-01-01', '2023-01-02', '2023-01-04', 1),"
        " (2, '2023-01-01', '2023-01-08', '2023-01-10', 2), (3, '2023-02-01', NULL, NULL, 3);"
    )
    parcels.answers("parcels delivered within 3 days", [(1,)])
    parcels.answers("parcels delivered within 3 days of shipping", [(1,), (2,)])
    parcels.answers("parcels shipped within 2 days of the order", [(1,)])
    parcels.answers("how many parcels were delivered within 5 days", [(1,)])
    with pytest.raises(Unread):
        parcels.read("parcels ordered within 3 days")


@pytest.fixture(scope="module")
def lender(make: Any) -> Any:
    return make(
        "CREATE TABLE members (member_no INTEGER PRIMARY KEY, member_name VARCHAR, city VARCHAR);"
        "CREATE TABLE jobs (job_no INTEGER PRIMARY KEY, member_no INTEGER REFERENCES members (member_no), hrs INTEGER);"
        "CREATE TABLE bills (bill_no INTEGER PRIMARY KEY, job_no INTEGER REFERENCES jobs (job_no), bill_dt DATE,"
        " paid_dt DATE);"
        "INSERT INTO members VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome');"
        "INSERT INTO jobs VALUES (1, 1, 5), (2, 2, 6);"
        "INSERT INTO bills VALUES (1, 1, '2024-01-01', '2024-01-05'), (2, 2, '2024-01-01', '2024-01-11'),"
        " (3, 2, '2024-01-01', NULL);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "how long do members take to pay",
        "how long do members take to pay a bill on average",
        "how long does it take members to pay",
    ],
)
def test_how_long_people_take_to_do_something_is_the_average(lender: Any, question: str) -> None:
    lender.answers(question, [(7,)])


@pytest.mark.parametrize(
    "question", ["how long does each member take to pay", "how long do members in Oslo take to pay"]
)
def test_how_long_people_take_is_no_column_of_hours(lender: Any, question: str) -> None:
    lender.refused(question)


def test_times_are_no_amounts_of_money_for_them(make: Any) -> None:
    cottages = make(
        "CREATE TABLE renters (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE lets (id INTEGER PRIMARY KEY, renter_id INTEGER REFERENCES renters(id), weekly_rent INTEGER,"
        " nightly_rate INTEGER); INSERT INTO renters VALUES (1, 'Ann'); INSERT INTO lets VALUES (1, 1, 300, 60);"
    )
    for question in ("top 3 renters by number of nights", "how many weeks did each renter stay", "total nights"):
        cottages.refused(question)
    cottages.answers("highest nightly rate", [(60,)])
    cottages.answers("total weekly rent", [(300,)])


def test_the_time_of_an_act_ends_at_its_date(make: Any) -> None:
    parcels = make(
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, kind VARCHAR, posted_on DATE, delivered_on DATE,"
        " claimed_on DATE);"
        "INSERT INTO parcels VALUES (1, 'box', '2024-01-01', '2024-01-05', '2024-01-11'),"
        " (2, 'tube', '2024-02-01', '2024-02-03', NULL);"
    )
    parcels.answers("average delivery time", [(3.0,)])
    parcels.answers("average delivery time per kind", [("box", 4.0), ("tube", 2.0)])
    parcels.answers("longest delivery time", [(4.0,)])


def test_a_stay_lasts_from_coming_to_going(make: Any) -> None:
    clinic = make(
        "CREATE TABLE wards (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE cases (id INTEGER PRIMARY KEY, ward_id INTEGER REFERENCES wards(id), admitted_on DATE,"
        " discharged_on DATE); INSERT INTO wards VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO cases VALUES (1, 1, '2024-01-01', '2024-01-05'), (2, 1, '2024-02-01', '2024-02-03'),"
        " (3, 2, '2024-02-01', '2024-02-11');"
    )
    clinic.answers("average length of stay per ward", [("North", 3.0), ("South", 10.0)])
    clinic.answers("average case duration", [(16 / 3,)])


def test_a_word_of_a_table_is_timed_where_no_other_records_the_act(make: Any) -> None:
    wash = make(
        "CREATE TABLE washing_staff (id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE, left_on DATE);"
        "CREATE TABLE washing_runs (id INTEGER PRIMARY KEY, drum VARCHAR, started_at TIMESTAMP, ended_at TIMESTAMP);"
        "CREATE TABLE stops (id INTEGER PRIMARY KEY, drum VARCHAR, stopped_on DATE, downtime_min INTEGER, ok INTEGER);"
        "INSERT INTO washing_staff VALUES (1, 'Ann', '2020-01-01', '2021-01-01');"
        "INSERT INTO washing_runs VALUES (1, 'A', '2024-01-01 08:00:00', '2024-01-01 10:00:00'),"
        " (2, 'A', '2024-01-01 11:00:00', '2024-01-01 12:00:00'),"
        " (3, 'B', '2024-01-01 11:00:00', '2024-01-01 14:00:00');"
        "INSERT INTO stops VALUES (1, 'A', '2024-01-01', 3, 1), (2, 'A', '2024-01-02', 4, 0),"
        " (3, 'B', '2024-01-02', 5, 1);"
    )
    wash.answers("average washing time", [(2.0,)])
    wash.answers("downtime per drum", [("A", 7), ("B", 5)])


@pytest.mark.parametrize("question", ["how long has Ann Lee been with us", "how long has Ann Lee worked for us"])
def test_how_long_somebody_has_been_here_is_no_length_of_what_they_do(make: Any, question: str) -> None:
    baths = make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE);"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (id),"
        " duration_minutes INTEGER);"
        "INSERT INTO staff VALUES (1, 'Ann Lee', '2020-01-01'); INSERT INTO lessons VALUES (1, 1, 45), (2, 1, 60);"
    )
    with pytest.raises(Unread):
        baths.read(question)
