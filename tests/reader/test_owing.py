"""What is owed, "how much does Ann owe us", and conditions beside what was not done: "unpaid bills in 2024"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def plumber(make: Any) -> Any:
    return make(
        "CREATE TABLE households (id INTEGER PRIMARY KEY, name VARCHAR, area VARCHAR);"
        "CREATE TABLE bills (bill_no VARCHAR PRIMARY KEY, household_id INTEGER REFERENCES households (id),"
        " billed_on DATE, paid_on DATE, amount INTEGER);"
        "INSERT INTO households VALUES (1, 'Ames', 'harbour'), (2, 'Bell', 'harbour'), (3, 'Cole', 'hill');"
        "INSERT INTO bills VALUES ('B1', 1, '2024-02-01', NULL, 300), ('B2', 1, '2023-02-01', NULL, 40),"
        " ('B3', 2, '2023-05-01', '2024-03-01', 500), ('B4', 3, '2024-05-01', NULL, 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how much are we owed", [(360,)]),
        ("how much is outstanding", [(360,)]),
        ("how much is still unpaid", [(360,)]),
        ("how much are we still owed by Ames", [(340,)]),
        ("how much does Ames owe us", [(340,)]),
        ("what does Cole owe us", [(20,)]),
        ("how much does each household owe us", [("Ames", 340), ("Cole", 20)]),
        ("who still owes us money", [("Ames",), ("Cole",)]),
        ("which households owe us money", [("Ames",), ("Cole",)]),
        ("how many households owe us", [(2,)]),
    ],
)
def test_what_is_owed_is_unpaid(plumber: Any, question: str, rows: list[Any]) -> None:
    plumber.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("households with unpaid bills in 2024", [("Ames",), ("Cole",)]),
        ("bills that are unpaid in 2023", [("B2",)]),
        ("households with unpaid bills over 200", [("Ames",)]),
    ],
)
def test_what_was_not_done_stays_so_beside_a_time_or_amount(plumber: Any, question: str, rows: list[Any]) -> None:
    plumber.answers(question, rows)
