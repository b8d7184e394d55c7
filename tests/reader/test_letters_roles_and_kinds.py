"""Groups in alphabetical order, columns of roles, kinds with a price, who has had something the longest."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def hire(make: Any) -> Any:
    """Vans that are picked up at one yard and dropped at another, drivers' hours, tools with prices, and refunds."""
    return make(
        "CREATE TABLE yards (yard_id INTEGER PRIMARY KEY, yard_name VARCHAR, town VARCHAR, opened_year INTEGER);"
        "CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, pickup_yard_id INTEGER REFERENCES yards (yard_id),"
        " return_yard_id INTEGER REFERENCES yards (yard_id), status VARCHAR, hired_on DATE);"
        "CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, name VARCHAR, licensed_on DATE, country VARCHAR);"
        "CREATE TABLE shifts (shift_id INTEGER PRIMARY KEY, driver_id INTEGER REFERENCES drivers (driver_id),"
        " hours INTEGER, billable BOOLEAN);"
        "CREATE TABLE tools (tool_no VARCHAR PRIMARY KEY, tool_name VARCHAR, category VARCHAR, price INTEGER);"
        "CREATE TABLE promotions (promotion_id INTEGER PRIMARY KEY, tool_no VARCHAR REFERENCES tools (tool_no));"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, tool_no VARCHAR REFERENCES tools (tool_no), sold_on DATE);"
        "CREATE TABLE complaints (complaint_id INTEGER PRIMARY KEY, reason VARCHAR, refund INTEGER, made_on DATE);"
        "INSERT INTO yards VALUES (1, 'North', 'Oslo', 1990), (2, 'South', 'Rome', 2001), (3, 'West', 'Rome', 2010);"
        "INSERT INTO hires VALUES (1, 1, 2, 'done', '2024-01-01'), (2, 2, 1, 'done', '2024-02-01'),"
        " (3, 3, 3, 'open', '2024-03-01');"
        "INSERT INTO drivers VALUES (1, 'Ann', '2001-05-01', 'Peru'), (2, 'Bo', '1999-05-01', 'Chad'),"
        " (3, 'Cy', '2011-05-01', 'Peru');"
        "INSERT INTO shifts VALUES (1, 1, 5, TRUE), (2, 1, 3, FALSE), (3, 2, 4, FALSE);"
        "INSERT INTO tools VALUES ('D-1', 'Bosch one', 'Drills', 80), ('D-2', 'Bosch two', 'Drills', 120),"
        " ('S-1', 'Fine', 'Saws', 60), ('S-2', 'Rough', 'Saws', 95);"
        "INSERT INTO promotions VALUES (1, 'D-1');"
        "INSERT INTO sales VALUES (1, 'D-2', '2024-01-01'), (2, 'S-1', '2024-01-01');"
        "INSERT INTO complaints VALUES (1, 'late', 10, '2024-05-01'), (2, 'dirty', 7, '2024-06-01'),"
        " (3, 'late', 5, '2025-06-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("drivers per country, alphabetically", [("Chad", 1), ("Peru", 2)]),
        ("drivers per country, A to Z", [("Chad", 1), ("Peru", 2)]),
        ("drivers per country in alphabetical order", [("Chad", 1), ("Peru", 2)]),
        ("hires by pickup town", [("Oslo", 1), ("Rome", 2)]),
        ("done hires by return town", [("Oslo", 1), ("Rome", 1)]),
        ("hires per pickup town in 2024", [("Oslo", 1), ("Rome", 2)]),
        ("which yard has been open the longest?", [("North",)]),
        ("the driver who's had a license the longest", [("Bo",)]),
        ("drills under 100", [("Bosch one",)]),
        ("Saws between 50 and 90 euros", [("Fine",)]),
        ("done and open hires", [(1,), (2,), (3,)]),
        ("number of done and open hires", [("done", 2), ("open", 1)]),
        ("number of done hires compared to open hires", [("done", 2), ("open", 1)]),
        ("which tools have 'two' in their name?", [("Bosch two",)]),
        ("tools that have bosch in the name", [("Bosch one",), ("Bosch two",)]),
        ("what does tool D-2 cost?", [(120,)]),
        ("how much does tool S-1 cost?", [(60,)]),
        ("which tools were neither promoted nor sold?", [("Rough",)]),
        ("tools neither sold nor promoted", [("Rough",)]),
        ("how much have we refunded for late?", [(15,)]),
        ("how much did we refund in 2024?", [(17,)]),
        ("total hours logged as non-billable", [(7,)]),
        ("non-billable hours per driver", [("Ann", 3), ("Bo", 4)]),
    ],
)
def test_letters_roles_and_kinds(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("drivers per country, alphabetically", "country ASC"),
        ("drivers per country, Z to A", "country DESC"),
        ("how many drivers are there per country, in alphabetical order", "country ASC"),
        ("number of drivers per country, alphabetically", "country ASC"),
        ("drivers per country in descending order", "COUNT(*) DESC"),
        ("drivers per country in ascending order", "COUNT(*) ASC"),
    ],
)
def test_groups_are_sorted_by_their_names_or_by_how_many(hire: Any, question: str, order: str) -> None:
    (reading,) = hire.read(question)
    assert f"ORDER BY {order}" in reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("new hires per year", [("2003", 1), ("2004", 2)]),
        ("number of hires in 2004", [(2,)]),
    ],
)
def test_hires_are_people_with_a_date(make: Any, question: str, rows: list[Any]) -> None:
    office = make(
        "CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, name VARCHAR, hire_date DATE);"
        "INSERT INTO employees VALUES (1, 'Ann', '2003-01-01'), (2, 'Bo', '2004-01-01'), (3, 'Cy', '2004-05-01');"
    )
    (reading,) = office.read(question)
    assert [tuple(map(str, row)) for row in sorted(office.rows(reading.sql))] == [tuple(map(str, row)) for row in rows]


def test_both_kinds_with_the_thing_said_twice(make: Any) -> None:
    yard = make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, kind VARCHAR);"
        "CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " machine_id INTEGER REFERENCES machines (machine_id));"
        "INSERT INTO clients VALUES (1, 'Apex'), (2, 'Bond');"
        "INSERT INTO machines VALUES (1, 'tower'), (2, 'crawler');"
        "INSERT INTO rentals VALUES (1, 1, 1), (2, 1, 2), (3, 1, 2), (4, 2, 1);"
    )
    yard.answers("clients who rented both a tower machine and a crawler machine", [("Apex",)])


@pytest.fixture(scope="module")
def firm(make: Any) -> Any:
    """Employees under others, their bills, and what machines gave in each month."""
    return make(
        "CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, name VARCHAR, manager_id INTEGER);"
        "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, amount INTEGER, due_on DATE, paid_on DATE);"
        "CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE outputs (output_id INTEGER PRIMARY KEY, machine_id INTEGER REFERENCES machines (machine_id),"
        " month DATE, uptime INTEGER);"
        "INSERT INTO employees VALUES (1, 'Ann', NULL), (2, 'Bo', 1), (3, 'Cy', 1);"
        "INSERT INTO bills VALUES (1, 5, '2001-01-01', NULL), (2, 6, '2001-01-01', '2001-02-01'),"
        " (3, 7, '2099-01-01', NULL);"
        "INSERT INTO machines VALUES (1, 'Press');"
        "INSERT INTO outputs VALUES (1, 1, '2024-01-01', 80);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who does Bo report to?", [("Ann",)]),
        ("whom does Cy report to", [("Ann",)]),
        ("who reports to Ann?", [("Bo",), ("Cy",)]),
        ("bills past their due date", [(1,)]),
        ("unpaid bills past the due date", [(1,)]),
    ],
)
def test_superiors_and_what_is_overdue(firm: Any, question: str, rows: list[Any]) -> None:
    firm.answers(question, rows)


def test_what_is_so_each_time_is_no_group(firm: Any) -> None:
    firm.refused("machines with uptime under 85 in every month")
