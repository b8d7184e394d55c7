"""Plain questions about records of what was done: when the last was, the second highest amount, two keys to a table."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def boats(make: Any) -> Any:
    return make(
        "CREATE TABLE piers (pier_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, make VARCHAR, model VARCHAR, motor INTEGER, stars INTEGER);"
        "CREATE TABLE sailors (sailor_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, birth_date DATE);"
        "CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, sailor_id INTEGER REFERENCES sailors (sailor_id),"
        " boat_id INTEGER REFERENCES boats (boat_id), start_pier_id INTEGER REFERENCES piers (pier_id),"
        " end_pier_id INTEGER REFERENCES piers (pier_id), hired_on DATE, deposit DOUBLE);"
        "INSERT INTO piers VALUES (1, 'East Pier'), (2, 'Mole');"
        "INSERT INTO boats VALUES (1, 'Lund', 'Pike', 40, 5), (2, 'Lund', 'Tern', 60, 4), (3, 'Onyx', 'Ray', 80, 2),"
        " (4, 'Onyx', 'Eel', 80, 4);"
        "INSERT INTO sailors VALUES (1, 'Ida', 'Moe', '1980-03-01'), (2, 'Per', 'Vik', '1990-05-01');"
        "INSERT INTO hires VALUES (1, 1, 1, 1, 1, '2023-05-01', 10.0), (2, 1, 2, 1, 2, '2023-07-01', 20.0),"
        " (3, 2, 2, 2, 1, '2023-06-01', 30.0), (4, 2, 1, 2, 2, '2023-08-01', 40.0), (5, 1, 3, 1, 1, '2023-05-20', 5.0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("when was the last hire", [("2023-08-01",)]),
        ("when was the last hire of Ida Moe", [("2023-07-01",)]),
        ("when did Per Vik first hire", [("2023-06-01",)]),
        ("date of the last hire of sailor 1", [("2023-07-01",)]),
        ("when was the oldest sailor born", [("1980-03-01",)]),
    ],
)
def test_when_the_last_was(boats: Any, question: str, rows: list[Any]) -> None:
    (reading,) = boats.read(question)
    assert [tuple(map(str, row)) for row in boats.rows(reading.sql)] == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("second highest deposit", [(30.0,)]),
        ("third lowest deposit", [(20.0,)]),
        ("second largest motor", [(60,)]),  # of values: two boats have the largest
        ("most hired make", [("Lund",)]),
        ("make with the most hires", [("Lund",)]),
        ("boats by make", [("Lund", 2), ("Onyx", 2)]),
        ("boats rated 4 stars or better", [("Lund", "Pike"), ("Lund", "Tern"), ("Onyx", "Eel")]),
        ("boats with ee in the model", [("Onyx", "Eel")]),
        ("hires where the end pier is not the start pier", [(2,), (3,)]),
        ("how many hires have a different end pier from the start pier", [(2,)]),
        ("hires with deposit and sailor", [(1, 10.0, "Ida", "Moe"), (2, 20.0, "Ida", "Moe"), (3, 30.0, "Per", "Vik"),
                                           (4, 40.0, "Per", "Vik"), (5, 5.0, "Ida", "Moe")]),
    ],
)  # fmt: skip
def test_plain_forms(boats: Any, question: str, rows: list[Any]) -> None:
    boats.answers(question, rows)


def test_how_old_is_asked_of_dates_of_birth(boats: Any) -> None:
    (oldest,) = boats.read("how old is the oldest sailor")
    (both,) = boats.read("how old are the sailors")
    assert boats.rows(oldest.sql) == [max(boats.rows(both.sql))]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hires by pier", None),
        ("hires by sailor", [("Ida", "Moe", 3), ("Per", "Vik", 2)]),
        ("list hires by sailor", [("Ida", "Moe", 1), ("Ida", "Moe", 2), ("Ida", "Moe", 5), ("Per", "Vik", 3),
                                  ("Per", "Vik", 4)]),
        ("average deposit per boat, only boats with 2 hires or more", [("Lund", "Pike", 25.0), ("Lund", "Tern", 25.0)]),
        ("average deposit per boat, only those with at least 2 hires", [("Lund", "Pike", 25.0),
                                                                       ("Lund", "Tern", 25.0)]),
    ],
)  # fmt: skip
def test_records_by_what_they_are_of(boats: Any, question: str, rows: list[Any] | None) -> None:
    if rows is None:
        assert len(boats.read(question)) == 2  # of the start or of the end
    else:
        boats.answers(question, rows)


@pytest.fixture(scope="module")
def stage(make: Any) -> Any:
    return make(
        "CREATE TABLE plays (play_id INTEGER PRIMARY KEY, title VARCHAR, start_date DATE, end_date DATE);"
        "INSERT INTO plays VALUES (1, 'Hamlet', '2001-01-01', '2001-01-09'), (2, 'Faust', '2101-01-01', '2101-01-02'),"
        " (3, 'Medea', '2102-01-01', '2102-01-05');"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, customer VARCHAR, sold_on DATE, revenue_eur DOUBLE);"
        "INSERT INTO sales VALUES (1, 'Ann', '2001-01-01', 5.0), (2, 'Bo', '2001-01-02', 9.0),"
        " (3, 'Ann', '2001-01-02', 6.0), (4, 'Cy', '2001-01-03', 1.0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("upcoming plays", [("Faust",), ("Medea",)]),
        ("how many future plays are there", [(2,)]),
        ("next play", [("Faust",)]),
        ("plays that last longer than 3 days", [("Hamlet",), ("Medea",)]),
        ("top 2 customers by revenue", [("Ann", 11.0), ("Bo", 9.0)]),
    ],
)
def test_what_is_to_come_how_long_it_lasts_and_who_gave_most(stage: Any, question: str, rows: list[Any]) -> None:
    stage.answers(question, rows)


@pytest.mark.parametrize("question", ["sailors who hired every month", "which sailors hired a boat every year"])
def test_what_must_be_so_in_every_period_is_refused(boats: Any, question: str) -> None:
    boats.refused(question)


@pytest.fixture(scope="module")
def staff(make: Any) -> Any:
    return make(
        "CREATE TABLE dept (dept_cd VARCHAR PRIMARY KEY, dept_nm VARCHAR);"
        "CREATE TABLE emp (emp_id INTEGER PRIMARY KEY, emp_nm VARCHAR, dept_cd VARCHAR REFERENCES dept (dept_cd),"
        " sal INTEGER, strt_dt DATE, pay_mthd VARCHAR);"
        "INSERT INTO dept VALUES ('A', 'Baking'), ('B', 'Shop');"
        "INSERT INTO emp VALUES (1, 'Ann', 'A', 900, '2020-01-10', 'cash'), (2, 'Bo', 'A', 1200, '2021-02-01', 'bank'),"
        " (3, 'Cy', 'B', 1500, '2021-03-01', 'bank');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who earns more than 1000", [("Bo",), ("Cy",)]),
        ("headcount", [(3,)]),
        ("headcount by department", [("Baking", 2), ("Shop", 1)]),
        ("employees hired in 2021", [("Bo",), ("Cy",)]),
        ("who joined in 2020", [("Ann",)]),
    ],
)
def test_staff_with_short_names(staff: Any, question: str, rows: list[Any]) -> None:
    staff.answers(question, rows)


def test_a_month_is_no_method(staff: Any) -> None:
    assert all("mthd" not in reading.sql for reading in _readings(staff, "salaries by month"))


def _readings(database: Any, question: str) -> tuple[Any, ...]:
    try:
        return tuple(database.read(question))
    except Unread:
        return ()
