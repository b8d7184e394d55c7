"""Several keys between two tables: the one that only names the other table is meant where no other is said."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def rental(make: Any) -> Any:
    """Staff have a `store_id` that is not declared as a key, as in Sakila's SQLite edition."""
    return make(
        "CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name VARCHAR, store_id INTEGER);"
        "CREATE TABLE store (store_id INTEGER PRIMARY KEY, city VARCHAR,"
        " manager_staff_id INTEGER REFERENCES staff (staff_id));"
        "CREATE TABLE language (language_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE film (film_id INTEGER PRIMARY KEY, title VARCHAR,"
        " language_id INTEGER REFERENCES language (language_id),"
        " original_language_id INTEGER REFERENCES language (language_id));"
        "INSERT INTO staff VALUES (1, 'Ann', 1), (2, 'Bo', 2), (3, 'Cy', 2);"
        "INSERT INTO store VALUES (1, 'Hull', 3), (2, 'York', 1);"
        "INSERT INTO language VALUES (1, 'English'), (2, 'Italian'), (3, 'Dutch');"
        "INSERT INTO film VALUES (1, 'Heat', 1, NULL), (2, 'La Strada', 1, 2), (3, 'Blow-Up', 2, 1), (4, 'Big', 1, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many staff members does each store have?", [(1, 1), (2, 2)]),
        ("staff of store 2", [("Bo",), ("Cy",)]),
        ("What are the cities of the stores that have Ann as staff?", [("Hull",)]),
        ("How many stores does each staff member manage?", [("Ann", 1), ("Cy", 1)]),
        ("name of the staff who manages store 2", [("Ann",)]),
        ("Which language has the most films?", [("English",)]),
        ("titles of English films", [("Big",), ("Heat",), ("La Strada",)]),
        ("language of the film Blow-Up", [("Italian",)]),
        ("Which languages have no films?", [("Dutch",)]),
    ],
)
def test_a_role_is_meant_where_it_is_said(rental: Any, question: str, rows: list[Any]) -> None:
    rental.answers(question, rows)


def test_an_original_language_is_no_other(rental: Any) -> None:
    for reading in rental.read("How many films are there in each original language?"):
        assert "film.language_id" not in reading.sql


def test_of_two_roles_neither_is_meant(make: Any) -> None:
    sport = make(
        "CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE games (id INTEGER PRIMARY KEY, home_team_id INTEGER REFERENCES teams (id),"
        " away_team_id INTEGER REFERENCES teams (id));"
        "INSERT INTO teams VALUES (1, 'Ajax'), (2, 'Porto'); INSERT INTO games VALUES (1, 1, 2), (2, 1, 2);"
    )
    assert len(sport.read("How many games does each team have?")) == 2


@pytest.fixture(scope="module")
def office(make: Any) -> Any:
    return make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR, post VARCHAR, hired DATE);"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, sales_rep_id INTEGER REFERENCES staff (id),"
        " since DATE);"
        "CREATE TABLE reviews (id INTEGER PRIMARY KEY, stars INTEGER, reviewer_id INTEGER REFERENCES customers (id));"
        "CREATE TABLE repairs (id INTEGER PRIMARY KEY, cost INTEGER, mechanic_id INTEGER REFERENCES staff (id));"
        "INSERT INTO staff VALUES (1, 'Ann', 'mechanic', '2020-01-01'), (2, 'Bo', 'clerk', '2021-01-01'),"
        " (3, 'Cy', 'mechanic', '2022-01-01'), (4, 'Di', 'clerk', '2019-01-01');"
        "INSERT INTO customers VALUES (1, 'Acme', 2, '2020-05-01'), (2, 'Blue', 2, '2021-05-01'),"
        " (3, 'Core', 4, '2022-05-01'), (4, 'Dune', NULL, '2022-06-01');"
        "INSERT INTO reviews VALUES (1, 5, 1), (2, 3, 1), (3, 4, 2); INSERT INTO repairs VALUES (1, 50, 1), (2, 70, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("customers and their sales rep", [("Acme", "Bo"), ("Blue", "Bo"), ("Core", "Di")]),
        ("customers per sales rep", [("Bo", 2), ("Di", 1)]),
        ("sales reps with more than 1 customer", [("Bo",)]),
        ("how many sales reps are there?", [(2,)]),
        ("which sales rep has the most customers?", [("Bo",)]),
        ("sales rep of Core", [("Di",)]),
        ("customers without a sales rep", [("Dune",)]),
        ("number of reviews per reviewer", [("Acme", 2), ("Blue", 1)]),
        ("how many mechanics are there?", [(2,)]),
        ("mechanics hired since 2021", [("Cy",)]),
    ],
)
def test_one_key_alone_names_those_it_refers_to(office: Any, question: str, rows: list[Any]) -> None:
    office.answers(question, rows)


def test_a_role_of_a_table_that_is_not_asked_for_is_no_way_to_join(make: Any) -> None:
    chain = make(
        "CREATE TABLE cinemas (cinema_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE screens (screen_id INTEGER PRIMARY KEY, cinema_id INTEGER REFERENCES cinemas (cinema_id));"
        "CREATE TABLE showings (showing_id INTEGER PRIMARY KEY, screen_id INTEGER REFERENCES screens (screen_id));"
        "CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name VARCHAR,"
        " favourite_cinema_id INTEGER REFERENCES cinemas (cinema_id));"
        "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, showing_id INTEGER REFERENCES showings (showing_id),"
        " member_id INTEGER REFERENCES members (member_id), price INTEGER);"
        "INSERT INTO cinemas VALUES (1, 'Rialto'), (2, 'Regal'); INSERT INTO screens VALUES (1, 1), (2, 2);"
        "INSERT INTO showings VALUES (1, 1), (2, 2); INSERT INTO members VALUES (1, 'Ann Ames', 2);"
        "INSERT INTO tickets VALUES (1, 1, 1, 5), (2, 1, 1, 6), (3, 2, NULL, 7);"
    )
    chain.answers("total price of tickets per cinema", [("Regal", 7), ("Rialto", 11)])
    chain.answers("number of members per cinema", [("Regal", 1)])
