"""A key to a row's own table that no one declared is no amount but a key; what things hold is not their name."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def firm(make: Any) -> Any:
    return make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, ReportsTo INTEGER);"
        "CREATE TABLE playlists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR, playlist_id INTEGER REFERENCES playlists (id));"
        "INSERT INTO employees VALUES (1, 'Ann', 'Lee', NULL), (2, 'Bo', 'Day', 1), (3, 'Cy', 'Fox', 1);"
        "INSERT INTO playlists VALUES (1, 'Mixed'), (2, 'Old Jazz');"
        "INSERT INTO tracks VALUES (1, 'Blue Jazz', 1), (2, 'Rock', 2), (3, 'Jazz', 1);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "the total reports to of employees",
        "Which playlists contain jazz?",
        "Which playlists include rock?",
        "names of playlists that contain jazz",
        "Which employees like jazz?",
        "employees like Ann",
    ],
)
def test_it_is_refused(firm: Any, question: str) -> None:
    with pytest.raises(Unread):
        firm.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many employees report to Ann Lee?", [(2,)]),
        ("Which employees report to Ann Lee?", [("Bo", "Day"), ("Cy", "Fox")]),
        ("Who reports to Ann Lee?", [("Bo", "Day"), ("Cy", "Fox")]),
        ("Which playlists contain the word jazz?", [("Old Jazz",)]),
        ("playlists containing 'Jazz'", [("Old Jazz",)]),
        ("playlists whose name contains jazz", [("Old Jazz",)]),
    ],
)
def test_what_is_read(firm: Any, question: str, rows: list[Any]) -> None:
    firm.answers(question, rows)
