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


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("faults that need parts", [(1,), (3,)]),
        ("how many faults need parts", [(2,)]),
        ("faults that need no parts", [(2,), (4,)]),
    ],
)
def test_a_flag_may_end_in_the_verb_of_its_object(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)


@pytest.fixture(scope="module")
def calls(make: Any) -> Any:
    return make(
        "CREATE TABLE alarms (id INTEGER PRIMARY KEY, site VARCHAR, guards_called BOOLEAN);"
        "INSERT INTO alarms VALUES (1, 'Quay', FALSE), (2, 'Mill', TRUE), (3, 'Quay', FALSE);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("alarms where the guards were not called", [(1,), (3,)]),
        ("alarms where no guards were called", [(1,), (3,)]),
        ("alarms where the guards were called", [(2,)]),
    ],
)
def test_called_may_be_what_a_flag_says_was_done(calls: Any, question: str, rows: list[Any]) -> None:
    calls.answers(question, rows)


@pytest.mark.parametrize(("question", "rows"), [("5 star reviews", [(1,), (3,)]), ("reviews rated 3", [(2,)])])
def test_a_rating_may_be_called_in_short(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)
