"""Periods as what is asked for or grouped by: the best month, the busiest hour, month and town together."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def ferry(make: Any) -> Any:
    return make(
        "CREATE TABLE ports (id INTEGER PRIMARY KEY, name VARCHAR, monthly_fee INTEGER);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, port_id INTEGER REFERENCES ports (id), sold_at TIMESTAMP,"
        " amount INTEGER);"
        "INSERT INTO ports VALUES (1, 'Hull', 10), (2, 'Oslo', 20);"
        "INSERT INTO sales VALUES (1, 1, '2023-01-02 08:10:00', 10), (2, 1, '2023-01-09 08:40:00', 10),"
        " (3, 2, '2023-02-06 17:00:00', 50), (4, 2, '2024-01-01 08:00:00', 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which month had the most sales in 2023?", [("2023-01",)]),
        ("which month of 2023 had the highest revenue?", [("2023-02",)]),
        ("month with the highest revenue", [("2023-02",)]),
        ("what was our best month?", [("2023-02",)]),
        ("best month in 2024", [("2024-01",)]),
        ("best year by revenue", [("2023",)]),
        ("revenue by hour of the day", [("08", 25), ("17", 50)]),
        ("which hour has the most sales?", [("08",)]),
        ("revenue per port and month in 2023", [("Hull", "2023-01", 20), ("Oslo", "2023-02", 50)]),
        ("revenue by month and port", [("2023-01", "Hull", 20), ("2023-02", "Oslo", 50), ("2024-01", "Oslo", 5)]),
        ("best day of the week", [("1",)]),
    ],
)
def test_a_period_is_asked_for(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)


def test_rows_are_counted_by_decade(make: Any) -> None:
    presses = make(
        "CREATE TABLE presses (id INTEGER PRIMARY KEY, name VARCHAR, built_year INTEGER, bought_on DATE);"
        "INSERT INTO presses VALUES (1, 'A', 1987, '1994-05-01'), (2, 'B', 1989, '2001-05-01'),"
        " (3, 'C', 1999, '2003-05-01');"
    )
    presses.answers("presses by decade of building", [(1980, 2), (1990, 1)])
    presses.answers("number of presses bought per decade", [(1990, 1), (2000, 2)])


def test_revenue_of_sales_goes_by_their_own_date(make: Any) -> None:
    label = make(
        "CREATE TABLE discs (id INTEGER PRIMARY KEY, title VARCHAR, released_on DATE);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, sold_on DATE, status VARCHAR);"
        "CREATE TABLE sale_lines (sale_id INTEGER REFERENCES sales (id), disc_id INTEGER REFERENCES discs (id),"
        " quantity INTEGER, unit_price INTEGER);"
        "INSERT INTO discs VALUES (1, 'Dawn', '1990-01-01');"
        "INSERT INTO sales VALUES (1, '2023-02-01', 'paid'), (2, '2024-03-01', 'paid'), (3, '2024-04-01', 'open');"
        "INSERT INTO sale_lines VALUES (1, 1, 2, 10), (2, 1, 1, 10), (3, 1, 5, 10);"
    )
    label.answers("revenue from sales per year", [("2023", 20), ("2024", 60)])
    label.answers("how much did paid sales bring in each year?", [("2023", 20), ("2024", 10)])
    label.answers("which year had the highest revenue?", [("2024",)])
    label.answers("best month for sales", [("2024-04",)])
    label.answers("what was the best sales month in 2024", [("2024-04",)])


@pytest.fixture(scope="module")
def mill(make: Any) -> Any:
    return make(
        "CREATE TABLE millers (id INTEGER PRIMARY KEY, name VARCHAR, birth_year INTEGER);"
        "CREATE TABLE grindings (id INTEGER PRIMARY KEY, miller_id INTEGER REFERENCES millers (id), ground_on DATE,"
        " hours INTEGER);"
        "CREATE TABLE monthly_sales (stall INTEGER, sales_month DATE, net_sales INTEGER);"
        "INSERT INTO millers VALUES (1, 'Ann', 1950), (2, 'Bo', 1960);"
        "INSERT INTO grindings VALUES (1, 1, '2023-01-02', 5), (2, 1, '2023-02-02', 3), (3, 2, '2023-02-03', 4),"
        " (4, 2, '2024-03-01', 6);"
        "INSERT INTO monthly_sales VALUES (1, '2024-01-01', 60), (2, '2024-01-01', 50), (1, '2024-02-01', 80),"
        " (1, '2024-03-01', 10);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which month had the most hours", [("2023-02",)]),
        ("which month in 2024 had the most hours", [("2024-03",)]),
        ("month with the highest hours", [("2023-02",)]),
        ("which year had the most hours", [("2023",)]),
        ("grindings by year", [("2023", 3), ("2024", 1)]),
        ("which month had the highest sales", [("2024-01",)]),
        ("highest sales", [(80,)]),
    ],
)
def test_amounts_are_added_up_for_the_period_asked_for(mill: Any, question: str, rows: list[Any]) -> None:
    mill.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hires by year", [("2023", 2), ("2024", 1)]),
        ("which year had the most hires", [("2023",)]),
        ("hires in the year 2024", [(3,)]),
        ("number of hires per bike and year", [("A", "2023", 1), ("B", "2023", 1), ("B", "2024", 1)]),
        ("bikes by year", [(2010, 1), (2012, 1)]),
        ("bikes of the year 2012", [("B",)]),
    ],
)
def test_a_year_is_that_of_a_date_where_only_other_things_have_one(make: Any, question: str, rows: list[Any]) -> None:
    bikes = make(
        "CREATE TABLE bikes (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, model_year INTEGER);"
        "CREATE TABLE hires (id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bikes (id), hired_on DATE);"
        "INSERT INTO bikes VALUES (1, 'A', 'road', 2010), (2, 'B', 'town', 2012);"
        "INSERT INTO hires VALUES (1, 1, '2023-01-02'), (2, 2, '2023-02-02'), (3, 2, '2024-02-02');"
    )
    bikes.answers(question, rows)


def test_activities_are_not_what_is_active(make: Any) -> None:
    club = make(
        "CREATE TABLE coaches (id INTEGER PRIMARY KEY, name VARCHAR, is_active INTEGER);"
        "CREATE TABLE activities (id INTEGER PRIMARY KEY, coach_id INTEGER REFERENCES coaches (id), held_on DATE);"
        "INSERT INTO coaches VALUES (1, 'Ann', 1), (2, 'Bo', 0);"
        "INSERT INTO activities VALUES (1, 1, '2023-01-02'), (2, 2, '2024-02-02'), (3, 2, '2024-03-02');"
    )
    club.answers("activities by year", [("2023", 1), ("2024", 2)])
    club.answers("active coaches", [("Ann",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many sales in January, February or March", [(4,)]),
        ("how many sales in January and February 2023", [(3,)]),
        ("how many sales in january, february and march 2024", [(1,)]),
        ("how many sales in January 2023 or January 2024", [(3,)]),
    ],
)
def test_months_are_listed_with_the_year_behind_the_last(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)
