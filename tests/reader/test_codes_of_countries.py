"""Countries and days of the week are found where the data has their codes: `NO` for Norway, `Sat` for Saturday."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE skipper (id INTEGER PRIMARY KEY, name VARCHAR, ctry_cd VARCHAR, team VARCHAR);"
        "CREATE TABLE sailing (id INTEGER PRIMARY KEY, title VARCHAR, weekday VARCHAR);"
        "INSERT INTO skipper VALUES (1, 'Ana', 'ES', 'IT'), (2, 'Bo', 'SE', 'HR'), (3, 'Cy', 'SE', 'IT');"
        "INSERT INTO sailing VALUES (1, 'Bay', 'Sat'), (2, 'Cape', 'Sun'), (3, 'Isle', 'Sat');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("skippers from Spain", [("Ana",)]),
        ("how many Swedish skippers are there", [(2,)]),
        ("skippers from Sweden or Spain", [("Ana",), ("Bo",), ("Cy",)]),
        ("sailings on Saturday", [("Bay",), ("Isle",)]),
    ],
)
def test_countries_and_days_are_found_by_their_codes(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


def test_a_code_in_a_column_of_something_else_is_no_country(harbour: Any) -> None:
    harbour.refused("skippers from Italy")
