"""What there is none of: rows without a key, what someone did not do, and what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


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


@pytest.fixture(scope="module")
def trade(make: Any) -> Any:
    """Ann ordered tea, Bo tea and milk, and nobody rice."""
    return make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), day DATE);"
        "CREATE TABLE order_lines (order_id INTEGER REFERENCES orders (id),"
        " product_id INTEGER REFERENCES products (id), quantity INTEGER);"
        "INSERT INTO customers VALUES (1, 'Ann', 'Spain'), (2, 'Bo', 'Chile');"
        "INSERT INTO products VALUES (1, 'Tea', 'Drink'), (2, 'Milk', 'Drink'), (3, 'Rice', 'Food');"
        "INSERT INTO orders VALUES (1, 1, '2024-01-02'), (2, 2, '2024-01-03'), (3, 2, '2025-02-03');"
        "INSERT INTO order_lines VALUES (1, 1, 2), (2, 1, 1), (3, 2, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which products did Ann never order?", [("Milk",), ("Rice",)]),
        ("Which products did Bo not order?", [("Rice",)]),
        ("Which products didn't Bo order?", [("Rice",)]),
        ("Which products has Ann never ordered?", [("Milk",), ("Rice",)]),
        ("How many products did Ann never order?", [(2,)]),
        ("products that Ann never ordered", [("Milk",), ("Rice",)]),
        ("Which products did Ann never buy?", [("Milk",), ("Rice",)]),
        ("Which customers never ordered Milk?", [("Ann",)]),
    ],
)
def test_what_someone_did_not_do_others_may_have_done(trade: Any, question: str, rows: list[Any]) -> None:
    trade.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "Which products did customers from Spain never order?",  # by these, not by anyone
        "Which products did the customer Ann never order?",
        "Which products did Ann and Bo never order?",  # by neither, or not by both
        "Which products did Ann never buy in 2025?",
    ],
)
def test_who_did_not_do_it_is_refused_where_it_is_not_plain(trade: Any, question: str) -> None:
    with pytest.raises(Unread):
        trade.read(question)


@pytest.fixture(scope="module")
def stage(make: Any) -> Any:
    return make(
        "CREATE TABLE actors (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE films (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE film_actors (film_id INTEGER REFERENCES films (id), actor_id INTEGER REFERENCES actors (id),"
        " PRIMARY KEY (film_id, actor_id));"
        "INSERT INTO actors VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO films VALUES (1, 'Heat'), (2, 'Cold');"
        "INSERT INTO film_actors VALUES (1, 1), (1, 2), (2, 3);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which actors never played with Ann?",
        "Which actors have never played with Ann?",
        "Which actors did not meet Ann?",
        "How many actors never worked with Ann?",
        "Which actors were never in a film with Ann?",
    ],
)
def test_what_was_not_done_with_one_of_the_same_kind_is_refused(stage: Any, question: str) -> None:
    with pytest.raises(Unread):
        stage.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("actors that are not Ann", [("Bo",), ("Cy",)]),
        ("Which actors are not named Ann?", [("Bo",), ("Cy",)]),
        ("all actors except Ann", [("Bo",), ("Cy",)]),
        ("Which actors never played in Heat?", [("Cy",)]),
    ],
)
def test_others_than_one_are_asked_for_by_the_name(stage: Any, question: str, rows: list[Any]) -> None:
    stage.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    ["Which countries have no customers?", "kinds without orders", "How many kinds have no orders?"],
)
def test_values_of_a_column_are_not_all_there_are(trade: Any, question: str) -> None:
    with pytest.raises(Unread):
        trade.read(question)
