"""A value before a table's noun is one of that table, and names begin as the key of their table does."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest


@pytest.fixture(scope="module")
def clinics(make: Any) -> Any:
    return make(
        "CREATE TABLE clinics (cln_cd VARCHAR PRIMARY KEY, cln_name VARCHAR, cln_kind VARCHAR, cln_town VARCHAR);"
        "CREATE TABLE visits (visit_no INTEGER PRIMARY KEY, cln_cd VARCHAR REFERENCES clinics(cln_cd), matter VARCHAR);"
        "INSERT INTO clinics VALUES ('A1', 'Oak House', 'dental', 'Rye'), ('B2', 'Elm House', 'general', 'Ely'),"
        " ('C3', 'Ash House', 'eye', 'Ely');"
        "INSERT INTO visits VALUES (1, 'A1', 'dental'), (2, 'A1', 'eye'), (3, 'B2', 'dental'), (4, 'B2', 'dental'),"
        " (5, 'C3', 'eye'), (6, 'C3', 'general');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which clinic has the most dental visits", [("Elm House",)]),
        ("top 1 clinic by number of dental visits", [("Elm House", 2)]),
        ("clinics with dental visits", [("Elm House",), ("Oak House",)]),
        ("dental clinics", [("Oak House",)]),
        ("clinics in Ely", [("Ash House",), ("Elm House",)]),
    ],
)
def test_a_value_is_one_of_the_noun_behind_it(clinics: Any, question: str, rows: list[Any]) -> None:
    clinics.answers(question, rows)


@pytest.mark.parametrize("question", ["total cost of parts", "total unit price of parts"])
def test_what_one_piece_costs_is_not_added_up(make: Any, question: str) -> None:
    parts = make(
        "CREATE TABLE parts (part_no VARCHAR PRIMARY KEY, description VARCHAR, unit_price DECIMAL(8, 2));"
        "INSERT INTO parts VALUES ('A-1', 'hinge', 4.5), ('B-2', 'latch', 7)"
    )
    with pytest.raises(askwhere.Unread):
        parts.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats with a name longer than 4 characters", [("Albatross",), ("Puffin",)]),
        ("boats whose name is longer than 4 letters", [("Albatross",), ("Puffin",)]),
        ("how many boats have names of more than 4 characters", [(2,)]),
        ("names of boats longer than 6 characters", [("Albatross",)]),
        ("owner names of boats longer than 6 characters", [("Benedict",)]),
    ],
)
def test_letters_are_counted_in_the_name_that_is_said(make: Any, question: str, rows: list[Any]) -> None:
    boats = make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, boat_name VARCHAR, owner_name VARCHAR);"
        "INSERT INTO boats VALUES (1, 'Tern', 'Ann'), (2, 'Puffin', 'Benedict'), (3, 'Albatross', 'Cy')"
    )
    boats.answers(question, rows)
