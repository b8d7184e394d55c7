"""How names and questions are cut into words."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words.tokens import is_singular, number, plain, stem, tokenise


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SourceAirport", ("sourc", "airport")),
        ("source_airport", ("sourc", "airport")),
        ("airportname", ("airport", "name")),
        ("authorId", ("author", "id")),
        ("bookid", ("book", "id")),
        ("line2", ("line", "2")),
        ("Größe", ("gross",)),
        ("nomSociété", ("nom", "societ")),
    ],
)
def test_names_are_split_however_they_are_written(library: Any, name: str, words: tuple[str, ...]) -> None:
    assert Lexicon(library.catalog).split(name) == words


def test_inflections_share_a_stem() -> None:
    assert stem("Cities") == stem("city")
    assert stem("people") == stem("person")
    assert stem("geese") == stem("goose")
    assert not is_singular("geese")


def test_quotations_are_one_token_and_lose_their_quotes() -> None:
    assert [t.text for t in tokenise(plain("books by “Ann Ford” or 'x y'"))] == ["books", "by", "Ann Ford", "or", "x y"]
    assert [t.text for t in tokenise(plain("books by ' ' or “ ”, or '"))] == ["books", "by", "or", ",", "or"]


def test_apostrophes_are_no_quotes() -> None:
    assert [t.kind for t in tokenise("the students' names")] == ["word", "word", "own", "word"]
    assert plain("they don't and can't") == "they do not and can not"


@pytest.mark.parametrize(
    ("text", "value"), [("1,000", 1000), ("2.5", 2.5), ("seven", 7), ("12", 12), ("book", None), ("-5", -5)]
)
def test_numbers_are_read_in_digits_and_words(text: str, value: float | None) -> None:
    assert number(tokenise(text)[0]) == value


def test_accents_may_be_left_out(make: Any) -> None:
    cafes = make(
        'CREATE TABLE "cafés" (id INTEGER PRIMARY KEY, nom VARCHAR, "année" INTEGER);'
        "INSERT INTO \"cafés\" VALUES (1, 'Étoile', 1990), (2, 'Lune', 2003);"
    )
    for question in ("how many cafes are there", "How many cafés are there?"):
        assert [cafes.rows(r.sql) for r in cafes.read(question)] == [[(2,)]]
    assert [cafes.rows(r.sql) for r in cafes.read("annee of Etoile")] == [[(1990,)]]


def test_initials_stand_for_first_and_last_in_names(make: Any) -> None:
    school = make(
        "CREATE TABLE pupils (id INTEGER PRIMARY KEY, LName VARCHAR, f_name VARCHAR, age INTEGER);"
        "INSERT INTO pupils VALUES (1, 'Lee', 'Ann', 9);"
    )
    (reading,) = school.read("names of pupils")
    assert school.rows(reading.sql) == [("Ann", "Lee")]


def test_countries_may_be_called_by_their_initials(make: Any) -> None:
    shops = make(
        "CREATE TABLE shops (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR, rated VARCHAR);"
        "INSERT INTO shops VALUES (1, 'Elm', 'United States', 'A'), (2, 'Oak', 'Peru', 'B');"
    )
    assert [shops.rows(r.sql) for r in shops.read("shops in the US")] == [[("Elm",)]]
    assert [shops.rows(r.sql) for r in shops.read("shops rated B")] == [[("Oak",)]]
