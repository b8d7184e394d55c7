"""Amounts of what happened: what was paid and not a list price, totals of a year, bids and not their numbers."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def office(make: Any) -> Any:
    return make(
        "CREATE TABLE guide (guide_id INTEGER PRIMARY KEY, name VARCHAR, speaks_dutch INTEGER, can_sail VARCHAR);"
        "CREATE TABLE excursion (excursion_id INTEGER PRIMARY KEY, title VARCHAR, guide_id INTEGER REFERENCES"
        " guide(guide_id), price REAL);"
        "CREATE TABLE outing (outing_id INTEGER PRIMARY KEY, excursion_id INTEGER REFERENCES excursion(excursion_id),"
        " held_on DATE);"
        "CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, outing_id INTEGER REFERENCES outing(outing_id),"
        " sold_on DATE, paid REAL);"
        "CREATE TABLE quote (quote_id INTEGER PRIMARY KEY, excursion_id INTEGER REFERENCES excursion(excursion_id),"
        " quoted_on DATE, amount REAL, rank INTEGER);"
        "INSERT INTO guide VALUES (1, 'Ann', 1, 'N'), (2, 'Bob', 0, 'Y'), (3, 'Cleo', 1, 'Y');"
        "INSERT INTO excursion VALUES (1, 'Caves', 1, 10), (2, 'Lakes', 2, 20);"
        "INSERT INTO outing VALUES (1, 1, '2024-05-01'), (2, 1, '2024-05-02'), (3, 2, '2024-05-03');"
        "INSERT INTO ticket VALUES (1, 1, '2024-04-01', 9), (2, 2, '2024-04-02', 10), (3, 3, '2024-04-03', 15);"
        "INSERT INTO quote VALUES (1, 1, '2024-01-01', 700, 2), (2, 1, '2024-01-02', 650, 1),"
        " (3, 2, '2024-01-03', 900, 1);"
    )


@pytest.fixture(scope="module")
def orchard(make: Any) -> Any:
    return make(
        "CREATE TABLE farm (farm_id INTEGER PRIMARY KEY, farm_name VARCHAR, region VARCHAR, member_since DATE);"
        "CREATE TABLE picking (picking_id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farm(farm_id),"
        " picked_on DATE, crates_filled INTEGER, volume_m3 REAL);"
        "CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farm(farm_id), order_date DATE,"
        " ship_date DATE, revenue REAL);"
        "CREATE TABLE award (award_id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farm(farm_id), value REAL);"
        "CREATE TABLE extension (extension_id INTEGER PRIMARY KEY, award_id INTEGER REFERENCES award(award_id),"
        " extended_on DATE, value_change REAL);"
        "INSERT INTO farm VALUES (1, 'Hill', 'north', '2024-02-01'), (2, 'Vale', 'south', '2019-03-01');"
        "INSERT INTO picking VALUES (1, 1, '2023-09-01', 10, 1.5), (2, 1, '2024-09-01', 20, 2),"
        " (3, 2, '2024-09-02', 5, 4);"
        "INSERT INTO sale VALUES (1, 1, '2024-10-01', '2024-10-05', 100), (2, 2, '2024-10-02', '2024-10-06', 70),"
        " (3, 1, '2023-10-02', '2023-10-06', 30);"
        "INSERT INTO award VALUES (1, 1, 1000), (2, 2, 5000);"
        "INSERT INTO extension VALUES (1, 1, '2024-01-01', 50), (2, 1, '2024-02-01', 25), (3, 2, '2024-03-01', 10);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which guides speak dutch", [("Ann",), ("Cleo",)]),
        ("how many guides speak dutch", [(2,)]),
        ("which guides can sail", [("Bob",), ("Cleo",)]),
        ("revenue per excursion", [("Caves", 19), ("Lakes", 15)]),
        ("lowest quote", [(650,)]),
        ("lowest quote for each excursion", [("Caves", 650), ("Lakes", 900)]),
        ("highest quote per excursion", [("Caves", 700), ("Lakes", 900)]),
    ],
)
def test_amounts_are_of_what_happened(office: Any, question: str, rows: list[Any]) -> None:
    office.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("crates filled in 2024", [(25,)]),
        ("how many crates were filled in 2024", [(25,)]),
        ("how many crates were filled", [(35,)]),
        ("crates filled for each farm", [("Hill", 30), ("Vale", 5)]),
        ("volume per farm", [("Hill", 3.5), ("Vale", 4)]),
        ("revenue in 2024", [(170,)]),
        ("revenue in 2024 by region", [("north", 100), ("south", 70)]),
        ("total value of extensions", [(85,)]),
        ("total value of extensions per award", [(1, 75), (2, 10)]),
    ],
)
def test_amounts_add_up(orchard: Any, question: str, rows: list[Any]) -> None:
    orchard.answers(question, rows)
