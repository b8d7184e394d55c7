"""What is done most with things where no table is named after it: the most served cake is the most used one."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def parlour(make: Any) -> Any:
    return make(
        "CREATE TABLE parties (party_id INTEGER PRIMARY KEY, held DATE);"
        "CREATE TABLE cakes (cake_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE party_cakes (party_id INTEGER REFERENCES parties (party_id),"
        " cake_id INTEGER REFERENCES cakes (cake_id), note VARCHAR);"
        "INSERT INTO parties VALUES (1, '2024-01-01'), (2, '2024-02-01'), (3, '2024-03-01');"
        "INSERT INTO cakes VALUES (1, 'Plum'), (2, 'Apple');"
        "INSERT INTO party_cakes VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 2, 'c');"
    )


@pytest.mark.parametrize("question", ["most served cake", "the most requested cake"])
def test_its_uses_are_counted(parlour: Any, question: str) -> None:
    parlour.answers(question, [("Apple",)])


def test_other_verbs_are_refused(parlour: Any) -> None:
    parlour.refused("most damaged cake")
