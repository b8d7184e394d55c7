"""Notes on which date an answer goes by, where the table has another that may be meant."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def office(make: Any) -> Any:
    return make(
        "CREATE TABLE jobs (job_no VARCHAR PRIMARY KEY, booked_on DATE, visited_on DATE, next_call_on DATE);"
        "CREATE TABLE loans (loan_no VARCHAR PRIMARY KEY, lent_on DATE, due_on DATE, returned_on DATE);"
        "INSERT INTO jobs VALUES ('J1', '2024-01-01', '2024-02-01', NULL);"
        "INSERT INTO loans VALUES ('L1', '2024-01-01', '2024-02-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("how many jobs in 2024", ("goes by jobs.booked_on, and not by jobs.visited_on",)),
        ("jobs per month", ("goes by jobs.booked_on, and not by jobs.visited_on",)),
        ("jobs booked in 2024", ()),
        ("how many jobs were visited per month", ()),
        ("loans in 2024", ()),
    ],
)
def test_a_note_says_which_of_several_dates_is_meant(office: Any, question: str, notes: tuple[str, ...]) -> None:
    (reading,) = office.read(question)
    assert reading.notes == notes


def test_the_date_is_that_of_what_is_told_and_of_what_it_is_called_after(make: Any) -> None:
    centre = make(
        "CREATE TABLE agents (id INTEGER PRIMARY KEY, agent_name VARCHAR, hired_on DATE);"
        "CREATE TABLE shifts (id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agents (id), shift_date DATE,"
        " reported_sick BOOLEAN);"
        "CREATE TABLE plans (id INTEGER PRIMARY KEY, plan_name VARCHAR, active BOOLEAN);"
        "CREATE TABLE sims (sim_no VARCHAR PRIMARY KEY, plan_id INTEGER REFERENCES plans (id), activated_on DATE,"
        " deactivated_on DATE);"
        "CREATE TABLE lots (lot_ref VARCHAR PRIMARY KEY, sale_title VARCHAR, sale_date DATE, year_made INTEGER);"
        "INSERT INTO agents VALUES (1, 'Ann', '2020-01-01'), (2, 'Bo', '2024-01-01');"
        "INSERT INTO shifts VALUES (1, 1, '2024-05-01', TRUE), (2, 2, '2023-05-01', TRUE), (3, 2, '2024-05-01', FALSE);"
        "INSERT INTO plans VALUES (1, 'S', TRUE), (2, 'M', FALSE);"
        "INSERT INTO sims VALUES ('N1', 2, '2023-01-01', NULL), ('N2', 1, '2023-01-01', '2023-06-01');"
        "INSERT INTO lots VALUES ('L1', 'Evening', '2022-05-01', 1900), ('L2', 'Day', '2023-05-01', 2022);"
    )
    for question, rows in (
        ("agents who reported sick in 2024", [("Ann",)]),
        ("active sims", [("N1",)]),
        ("active plans", [("S",)]),
        ("sales in 2022", [("Evening",)]),
    ):
        centre.answers(question, rows)
