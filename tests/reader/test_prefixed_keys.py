"""Undeclared keys are found behind the prefix that a table's columns share, and behind the word for a role."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def mill(make: Any) -> Any:
    """Tables whose columns all begin with letters of their own, with roles, and without declared keys."""
    return make(
        "CREATE TABLE gr_grower (gr_no INTEGER, gr_name VARCHAR, gr_valley VARCHAR);"
        "CREATE TABLE cl_clerk (cl_no INTEGER, cl_name VARCHAR, cl_desk VARCHAR);"
        "CREATE TABLE de_delivery (de_no INTEGER, de_gr_no INTEGER, de_weigher_cl_no INTEGER, de_tons INTEGER);"
        "CREATE TABLE sa_sample (sa_no INTEGER, sa_delivery_no INTEGER, sa_moisture DOUBLE);"
        "INSERT INTO gr_grower VALUES (1, 'Ada', 'Upper'), (2, 'Ben', 'Lower'), (3, 'Cas', 'Lower');"
        "INSERT INTO cl_clerk VALUES (7, 'Kim', 'A'), (8, 'Lou', 'B');"
        "INSERT INTO de_delivery VALUES (11, 1, 7, 5), (12, 2, 7, 9), (13, 2, 8, 4);"
        "INSERT INTO sa_sample VALUES (21, 11, 12.5), (22, 12, 14.0), (23, 12, 15.5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total tons per grower", [("Ada", 5), ("Ben", 13)]),
        ("growers without deliveries", [("Cas",)]),
        ("how many deliveries are there per clerk", [("Kim", 2), ("Lou", 1)]),
        ("how many samples come from growers in Lower", [(2,)]),
    ],
)
def test_keys_are_found_behind_prefixes_and_roles(mill: Any, question: str, rows: list[Any]) -> None:
    mill.answers(question, rows)


def test_a_key_named_after_its_own_table_is_none_to_another(make: Any) -> None:
    offices = make(
        "CREATE TABLE office (office_id INTEGER, town VARCHAR, head_office_id INTEGER);"
        "CREATE TABLE head (head_id INTEGER, name VARCHAR);"
    )
    assert not [key for table in offices.catalog.tables for key in table.foreign_keys]
