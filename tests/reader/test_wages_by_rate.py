"""Who earns more than others, or than an amount, where people are paid by the hour: `hourly_rate`."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def lodge(make: Any) -> Any:
    return make(
        "CREATE TABLE porters (porter_id INTEGER PRIMARY KEY, name VARCHAR, hourly_rate INTEGER,"
        " supervisor_id INTEGER REFERENCES porters (porter_id));"
        "INSERT INTO porters VALUES (1, 'Ann', 20, NULL);"
        "INSERT INTO porters VALUES (2, 'Bo', 25, 1), (3, 'Cy', 15, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("porters who earn more than 18", [("Ann",), ("Bo",)]),
        ("porters who earn more than their supervisor", [("Bo",)]),
        ("who earns less than 20", [("Cy",)]),
        ("porters who earn between 15 and 20", [("Ann",), ("Cy",)]),
        ("porters paid under 18", [("Cy",)]),
    ],
)
def test_rates_are_compared(lodge: Any, question: str, rows: list[Any]) -> None:
    lodge.answers(question, rows)


def test_those_who_are_paid_are_not_what_they_manage(make: Any) -> None:
    marquee = make(
        "CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, full_name VARCHAR, job VARCHAR, hourly_pay INTEGER);"
        "CREATE TABLE fairs (fair_id INTEGER PRIMARY KEY, manager_id INTEGER REFERENCES staff (staff_id), held DATE);"
        "CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, fair_id INTEGER REFERENCES fairs (fair_id),"
        " amount INTEGER, paid_on DATE);"
        "INSERT INTO staff VALUES (1, 'Ann', 'waiter', 12), (2, 'Bo', 'waiter', 14), (3, 'Cy', 'chef', 11);"
        "INSERT INTO fairs VALUES (1, 2, '2024-01-01'); INSERT INTO invoices VALUES (1, 1, 9, '2024-02-01');"
    )
    marquee.answers("waiters paid under 13 an hour", [("Ann",)])
    marquee.answers("staff paid over 11", [("Ann",), ("Bo",)])


def test_what_is_charged_by_the_hour_and_the_average_of_years(make: Any) -> None:
    tuners = make(
        "CREATE TABLE technicians (id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE, hourly_rate INTEGER);"
        "CREATE TABLE pianos (id INTEGER PRIMARY KEY, maker VARCHAR, built_year INTEGER);"
        "INSERT INTO technicians VALUES (1, 'Ann', '2020-01-01', 60), (2, 'Bo', '2021-01-01', 40);"
        "INSERT INTO pianos VALUES (1, 'Bluth', 1900), (2, 'Bluth', 1960), (3, 'Kawa', 1990);"
    )
    tuners.answers("who charges more than 50 an hour?", [("Ann",)])
    tuners.answers("technicians charging under 50 per hour", [("Bo",)])
    tuners.answers("makers with an average built year before 1950", [("Bluth",)])
    tuners.answers("makers with an average built year after 1950", [("Kawa",)])
