"""States that are adjectives of their column, flags called after what is needed, and ratings in short names."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE faults (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), urgency VARCHAR,"
        " parts_needed BOOLEAN, owners_notified BOOLEAN);"
        "CREATE TABLE rvw (rvw_id INTEGER PRIMARY KEY, clnt_id INTEGER REFERENCES clients (id), rtng INTEGER);"
        "INSERT INTO clients VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO faults VALUES (1, 1, 'urgent', TRUE, FALSE), (2, 1, 'routine', FALSE, TRUE),"
        " (3, 2, 'routine', TRUE, TRUE), (4, 3, 'urgent', FALSE, FALSE);"
        "INSERT INTO rvw VALUES (1, 1, 5), (2, 2, 3), (3, 3, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("urgent faults", [(1,), (4,)]),
        ("how many urgent faults are there", [(2,)]),
        ("clients with an urgent fault", [("Ann",), ("Cy",)]),
        ("number of faults by urgency", [("routine", 2), ("urgent", 2)]),
    ],
)
def test_an_adjective_that_a_column_holds_is_a_value_of_it(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)
