"""Dates that are short for verbs, numbers in the unit that is shown, and names of things beside their numbers."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from support import Database

YARD = """
CREATE TABLE wldr (wldr_id INTEGER PRIMARY KEY, wldr_nm TEXT, grade TEXT,
  trained_by INTEGER REFERENCES wldr(wldr_id));
INSERT INTO wldr VALUES (1, 'Ada', 'foreman', NULL);
INSERT INTO wldr VALUES (2, 'Bea', 'welder', 1), (3, 'Col', 'welder', 1);
CREATE TABLE jobs (job_no INTEGER PRIMARY KEY, wldr_id INTEGER REFERENCES wldr(wldr_id), opn_dt TEXT, clsd_dt TEXT,
  stat TEXT, fee_cents INTEGER, room_type TEXT);
INSERT INTO jobs VALUES (1, 1, '2022-12-30', '2023-01-05', 'closed', 40000, 'a'),
  (2, 2, '2023-02-01', '2024-01-02', 'closed', 90000, 'b'), (3, 2, '2023-03-01', NULL, 'open', 20000, 'b');
CREATE TABLE berth_types (code TEXT PRIMARY KEY, label TEXT);
INSERT INTO berth_types VALUES ('d', 'dry'), ('w', 'wet'), ('c', 'covered');
CREATE TABLE docks (dock_id INTEGER PRIMARY KEY, dock_name TEXT, berth_count INTEGER);
INSERT INTO docks VALUES (1, 'North', 4), (2, 'South', 7);
"""


@pytest.fixture(scope="module")
def yard(standing: Database) -> Any:
    return standing.made(YARD)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("jobs opened in 2023", [(2,), (3,)]),
        ("jobs closed in 2023", [(1,)]),
        ("how many jobs were closed in 2024?", [(1,)]),
        ("jobs with a fee over 300 in euros", [(1,), (2,)]),
        ("revenue per welder in euros, only those over 500", [("Bea", 1100)]),
        ("number of jobs by each welder", [("Ada", 1), ("Bea", 2)]),
        ("how many berths do we have altogether?", [(11,)]),
        ("docks with more than 5 berths", [("South",)]),
        ("how many berth types are there?", [(3,)]),
        ("who was trained for us by Ada?", [("Bea",), ("Col",)]),
    ],
)
def test_the_right_column_is_compared(yard: Any, question: str, rows: list[Any]) -> None:
    assert sorted(askwhere.ask(yard, question).rows) == rows
