"""A column of revenue is added up for each thing; a name is no greatest value."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def chain(make: Any) -> Any:
    return make(
        "CREATE TABLE stores (store_id INTEGER PRIMARY KEY, store_name VARCHAR, employees INTEGER);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, store_id INTEGER REFERENCES stores (store_id), region VARCHAR,"
        " revenue INTEGER);"
        "CREATE TABLE rx (rx_id INTEGER PRIMARY KEY, drug_nm VARCHAR, qty INTEGER);"
        "INSERT INTO stores VALUES (1, 'North', 3), (2, 'South', 5);"
        "INSERT INTO sales VALUES (1, 1, 'A', 10), (2, 1, 'B', 10), (3, 2, 'A', 15);"
        "INSERT INTO rx VALUES (1, 'Zopax', 1), (2, 'Amol', 2), (3, 'Amol', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue by store name", [("North", 20), ("South", 15)]),
        ("revenue per region", [("A", 25), ("B", 10)]),
        ("which store has the highest revenue", [("North",)]),
    ],
)
def test_revenue_of_a_column_is_added_up(chain: Any, question: str, rows: list[Any]) -> None:
    chain.answers(question, rows)


def test_the_most_of_a_name_is_no_last_name(chain: Any) -> None:
    with pytest.raises(Exception, match="could not"):
        chain.read("most prescribed drug")


@pytest.fixture(scope="module")
def stables(make: Any) -> Any:
    """What hirers paid is the income, and neither the day, a flag for it, nor the rate by which they hire."""
    return make(
        "CREATE TABLE yards (yard_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, yard_id INTEGER REFERENCES yards (yard_id), from_day DATE,"
        " daily_rate INTEGER);"
        "CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, hire_id INTEGER REFERENCES hires (hire_id),"
        " paid_on DATE, amount INTEGER);"
        "CREATE TABLE lessons (lesson_id INTEGER PRIMARY KEY, yard_id INTEGER REFERENCES yards (yard_id), fee INTEGER,"
        " paid BOOLEAN);"
        "INSERT INTO yards VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO hires VALUES (1, 1, '2023-12-20', 10), (2, 2, '2024-01-05', 20);"
        "INSERT INTO payments VALUES (1, 1, '2023-12-31', 50), (2, 1, '2024-01-10', 30), (3, 2, '2024-02-01', 70);"
        "INSERT INTO lessons VALUES (1, 1, 9, true), (2, 2, 8, false);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("income in 2024", [(100,)]),
        ("hire income by month", [("2023-12", 50), ("2024-01", 30), ("2024-02", 70)]),
        ("earnings per yard", [("North", 80), ("South", 70)]),
        ("difference in income between 2023 and 2024", [(50,)]),
    ],
)
def test_income_is_no_date_of_payment_no_flag_and_no_rate(stables: Any, question: str, rows: list[Any]) -> None:
    stables.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("income by month", [("2024-01", 30), ("2024-02", 70)]),
        ("hire income in January 2024", [(30,)]),
        ("average income of grooms", [(2500.0,)]),
        ("who has the highest income", [("Bo",)]),
        ("total salary", [(5000,)]),
        ("income of staff", [(2000,), (3000,)]),
        ("hire income by rider", [("Kit", 30), ("Lou", 70)]),
        ("top 1 rider by income", [("Lou", 70)]),
    ],
)
def test_income_is_a_salary_only_of_people_who_are_named(make: Any, question: str, rows: list[Any]) -> None:
    stud = make(
        "CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name VARCHAR, job VARCHAR, salary INTEGER, hired_on DATE);"
        "CREATE TABLE riders (rider_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (staff_id),"
        " rider_id INTEGER REFERENCES riders (rider_id), from_day DATE);"
        "CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, hire_id INTEGER REFERENCES hires (hire_id),"
        " paid_on DATE, amount INTEGER);"
        "INSERT INTO staff VALUES (1, 'Ann', 'groom', 2000, '2020-01-01'), (2, 'Bo', 'groom', 3000, '2021-01-01');"
        "INSERT INTO riders VALUES (1, 'Kit'), (2, 'Lou');"
        "INSERT INTO hires VALUES (1, 1, 1, '2024-01-01'), (2, 2, 2, '2024-01-05');"
        "INSERT INTO payments VALUES (1, 1, '2024-01-10', 30), (2, 2, '2024-02-01', 70);"
    )
    stud.answers(question, rows)
