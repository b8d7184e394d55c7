"""Words that say nothing to a database may be left out, which the notes say; what changes the question never is."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.likely import learned, likely


@pytest.mark.parametrize(
    ("question", "left_out", "rows"),
    [
        ("How many books do we basically have?", "'basically'", [(8,)]),
        ("Which books simply have more than 400 pages?", "'simply'", [("Deep Roots",), ("The Glass Hill",)]),
    ],
)
def test_what_says_nothing_is_left_out_and_noted(
    library: Any, question: str, left_out: str, rows: list[tuple[Any, ...]]
) -> None:
    (reading,) = library.read(question)
    assert reading.notes == (f"left out: {left_out}",)
    assert sorted(library.rows(reading.sql)) == rows


@pytest.mark.parametrize(
    "question",
    [
        "Show the titles of waterproof books",
        "Which books were not damaged?",
        "books with the most xyz",
        "Which xyz do the books have?",
        "How many books have more than 3 xyz?",
        "Show the titles of the same books",
        "half of the books",
        "What is the isbn of each book?",
    ],
)
def test_what_makes_another_question_is_not_left_out(library: Any, question: str) -> None:
    with pytest.raises(Unread):
        library.read(question)


def test_a_reading_that_leaves_something_out_is_less_likely(library: Any) -> None:
    (plain,) = library.read("How many books do we have?")
    (other,) = library.read("How many books do we basically have?")
    assert learned().least <= other.confidence < plain.confidence < 1


def test_a_feature_without_a_weight_changes_nothing() -> None:
    assert likely({"xyz": 5.0}) == likely({})


@pytest.mark.parametrize("question", ["books in narnia", "how many members are from gondor", "loans by xyz in 2020"])
def test_what_things_are_in_or_by_is_never_left_out(library: Any, question: str) -> None:
    with pytest.raises(Unread):
        library.read(question)


def test_a_word_for_a_kind_is_not_left_out_before_the_thing_that_is_grouped_by(make: Any) -> None:
    shed = make(
        "CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, stock INTEGER,"
        " owner_id INTEGER REFERENCES owner (owner_id));"
        "INSERT INTO owner VALUES (1, 'Ann');"
        "INSERT INTO boat VALUES (1, 'Elk', 'skiff', 2, 1), (2, 'Gnu', 'skiff', 3, 1), (3, 'Yak', 'punt', 4, 1);"
    )
    shed.answers("number of boats per kind of boat", [("punt", 1), ("skiff", 2)])
    shed.answers("what kinds of boats are there", [("punt",), ("skiff",)])
    shed.refused("stock value of the boats")
