"""Questions and the SQL that answers them, from `golden.sql` and `business.sql`: both give the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def pairs(file: str) -> list[tuple[str, str]]:
    text = (Path(__file__).parent / file).read_text()
    return [(q.strip(), sql.strip()) for q, sql in (part.split("\n", 1) for part in text.split("-- ")[1:])]


def agrees(database: Any, question: str, expected: str) -> None:
    """Fails unless the question has one reading, which gives the rows of the expected SQL."""
    readings = database.read(question)
    assert len(readings) == 1, [r.sql for r in readings]
    found, wanted = database.rows(readings[0].sql), database.rows(expected)
    if "ORDER BY" not in expected:
        found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
    assert found == wanted, readings[0].sql


@pytest.mark.parametrize(("question", "expected"), pairs("golden.sql"))
def test_question_gives_the_rows_of_its_sql(library: Any, question: str, expected: str) -> None:
    agrees(library, question, expected)


@pytest.mark.parametrize(("question", "expected"), pairs("business.sql"))
def test_question_of_a_shop_gives_the_rows_of_its_sql(business: Any, question: str, expected: str) -> None:
    agrees(business, question, expected)


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("How many books are there?", ["count"]),
        ("What are the average, minimum and maximum age of members?", ["average_age", "minimum_age", "maximum_age"]),
        ("What is the total fine per member?", ["name", "total_fine"]),
        ("How many different genres are there?", ["count_genre"]),
        ("How many books does each author have?", ["first_name", "last_name", "count"]),
    ],
)
def test_columns_have_plain_names_that_are_the_same_in_both_engines(
    library: Any, question: str, columns: list[str]
) -> None:
    assert sorted(library.columns(library.read(question)[0].sql)) == sorted(columns)
