"""Scores and percentages are averaged and never added up, and "only" before several of them is no number."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def inns(make: Any) -> Any:
    return make(
        "CREATE TABLE inns (id INTEGER PRIMARY KEY, name VARCHAR, tax_pct INTEGER);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, inn_id INTEGER REFERENCES inns(id), score INTEGER);"
        "INSERT INTO inns VALUES (1, 'Oak', 5), (2, 'Elm', 7), (3, 'Ash', 9);"
        "INSERT INTO visits VALUES (1, 1, 3), (2, 1, 3), (3, 1, 4), (4, 2, 5), (5, 3, 1), (6, 3, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 2 inns by score", [("Elm", 5.0), ("Oak", 10 / 3)]),
        ("best rated inn", [("Elm",)]),
        ("worst rated inn", [("Ash",)]),
        ("inns with only 2 visits", [("Ash",)]),
        ("total tax percent", [(21,)]),
    ],
)
def test_scores_are_averaged(inns: Any, question: str, rows: list[Any]) -> None:
    inns.answers(question, rows)


@pytest.mark.parametrize("question", ["total tax per inn", "inns with only 5 score visits"])
def test_what_adds_up_percentages_or_drops_only_is_refused(inns: Any, question: str) -> None:
    inns.refused(question)
