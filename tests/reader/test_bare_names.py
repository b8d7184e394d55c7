"""A bare name beside things is of the one that has them: "has Queen recorded", "which Queen album"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def music(make: Any) -> Any:
    return make(
        "CREATE TABLE artists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE albums (id INTEGER PRIMARY KEY, title VARCHAR, artist_id INTEGER REFERENCES artists (id));"
        "CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR, composer VARCHAR,"
        " album_id INTEGER REFERENCES albums (id));"
        "INSERT INTO artists VALUES (1, 'Iron Maiden'), (2, 'Queen');"
        "INSERT INTO albums VALUES (1, 'Iron Maiden', 1), (2, 'Powerslave', 1), (3, 'Jazz', 2), (4, 'Covers', 2);"
        "INSERT INTO tracks VALUES (1, 'Iron Maiden', 'Harris', 1), (2, 'Aces', 'Harris', 2), (3, 'Duel', 'Smith', 2),"
        " (4, 'Mustapha', 'Queen', 3), (5, 'Wreck', 'Berry', 4), (6, 'Stand', 'King', 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many albums has Iron Maiden recorded?", [(2,)]),
        ("How many albums did Iron Maiden release?", [(2,)]),
        ("Which albums has Queen released?", [("Covers",), ("Jazz",)]),
        ("How many Iron Maiden albums are there?", [(2,)]),
        ("Which Queen album has the most tracks?", [("Covers",)]),
        ("Which Iron Maiden album has the most tracks?", [("Powerslave",)]),
        ("the album Iron Maiden", [("Iron Maiden",)]),
    ],
)
def test_a_bare_name_is_of_who_has_the_things(music: Any, question: str, rows: list[Any]) -> None:
    music.answers(question, rows)
