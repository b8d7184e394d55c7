"""Columns of a row beside each other, "below their reorder level", and what each thing spent."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def nursery(make: Any) -> Any:
    return make(
        "CREATE TABLE plants (id INTEGER PRIMARY KEY, name VARCHAR, in_stock INTEGER, reorder_point INTEGER,"
        " price DOUBLE, list_price DOUBLE);"
        "CREATE TABLE visitors (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, visitor_id INTEGER REFERENCES visitors (id), order_date DATE,"
        " required_date DATE, shipped_date DATE, total DOUBLE);"
        "CREATE TABLE beds (id INTEGER PRIMARY KEY, name VARCHAR, budget INTEGER, spent INTEGER);"
        "INSERT INTO plants VALUES (1, 'Fern', 3, 5, 4.0, 4.5), (2, 'Moss', 9, 5, 2.0, 2.0),"
        " (3, 'Rose', 0, 2, 9.0, 8.0);"
        "INSERT INTO visitors VALUES (1, 'Ann', 'a'), (2, 'Bo', 'b'), (3, 'Cy', 'c');"
        "INSERT INTO orders VALUES (1, 1, '2023-01-02', '2023-01-09', '2023-01-08', 30.0),"
        " (2, 1, '2023-03-02', '2023-03-09', '2023-03-11', 20.0), (3, 2, '2024-01-02', '2024-01-09', NULL, 40.0),"
        " (4, 3, '2023-05-02', '2023-05-09', '2023-05-03', 5.0);"
        "INSERT INTO beds VALUES (1, 'North', 100, 120), (2, 'South', 100, 80);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("plants below their reorder point", [("Fern",), ("Rose",)]),
        ("which plants are below the reorder point?", [("Fern",), ("Rose",)]),
        ("plants we need to reorder", [("Fern",), ("Rose",)]),
        ("plants that need reordering", [("Fern",), ("Rose",)]),
        ("plants low on stock", [("Fern",), ("Rose",)]),
        ("which plants are running low?", [("Fern",), ("Rose",)]),
        ("which plants do we have to reorder?", [("Fern",), ("Rose",)]),
        ("plants whose stock is below their reorder point", [("Fern",), ("Rose",)]),
        ("plants below their list price", [("Fern",)]),
        ("beds over budget", [("North",)]),
        ("how many beds are under their budget?", [(1,)]),
        ("orders shipped after their required date", [(2,)]),
        ("how many orders were shipped before the required date?", [(2,)]),
    ],
)
def test_a_column_is_compared_with_another_of_its_row(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("visitors who spent over 35", [("Ann",), ("Bo",)]),
        ("visitors who have spent more than 35 in 2023", [("Ann",)]),
        ("names and emails of visitors who spent less than 10", [("Cy", "c")]),
        ("how much revenue did we make in 2023?", [(55.0,)]),
        ("how much revenue was made in January 2023?", [(30.0,)]),
    ],
)
def test_what_each_thing_spent_is_added_up(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


@pytest.fixture(scope="module")
def theatre(make: Any) -> Any:
    return make(
        "CREATE TABLE plays (id INTEGER PRIMARY KEY, title VARCHAR, budget_eur INTEGER, budget_hours INTEGER);"
        "CREATE TABLE purchases (id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES plays (id), made_on DATE,"
        " cost_eur DOUBLE);"
        "CREATE TABLE scenes (id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES plays (id), name VARCHAR);"
        "CREATE TABLE rehearsals (id INTEGER PRIMARY KEY, scene_id INTEGER REFERENCES scenes (id), held_on DATE,"
        " hours INTEGER);"
        "CREATE TABLE appeals (id INTEGER PRIMARY KEY, name VARCHAR, target_eur INTEGER);"
        "CREATE TABLE gifts (id INTEGER PRIMARY KEY, appeal_id INTEGER REFERENCES appeals (id), given_on DATE,"
        " amount_cents INTEGER);"
        "INSERT INTO plays VALUES (1, 'Hamlet', 100, 5), (2, 'Faust', 100, 5), (3, 'Medea', 100, 5);"
        "INSERT INTO purchases VALUES (1, 1, '2024-01-02', 70.0), (2, 1, '2024-01-03', 40.0),"
        " (3, 2, '2024-01-02', 100.0);"
        "INSERT INTO scenes VALUES (1, 1, 'Act 1'), (2, 2, 'Act 1'), (3, 2, 'Act 2');"
        "INSERT INTO rehearsals VALUES (1, 1, '2024-02-01', 5), (2, 2, '2024-02-01', 4), (3, 3, '2024-02-01', 2);"
        "INSERT INTO appeals VALUES (1, 'Roof', 50), (2, 'Seats', 50), (3, 'Lamps', 10);"
        "INSERT INTO gifts VALUES (1, 1, '2024-01-02', 3000), (2, 1, '2024-01-02', 3000), (3, 2, '2024-01-02', 4900),"
        " (4, 3, '2024-01-02', 1000);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("plays whose total cost is more than their budget", [("Hamlet",)]),
        ("plays over budget", [("Hamlet",)]),
        ("how many plays are over budget?", [(1,)]),
        ("plays over their budget hours", [("Faust",)]),
        ("appeals over their target", [("Roof",)]),
        ("which appeals exceeded their target?", [("Roof",)]),
        ("appeals that reached their target", [("Lamps",), ("Roof",)]),
        ("appeals whose total gifts are below the target", [("Seats",)]),
    ],
)
def test_a_sum_is_compared_with_a_column_of_the_thing(theatre: Any, question: str, rows: list[Any]) -> None:
    theatre.answers(question, rows)


def test_a_note_says_what_is_left_out_and_in_which_unit(theatre: Any) -> None:
    notes = theatre.read("appeals below their target")[0].notes
    assert "appeals.target_eur is in the unit of amount_cents: 100 each" in notes
    assert any(note.startswith("appeals without any gifts are left out") for note in notes)
