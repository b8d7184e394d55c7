"""Flags that are called after a verb and its object, `allows_pets`, are conditions on what allows it."""

from __future__ import annotations

from typing import Any

import pytest

CABINS = """
CREATE TABLE cabins (id INTEGER PRIMARY KEY, name VARCHAR, allows_pets INTEGER, accepts_cards VARCHAR,
  needs_permit BOOLEAN, price INTEGER);
INSERT INTO cabins VALUES (1, 'Elk', 1, 'Y', FALSE, 90), (2, 'Fox', 0, 'N', TRUE, 80), (3, 'Owl', 1, 'N', FALSE, 120);
"""


@pytest.fixture(scope="module")
def cabins(make: Any) -> Any:
    return make(CABINS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which cabins allow pets?", [("Elk",), ("Owl",)]),
        ("cabins allowing pets", [("Elk",), ("Owl",)]),
        ("cabins that do not allow pets", [("Fox",)]),
        ("how many cabins allow pets", [(2,)]),
        ("which cabins accept cards", [("Elk",)]),
        ("which cabins need a permit", [("Fox",)]),
        ("cabins that need no permit", [("Elk",), ("Owl",)]),
        ("average price of cabins that allow pets", [(105.0,)]),
        ("cabins with pets allowed", [("Elk",), ("Owl",)]),
        ("show name and allows pets of all cabins", [("Elk", 1), ("Fox", 0), ("Owl", 1)]),
    ],
)
def test_what_a_flag_says_is_a_condition(cabins: Any, question: str, rows: list[Any]) -> None:
    cabins.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bookings where no deposit was paid", [("B2",), ("B3",)]),
        ("bookings where a deposit was paid", [("B1",)]),
        ("bookings whose deposit was not paid", [("B2",), ("B3",)]),
        ("held bookings but no deposit was paid", [("B2",)]),
        ("how many bookings had no deposit paid", [(2,)]),
    ],
)
def test_what_a_flag_says_was_done_is_a_condition(make: Any, question: str, rows: list[Any]) -> None:
    bookings = make(
        "CREATE TABLE bookings (booking_no VARCHAR PRIMARY KEY, status VARCHAR, deposit_paid BOOLEAN);"
        "INSERT INTO bookings VALUES ('B1', 'held', TRUE), ('B2', 'held', FALSE), ('B3', 'gone', FALSE);"
    )
    bookings.answers(question, rows)


@pytest.fixture(scope="module")
def orchard(make: Any) -> Any:
    return make(
        "CREATE TABLE growers (grower_id INTEGER PRIMARY KEY, name VARCHAR, is_charity BOOLEAN);"
        "CREATE TABLE crops (crop_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE deliveries (delivery_id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES growers (grower_id),"
        " crop_id INTEGER REFERENCES crops (crop_id), delivered_on DATE);"
        "INSERT INTO growers VALUES (1, 'Ann', true), (2, 'Bo', false), (3, 'Cy', true), (4, 'Di', true);"
        "INSERT INTO crops VALUES (1, 'plums'), (2, 'pears');"
        "INSERT INTO deliveries VALUES (1, 1, 1, '2024-05-01'), (2, 1, 2, '2024-05-02'), (3, 2, 1, '2024-05-03'),"
        " (4, 3, 2, '2024-05-04');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which charities deliver", [("Ann",), ("Cy",)]),
        ("how many charities deliver to us", [(2,)]),
        ("which growers deliver plums", [("Ann",), ("Bo",)]),
        ("how many growers deliver pears", [(2,)]),
        ("which growers deliver to us", [("Ann",), ("Bo",), ("Cy",)]),
    ],
)
def test_a_verb_behind_those_asked_for_says_what_they_did(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)


@pytest.fixture(scope="module")
def weavers(make: Any) -> Any:
    return make(
        "CREATE TABLE looms (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE cloths (id INTEGER PRIMARY KEY, loom_id INTEGER REFERENCES looms (id), yarn VARCHAR,"
        " reject BOOLEAN);"
        "INSERT INTO looms VALUES (1, 'Ada'), (2, 'Bee');"
        "INSERT INTO cloths VALUES (1, 1, 'wool', TRUE), (2, 1, 'flax', TRUE), (3, 2, 'wool', TRUE),"
        " (4, 2, 'silk', FALSE), (5, 2, 'silk', FALSE);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [("which yarn has the most rejects", [("wool",)]), ("which loom had the most rejects", [("Ada",)])],
)
def test_the_most_of_a_flag_counts_the_rows_that_have_it(weavers: Any, question: str, rows: list[Any]) -> None:
    weavers.answers(question, rows)


def test_no_row_is_the_first_by_a_flag(weavers: Any) -> None:
    weavers.refused("which yarn gets rejected the most")
