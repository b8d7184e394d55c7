"""A "list of" things asks for them; what was "never done" is what the only table that refers to it lacks."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def salon(make: Any) -> Any:
    return make(
        "CREATE TABLE cut (cut_id INTEGER PRIMARY KEY, cut_name VARCHAR, kind VARCHAR);"
        "CREATE TABLE visit_cut (visit_cut_id INTEGER PRIMARY KEY, cut_id INTEGER REFERENCES cut (cut_id), fee INT);"
        "INSERT INTO cut VALUES (1, 'Bob', 'short'), (2, 'Fade', 'short'), (3, 'Layers', 'long');"
        "INSERT INTO visit_cut VALUES (1, 1, 20), (2, 3, 40);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list of cuts", [("Bob",), ("Fade",), ("Layers",)]),
        ("full list of short cuts", [("Bob",), ("Fade",)]),
        ("which cuts were never done", [("Fade",)]),
        ("cuts that have never been used", [("Fade",)]),
    ],
)
def test_a_list_of_things_and_what_was_never_done(salon: Any, question: str, rows: list[Any]) -> None:
    salon.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tenants with their agent and street name", [("Ann", "Kim", "Elm"), ("Bo", "Lou", "Oak")]),
        ("agent and street names of tenants", [("Kim", "Elm"), ("Lou", "Oak")]),
        ("tenant and agent name", [("Ann", "Kim"), ("Bo", "Lou")]),
    ],
)
def test_two_things_and_name_are_both_names(make: Any, question: str, rows: list[Any]) -> None:
    lets = make(
        "CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name VARCHAR);"
        "CREATE TABLE streets (street_id INTEGER PRIMARY KEY, street_name VARCHAR, agent_pct INTEGER);"
        "CREATE TABLE tenants (tenant_id INTEGER PRIMARY KEY, tenant_name VARCHAR,"
        " agent_id INTEGER REFERENCES agents (agent_id), street_id INTEGER REFERENCES streets (street_id));"
        "INSERT INTO agents VALUES (1, 'Kim'), (2, 'Lou'); INSERT INTO streets VALUES (1, 'Elm', 4), (2, 'Oak', 5);"
        "INSERT INTO tenants VALUES (1, 'Ann', 1, 1), (2, 'Bo', 2, 2);"
    )
    lets.answers(question, rows)
