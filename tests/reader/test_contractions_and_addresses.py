"""Short forms of verbs, "(s)" and addresses of the web in questions, and how long things are by any of its names."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.reader.words.tokens import plain, tokenise


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("clients who've paid", "clients who have paid"),
        ("which shops'll close", "which shops will close"),
        ("the best client(s)", "the best clients"),
        ("most used box(es)", "most used boxes"),
        ("f(s) (s)", "fs (s)"),
    ],
)
def test_short_forms_are_written_out(question: str, words: str) -> None:
    assert plain(question) == words


@pytest.mark.parametrize("address", ["gmail.com", "@mail.example.org", "ann.lee@example.com"])
def test_an_address_is_one_token(address: str) -> None:
    assert [(t.text, t.kind) for t in tokenise(f"mails of {address}")][2:] == [(address, "quoted")]


@pytest.mark.parametrize("text", ["rooms over 3.5 metres", "what is it? who.", "a. b"])
def test_other_dots_are_in_no_address(text: str) -> None:
    assert not any(t.kind == "quoted" for t in tokenise(text))


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    return make(
        "CREATE TABLE songs (id INTEGER PRIMARY KEY, title VARCHAR, milliseconds INTEGER);"
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR);"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), billed DATE,"
        " total INTEGER);"
        "INSERT INTO songs VALUES (1, 'Rain', 180000), (2, 'Sun', 240000);"
        "INSERT INTO clients VALUES (1, 'Ann', 'ann@gmail.com'), (2, 'Bo', 'bo@web.org');"
        "INSERT INTO invoices VALUES (1, 1, '2023-02-01', 30), (2, 1, '2024-02-01', 15), (3, 2, '2024-03-01', 45);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average song length", [(210000.0,)]),
        ("songs and their duration in minutes", [("Rain", 3.0), ("Sun", 4.0)]),
        ("clients whose email ends with gmail.com", [("Ann",)]),
        ("who has the email bo@web.org?", [("Bo",)]),
        ("clients who've spent more than 44", [("Ann",), ("Bo",)]),
        ("invoices over 20 dollars in 2024", [(3,)]),
        ("the most expensive invoice", [(3,)]),
    ],
)
def test_they_are_read(studio: Any, question: str, rows: list[Any]) -> None:
    studio.answers(question, rows)
