"""What we did, "how many wheel builds did we do", and what became of things: "how many jobs did we cancel"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(
        "CREATE TABLE kinds (code VARCHAR PRIMARY KEY, label VARCHAR);"
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE jobs (job_no VARCHAR PRIMARY KEY, kind_code VARCHAR REFERENCES kinds (code),"
        " rider_id INTEGER REFERENCES riders (id), job_date DATE, booked_on DATE, status VARCHAR);"
        "CREATE TABLE order_states (id INTEGER PRIMARY KEY, state VARCHAR);"
        "CREATE TABLE orders (order_no VARCHAR PRIMARY KEY, state_id INTEGER REFERENCES order_states (id),"
        " order_date DATE);"
        "INSERT INTO kinds VALUES ('WB', 'Wheel build'), ('FS', 'Full service');"
        "INSERT INTO riders VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO jobs VALUES ('J1', 'WB', 1, '2024-05-03', '2024-04-01', 'finished'),"
        " ('J2', 'WB', 1, '2024-06-03', '2024-05-09', 'cancelled'), ('J3', 'FS', 2, '2024-05-04', '2024-05-01',"
        " 'finished'), ('J4', 'WB', 2, '2023-05-04', '2023-05-01', 'cancelled');"
        "INSERT INTO order_states VALUES (1, 'shipped'), (2, 'open');"
        "INSERT INTO orders VALUES ('O1', 1, '2024-05-01'), ('O2', 2, '2024-05-02'), ('O3', 1, '2024-07-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many wheel builds did we do in 2024", [(2,)]),
        ("how many wheel builds did we do for Ann", [(2,)]),
        ("how many full services have we had in 2024", [(1,)]),
        ("how many wheel builds did we book in May 2024", [(1,)]),
        ("how many wheel builds did we cancel", [(2,)]),
    ],
)
def test_things_of_a_kind_are_those_that_we_did(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many jobs did we cancel", [(2,)]),
        ("how many jobs did we cancel in 2024", [(1,)]),
        ("how many jobs did Ann cancel", [(1,)]),
        ("how many orders did we ship in May 2024", [(1,)]),
    ],
)
def test_a_verb_behind_did_is_the_state_of_its_participle(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)
