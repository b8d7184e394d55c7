"""How far two groups are apart is one number; how long things took is in the unit that the question asks for."""

from __future__ import annotations

from typing import Any

import pytest

DESK = """
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name VARCHAR, gender VARCHAR, salary INTEGER, team VARCHAR);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, subject VARCHAR, agent_id INTEGER REFERENCES agents,
  opened_at TIMESTAMP, closed_at TIMESTAMP, priority VARCHAR);
CREATE TABLE parcels (parcel_no INTEGER PRIMARY KEY, town VARCHAR, sent_on DATE, due_on DATE, delivered_on DATE);
CREATE TABLE faults (fault_id INTEGER PRIMARY KEY, fault_name VARCHAR, kind VARCHAR, reported_on DATE, fixed_on DATE);
INSERT INTO agents VALUES (1, 'Eve', 'female', 50, 'North'), (2, 'Dan', 'male', 40, 'North'),
  (3, 'Fay', 'female', 70, 'South'), (4, 'Gus', 'male', 45, 'South');
INSERT INTO tickets VALUES (1, 'Login', 3, '2022-01-01 10:00:00', '2022-01-01 12:30:00', 'high'),
  (2, 'Printer', 4, '2023-01-02 08:00:00', '2023-01-02 18:00:00', 'low'),
  (3, 'Disk', 3, '2023-02-01 09:00:00', NULL, 'high'),
  (4, 'Net', 4, '2023-02-03 09:00:00', '2023-02-03 10:00:00', 'low');
INSERT INTO parcels VALUES (71, 'Rome', '2023-01-01', '2023-01-04', '2023-01-06'),
  (72, 'Oslo', '2023-01-01', '2023-01-04', '2023-01-03'), (73, 'Rome', '2023-01-01', '2023-01-04', NULL);
INSERT INTO faults VALUES (1, 'Leak', 'water', '2023-01-01', '2023-01-05'), (2, 'Fuse', 'power', '2023-01-01', NULL),
  (3, 'Drip', 'water', '2023-01-01', '2023-01-03');
"""


@pytest.fixture(scope="module")
def desk(make: Any) -> Any:
    return make(DESK)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many more tickets in 2023 than in 2022", [(2,)]),
        ("how many more tickets in February 2023 than in January 2023", [(1,)]),
        ("how many fewer tickets were opened in 2022 than in 2023?", [(2,)]),
        ("difference between the average salary of women and men", [(17.5,)]),
        ("difference in average salary between female and male agents", [(17.5,)]),
        ("how much higher is the average salary in South than in North", [(12.5,)]),
        ("how many more high than low priority tickets do we have", [(0,)]),
        ("difference between the number of tickets in 2022 and 2023 per agent", [("Fay", 0), ("Gus", 2)]),
    ],
)
def test_two_groups_are_so_far_apart(desk: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    desk.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average length of a ticket in hours", [(4.5,)]),
        ("average ticket length in minutes by priority", [("high", 150.0), ("low", 330.0)]),
        ("how many hours on average does a ticket take, per priority", [("high", 2.5), ("low", 5.5)]),
        ("how long did each closed ticket take in hours", [("Login", 2.5), ("Net", 1.0), ("Printer", 10.0)]),
        ("how many days on average does a fault take, per kind", [("power", None), ("water", 3.0)]),
    ],
)
def test_how_long_things_took(desk: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = desk.read(question)
    found = sorted(desk.rows(reading.sql))
    assert [row[0] for row in found] == [pytest.approx(row[0]) for row in rows], reading.sql
    assert [row[-1] for row in found] == [pytest.approx(row[-1], abs=0.001) for row in rows], reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("parcels delivered after they were due and by how much", [(71, 2)]),
        ("parcels delivered after the due date with the number of days over", [(71, 2)]),
        ("parcels delivered before the due date, with the difference", [(72, 1)]),
    ],
)
def test_how_far_two_compared_columns_are_apart(desk: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    desk.answers(question, rows)


@pytest.mark.parametrize(
    "question", ["which parcels were delivered late, and by how many days?", "parcels delivered late and the days late"]
)
def test_what_was_late_is_shown_beside_the_days(desk: Any, question: str) -> None:
    desk.answers(question, [(71, 2)])
