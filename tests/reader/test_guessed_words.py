"""Words that name nothing in the schema: near in meaning to a name, or short for one; what is guessed is said."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.indexer.word_forms import CONVENTIONAL, shortens
from askwhere.reader.words.nearness import Nearness, is_english
from askwhere.reader.words.tokens import stem


@pytest.fixture(scope="module")
def firm(make: Any) -> Any:
    return make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR, salary INTEGER, hire_date DATE);"
        "CREATE TABLE vehicles (id INTEGER PRIMARY KEY, model VARCHAR, price INTEGER, seats INTEGER);"
        "INSERT INTO employees VALUES (1, 'Ann', 30, '2020-01-01'), (2, 'Bo', 50, '2021-01-01');"
        "INSERT INTO vehicles VALUES (1, 'Van', 10, 6);"
    )


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    return make(
        "CREATE TABLE patient (pat_id INTEGER PRIMARY KEY, pat_nm VARCHAR, dob DATE);"
        "CREATE TABLE prov (prov_cd INTEGER PRIMARY KEY, prov_nm VARCHAR, spclty VARCHAR);"
        "CREATE TABLE appt (appt_id INTEGER PRIMARY KEY, pat INTEGER, prov_ref INTEGER, rcpt VARCHAR, qty INTEGER);"
        "INSERT INTO patient VALUES (1, 'Ann', '1990-01-01'), (2, 'Bo', '1980-02-02');"
        "INSERT INTO prov VALUES (7, 'Dr Who', 'heart');"
        "INSERT INTO appt VALUES (1, 1, 7, 'r1', 3), (2, 1, 7, 'r2', 4);"
    )


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    return make(
        "CREATE TABLE gym_class (id INTEGER PRIMARY KEY, title VARCHAR, seats INTEGER);"
        "INSERT INTO gym_class VALUES (1, 'Morning flow', 9), (2, 'Strength', 12);"
    )


@pytest.mark.parametrize("question", ["how many yoga classes are there", "how many yoga gym classes are there"])
def test_a_word_before_the_name_of_a_table_is_not_guessed_to_be_that_table(studio: Any, question: str) -> None:
    with pytest.raises(Unread):
        studio.read(question)
    (reading,) = studio.read(question.replace("yoga ", ""))
    assert studio.rows(reading.sql) == [(2,)]


def test_the_noun_of_a_compound_name_is_guessed(studio: Any) -> None:
    (reading,) = studio.read("how many gym lessons are there")
    assert studio.rows(reading.sql) == [(2,)]


def test_words_that_say_when_are_not_guessed_to_be_names(make: Any) -> None:
    people = make("CREATE TABLE owners (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR);")
    for question in ("tomorrow", "next", "the previous of owners"):
        assert people.refused(question).questions == ()


def test_a_word_near_to_a_name_is_read_as_it_and_said(firm: Any) -> None:
    (near,) = firm.read("What is the average compensation of employees?")
    (named,) = firm.read("What is the average salary of employees?")
    assert near.sql == named.sql
    assert near.notes == ("“compensation” read as employees.salary",)
    assert near.score < named.score - 0.1
    assert near.features["guessed"] > named.features.get("guessed", 0.0)


@pytest.mark.parametrize("word", ["unicorn", "city", "departure", "buyer", "manager"])
def test_a_word_near_to_nothing_is_refused(firm: Any, word: str) -> None:
    with pytest.raises(Unread):
        firm.read(f"What is the {word} of each employee?")


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("How many vehicels are there?", "“vehicels” read as vehicles"),
        ("What is the slary of each employee?", "“slary” read as employees.salary"),
    ],
)
def test_a_misspelt_word_is_read_as_the_name_that_is_spelt_alike(firm: Any, question: str, note: str) -> None:
    (reading,) = firm.read(question)
    assert reading.notes == (note,)


def test_opposites_are_never_guessed_for_each_other(make: Any) -> None:
    school = make("CREATE TABLE teachers (id INTEGER PRIMARY KEY, name VARCHAR, room INTEGER);")
    with pytest.raises(Unread):
        school.read("How many students are there?")


def test_names_of_two_words_are_found_as_one_and_as_synonyms(make: Any) -> None:
    shop = make(
        "CREATE TABLE body_builder (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR);"
        "CREATE TABLE product_characteristic (id INTEGER PRIMARY KEY, useracct VARCHAR);"
        "INSERT INTO body_builder VALUES (1, 'Ann', 'Lee');"
        "INSERT INTO product_characteristic VALUES (1, 'x'), (2, 'y');"
    )
    shop.answers("How many bodybuilders are there?", [(1,)])
    shop.answers("How many goods features are there?", [(2,)])
    shop.answers("What are the given and family names of the bodybuilders?", [("Ann", "Lee")])
    shop.answers("users of product characteristics", [("x",), ("y",)])


def test_a_word_with_a_sense_keeps_it(firm: Any) -> None:
    (reading,) = firm.read("What is the price of each vehicle?")
    assert reading.notes == ()
    assert reading.sql.startswith("SELECT price")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many appointments does each patient have?", [("Ann", 2)]),
        ("What are the specialties of the providers?", [("heart",)]),
        ("What is the total quantity of appointments per provider?", [("Dr Who", 7)]),
        ("names of patients", [("Ann",), ("Bo",)]),
        ("receipts of appointments", [("r1",), ("r2",)]),
    ],
)
def test_short_names_are_found(clinic: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    clinic.answers(question, rows)


def test_a_short_name_that_is_guessed_is_said(clinic: Any) -> None:
    (reading,) = clinic.read("receipts of appointments")
    assert reading.notes == ("“receipts” read as appt.rcpt",)


def test_keys_with_short_names_are_guessed_and_said(clinic: Any) -> None:
    (reading,) = clinic.read("How many appointments does each patient have?")
    assert reading.notes == ("guessed that appt.pat refers to patient.pat_id",)
    keys = {k.columns: k.target[-1] for t in clinic.catalog.tables for k in t.foreign_keys}
    assert keys == {("pat",): "patient", ("prov_ref",): "prov"}


def test_no_key_is_guessed_where_two_tables_fit_or_types_differ(make: Any) -> None:
    shop = make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE customs (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, cus INTEGER, prod VARCHAR, total INTEGER);"
    )
    assert not any(table.foreign_keys for table in shop.catalog.tables)


@pytest.mark.parametrize(
    ("word", "name", "other"),
    [
        ("wage", "salary", "age"),
        ("airplane", "aircraft", "departure"),
        ("client", "customer", "buyer"),
        ("cost", "price", "salary"),
        ("town", "city", "country"),
    ],
)
def test_vectors_know_what_is_near(word: str, name: str, other: str) -> None:
    (first, chance), *rest = Nearness([stem(name), stem(other)]).likely(stem(word))
    assert first == stem(name)
    assert chance > 0.7
    assert all(chance > 2 * less for _, less in rest)


def test_a_word_without_a_vector_is_near_to_nothing() -> None:
    assert not is_english("qwzx")
    assert Nearness([stem("salary")]).likely("qwzx") == []
    assert Nearness(["qwzx"]).likely(stem("salary")) == []


@pytest.mark.parametrize(
    ("short", "word", "fits"),
    [("shpmt", "shipment", True), ("prereq", "prerequisite", True), ("pet", "patient", False), ("cty", "city", False)],
)
def test_what_a_word_may_be_cut_to(short: str, word: str, fits: bool) -> None:
    assert shortens(short, word) == fits


def test_conventional_short_forms_are_sorted_and_unlike_what_they_mean() -> None:
    assert list(CONVENTIONAL) == sorted(CONVENTIONAL)
    assert CONVENTIONAL["appt"] == "appointment"


def test_what_is_known_to_be_denied_is_not_guessed(make: Any) -> None:
    """The vector of "outstanding" is near to that of `notes`."""
    studio = make(
        "CREATE TABLE shoots (id INTEGER PRIMARY KEY, client VARCHAR, notes VARCHAR);"
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, shoot_id INTEGER REFERENCES shoots (id), issued DATE,"
        " paid DATE, total INTEGER);"
        "INSERT INTO shoots VALUES (1, 'Ann', 'cups'); INSERT INTO invoices VALUES (1, 1, '2023-01-01', NULL, 5);"
    )
    studio.answers("total outstanding", [(5,)])
    with pytest.raises(Unread):
        studio.read("outstanding amount")


def test_a_word_of_a_value_is_no_short_name_and_is_not_left_out(make: Any) -> None:
    baker = make(
        "CREATE TABLE cust (cust_no INTEGER PRIMARY KEY, cust_nm VARCHAR);"
        "CREATE TABLE crt_mv (mv_id INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust (cust_no), crt_in INTEGER);"
        "CREATE TABLE orders (order_no INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust (cust_no), prod VARCHAR);"
        "INSERT INTO cust VALUES (1, 'Ann'); INSERT INTO crt_mv VALUES (1, 1, 3);"
        "INSERT INTO orders VALUES (1, 1, 'Butter croissant');"
    )
    refused = baker.refused("which customers ordered croissants")
    assert refused.words == ("croissants",)
