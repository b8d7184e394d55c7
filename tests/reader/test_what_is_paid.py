"""What is paid, spent and earned is an amount, whether "how much" or "what" asks for it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def farm(make: Any) -> Any:
    return make(
        "CREATE TABLE workers (id INTEGER PRIMARY KEY, name VARCHAR, trade VARCHAR, wage INTEGER);"
        "CREATE TABLE seeds (id INTEGER PRIMARY KEY, name VARCHAR, price_per_bag DECIMAL(6,2), bags INTEGER);"
        "CREATE TABLE vet_calls (id INTEGER PRIMARY KEY, called_on DATE, cost INTEGER);"
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests(id), stay_date DATE,"
        " nights INTEGER, fee INTEGER);"
        "INSERT INTO workers VALUES (1, 'Ann', 'welder', 30), (2, 'Bo', 'picker', 20), (3, 'Cy', 'picker', 22);"
        "INSERT INTO seeds VALUES (1, 'rye', 4.5, 10), (2, 'oats', 3.0, 7);"
        "INSERT INTO vet_calls VALUES (1, '2023-02-01', 100), (2, '2023-05-01', 50), (3, '2024-05-01', 70);"
        "INSERT INTO guests VALUES (1, 'Kim', 'Oslo'), (2, 'Lou', 'Rome');"
        "INSERT INTO stays VALUES (1, 1, '2023-01-01', 2, 80), (2, 1, '2024-01-01', 1, 40),"
        " (3, 2, '2024-02-01', 1, 45);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what did we spend on vet calls in 2023", [(150,)]),
        ("how much did we spend on vet calls", [(220,)]),
        ("what has Kim paid us", [(120,)]),
        ("what did guests from Rome pay in 2024", [(45,)]),
        ("what does Ann earn", [(30,)]),
        ("what does each picker earn", [(20,), (22,)]),
        ("what do we pay for rye", [(4.5,)]),
        ("which guest paid us the most", [("Kim",)]),
    ],
)
def test_what_is_paid_is_an_amount(farm: Any, question: str, rows: list[Any]) -> None:
    farm.answers(question, rows)


def test_who_spent_the_most_on_something_is_found_by_its_only_amount_and_not_by_counts(make: Any) -> None:
    club = make(
        "CREATE TABLE rowers (rower_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE dues (due_id INTEGER PRIMARY KEY, rower_id INTEGER REFERENCES rowers (rower_id),"
        " asked_on DATE, amount INTEGER, amount_left INTEGER);"
        "CREATE TABLE boat_hires (id INTEGER PRIMARY KEY, rower_id INTEGER REFERENCES rowers (rower_id),"
        " hired_on DATE, total INTEGER);"
        "INSERT INTO rowers VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO dues VALUES (1, 1, '2024-01-01', 5, 0);"
        "INSERT INTO boat_hires VALUES (1, 1, '2024-01-01', 10), (2, 1, '2024-01-02', 10), (3, 2, '2024-01-02', 90);"
    )
    club.answers("which rower spent the most on boat hires", [("Bo",)])
    with pytest.raises(Unread):
        club.read("which rower spent the most")  # on hires, or in dues


def test_who_paid_is_a_customer_and_no_worker(make: Any) -> None:
    clinic = make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, full_name VARCHAR);"
        "CREATE TABLE nurses (nurse_id INTEGER PRIMARY KEY, full_name VARCHAR);"
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " nurse_id INTEGER REFERENCES nurses (nurse_id), visited_on DATE, fee INTEGER);"
        "INSERT INTO clients VALUES (1, 'Ann Lee'), (2, 'Bo Orr'); INSERT INTO nurses VALUES (1, 'Cy Poe');"
        "INSERT INTO visits VALUES (1, 1, 1, '2024-01-01', 40), (2, 2, 1, '2024-01-02', 30);"
    )
    clinic.answers("who paid the most", [("Ann Lee",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("amount donated per patron", [("Ann", 30), ("Bo", 100)]),
        ("top patron by amount donated", [("Bo",)]),
        ("amount pledged per patron", [("Ann", 500), ("Bo", 90)]),
        ("total amount donated in 2024", [(120,)]),
    ],
)
def test_the_amount_of_an_act_is_that_of_its_own_rows(make: Any, question: str, rows: list[Any]) -> None:
    museum = make(
        "CREATE TABLE patrons (patron_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE pledges (pledge_id INTEGER PRIMARY KEY, patron_id INTEGER REFERENCES patrons (patron_id),"
        " pledged_on DATE, amount INTEGER);"
        "CREATE TABLE donations (donation_id INTEGER PRIMARY KEY, patron_id INTEGER REFERENCES patrons (patron_id),"
        " donated_on DATE, amount INTEGER);"
        "INSERT INTO patrons VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO pledges VALUES (1, 1, '2024-01-01', 500), (2, 2, '2024-01-01', 90);"
        "INSERT INTO donations VALUES (1, 1, '2024-02-01', 20), (2, 1, '2025-02-01', 10), (3, 2, '2024-03-01', 100);"
    )
    museum.answers(question, rows)


@pytest.fixture(scope="module")
def bills(make: Any) -> Any:
    """Bills that were issued in one year and paid in the next, or not at all."""
    return make(
        "CREATE TABLE tenants (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants (id), issued_on DATE,"
        " due_on DATE, paid_on DATE, amount INTEGER, method VARCHAR);"
        "INSERT INTO tenants VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO invoices VALUES (1, 1, '2023-11-01', '2023-12-01', '2024-01-05', 10, 'cash'),"
        " (2, 1, '2024-02-01', '2024-03-01', '2024-02-05', 20, 'card'),"
        " (3, 2, '2024-05-01', '2024-06-01', NULL, 40, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how much was paid in 2024", [(30,)]),
        ("how much was paid in 2023", [(None,)]),
        ("total paid in 2024", [(30,)]),
        ("total paid in cash", [(10,)]),
        ("total paid by card in 2024", [(20,)]),
        ("unpaid invoices total", [(40,)]),
        ("invoices total", [(70,)]),
        ("unpaid invoices total by tenant", [("Bo", 40)]),
        ("invoices total per year", [("2023", 10), ("2024", 60)]),
    ],
)
def test_what_was_paid_is_counted_when_it_was(bills: Any, question: str, rows: list[Any]) -> None:
    bills.answers(question, rows)
