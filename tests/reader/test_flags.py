"""Columns that say yes or no are conditions, however they say it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.engine import Column
from askwhere.errors import Unread
from askwhere.reader.words import types
from askwhere.reader.words.types import says_yes_or_no


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, discontinued VARCHAR, is_vegan INTEGER,"
        " on_sale VARCHAR, fragile BOOLEAN, picked INTEGER);"
        "INSERT INTO products VALUES (1, 'Tea', '0', 1, 'Y', FALSE, 5), (2, 'Ham', '1', 0, 'N', FALSE, 7),"
        " (3, 'Jam', '1', 1, 'N', TRUE, 0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("discontinued products", [("Ham",), ("Jam",)]),
        ("which products are not discontinued", [("Tea",)]),
        ("how many discontinued products are there", [(2,)]),
        ("how many products are vegan", [(2,)]),
        ("which products are on sale", [("Tea",)]),
        ("list the fragile products", [("Jam",)]),
    ],
)
def test_a_flag_is_a_condition(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


def test_a_participle_that_says_neither_yes_nor_no_is_no_condition_and_not_shown(shop: Any) -> None:
    for question in ("picked products", "how many picked products are there"):
        with pytest.raises(Unread):
            shop.read(question)


def test_a_long_name_is_looked_through_once() -> None:
    """A time that grew with the square of its length would be minutes here."""
    assert says_yes_or_no(Column("is_" + "n" * 100_000))
    for name, participle in (("n" * 100_000, False), ("n" * 100_000 + "ed", True), ("used", False), ("cooked", True)):
        assert bool(types._MAYBE_FLAG.search(name)) == participle


@pytest.mark.parametrize(
    "question", ["active pilots", "how many active pilots are there", "unpaid pilots in Oslo", "inactive pilots"]
)
def test_an_adjective_that_names_numbers_is_no_condition_and_not_shown(make: Any, question: str) -> None:
    pilots = make(
        "CREATE TABLE pilots (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, active INTEGER, paid INTEGER);"
        "INSERT INTO pilots VALUES (1, 'Ann', 'Oslo', 1, 3), (2, 'Bo', 'Oslo', 2, 1);"
    )
    with pytest.raises(Unread):
        pilots.read(question)


@pytest.fixture(scope="module")
def orchard(make: Any) -> Any:
    """Numbers that are 0 and 1 alone, NULL beside them; `medals` are amounts, and nobody has two."""
    return make(
        "CREATE TABLE growers (id INTEGER PRIMARY KEY, name VARCHAR, village VARCHAR, active INTEGER,"
        " certified INTEGER, cellar INTEGER, medals INTEGER, retired INTEGER);"
        "CREATE TABLE lots (lot_no VARCHAR PRIMARY KEY, grower_id INTEGER REFERENCES growers (id), organic INTEGER,"
        " paid INTEGER, weight DOUBLE);"
        "INSERT INTO growers VALUES (1, 'Ann', 'Oslo', 1, 0, 1, 1, 0), (2, 'Bo', 'Rome', 0, 1, 0, 0, 0),"
        " (4, 'Cy', 'Oslo', 1, 1, 0, 1, 0), (7, 'Di', 'Rome', NULL, 0, 1, 0, 0);"
        "INSERT INTO lots VALUES ('L1', 1, 1, 0, 20), ('L2', 2, 0, 1, 10), ('L3', 4, 1, 1, 30), ('L4', 1, 0, 0, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which growers are active", [("Ann",), ("Cy",)]),
        ("growers that are not active", [("Bo",)]),
        ("inactive growers", [("Bo",)]),
        ("certified and active growers", [("Cy",)]),
        ("how many certified and active growers are there", [(1,)]),
        ("how many lots are organic", [(2,)]),
        ("organic paid lots", [("L3",)]),
        ("unpaid lots", [("L1",), ("L4",)]),
        ("total weight of organic lots", [(50.0,)]),
        ("what percentage of lots is organic", [(50.0,)]),
        ("growers with organic lots", [("Ann",), ("Cy",)]),
        ("growers with a cellar", [("Ann",), ("Di",)]),
        ("growers without a cellar", [("Bo",), ("Cy",)]),
        ("growers with medals", [("Ann",), ("Cy",)]),
    ],
)
def test_a_column_of_0_and_1_alone_is_a_flag(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the medals of each grower", [(0,), (0,), (1,), (1,)]),
        ("total medals", [(2,)]),
        ("growers with more than 0 medals", [("Ann",), ("Cy",)]),
        ("which grower has the most medals in Rome", [("Bo",)]),
    ],
)
def test_small_amounts_are_amounts_still(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)


def test_a_column_that_holds_one_number_alone_is_no_flag(orchard: Any) -> None:
    with pytest.raises(Unread):
        orchard.read("retired growers")


@pytest.fixture(scope="module")
def courier(make: Any) -> Any:
    return make(
        "CREATE TABLE senders (sender_id INTEGER PRIMARY KEY, name VARCHAR, is_company BOOLEAN, is_abroad BOOLEAN);"
        "CREATE TABLE parcels (parcel_no VARCHAR PRIMARY KEY, sender_id INTEGER REFERENCES senders (sender_id),"
        " is_fragile BOOLEAN, sent_on DATE);"
        "INSERT INTO senders VALUES (1, 'Ann', true, false), (2, 'Bo', true, true), (3, 'Cy', false, true);"
        "INSERT INTO parcels VALUES ('P7', 1, true, '2024-05-01'), ('P8', 2, false, '2024-05-02');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("fragile parcels", [("P7",)]),
        ("fragile shipments", [("P7",)]),
        ("how many companies abroad", [(1,)]),
        ("companies", [("Ann",), ("Bo",)]),
    ],
)
def test_a_flag_is_said_of_the_rows_that_have_it(courier: Any, question: str, rows: list[Any]) -> None:
    courier.answers(question, rows)


@pytest.mark.parametrize("question", ["fragile companies", "how many fragile firms", "fragile widgets"])
def test_a_flag_is_not_said_of_other_rows_or_of_what_has_no_name(courier: Any, question: str) -> None:
    with pytest.raises(Unread):
        courier.read(question)


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    """Of lessons a flag says that they were paid, of bills a date."""
    return make(
        "CREATE TABLE bills (bill_no VARCHAR PRIMARY KEY, paid_on DATE, amount INTEGER);"
        "CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE lessons (lesson_no VARCHAR PRIMARY KEY, pupil_id INTEGER REFERENCES pupils (pupil_id),"
        " fee INTEGER, paid BOOLEAN);"
        "INSERT INTO bills VALUES ('B1', '2024-01-01', 5), ('B2', NULL, 6);"
        "INSERT INTO pupils VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO lessons VALUES ('L1', 1, 10, true), ('L2', 1, 20, false), ('L3', 2, 30, false);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("unpaid lessons", [("L2",), ("L3",)]),
        ("how many lessons are not paid", [(2,)]),
        ("unpaid lesson fees per pupil", [("Ann", 20), ("Bo", 30)]),
        ("lessons that were paid", [("L1",)]),
        ("unpaid bills", [("B2",)]),
        ("bills that were paid", [("B1",)]),
    ],
)
def test_a_participle_is_of_the_things_beside_it(studio: Any, question: str, rows: list[Any]) -> None:
    studio.answers(question, rows)
