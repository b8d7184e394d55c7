"""Conditions said behind a comma with "only", what things cost, what jobs bring in, and flags with short names."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

JOBS = """
CREATE TABLE cst (cst_id INTEGER PRIMARY KEY, cst_nm VARCHAR, cty VARCHAR, mbr_flg VARCHAR);
CREATE TABLE job (job_id INTEGER PRIMARY KEY, cst_id INTEGER REFERENCES cst (cst_id), job_typ VARCHAR,
  job_stat VARCHAR, dist_km INTEGER, amt INTEGER, job_dt DATE);
CREATE TABLE pmt (pmt_id INTEGER PRIMARY KEY, job_id INTEGER REFERENCES job (job_id), pmt_amt INTEGER, pmt_dt DATE);
INSERT INTO cst VALUES (1, 'Ann', 'Lyon', 'Y'), (2, 'Bo', 'Lyon', 'N'), (3, 'Cy', 'Nice', 'Y');
INSERT INTO job VALUES (1, 1, 'move', 'finished', 120, 200, '2023-02-01'), (2, 1, 'haul', 'finished', 130, 500,
  '2024-02-01'), (3, 2, 'move', 'dropped', 20, 90, '2024-03-01'), (4, 3, 'move', 'finished', 30, 250, '2024-03-09');
INSERT INTO pmt VALUES (1, 1, 150, '2023-03-01'), (2, 4, 250, '2024-04-01');
"""


@pytest.fixture(scope="module")
def jobs(make: Any) -> Any:
    return make(JOBS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("jobs per customer, finished only", [("Ann", 2), ("Cy", 1)]),
        ("jobs per customer, only finished ones", [("Ann", 2), ("Cy", 1)]),
        ("total amount by job type, finished jobs only", [("haul", 500), ("move", 450)]),
        ("number of jobs per job type, 2024 only", [("haul", 1), ("move", 2)]),
    ],
)
def test_only_behind_a_comma_is_a_condition(jobs: Any, question: str, rows: list[Any]) -> None:
    jobs.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("jobs over 100 km that cost less than 300", [(1,)]),
        ("how many jobs cost more than 200", [(2,)]),
        ("jobs costing at least 500", [(2,)]),
    ],
)
def test_what_jobs_cost_is_their_amount(jobs: Any, question: str, rows: list[Any]) -> None:
    jobs.answers(question, rows)


def test_what_people_cost_is_refused(jobs: Any) -> None:
    with pytest.raises(Unread):
        jobs.read("customers who cost more than 300")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("revenue from finished jobs by job type", [("haul", 500), ("move", 450)]),
        ("total revenue of jobs in 2024", [(840,)]),
        ("revenue from payments in 2024", [(250,)]),
    ],
)
def test_revenue_from_things_is_their_own_amount(jobs: Any, question: str, rows: list[Any]) -> None:
    jobs.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"), [("member customers in Lyon", [("Ann",)]), ("how many member customers are there", [(2,)])]
)
def test_a_short_flag_before_a_thing_is_a_condition(jobs: Any, question: str, rows: list[Any]) -> None:
    jobs.answers(question, rows)


def test_revenue_from_what_is_sold_is_that_of_the_sales(make: Any) -> None:
    fair = make(
        "CREATE TABLE ticket_types (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER);"
        "CREATE TABLE ticket_sales (id INTEGER PRIMARY KEY, type_id INTEGER REFERENCES ticket_types (id), sold_on DATE,"
        " quantity INTEGER, unit_price INTEGER);"
        "INSERT INTO ticket_types VALUES (1, 'day', 10);"
        "INSERT INTO ticket_sales VALUES (1, 1, '2023-05-01', 3, 9), (2, 1, '2024-05-01', 2, 10);"
    )
    fair.answers("total revenue from tickets sold in 2023", [(27,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("officers and their supervisors, active officers only", [("Cy", "Ann")]),
        ("officers and their supervisors, active only", [("Cy", "Ann")]),
        ("officers and their supervisors, Rome only", [("Cy", "Ann")]),
        ("officers in Oslo, name only", [("Ann",), ("Bo",)]),
    ],
)
def test_only_behind_a_comma_keeps_what_is_shown(make: Any, question: str, rows: list[Any]) -> None:
    officers = make(
        "CREATE TABLE officers (id INTEGER PRIMARY KEY, name VARCHAR, supervisor_id INTEGER REFERENCES officers (id),"
        " active VARCHAR, town VARCHAR);"
        "INSERT INTO officers VALUES (1, 'Ann', NULL, 'Y', 'Oslo');"
        "INSERT INTO officers VALUES (2, 'Bo', 1, 'N', 'Oslo'), (3, 'Cy', 1, 'Y', 'Rome');"
    )
    officers.answers(question, rows)
