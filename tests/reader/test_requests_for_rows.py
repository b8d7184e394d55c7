"""Requests as they are typed: all that is known of one thing, each value once, rounded numbers, "surname only"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE mechanics (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, salary INTEGER,"
        " active INTEGER);"
        "CREATE TABLE parts (part_no VARCHAR PRIMARY KEY, title VARCHAR, maker VARCHAR, weight_kg DOUBLE,"
        " price DOUBLE);"
        "CREATE TABLE contracts (id INTEGER PRIMARY KEY, customer VARCHAR,"
        " mechanic_id INTEGER REFERENCES mechanics (id),"
        " status VARCHAR, premium INTEGER);"
        "CREATE TABLE bays (id INTEGER PRIMARY KEY, label VARCHAR, temp_c INTEGER);"
        "INSERT INTO mechanics VALUES (1, 'Ann', 'Berg', 90, 1), (2, 'Bo', 'Lind', 70, 1), (3, 'Cy', 'Brook', 80, 0);"
        "INSERT INTO parts VALUES ('KX-1', 'filter', 'Zing', 1.25, 10.5), ('KX-2', 'axle API', 'Zing', 40, 210),"
        " ('LM-9', 'hose', 'Oaty Ltd', 2.5, 20);"
        "INSERT INTO contracts VALUES (11, 'Ida', 1, 'Active', 100), (12, 'Jo', 1, 'Lapsed', 50),"
        " (13, 'Kim', 3, 'Active', 30);"
        "INSERT INTO bays VALUES (1, 'North', 12), (2, 'South', 19);"
    )


FILTER = ("KX-1", "filter", "Zing", 1.25, 10.5)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("everything we have on part KX-1", [FILTER]),
        ("everything about KX-1, thanks", [FILTER]),
        ("show me the full record of part KX-1", [FILTER]),
        ("part KX-1 - all details please", [FILTER]),
        ("What is part KX-1? Show all we have on it.", [FILTER]),
        ("full details of contract no. 13", [(13, "Kim", 3, "Active", 30)]),
        ("makers of parts, each once", [("Oaty Ltd",), ("Zing",)]),
        ("makers without duplicates", [("Oaty Ltd",), ("Zing",)]),
        ("average price of parts, rounded to one decimal", [(80.2,)]),
        ("average weight of parts to 2 decimals", [(14.58,)]),
        ("average price of parts rounded to the nearest whole number", [(80.0,)]),
        ("last names starting with B", [("Berg",), ("Brook",)]),
        ("parts whose maker ends in Ltd", [("hose",)]),
        ("parts whose title mentions API", [("axle API",)]),
        ("who earns the most", [("Ann", "Berg")]),
        ("Who earns least? Last name only", [("Lind",)]),
        ("mechanics, just the last names", [("Berg",), ("Brook",), ("Lind",)]),
        ("which part weighs the most", [("axle API",)]),
        ("which part costs the least", [("filter",)]),
        ("cheapest and dearest price of parts", [(10.5, 210)]),
        ("contracts of Ida: number", [(11,)]),
        ("coldest bay", [("North",)]),
        ("premium total of all contracts", [(180,)]),
        ("active contracts", [(11,), (13,)]),
        ("how many contracts are active", [(2,)]),
        ("active mechanics", [("Ann", "Berg"), ("Bo", "Lind")]),
    ],
)
def test_a_request_is_read(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_names_are_not_rounded(garage: Any) -> None:
    with pytest.raises(Exception, match="could not"):
        garage.read("last names of mechanics rounded to one decimal")
