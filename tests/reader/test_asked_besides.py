"""What is asked besides, of the things that a question names: "and what they earn", "- name and age"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def kennels(make: Any) -> Any:
    return make(
        "CREATE TABLE kennels (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE keepers (id INTEGER PRIMARY KEY, name VARCHAR, wage INTEGER, hired DATE,"
        " kennel_id INTEGER REFERENCES kennels (id));"
        "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name VARCHAR, breed VARCHAR, weight INTEGER, price INTEGER,"
        " born DATE, kennel_id INTEGER REFERENCES kennels (id));"
        "INSERT INTO kennels VALUES (1, 'North', 'Leeds'), (2, 'South', 'Bath');"
        "INSERT INTO keepers VALUES (1, 'Ann', 900, '2019-02-01', 1), (2, 'Bo', 800, '2021-03-01', 2),"
        " (3, 'Cy', 700, '2020-04-01', 2);"
        "INSERT INTO dogs VALUES (1, 'Rex', 'collie', 30, 400, '2020-01-01', 1),"
        " (2, 'Fido', 'boxer', 40, 300, '2021-01-01', 2), (3, 'Pip', 'pug', 10, 500, '2022-01-01', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 2 keepers by wage and what they earn", [("Ann", 900), ("Bo", 800)]),
        ("What is the youngest dog, and when was it born?", [("Pip", "2022-01-01")]),
        ("which dogs weigh more than 20 and which kennel are they in?", [("Fido", "South"), ("Rex", "North")]),
        ("the most expensive dog and what does it cost", [("Pip", 500)]),
        ("Who was hired in 2020 and what does he or she earn?", [("Cy", 700)]),
        ("dogs with a price below 450 and what that price is", [("Fido", 300), ("Rex", 400)]),
        ("the heaviest dog - what breed is it", [("boxer",)]),
        ("Who is the best paid keeper? Name and wage please", [("Ann", 900)]),
        ("keepers hired before 2021, name and wage", [("Ann", 900), ("Cy", 700)]),
    ],
)
def test_what_is_asked_besides_is_shown(kennels: Any, question: str, rows: list[Any]) -> None:
    (reading,) = kennels.read(question)
    found = [tuple(str(c) if not isinstance(c, int) else c for c in row) for row in kennels.rows(reading.sql)]
    assert sorted(found) == rows, reading.sql
