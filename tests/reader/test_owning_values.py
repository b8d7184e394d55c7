"""A value that owns things: "albums by Queen" are the artist's, whatever else is called Queen."""

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
        "INSERT INTO artists VALUES (1, 'Queen'), (2, 'Metallica');"
        "INSERT INTO albums VALUES (1, 'Innuendo', 1), (2, 'Metallica', 2), (3, 'Load', 2), (4, 'Queen', 1);"
        "INSERT INTO tracks VALUES (1, 'Delilah', 'Queen', 1), (2, 'Bijou', 'May', 1), (3, 'Liar', 'May', 4),"
        " (4, 'Enter Sandman', 'Hammett', 2), (5, 'Astronomy', 'Queen', 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("albums by Metallica", [("Load",), ("Metallica",)]),
        ("albums of Queen", [("Innuendo",), ("Queen",)]),
        ("How many albums does Queen have?", [(2,)]),
        ("How many tracks does Load have?", [(1,)]),
        ("albums by Queen and Metallica", [("Innuendo",), ("Load",), ("Metallica",), ("Queen",)]),
        ("tracks composed by Queen", [("Astronomy",), ("Delilah",)]),
        ("What is the title of the album Queen?", [("Queen",)]),
    ],
)
def test_what_things_are_whose(music: Any, question: str, rows: list[Any]) -> None:
    music.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "sizes"),
    [
        ("tracks by Queen", [1, 2, 3]),  # of the album, or where the composer is Queen, or of the artist
        ("tracks of Metallica", [1, 2]),  # of the album, or of the artist
    ],
)
def test_several_owners_of_one_name_are_all_readings(music: Any, question: str, sizes: list[int]) -> None:
    assert sorted(len(music.rows(r.sql)) for r in music.read(question)) == sizes
