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
