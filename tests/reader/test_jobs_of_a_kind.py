"""Jobs are work orders, and no kinds of jobs, also where only the kinds are called so."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def yard(make: Any) -> Any:
    return make(
        "CREATE TABLE job_typ (jt_cd TEXT PRIMARY KEY, jt_desc TEXT);"
        "CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, boat_nm TEXT);"
        "CREATE TABLE wo (wo_no INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat (boat_id),"
        " jt_cd TEXT REFERENCES job_typ (jt_cd), in_dt DATE, stat TEXT);"
        "INSERT INTO job_typ VALUES ('HUL', 'Hull'), ('RIG', 'Rigging'), ('ENG', 'Engine');"
        "INSERT INTO boat VALUES (1, 'Gull'), (2, 'Tern');"
        "INSERT INTO wo VALUES (11, 1, 'HUL', '2024-01-05', 'open'), (12, 1, 'HUL', '2024-03-05', 'done'),"
        " (13, 2, 'RIG', '2023-04-05', 'open'), (14, 1, 'HUL', '2023-05-05', 'open');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open jobs", [(11,), (13,), (14,)]),
        ("how many jobs in 2024", [(2,)]),
        ("which boat has the most open jobs", [("Gull",)]),
        ("compare hull and rigging jobs", [("Hull", 3), ("Rigging", 1)]),
        ("hull vs rigging jobs in 2023", [("Hull", 1), ("Rigging", 1)]),
        ("list the job types", [("Engine",), ("Hull",), ("Rigging",)]),
    ],
)
def test_jobs_are_what_was_ordered(yard: Any, question: str, rows: list[Any]) -> None:
    yard.answers(question, rows)
