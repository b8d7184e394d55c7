"""Values, dates and flags in other words: another spelling, a state that is also a word of the grammar, decades."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def depot(make: Any) -> Any:
    return make(
        "CREATE TABLE grp (grp_cd VARCHAR PRIMARY KEY, grp_desc VARCHAR, chronic_flg VARCHAR);"
        "CREATE TABLE category (category_id INTEGER PRIMARY KEY, title VARCHAR, parent_category_id INTEGER);"
        "CREATE TABLE goods (goods_no INTEGER PRIMARY KEY, label VARCHAR, colour VARCHAR, status VARCHAR,"
        " category_id INTEGER REFERENCES category (category_id), intro_dt DATE);"
        "CREATE TABLE coaches (coach_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, mentor_id INTEGER,"
        " birthday DATE, cancel_date DATE);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, goods_no INTEGER REFERENCES goods (goods_no),"
        " ship_country VARCHAR, quantity INTEGER);"
        "INSERT INTO grp VALUES ('A1', 'Asthma', 'Y'), ('B2', 'Broken leg', 'N');"
        "INSERT INTO category VALUES (1, 'Clothes', NULL), (2, 'Dresses', 1), (3, 'Shirts', 1);"
        "INSERT INTO goods VALUES (1, 'Midi', 'blue', 'free', 2, '2021-05-01'), (2, 'Maxi', 'red', 'cancelled', 2,"
        " '2020-01-01'), (3, 'Polo', 'blue', 'sold', 3, '2021-06-01');"
        "INSERT INTO coaches VALUES (1, 'Ann', 'Berg', NULL, '1985-01-01', NULL),"
        " (2, 'Bo', 'Lind', 1, '1991-01-01', '2023-05-05');"
        "INSERT INTO orders VALUES (1, 1, 'Oslo', 2), (2, 1, 'Oslo', 3), (3, 3, 'Bergen', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("free goods", [("Midi",)]),
        ("how many goods were canceled", [(1,)]),
        ("blue dresses", [("Midi",)]),
        ("quantity by goods category", [("Dresses", 5), ("Shirts", 1)]),
        ("goods introduced in 2021", [("Midi",), ("Polo",)]),
        ('goods with "Mi" in the label', [("Midi",)]),
        ("coaches born in the eighties", [("Ann", "Berg")]),
        ("how many coaches have quit", [(1,)]),
        ("who mentors whom", [("Ann", "Berg", "Bo", "Lind")]),
        ("coaches and their mentors", [("Bo", "Lind", "Ann", "Berg")]),
        ("which countries do we ship to", [("Bergen",), ("Oslo",)]),
        ("how many countries do we ship to", [(2,)]),
        ("chronic groups", [("Asthma",)]),
    ],
)
def test_a_word_of_another_kind_is_read(depot: Any, question: str, rows: list[Any]) -> None:
    depot.answers(question, rows)


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(
        "CREATE TABLE welders (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE tasks (task_no INTEGER PRIMARY KEY, welder_id INTEGER REFERENCES welders (id), stat VARCHAR,"
        " due_dt DATE);"
        "INSERT INTO welders VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO tasks VALUES (1, 1, 'finished', '2024-01-01'), (2, 1, 'open', '2024-02-01'),"
        " (3, 2, 'finished', '2024-03-01'), (4, 1, 'declined', '2024-03-01'), (5, 1, 'finished', '2023-03-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("completed tasks", [(1,), (3,), (5,)]),
        ("how many tasks were done per welder", [("Ann", 2), ("Bo", 1)]),
        ("which welder completed the most tasks", [("Ann",)]),
        ("how many tasks has Ann completed", [(2,)]),
        ("rejected tasks", [(4,)]),
        ("tasks not completed yet", [(2,), (4,)]),
    ],
)
def test_a_state_is_also_found_by_another_word_for_it(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)
