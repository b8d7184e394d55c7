"""What is asked of the first of something else: "the actors of the longest film" are all of its actors."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def stage(make: Any) -> Any:
    """The longest film has two actors, the newest customer rented two films, one of them twice."""
    return make(
        "CREATE TABLE actors (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE kinds (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE films (id INTEGER PRIMARY KEY, title VARCHAR, length INTEGER, price DOUBLE,"
        " kind_id INTEGER REFERENCES kinds (id));"
        "CREATE TABLE film_actors (film_id INTEGER REFERENCES films (id), actor_id INTEGER REFERENCES actors (id),"
        " PRIMARY KEY (film_id, actor_id));"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER);"
        "CREATE TABLE rentals (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (id),"
        " customer_id INTEGER REFERENCES customers (id));"
        "CREATE TABLE city (id INTEGER PRIMARY KEY, city VARCHAR);"
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR, city_id INTEGER REFERENCES city (id));"
        "INSERT INTO city VALUES (1, 'Hull'), (2, 'York');"
        "INSERT INTO guests VALUES (1, 'Gus', 1), (2, 'Hal', 1);"
        "INSERT INTO actors VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO kinds VALUES (1, 'Crime'), (2, 'Drama');"
        "INSERT INTO films VALUES (1, 'Heat', 170, 5, 1), (2, 'Cold', 90, 9, 1), (3, 'Dusk', 80, 4, 2);"
        "INSERT INTO film_actors VALUES (1, 1), (1, 2), (2, 3), (3, 1);"
        "INSERT INTO customers VALUES (1, 'Dee', 40), (2, 'Eli', 20), (3, 'Flo', 60);"
        "INSERT INTO rentals VALUES (1, 1, 1), (2, 1, 2), (3, 1, 2), (4, 3, 2), (5, 2, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which actors are in the longest film?", [("Ann",), ("Bo",)]),
        ("How many actors are in the longest film?", [(2,)]),
        ("Which customers rented the longest film?", [("Dee",), ("Eli",)]),
        ("How many customers rented the longest film?", [(2,)]),
        ("Which films were rented by the youngest customer?", [("Dusk",), ("Heat",)]),
        ("films of the kind Crime", [("Cold",), ("Heat",)]),
    ],
)
def test_all_that_goes_with_the_first_of_something_is_shown_once(stage: Any, question: str, rows: list[Any]) -> None:
    stage.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "films in the most expensive kind",  # the films have prices, and the kinds have none
        "How many films does the cheapest kind have?",
        "How many rentals does the longest actor have?",
        "Which guests stayed in the largest city?",  # not the last by its name
    ],
)
def test_a_thing_is_not_first_by_what_others_are_measured_by(stage: Any, question: str) -> None:
    with pytest.raises(Unread):
        stage.read(question)


def test_the_first_of_those_that_are_something_else_is_among_them(make: Any) -> None:
    club = make(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, height INTEGER);"
        "CREATE TABLE players (id INTEGER PRIMARY KEY, points INTEGER, person_id INTEGER REFERENCES people (id));"
        "CREATE TABLE matches (id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES players (id));"
        "INSERT INTO people VALUES (1, 'Ann', 170), (2, 'Bo', 190), (3, 'Cy', 180);"
        "INSERT INTO players VALUES (1, 30, 1), (2, 50, 3);"
        "INSERT INTO matches VALUES (1, 1), (2, 2), (3, 2);"
    )
    club.answers("What are the points of the tallest player?", [(50,)])
    with pytest.raises(Unread):
        club.read("How many matches does the tallest player have?")
