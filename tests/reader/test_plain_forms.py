"""Plain forms of asking: nouns for flags, "most often" of a thing, "is the biggest", averages of a table's own rows."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def laundry(make: Any) -> Any:
    return make(
        "CREATE TABLE hotels (id INTEGER PRIMARY KEY, name VARCHAR, area_sqm INTEGER);"
        "CREATE TABLE fabrics (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE washes (id INTEGER PRIMARY KEY, hotel_id INTEGER REFERENCES hotels(id),"
        " fabric_id INTEGER REFERENCES fabrics(id), delay_min INTEGER,"
        " price INTEGER, rejected INTEGER, washer VARCHAR);"
        "INSERT INTO hotels VALUES (1, 'Alp', 900), (2, 'Bay', 400);"
        "INSERT INTO fabrics VALUES (1, 'wool'), (2, 'linen');"
        "INSERT INTO washes VALUES (1, 1, 1, 0, 10, 0, 'Kim'), (2, 1, 2, 90, 20, 1, 'Kim'), (3, 2, 2, 5, 60, 1, 'Lou');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many rejections did each hotel have", [("Alp", 1), ("Bay", 1)]),
        ("rejections", [(2,), (3,)]),
        ("does Bay have any rejected washes", [("yes",)]),
        ("which fabric do we wash most often", [("linen",)]),
        ("which hotel is the biggest", [("Alp",)]),
        ("average price per wash", [(30.0,)]),
        ("average price per hotel", [("Alp", 15.0), ("Bay", 60.0)]),
        ("washes more than an hour late", [(2,)]),
        ("the cheapest wash", [(1,)]),
    ],
)
def test_plain_forms(laundry: Any, question: str, rows: list[Any]) -> None:
    laundry.answers(question, rows)


def test_short_names_may_keep_the_vowel_at_the_end(make: Any) -> None:
    lines = make(
        "CREATE TABLE rte (rte_id INTEGER PRIMARY KEY, rte_nm VARCHAR, dist_km INTEGER);"
        "CREATE TABLE bkg (bkg_no INTEGER PRIMARY KEY, rte_id INTEGER, pay_mthd VARCHAR);"
        "INSERT INTO rte VALUES (1, 'Fjord', 90), (2, 'Sound', 300);"
        "INSERT INTO bkg VALUES (1, 1, 'cash'), (2, 2, 'card'), (3, 2, 'cash');"
    )
    lines.answers("longest route", [("Sound",)])
    lines.answers("bookings paid in cash", [(1,), (3,)])


def test_a_participle_of_a_place_is_a_condition_and_is_not_shown(make: Any) -> None:
    instruments = make(
        "CREATE TABLE violins (id INTEGER PRIMARY KEY, name VARCHAR, built_city VARCHAR, grown_region VARCHAR);"
        "INSERT INTO violins VALUES (1, 'Ada', 'Cremona', 'Tyrol'), (2, 'Bix', 'Mittenwald', 'Bavaria'),"
        " (3, 'Cleo', 'Markneukirchen', 'Tyrol');"
    )
    instruments.answers("violins built in Cremona", [("Ada",)])
    instruments.answers("violins built in Cremona or Mittenwald", [("Ada",), ("Bix",)])
    instruments.answers("how many violins were grown in Tyrol", [(2,)])
    instruments.answers("violins grown in Tyrol", [("Ada",), ("Cleo",)])


def test_a_number_with_the_word_in_its_name_is_meant_before_a_synonym(make: Any) -> None:
    courses = make(
        "CREATE TABLE courses (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER);"
        "CREATE TABLE places (id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES courses(id), fee_paid INTEGER);"
        "INSERT INTO courses VALUES (1, 'Knots', 50), (2, 'Sails', 70);"
        "INSERT INTO places VALUES (1, 1, 45), (2, 1, 50), (3, 2, 60);"
    )
    courses.answers("total fees", [(155,)])
    courses.answers("highest fee", [(60,)])
    without = make(
        "CREATE TABLE courses (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER);"
        "INSERT INTO courses VALUES (1, 'Knots', 50), (2, 'Sails', 70);"
    )
    without.answers("average fee", [(60.0,)])


def test_a_title_that_asks_for_columns_of_each_thing_shows_the_things(make: Any) -> None:
    boats = make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR, length INTEGER, crew INTEGER);"
        "INSERT INTO boats VALUES (1, 'Gull', 9, 4), (2, 'Tern', 7, 2);"
    )
    boats.answers("length of each boat", [("Gull", 9), ("Tern", 7)])
    boats.answers("length and crew of every boat", [("Gull", 9, 4), ("Tern", 7, 2)])
    boats.answers("name and length of each boat", [("Gull", 9), ("Tern", 7)])
    boats.answers("what is the length of each boat", [(7,), (9,)])
    boats.answers("average length of all boats", [(8.0,)])
