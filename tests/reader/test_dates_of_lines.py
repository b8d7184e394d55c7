"""Amounts of lines without dates are dated by the orders or visits that they belong to, and by no other thing."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from support import Database

SALON = """
CREATE TABLE salons (salon_id INTEGER PRIMARY KEY, salon_name TEXT, opened DATE, renovated DATE);
INSERT INTO salons VALUES (1, 'Harbour Cuts', '2009-04-01', '2020-01-01'), (2, 'Old Mill', '2024-05-01', NULL);
CREATE TABLE gowns (gown_id INTEGER PRIMARY KEY, gown_name TEXT, bought DATE);
INSERT INTO gowns VALUES (1, 'Black gown', '2024-02-02'), (2, 'White gown', '2021-03-03');
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, salon_id INTEGER REFERENCES salons(salon_id), arrived DATE,
  promised DATE, left_on DATE);
INSERT INTO visits VALUES (1, 1, '2023-02-01', '2023-02-02', '2023-02-01'), (2, 1, '2024-03-05', NULL, '2024-03-05'),
  (3, 2, '2024-03-09', NULL, NULL);
CREATE TABLE visit_lines (visit_line_id INTEGER PRIMARY KEY, visit_id INTEGER REFERENCES visits(visit_id),
  gown_id INTEGER REFERENCES gowns(gown_id), charge DECIMAL(6,2));
INSERT INTO visit_lines VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 2, 40), (4, 3, 1, 80);
"""


@pytest.fixture(scope="module")
def salon(standing: Database) -> Any:
    return standing.made(SALON)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total charges in 2024", [(120,)]),
        ("charges in 2024", [(40,), (80,)]),
        ("charges per month for Harbour Cuts", [("2023-02", 30), ("2024-03", 40)]),
        ("charges for the white gown in 2024", [(40,)]),
        ("total charges by year", [("2023", 30), ("2024", 120)]),
        ("which salon had the highest charges in 2024", [("Old Mill",)]),
        ("total charges per salon in 2024", [("Harbour Cuts", 40), ("Old Mill", 80)]),
    ],
)
def test_lines_are_dated_by_what_they_belong_to(salon: Any, question: str, rows: list[Any]) -> None:
    found = [
        tuple(str(v).removesuffix(".00").removesuffix(".0") for v in row) for row in askwhere.ask(salon, question).rows
    ]
    assert sorted(found) == sorted(tuple(map(str, row)) for row in rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average visit value", [(50,)]),
        ("average visit value in 2024", [(60,)]),
        ("value of each visit", [(1, 30), (2, 40), (3, 80)]),
    ],
)
def test_the_value_of_a_visit_is_the_sum_of_its_lines(salon: Any, question: str, rows: list[Any]) -> None:
    found = askwhere.ask(salon, question).rows
    assert sorted(tuple(map(float, row)) for row in found) == rows


def test_lines_with_a_month_of_their_own_are_not_dated_by_another_thing(standing: Database) -> None:
    phones = standing.made("""
        CREATE TABLE sims (msisdn TEXT PRIMARY KEY, activated DATE);
        CREATE TABLE data_use (use_id INTEGER PRIMARY KEY, msisdn TEXT REFERENCES sims(msisdn), usage_month TEXT,
          used_mb INTEGER);
        INSERT INTO sims VALUES ('1', '2020-01-01');
        INSERT INTO data_use VALUES (1, '1', '2024-02', 5), (2, '1', '2024-03', 7);
    """)
    found = askwhere.ask(phones, "total megabytes used in each month").rows
    assert sorted(map(tuple, found)) == [("2024-02", 5), ("2024-03", 7)]
