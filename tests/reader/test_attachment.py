"""What a phrase is said of: the thing named just before it, its own amount, who does what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def records(make: Any) -> Any:
    return make(
        "CREATE TABLE artists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE genres (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE albums (id INTEGER PRIMARY KEY, title VARCHAR, artist_id INTEGER REFERENCES artists (id));"
        "CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR, units_in_stock INTEGER,"
        " genre_id INTEGER REFERENCES genres (id), album_id INTEGER REFERENCES albums (id));"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, invoice_date DATE, total DOUBLE, state VARCHAR);"
        "INSERT INTO artists VALUES (1, 'Abba'), (2, 'Blur'), (3, 'Iron Maiden');"
        "INSERT INTO genres VALUES (1, 'Pop'), (2, 'Metal');"
        "INSERT INTO albums VALUES (1, 'Ring Ring', 1), (2, 'Parklife', 2), (3, 'Powerslave', 3), (4, 'Arrival', 1);"
        "INSERT INTO tracks VALUES (1, 'Girls', 3, 1, 2), (2, 'Aces', 4, 2, 3), (3, 'Iron Maiden', 1, 1, 2);"
        "INSERT INTO invoices VALUES (1, '2024-05-01', 7.5, 'OR'), (2, '2024-01-01', 21, 'AS'),"
        " (3, '2024-02-01', 5, 'OR');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("albums by artists starting with A", [("Arrival",), ("Ring Ring",)]),  # the artists do
        ("artists starting with 'B'", [("Blur",)]),
        ("largest invoice", [(2,)]),  # by its total, and not the last by date
        ("the 2 smallest invoices", [(1,), (3,)]),
        ("What genres does Iron Maiden play?", [("Metal",)]),  # the artist plays, and not the track
        ("How many invoices are with state AS?", [(1,)]),  # no small word
    ],
)
def test_a_phrase_is_said_of_what_it_can_be(records: Any, question: str, rows: list[Any]) -> None:
    records.answers(question, rows)


@pytest.mark.parametrize("question", ["value of stock", "the total value of the stock"])  # a price times a number
def test_a_value_is_more_than_a_number_of_units(records: Any, question: str) -> None:
    with pytest.raises(Unread):
        records.read(question)


@pytest.fixture(scope="module")
def atlas(make: Any) -> Any:
    return make(
        "CREATE TABLE countries (code VARCHAR PRIMARY KEY, name VARCHAR, area INTEGER, traits VARCHAR);"
        "CREATE TABLE languages (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE country_languages (country_code VARCHAR REFERENCES countries (code),"
        " language_id INTEGER REFERENCES languages (id), is_official BOOLEAN, PRIMARY KEY (country_code, language_id));"
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, reports_to INTEGER REFERENCES people (id),"
        " country_code VARCHAR REFERENCES countries (code));"
        "INSERT INTO countries VALUES ('CA', 'Canada', 99, 'cold'), ('FR', 'France', 6, 'warm, old'),"
        " ('TO', 'Togo', 2, 'old');"
        "INSERT INTO languages VALUES (1, 'French'), (2, 'English');"
        "INSERT INTO country_languages VALUES ('CA', 1, TRUE), ('CA', 2, TRUE), ('FR', 1, TRUE), ('FR', 2, FALSE);"
        "INSERT INTO people VALUES (1, 'Ann', NULL, 'CA'); INSERT INTO people VALUES (2, 'Bo', 1, 'FR');"
        "INSERT INTO countries VALUES ('SE', 'Sweden', 5, 'warm');"
    )


def test_both_are_what_each_is_said_to_be(atlas: Any) -> None:
    (reading,) = atlas.read("countries with both French and English as official languages")
    assert atlas.rows(reading.sql) == [("Canada",)], reading.sql  # English is spoken in France, but not official


def test_a_value_that_lists_do_not_hold_is_looked_up(atlas: Any) -> None:
    (reading,) = atlas.read("names of the countries with the trait cold")
    assert atlas.rows(reading.sql) == [("Canada",)]


@pytest.mark.parametrize(
    "question",
    [
        "names of the countries with the trait old",  # of which France's "warm, old" is one, too
        "Which countries have 0 people?",  # an inner join has none of those
        "Which countries have an area above 5 and a language of below 3?",
        "How many people moved from France to Canada?",
    ],
)
def test_what_is_not_understood_is_refused(atlas: Any, question: str) -> None:
    with pytest.raises(Unread):
        atlas.read(question)


def test_in_descending_turns_the_order_round(atlas: Any) -> None:
    (reading,) = atlas.read("names of countries ordered by area in descending")
    assert [name for (name,) in atlas.rows(reading.sql)] == ["Canada", "France", "Sweden", "Togo"]
