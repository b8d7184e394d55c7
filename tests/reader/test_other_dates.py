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
