"""A noun for an act names the rows that have its date; people are found by what they do; "empty" and "free" say 0."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def stables(make: Any) -> Any:
    return make(
        "CREATE TABLE boxes (id INTEGER PRIMARY KEY, label VARCHAR, rent INTEGER);"
        "CREATE TABLE horses (id INTEGER PRIMARY KEY, name VARCHAR, birth_date DATE, admission_date DATE,"
        " box_id INTEGER REFERENCES boxes(id), coat VARCHAR, weight_kg INTEGER,"
        " vaccination_date DATE);"
        "CREATE TABLE grooms (id INTEGER PRIMARY KEY, full_name VARCHAR, weekly_hours INTEGER);"
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, full_name VARCHAR, weekly_hours INTEGER);"
        "CREATE TABLE rides (id INTEGER PRIMARY KEY, horse_id INTEGER REFERENCES horses(id),"
        " rider_id INTEGER REFERENCES riders(id), groom_id INTEGER REFERENCES grooms(id), ridden_on DATE,"
        " cancelled_on DATE, cost INTEGER);"
        "CREATE TABLE meals (id INTEGER PRIMARY KEY, served_on DATE, cook VARCHAR, guest VARCHAR, dish VARCHAR,"
        " grams INTEGER);"
        "INSERT INTO boxes VALUES (1, 'A', 0), (2, 'B', 50);"
        "INSERT INTO horses VALUES (1, 'Fox', '2010-01-01', '2022-03-01', 1, 'bay', 500, NULL),"
        " (2, 'Gus', '2012-01-01', '2023-03-01', 1, 'grey', 610, '2024-06-01'),"
        " (3, 'Ivo', '2013-01-01', '2023-08-01', 1, 'bay', 540, '2024-07-01');"
        "INSERT INTO grooms VALUES (1, 'Ann Lee', 30), (2, 'Bob Ray', 15);"
        "INSERT INTO riders VALUES (1, 'Cy Dow', 4), (2, 'Di Eck', 6);"
        "INSERT INTO rides VALUES (1, 1, 1, 1, '2023-05-01', NULL, 20),"
        " (2, 2, 2, 1, '2023-06-01', '2023-05-30', 40), (3, 1, 1, 2, '2024-06-01', '2024-05-01', 60);"
        "INSERT INTO meals VALUES (1, '2024-01-01', 'Kim', 'Al', 'soup', 300),"
        " (2, '2024-01-02', 'Kim', 'Al', 'pie', 200), (3, '2024-02-02', 'Lou', 'Al', 'soup', 250),"
        " (4, '2024-02-03', 'Lou', 'Bea', 'soup', 250);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many admissions in 2023", [(2,)]),
        ("admissions per year", [("2022", 1), ("2023", 2)]),
        ("how many cancellations in 2023", [(1,)]),
        ("how many cancellations were there", [(2,)]),
        ("list all vaccinations", [("Gus",), ("Ivo",)]),
        ("bay vaccinations", [("Ivo",)]),
        ("vaccinations in june 2024", [("Gus",)]),
        ("empty boxes", [("B",)]),
        ("free boxes", [("A",)]),
        ("costs by groom", [("Ann Lee", 60), ("Bob Ray", 60)]),
        ("grooms working more than 20 hours a week", [("Ann Lee",)]),
        ("how much soup was served in February 2024", [(500,)]),
        ("which cook had the most guests", [("Lou",)]),
        ("who rode Gus", [("Di Eck",)]),
    ],
)
def test_nouns_for_acts(stables: Any, question: str, rows: list[Any]) -> None:
    stables.answers(question, rows)


def test_amounts_in_a_year_are_not_that_year(stables: Any) -> None:
    stables.answers("total cost in 2023", [(60,)])


def test_the_best_of_a_kind_is_one(make: Any) -> None:
    pots = make(
        "CREATE TABLE pots (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, resale_value INTEGER);"
        "INSERT INTO pots VALUES (1, 'P1', 'vase', 70), (2, 'P2', 'bowl', 90), (3, 'P3', 'vase', 60);"
    )
    pots.answers("most valuable vase", [("P1",)])
    pots.answers("the two most valuable vases", [("P1",), ("P3",)])


def test_rooms_are_not_free_for_the_price_of_their_kind(make: Any) -> None:
    inn = make(
        "CREATE TABLE room_types (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER);"
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, door VARCHAR, type_id INTEGER REFERENCES room_types (id));"
        "INSERT INTO room_types VALUES (1, 'single', 50), (2, 'hut', 0); INSERT INTO rooms VALUES (1, '1a', 1);"
    )
    with pytest.raises(Unread):
        inn.read("rooms that are free")
