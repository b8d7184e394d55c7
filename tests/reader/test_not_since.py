"""Who has not been in, or was not served, since a day has no row from that day on; when they joined does not matter."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def salon(make: Any) -> Any:
    return make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, registered_on DATE);"
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), name VARCHAR,"
        " jab_due DATE);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pets (id), came_on DATE);"
        "INSERT INTO clients VALUES (1, 'Ann', '2020-01-01'), (2, 'Bo', '2020-01-01'), (3, 'Cy', '2024-09-01');"
        "INSERT INTO pets VALUES (1, 1, 'Rex', '2030-01-01'), (2, 2, 'Tom', '2021-01-01');"
        "INSERT INTO visits VALUES (1, 1, '2023-02-01'), (2, 2, '2023-02-01'), (3, 2, '2024-07-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients who haven't been in since june 2024", [("Ann",), ("Cy",)]),
        ("who hasn't been in since 2024", [("Ann",), ("Cy",)]),
        ("clients we have not seen since 1 June 2024", [("Ann",), ("Cy",)]),
        ("pets not in since june 2024", [("Rex",)]),
        ("clients who have not registered since 2024", [("Ann",), ("Bo",)]),
    ],
)
def test_it_is_of_what_was_done_with_them(salon: Any, question: str, rows: list[Any]) -> None:
    salon.answers(question, rows)


@pytest.fixture(scope="module")
def boathouse(make: Any) -> Any:
    return make(
        "CREATE TABLE clubs (id INTEGER PRIMARY KEY, name VARCHAR, club_since DATE);"
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR, club_id INTEGER REFERENCES clubs (id));"
        "CREATE TABLE outings (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), rowed_on DATE);"
        "INSERT INTO clubs VALUES (1, 'Oar', '2010-01-01'), (2, 'Tide', '2024-06-01');"
        "INSERT INTO boats VALUES (1, 'Swan', 1), (2, 'Heron', 2), (3, 'Gull', NULL);"
        "INSERT INTO outings VALUES (1, 1, '2024-03-01'), (2, 1, '2024-05-01'), (3, 2, '2024-05-02'),"
        " (4, 3, '2023-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats not rowed in March 2024", [("Gull",), ("Heron",)]),
        ("which boats were not rowed in May 2024", [("Gull",)]),
        ("boats that were not rowed in 2024", [("Gull",)]),
        ("boats rowed in March 2024", [("Swan",)]),
        ("how many boats were not rowed in March 2024", [(2,)]),
    ],
)
def test_what_was_not_done_in_a_month_has_no_row_of_it(boathouse: Any, question: str, rows: list[Any]) -> None:
    boathouse.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clubs since 2020", [("Tide",)]),
        ("boats not rowed since March 2024", [("Gull",)]),
        ("boats without an outing since March 2024", [("Gull",)]),
    ],
)
def test_since_is_no_date_of_what_is_not_spoken_of(boathouse: Any, question: str, rows: list[Any]) -> None:
    boathouse.answers(question, rows)


def test_what_nothing_says_was_not_done_is_refused_where_several_tables_have_dates(make: Any) -> None:
    sweeps = make(
        "CREATE TABLE owners (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE stoves (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id), scrapped_on DATE);"
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, stove_id INTEGER REFERENCES stoves (id), bill_date DATE);"
        "INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO stoves VALUES (1, 1, '2025-01-01');"
        "INSERT INTO bills VALUES (1, 1, '2023-01-01');"
    )
    sweeps.refused("owners we have not visited since 2024")
