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
        ("How many visits did doctors receive?", [(2,)]),
        ("Show the state information of each doctor.", [("Ohio",), ("Utah",)]),
    ],
)
def test_a_verb_is_still_no_name(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.fixture(scope="module")
def news(make: Any) -> Any:
    return make(
        "CREATE TABLE journalists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE news_reports (id INTEGER PRIMARY KEY, title VARCHAR, state VARCHAR, sponsor VARCHAR,"
        " journalist_id INTEGER REFERENCES journalists (id));"
        "INSERT INTO journalists VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO news_reports VALUES (1, 'Flood', 'Completed', 'Acme', 1), (2, 'Fire', 'Open', 'no', 1),"
        " (3, 'Fair', 'Completed', NULL, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many reports by Ann were completed?", [(1,)]),  # a state, and no verb
        ("How many news reports are there?", [(3,)]),
        ("titles of the reports completed by Ann", [("Flood",)]),
    ],
)
def test_a_participle_is_a_verb_or_a_value(news: Any, question: str, rows: list[Any]) -> None:
    news.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "How many reporters are there?",  # who report are no reports
        "Which news reports have no sponsor?",  # one says "no" in a word, and one has none
    ],
)
def test_a_stem_says_too_little(news: Any, question: str) -> None:
    with pytest.raises(Unread):
        news.read(question)
