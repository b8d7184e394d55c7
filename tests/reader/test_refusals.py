"""What the reader refuses, and that it says why: words without a place, near names, and how to set a model."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

MODEL = (
    "A language model may read it: `askwhere model list` names some for this machine, and"
    " SELECT ask_set('model', 'NAME') sets one."
)


def refused(library: Any, question: str) -> Unread:
    error = library.refused(question)
    assert isinstance(error, Unread)
    return error


def test_a_word_without_a_place_is_named(library: Any) -> None:
    error = refused(library, "How many unicorns are there?")
    assert str(error) == f"The built-in reader could not place “unicorns” in this database. {MODEL}"
    assert error.words == ("unicorns",)
    assert error.questions == ()


def test_words_that_are_known_but_not_understood_are_told_from_unknown_ones(library: Any) -> None:
    error = refused(library, "What is the difference between the price and the title?")
    assert str(error) == (
        "The built-in reader knows the words of this question, but could not fit “the difference between” into a"
        f" query. {MODEL}"
    )
    assert error.words == ("the difference between",)


def test_a_word_that_was_guessed_is_named_with_what_it_was_read_as(make: Any) -> None:
    school = make(
        """
        CREATE TABLE pupils (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
        INSERT INTO pupils VALUES (1, 'Ann', 'Leeds'), (2, 'Ben', 'York');
        CREATE TABLE purchases (id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils(id), paid REAL);
        INSERT INTO purchases VALUES (1, 1, 20.0), (2, 2, 30.0);
        """
    )
    error = refused(school, "the difference between the customers and the town")
    assert "could not fit “the difference between” into a query. In it, “customers” was read as" in str(error)


@pytest.mark.parametrize("question", ["", "   ", "?!", "🦄🦄", "\n\t"])
def test_a_question_without_words_is_said(library: Any, question: str) -> None:
    assert str(refused(library, question)) == "There is no question here: ask about the tables of this database."


def test_a_text_is_no_question(library: Any) -> None:
    assert "questions of up to 100 words" in str(refused(library, "How many books " * 200))
    assert "questions of up to 100 words" in str(refused(library, "a" * 10_000))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("If every member borrowed one more book, how many loans would there be?", "more"),
        ("What is the weather in Leeds?", "weather"),
        ("Which members dislike novels?", "dislike"),
        ("Delete all members", "delete"),
        ("How many books will be published next year?", "next"),
        ("Which members borrowed the same book?", "same"),
        ("Which books are cheaper than 'Night Trains'?", "Night Trains"),
        ("Do any members live in Leeds?", "do"),
        ("Which city has no branch?", "no"),
        ("Show the second member", "second"),
        ("Who reports to Maya?", "reports"),
        ("5 books", "5"),
        ("first 3 cities", "first"),
        ("last loans", "last"),
        ("Show the emails of members and authors", "authors"),
        ("Where does the member Maya live? And what is her email?", "where"),
        ("What is the name of the member, and when were they born?", "when"),
        ("Which store has the most members?", "store"),
        ("Which state is the member Maya in?", "state"),
        ("What are the numbers of all loans?", "numbers"),
        ("What is the member information?", "information"),
        ("How many books are read by most members?", "by"),
        ("How many members are in the US?", "US"),
    ],
)
def test_what_the_database_does_not_hold_is_refused(library: Any, question: str, word: str) -> None:
    assert word  # the word that makes it unanswerable, for the reader of this list
    assert MODEL in str(refused(library, question))


def test_part_of_a_question_is_never_dropped(library: Any) -> None:
    assert library.read("Show the titles of books with more than 300 pages")
    assert "waterproof" in refused(library, "Show the titles of waterproof books with more than 300 pages").words


@pytest.mark.parametrize(
    "question",
    [
        "riders whose bills are all paid",
        "riders all of whose bills were paid",
        "riders with all bills paid",
        "riders who paid all their bills",
        "riders who hired all bikes",
        "which riders have hired all bikes",
        "bikes that all riders hired",
    ],
)
def test_what_must_hold_of_all_rows_is_refused(make: Any, question: str) -> None:
    hire = make(
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bikes (id INTEGER PRIMARY KEY, model VARCHAR);"
        "CREATE TABLE hires (id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (id),"
        " bike_id INTEGER REFERENCES bikes (id));"
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (id), paid_on DATE);"
        "INSERT INTO riders VALUES (1, 'Ann'); INSERT INTO bikes VALUES (1, 'Kea'); INSERT INTO hires VALUES (1, 1, 1);"
        "INSERT INTO bills VALUES (1, 1, '2024-05-01'), (2, 1, NULL);"
    )
    with pytest.raises(Unread):
        hire.read(question)
