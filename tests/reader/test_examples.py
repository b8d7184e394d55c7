"""Questions that are proposed about a database: only such that the reader answers, and none about hidden things."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askwhere.reader.refusing.examples import examples


def test_each_example_is_read_in_one_way(library: Any) -> None:
    found = examples(library.catalog, library.values, library.dialect)
    assert len(found) == 3
    for question in found:
        (reading,) = library.read(question)
        library.rows(reading.sql)


def test_examples_are_about_the_largest_tables_and_differ(make: Any) -> None:
    depot = make(
        "CREATE TABLE depots (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE crates (id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depots (id), weight INTEGER);"
        "CREATE TABLE pairs (one INTEGER REFERENCES crates (id), two INTEGER REFERENCES depots (id));"
        "INSERT INTO depots VALUES (1, 'North'); INSERT INTO crates VALUES (1, 1, 20), (2, 1, 55);"
        "INSERT INTO pairs VALUES (1, 1), (2, 1), (1, 1);"
    )
    assert examples(depot.catalog, depot.values, depot.dialect) == (
        "number of crates per depot",
        "the 3 crates with the highest weight",
        "average weight of crates",
    )


def test_tables_and_columns_with_names_of_english_words_come_first(make: Any) -> None:
    depot = make(
        "CREATE TABLE agr (agr_no INTEGER PRIMARY KEY, dpz_amt INTEGER);"
        "CREATE TABLE crates (id INTEGER PRIMARY KEY, tpw INTEGER, weight INTEGER);"
        "INSERT INTO agr VALUES (1, 10), (2, 20), (3, 30); INSERT INTO crates VALUES (1, 5, 20), (2, 6, 55);"
    )
    assert examples(depot.catalog, depot.values, depot.dialect)[:2] == (
        "the 3 crates with the highest weight",
        "average weight of crates",
    )


def test_a_database_without_tables_has_none(make: Any) -> None:
    empty = make("")
    assert examples(replace(empty.catalog, tables=()), empty.values, empty.dialect) == ()


def test_names_in_the_singular_get_the_plural_and_flags_are_no_amounts(make: Any) -> None:
    depot = make(
        "CREATE TABLE depot (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE delivery (id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot (id), is_late INTEGER,"
        " weight INTEGER);"
        "INSERT INTO depot VALUES (1, 'North'); INSERT INTO delivery VALUES (1, 1, 0, 20), (2, 1, 1, 55);"
    )
    assert examples(depot.catalog, depot.values, depot.dialect) == (
        "number of deliveries per depot",
        "the 3 deliveries with the highest weight",
        "average weight of deliveries",
    )


def test_short_names_are_written_out(make: Any) -> None:
    shop = make(
        "CREATE TABLE cust (id INTEGER PRIMARY KEY, nm VARCHAR);"
        "CREATE TABLE inv (id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES cust (id), amt INTEGER);"
        "INSERT INTO cust VALUES (1, 'Ann'); INSERT INTO inv VALUES (1, 1, 20), (2, 1, 55);"
    )
    assert examples(shop.catalog, shop.values, shop.dialect) == (
        "number of invoices per customer",
        "the 3 invoices with the highest amount",
        "average amount of invoices",
    )
