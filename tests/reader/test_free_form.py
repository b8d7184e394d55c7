"""Whatever is written, the reader gives readings that run, or refuses and says what helps; and it does so soon."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.errors import AskError, Unread
from hypothesis import example, given, settings
from hypothesis import strategies as st

WORDS = [
    *"how many what which who show list the of and or not no without both either each per for with in from by".split(),
    *"average total maximum most least top at least more than between 3 5 2023 1990 distinct all sorted to".split(),
    *"books members loans authors branches title name age price genre pages country fine Novel Leeds Ireland".split(),
    *[
        "'Maya'",
        '"Salt Water"',
        ",",
        "?",
        ".",
        "alphabetical order",
        "greater than",
        "older than",
        "zebra",
        "'s",
        "(",
        ";",
    ],
]
ASKED = (Path(__file__).parent / "golden.sql").read_text()
QUESTIONS = [line[3:] for line in ASKED.splitlines() if line.startswith("-- ")]


def check(library: Any, question: str, help_too: bool = True) -> None:
    """Read a question, and run what is read. Where it is refused, find what helps, unless `help_too` is False."""
    start = time.thread_time()
    try:
        readings = library.read(question)
    except Unread as refused:
        if help_too:
            library.help_for(refused, question)
        readings = ()
    for reading in readings:
        library.rows(reading.sql)
    assert time.thread_time() - start < 5


@pytest.mark.slow
@settings(max_examples=50)
@given(st.text(max_size=300))
@example("feet")
@example("number of Novel and overdue books")  # a value beside a table
@example("share of loans by member, at least 1")  # of which nothing says which loans
def test_any_text_is_read_or_refused(library: Any, text: str) -> None:
    check(library, text)


@pytest.mark.slow
@settings(max_examples=75)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_order_of_words_is_read_or_refused(library: Any, question: str) -> None:
    check(library, question)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.sampled_from(QUESTIONS), st.data())
def test_a_question_with_words_taken_out_or_put_in_is_read_or_refused(
    library: Any, question: str, data: st.DataObject
) -> None:
    words = question.split()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words)))
        if data.draw(st.booleans()) and place < len(words):
            del words[place]
        else:
            words.insert(place, data.draw(st.sampled_from(WORDS)))
    check(library, " ".join(words))


@pytest.mark.slow
def test_texts_made_to_be_hard_are_refused_soon(library: Any) -> None:
    hard = [
        "distinct " * 90 + "books", "both " * 90, "not " * 90 + "books", "books and " * 45, "'" * 1500, '"' * 1500,
        "how many " * 45, "at least 9999999999999999999999999 books", "top 99999999999999999999 books by price",
        "'; DROP TABLE books; --", "books\0members", "1e999 books", "without " * 90, "\u202e\u0000 books", "[[[((((",
        "average " * 90 + "price", "price above " * 40 + "3", "each " * 90, "'a' or " * 40 + "'b'", "Salt Water " * 45,
    ]  # fmt: skip
    for text in hard:
        check(library, text, help_too=False)


CLINIC = """
CREATE TABLE vets (id INTEGER PRIMARY KEY, name TEXT, salary REAL);
CREATE TABLE visits (id INTEGER PRIMARY KEY, vet_id INTEGER REFERENCES vets(id), visited_at DATE, paid INTEGER);
INSERT INTO vets VALUES (1, 'Ann', 900.0);
INSERT INTO visits VALUES (1, 1, '2024-01-01', 1), (2, 1, '2024-01-01', 0);
"""
SAID = [
    *WORDS,
    *"vets visits salary income paid unpaid Ann month year week since unicorns".split(),
    "by month",
    "per vet",
]


def asked(question: str) -> None:
    """Ask a question; whatever is refused must be refused by an error of askwhere's."""
    with contextlib.closing(askwhere.connect(":memory:")) as connection:
        connection.execute(CLINIC)
        with contextlib.suppress(AskError):
            askwhere.ask(connection, question)


@pytest.mark.parametrize(
    "question", ["and unicorns?", "and by unicorns", "income by month", "income per vet", "salary per year"]
)
def test_what_cannot_be_read_is_refused(question: str) -> None:
    asked(question)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(st.sampled_from(SAID), max_size=8).map(" ".join))
def test_any_words_are_answered_or_refused_with_advice(question: str) -> None:
    asked(question)
