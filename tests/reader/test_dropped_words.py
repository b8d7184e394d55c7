"""No noun is passed over because a verb has the same stem: what it names is missing from the database, or is asked."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    return make(
        "CREATE TABLE doctors (id INTEGER PRIMARY KEY, name VARCHAR, state VARCHAR, opened_year INTEGER);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, doctor_id INTEGER REFERENCES doctors (id), notes VARCHAR);"
        "INSERT INTO doctors VALUES (1, 'Ann', 'Ohio', 1990), (2, 'Bo', 'Utah', 2001);"
        "INSERT INTO visits VALUES (1, 1, 'short'), (2, 1, 'long');"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which doctors made a reservation?",
        "What are the names of doctors who took reservations?",
        "Show the doctor locations ordered by opened year.",
        "names of performers",
        "What are the names of stores?",
        "List the ids and information of the visits.",
    ],
)
def test_a_noun_that_has_no_place_is_not_passed_over(clinic: Any, question: str) -> None:
    with pytest.raises(Unread):
        clinic.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of the doctors who made visits", [("Ann",)]),
        ("What name and state does doctor 2 have?", [("Bo", "Utah")]),
        ("state of Ann", [("Ohio",)]),
        ("Show the state information of each doctor.", [("Ohio",), ("Utah",)]),
    ],
)
def test_a_verb_is_still_no_name(clinic: Any, question: str, rows: list[Any]) -> None:
    (reading,) = clinic.read(question)
    assert sorted(clinic.rows(reading.sql)) == rows, reading.sql
