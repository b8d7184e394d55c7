"""The best and worst by ratings and reviews, the hardest by a difficulty, and new members of a time."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def trails(make: Any) -> Any:
    return make(
        "CREATE TABLE trail (trail_id INTEGER PRIMARY KEY, name VARCHAR, difficulty INTEGER, distance_km REAL,"
        " stars INTEGER);"
        "CREATE TABLE review (review_id INTEGER PRIMARY KEY, trail_id INTEGER REFERENCES trail(trail_id),"
        " score INTEGER);"
        "CREATE TABLE ranger (ranger_id INTEGER PRIMARY KEY, ranger_name VARCHAR, rating REAL);"
        "CREATE TABLE member (member_id INTEGER PRIMARY KEY, member_name VARCHAR, joined_on DATE);"
        "CREATE TABLE dish (dish_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE serving (serving_id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dish(dish_id),"
        " member_id INTEGER REFERENCES member(member_id));"
        "CREATE TABLE feedback (feedback_id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dish(dish_id),"
        " member_id INTEGER REFERENCES member(member_id));"
        "CREATE TABLE guide (guide_id INTEGER PRIMARY KEY, guide_name VARCHAR, hourly_rate REAL);"
        "INSERT INTO guide VALUES (1, 'Gil', 20), (2, 'Hal', 30);"
        "INSERT INTO dish VALUES (1, 'Soup'), (2, 'Pie');"
        "INSERT INTO trail VALUES (1, 'Ridge', 5, 12, 1), (2, 'Brook', 1, 3, 3), (3, 'Moor', 3, 20, 2);"
        "INSERT INTO review VALUES (1, 1, 9), (2, 1, 7), (3, 2, 5), (4, 3, 2), (5, 3, 10);"
        "INSERT INTO ranger VALUES (1, 'Ann', 4.5), (2, 'Bob', 3.1);"
        "INSERT INTO member VALUES (1, 'Cleo', '2024-01-05'), (2, 'Dan', '2024-02-01'), (3, 'Eva', '2024-02-09'),"
        " (4, 'Flo', '2023-12-31');"
        "INSERT INTO serving VALUES (1, 2, 1), (2, 2, 2), (3, 1, 1);"
        "INSERT INTO feedback VALUES (1, 1, 1), (2, 1, 2), (3, 1, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hardest trail", [("Ridge",)]),
        ("easiest trail", [("Brook",)]),
        ("furthest trail", [("Moor",)]),
        ("which trail has the best reviews", [("Ridge",)]),
        ("trail with the worst reviews", [("Brook",)]),
        ("which ranger has the best rating", [("Ann",)]),
        ("ranger with the worst rating", [("Bob",)]),
        ("most popular dish", [("Pie",)]),
        ("new members per month in 2024", [("2024-01", 1), ("2024-02", 2)]),
        ("how many new members joined in 2024", [(3,)]),
    ],
)
def test_ratings_and_new_members(trails: Any, question: str, rows: list[Any]) -> None:
    trails.answers(question, rows)


def test_the_best_rated_are_not_the_best_paid(trails: Any) -> None:
    for question in ("top rated guides", "best rated guide"):
        trails.refused(question)
