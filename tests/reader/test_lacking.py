"""What there is none of: rows without a key, what someone did not do, and what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def shelf(make: Any) -> Any:
    """Books of which one has no author, and one no genre."""
    return make(
        "CREATE TABLE author (author_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE genre (code VARCHAR PRIMARY KEY, genre_name VARCHAR);"
        "CREATE TABLE book (book_id INTEGER PRIMARY KEY, title VARCHAR, genre_code VARCHAR REFERENCES genre (code),"
        " author_id INTEGER REFERENCES author (author_id));"
        "INSERT INTO author VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO genre VALUES ('r', 'Rock'), ('j', 'Jazz');"
        "INSERT INTO book VALUES (1, 'One', 'r', 1), (2, 'Two', 'j', 2), (3, 'Three', 'r', NULL), (4, 'Four', NULL, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("books without an author", [("Three",)]),
        ("books with no author", [("Three",)]),
        ("Which books do not have an author?", [("Three",)]),
        ("How many books have no author?", [(1,)]),
        ("books that are not by Ann", [("Four",), ("Three",), ("Two",)]),
        ("books that are not Rock", [("Four",), ("Two",)]),
        ("authors without books", [("Cy",)]),
    ],
)
def test_a_row_without_a_key_is_without_what_it_refers_to(shelf: Any, question: str, rows: list[Any]) -> None:
    shelf.answers(question, rows)
