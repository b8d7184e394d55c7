"""Clauses that leave out what has no value: "skip those without a grade", "only where we know it"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def quarry(make: Any) -> Any:
    return make(
        "CREATE TABLE block (block_id INTEGER PRIMARY KEY, stone VARCHAR, grade VARCHAR, tonnes REAL, buyer VARCHAR,"
        " tested INTEGER);"
        "INSERT INTO block VALUES (1, 'slate', 'A', 2.0, 'Ann', 1), (2, 'slate', NULL, 4.0, NULL, NULL),"
        " (3, 'marble', 'B', NULL, 'Bo', 0), (4, NULL, 'A', 3.0, NULL, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of blocks per grade; skip the ones without a grade", [("A", 2), ("B", 1)]),
        ("number of blocks per grade, leave out those where it's unknown", [("A", 2), ("B", 1)]),
        ("number of blocks per stone (blanks left out)", [("marble", 1), ("slate", 2)]),
        ("number of blocks per stone, leaving out blocks where we don't know it", [("marble", 1), ("slate", 2)]),
        ("average tonnes per stone; ignore blocks without tonnes", [(None, 3.0), ("slate", 3.0)]),
        ("average tonnes per stone, the unknown ones aside", [("marble", None), ("slate", 3.0)]),
        ("blocks over 2 tonnes: stone, the unknown ones can be left out", [("slate",)]),
    ],
)
def test_rows_without_a_value_are_left_out(quarry: Any, question: str, rows: list[Any]) -> None:
    (reading,) = quarry.read(question)
    assert sorted(quarry.rows(reading.sql), key=str) == sorted(rows, key=str), reading.sql


@pytest.mark.parametrize("question", ["how many blocks are there, leave out unknown ones", "blocks per grade, unknown"])
def test_where_nothing_may_be_unknown_it_is_refused(quarry: Any, question: str) -> None:
    with pytest.raises(Unread):
        quarry.read(question)


def test_an_unknown_one_that_the_data_has_is_that_one(make: Any) -> None:
    gallery = make(
        "CREATE TABLE works (id INTEGER PRIMARY KEY, artist VARCHAR);"
        "INSERT INTO works VALUES (1, 'Ann'), (2, 'Unknown artist'), (3, NULL);"
    )
    gallery.answers("artists of works (leave out the unknown artist)", [("Ann",)])
