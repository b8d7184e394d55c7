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
        ("Which playlists contain jazz?", [("Mixed",)]),
        ("Which playlists include rock?", [("Old Jazz",)]),
        ("names of playlists that contain jazz", [("Mixed",)]),
        ("Which playlists contain the word jazz?", [("Old Jazz",)]),
        ("playlists containing 'Jazz'", [("Old Jazz",)]),
        ("playlists whose name contains jazz", [("Old Jazz",)]),
    ],
)
def test_what_is_read(firm: Any, question: str, rows: list[Any]) -> None:
    firm.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("cows and their mothers", [("Bella", "Alma"), ("Cora", "Alma")]),
        ("how many cows are there", [(3,)]),
        ("barns and their sister barns", [("North", "South")]),
        ("list the barns", [("North",), ("South",)]),
        ("members and who invited them", [("Ida", "Jo")]),
    ],
)
def test_roles_of_kin_and_names_after_the_own_key_refer_to_the_table_itself(
    make: Any, question: str, rows: list[Any]
) -> None:
    farm = make(
        "CREATE TABLE cows (cow_id INTEGER PRIMARY KEY, name VARCHAR, mother_id INTEGER, father_id INTEGER);"
        "CREATE TABLE barns (barn_key INTEGER PRIMARY KEY, title VARCHAR, sister_barn_key INTEGER);"
        "CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name VARCHAR, invited_by INTEGER);"
        "INSERT INTO cows VALUES (1, 'Alma', NULL, NULL), (2, 'Bella', 1, NULL), (3, 'Cora', 1, NULL);"
        "INSERT INTO barns VALUES (1, 'North', 2), (2, 'South', NULL);"
        "INSERT INTO members VALUES (1, 'Jo', NULL), (2, 'Ida', 1);"
    )
    farm.answers(question, rows)
