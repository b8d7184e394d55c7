"""What a reading says beside its SQL: ties, notes, guessed joins, synonyms, odd schemas."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


def test_two_ways_that_fit_equally_are_both_returned(make: Any) -> None:
    trips = make(
        "CREATE TABLE airports (code INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);"
        "CREATE TABLE flights (id INTEGER PRIMARY KEY, out_code INTEGER REFERENCES airports (code),"
        " in_code INTEGER REFERENCES airports (code));"
        "INSERT INTO airports VALUES (1, 'Main', 'Oslo'), (2, 'Hill', 'Bergen'); INSERT INTO flights VALUES (1, 1, 2);"
    )
    readings = trips.read("How many flights are there for each airport?")
    assert len(readings) == 2
    assert {"out_code" in r.sql for r in readings} == {True, False}


def test_from_and_to_choose_the_key_that_is_named_so(make: Any) -> None:
    trips = make(
        "CREATE TABLE airports (code INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);"
        "CREATE TABLE flights (id INTEGER PRIMARY KEY, source_code INTEGER REFERENCES airports (code),"
        " destination_code INTEGER REFERENCES airports (code));"
        "INSERT INTO airports VALUES (1, 'Main', 'Oslo'), (2, 'Hill', 'Bergen'); INSERT INTO flights VALUES (1, 1, 2);"
    )
    (reading,) = trips.read("How many flights are from Oslo?")
    assert "source_code" in reading.sql
    assert trips.rows(reading.sql) == [(1,)]


def test_a_guessed_join_is_said(make: Any) -> None:
    shop = make(
        "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount DOUBLE);"
        "INSERT INTO customers VALUES (1, 'Ann'); INSERT INTO orders VALUES (1, 1, 5), (2, 1, 7);"
    )
    (reading,) = shop.read("How many orders does each customer have?")
    assert shop.rows(reading.sql) == [("Ann", 2)]
    assert reading.notes == ("guessed that orders.customer_id refers to customers.customer_id",)


def test_keys_are_guessed_where_none_at_all_are_declared(make: Any) -> None:
    school = make(
        "CREATE TABLE Student (StuID INTEGER, name VARCHAR);"
        "CREATE TABLE Has_Pet (StuID INTEGER, PetID INTEGER);"
        "CREATE TABLE Pets (PetID INTEGER, kind VARCHAR);"
        "CREATE TABLE country (Code VARCHAR, name VARCHAR);"
        "CREATE TABLE city (city_id INTEGER, name VARCHAR, CountryCode VARCHAR);"
        "INSERT INTO Student VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO Has_Pet VALUES (2, 7);"
        "INSERT INTO Pets VALUES (7, 'hamster'), (8, 'parrot');"
        "INSERT INTO country VALUES ('NO', 'Norway'); INSERT INTO city VALUES (1, 'Oslo', 'NO'), (2, 'Turku', 'FI');"
    )
    (reading,) = school.read("students who have a hamster")
    assert school.rows(reading.sql) == [("Bo",)]
    assert len(reading.notes) == 2
    (reading,) = school.read("cities in Norway")
    assert school.rows(reading.sql) == [("Oslo",)]


def test_two_words_name_what_the_schema_writes_as_one(make: Any) -> None:
    school = make(
        "CREATE TABLE Highschooler (id INTEGER PRIMARY KEY, hometown VARCHAR);"
        "INSERT INTO Highschooler VALUES (1, 'Oslo');"
    )
    (reading,) = school.read("What are the home towns of high schoolers?")
    assert school.rows(reading.sql) == [("Oslo",)]


def test_another_spelling_of_a_value_is_said_but_not_other_capitals_nor_a_plural(make: Any) -> None:
    clubs = make(
        "CREATE TABLE players (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR, place VARCHAR);"
        "INSERT INTO players VALUES (1, 'Ann', 'JAPAN', 'Goalkeeper'), (2, 'Bo', 'Norway', 'Malmö');"
    )
    for said, value, notes in (
        ("players from japan", "JAPAN", ()),
        ("goalkeepers", "Goalkeeper", ()),
        ("Japanese players", "JAPAN", ("“Japanese” is written 'JAPAN' in players.country",)),
        ("players from norway", "Norway", ()),
        ("norwegian players", "Norway", ("“norwegian” is written 'Norway' in players.country",)),
        ("players from Malmo", "Malmö", ("“Malmo” is written 'Malmö' in players.place",)),
    ):
        (reading,) = clubs.read(said)
        assert (f"'{value}'" in reading.sql, reading.notes) == (True, notes), said


def test_a_users_synonym_is_a_name(make: Any) -> None:
    shop = make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, tier INTEGER);"
        "INSERT INTO customers VALUES (1, 'Ann', 3), (2, 'Bo', 1);"
        "CREATE TABLE askwhere_comments (table_name TEXT, column_name TEXT, synonyms TEXT);"
        "INSERT INTO askwhere_comments VALUES ('customers', NULL, 'patrons'), ('customers', 'tier', 'loyalty');"
    )
    (reading,) = shop.read("What are the names of patrons with loyalty above 2?")
    assert shop.rows(reading.sql) == [("Ann",)]


def test_keys_of_several_columns_join(make: Any) -> None:
    school = make(
        "CREATE TABLE rooms (building VARCHAR, door INTEGER, capacity INTEGER, PRIMARY KEY (building, door));"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, topic VARCHAR, building VARCHAR, door INTEGER,"
        " FOREIGN KEY (building, door) REFERENCES rooms (building, door));"
        "INSERT INTO rooms VALUES ('A', 1, 30), ('B', 1, 80); INSERT INTO lessons VALUES (1, 'Optics', 'B', 1);"
    )
    (reading,) = school.read("What are the topics of lessons in rooms with capacity above 50?")
    assert school.rows(reading.sql) == [("Optics",)]


def test_one_row_for_a_thing_that_joins_several_times(library: Any) -> None:
    (reading,) = library.read("Show the names of members who have loans")
    assert sorted(library.rows(reading.sql)) == [("Maya",), ("Noah",), ("Olga",), ("Quinn",)]


def test_things_are_counted_once(library: Any) -> None:
    (reading,) = library.read("How many members have loans?")
    assert library.rows(reading.sql) == [(4,)]


def test_a_name_that_is_not_in_the_data_gives_no_rows(library: Any) -> None:
    (reading,) = library.read('How many loans does the member "Zoe" have?')
    assert library.rows(reading.sql) == [(0,)]


@pytest.mark.parametrize(
    "script",
    [
        'CREATE TABLE "odd ""table""" ("group" INTEGER PRIMARY KEY, "first value" VARCHAR);',
        'CREATE TABLE "select" ("from" INTEGER PRIMARY KEY, "order" VARCHAR, "limit" INTEGER);',
        'CREATE TABLE "größe" ("größe" INTEGER, "название" VARCHAR);',
        'CREATE TABLE "日本" ("名前" VARCHAR, "  " INTEGER);',
        'CREATE TABLE "a;b--c" ("xy" VARCHAR, "z""z" INTEGER);',
        "CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES nodes (id), name VARCHAR);",
    ],
)
def test_hostile_names_are_quoted(make: Any, script: str) -> None:
    odd = make(script)
    names = [odd.catalog.tables[0].name, *(c.name for c in odd.catalog.tables[0].columns)]
    read = 0
    for question in ("How many {} are there?", "Show {}", "Show all information about {}", "What is the maximum {}?"):
        for name in names:
            try:
                readings = odd.read(question.format(name))
            except Unread:
                continue
            for reading in readings:
                odd.rows(reading.sql)
                read += 1
    assert read or not any(n.isascii() for n in names)


@pytest.mark.slow
def test_hundreds_of_tables_are_no_trouble(make: Any) -> None:
    many = make(
        "".join(f"CREATE TABLE part_{i} (id INTEGER PRIMARY KEY, name VARCHAR, maker_{i} VARCHAR);" for i in range(300))
    )
    (reading,) = many.read("How many different maker 7 are there?")
    assert many.rows(reading.sql) == [(0,)]


def test_a_database_without_tables_is_said(make: Any) -> None:
    with pytest.raises(Unread, match="no table to ask about"):
        make("").read("How many books are there?")


def test_the_last_few_are_told_by_the_date_of_the_thing_or_by_nothing(make: Any) -> None:
    shop = make(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, order_date DATE, shipped_date DATE);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, begun DATE, ended DATE);"
        "CREATE TABLE customers (code VARCHAR PRIMARY KEY, last_name VARCHAR);"
        "INSERT INTO orders VALUES (1, '2024-01-02', '2024-03-01'), (2, '2024-02-01', '2024-02-02');"
    )
    assert [shop.rows(r.sql) for r in shop.read("last order")] == [[(2,)]]
    assert len(shop.read("last 5 visits")) == 3  # by either date, or by the key
    with pytest.raises(Unread):
        shop.read("last 5 customers")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["addr2", "SourceAirport", "x2y", "q1_2024", "c3_7", "iPhone"])
def test_a_name_is_known_as_it_is_spelled(make: Any, name: str) -> None:
    odd = make(
        f'CREATE TABLE log7 (id INTEGER PRIMARY KEY, word3x1 VARCHAR, addr1 VARCHAR, "{name}" VARCHAR);'
        "INSERT INTO log7 VALUES (1, 'a', 'b', 'c');"
    )
    for question in (f"show {name}", f"show the {name} of log7"):
        (reading,) = odd.read(question)
        assert odd.rows(reading.sql) == [("c",)]
