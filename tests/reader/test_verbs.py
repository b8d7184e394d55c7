"""Verbs: a table or a column that says the same leads the joins, and a query that leaves it out is none."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def videos(make: Any) -> Any:
    return make(
        "CREATE TABLE stores (id INTEGER PRIMARY KEY, city VARCHAR);"
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE films (id INTEGER PRIMARY KEY, title VARCHAR, studio VARCHAR, opening_year INTEGER);"
        "CREATE TABLE copies (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (id),"
        " store_id INTEGER REFERENCES stores (id));"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, store_id INTEGER REFERENCES stores (id),"
        " support_id INTEGER REFERENCES staff (id));"
        "CREATE TABLE rental (id INTEGER PRIMARY KEY, rental_date DATE, copy_id INTEGER REFERENCES copies (id),"
        " customer_id INTEGER REFERENCES customers (id));"
        "CREATE TABLE shows (id INTEGER PRIMARY KEY, year INTEGER, film_id INTEGER REFERENCES films (id));"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (id), amount INTEGER);"
        "INSERT INTO stores VALUES (1, 'Oslo'); INSERT INTO staff VALUES (1, 'Jo'), (2, 'Kim');"
        "INSERT INTO films VALUES (1, 'Heat', 'Acme', 1995), (2, 'Alien', 'Acme', 1979);"
        "INSERT INTO copies VALUES (1, 1, 1), (2, 2, 1);"
        "INSERT INTO customers VALUES (1, 'Ann', 1, 1), (2, 'Bo', 1, 1), (3, 'Cy', 1, 2);"
        "INSERT INTO rental VALUES (1, '2024-01-01', 1, 1), (2, '2024-01-02', 2, 1), (3, '2024-01-03', 2, 2);"
        "INSERT INTO shows VALUES (1, 2005, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("films rented by Ann", [("Alien",), ("Heat",)]),  # by the rentals, and not of the store of Ann
        ("customers who rented Alien", [("Ann",), ("Bo",)]),
        ("customers who never rented Heat", [("Bo",), ("Cy",)]),
        ("How many films did Bo rent?", [(1,)]),
        ("customers supported by Jo", [("Ann",), ("Bo",)]),
        ("How many films were opened in 1995?", [(1,)]),  # by the opening year
        ("Which films opened in 2005?", []),  # shows are of 2005; films have a year of their own for that
    ],
)
def test_a_verb_leads_along_what_is_named_so(videos: Any, question: str, rows: list[Any]) -> None:
    videos.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "Which studio sold the most films?",  # there are sales, and films do not tell of them
        "customers who do not rent Unknown Film",
        "sales with an amount above 3 hours",  # in what are amounts?
    ],
)
def test_a_verb_that_the_query_leaves_out_is_not_passed_over(videos: Any, question: str) -> None:
    with pytest.raises(Unread):
        videos.read(question)


def test_rows_that_two_ways_lead_to_are_ambiguous(videos: Any) -> None:
    found = videos.read("What rents in Oslo?")
    assert [("copies" in reading.sql, "customers" in reading.sql) for reading in found] in (
        [(True, False), (False, True)],
        [(False, True), (True, False)],
    )


def test_what_is_lacking_may_speak_of_two_things(videos: Any) -> None:
    (reading,) = videos.read("Which customers have no rental of a film?")
    assert videos.rows(reading.sql) == [("Cy",)]
    assert "copies" in reading.sql  # the way to the films is part of it
