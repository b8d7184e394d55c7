"""Outcomes that the data writes as verbs, `fail`, and questions as participles, "failed"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE vans (van_id INTEGER PRIMARY KEY, plate VARCHAR);"
        "CREATE TABLE checks (check_id INTEGER PRIMARY KEY, van_id INTEGER REFERENCES vans (van_id), checked_on DATE,"
        " mechanic VARCHAR, outcome VARCHAR);"
        "INSERT INTO vans VALUES (1, 'AB1'), (2, 'CD2'), (3, 'EF3');"
        "INSERT INTO checks VALUES (1, 1, '2024-02-01', 'Kim', 'pass'), (2, 2, '2024-03-01', 'Lou', 'fail'),"
        " (3, 2, '2023-03-01', 'Kim', 'fail'), (4, 3, '2024-04-01', 'Kim', 'approve');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many checks failed", [(2,)]),
        ("checks that failed in 2024", [(2,)]),
        ("failed checks per mechanic", [("Kim", 1), ("Lou", 1)]),
        ("what percentage of checks failed", [(50.0,)]),
        ("which vans failed a check", [("CD2",)]),
        ("checks that passed", [(1,)]),
        ("approved checks", [(4,)]),
    ],
)
def test_they_are_found(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)
