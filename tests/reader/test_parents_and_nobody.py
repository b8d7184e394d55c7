"""Things over others of their kind, what nobody does, prices by the kilo, and words for what all rows are in."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def dairy(make: Any) -> Any:
    """Firms under other firms, wheels of cheese by kind, tastings, and the hires of machines by operators."""
    return make(
        "CREATE TABLE dim_buyer (buyer_key INTEGER PRIMARY KEY, buyer_name VARCHAR, parent_buyer_key INTEGER);"
        "CREATE TABLE cheese_types (cheese_type_id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR,"
        " price_per_kg INTEGER);"
        "CREATE TABLE tastings (tasting_id INTEGER PRIMARY KEY,"
        " cheese_type_id INTEGER REFERENCES cheese_types (cheese_type_id), taster VARCHAR, minutes_tasted INTEGER,"
        " score INTEGER, tasted_on DATE);"
        "CREATE TABLE favourites (buyer_key INTEGER REFERENCES dim_buyer (buyer_key),"
        " cheese_type_id INTEGER REFERENCES cheese_types (cheese_type_id), noted_on DATE, stars INTEGER);"
        "CREATE TABLE oper (oper_no INTEGER, fst_nm VARCHAR, lst_nm VARCHAR, hire_dt DATE);"
        "CREATE TABLE hire (hire_no INTEGER, oper_no INTEGER, st_dt DATE, stat VARCHAR);"
        "CREATE TABLE events (event_id INTEGER PRIMARY KEY, title VARCHAR, start_date DATE, end_date DATE);"
        "INSERT INTO dim_buyer VALUES (1, 'Alpha', NULL), (2, 'Beta', 1), (3, 'Gamma', 1), (4, 'Delta', NULL);"
        "INSERT INTO cheese_types VALUES (1, 'Brie', 'soft', 30), (2, 'Comte', 'hard', 45), (3, 'Feta', 'soft', 20);"
        "INSERT INTO tastings VALUES (1, 1, 'Ann', 5, 9, '2024-01-01'), (2, 1, 'Bo', 5, 3, '2024-02-01'),"
        " (3, 2, 'Bo', 5, 6, '2024-03-01'), (4, 2, 'Ann', 5, 8, '2024-03-01');"
        "INSERT INTO favourites VALUES (1, 3, '2024-01-01', 5);"
        "INSERT INTO oper VALUES (1, 'Cy', 'Lee', '2025-01-01'), (2, 'Di', 'Ray', '2020-01-01');"
        "INSERT INTO hire VALUES (1, 1, '2024-01-01', 'available'), (2, NULL, '2025-05-01', 'out'),"
        " (3, NULL, '2024-05-01', 'available');"
        "INSERT INTO events VALUES (1, 'Fair', '2024-01-01', '2024-01-03'), (2, 'Season', '2024-01-01', '2024-03-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("subsidiaries and their parent company", [("Beta", "Alpha"), ("Gamma", "Alpha")]),
        ("buyers beside the buyer above them", [("Beta", "Alpha"), ("Gamma", "Alpha")]),
        ("top-level buyers", [("Alpha",), ("Delta",)]),
        ("average price per cheese category", [("hard", 45.0), ("soft", 25.0)]),
        ("soft cheeses under 25 a kilo", [("Feta",)]),
        ("cheeses nobody has tasted", [("Feta",)]),
        ("which cheeses has nobody tasted?", [("Feta",)]),
        ("which taster gives the lowest scores on average?", [("Bo",)]),
        ("the 1 best cheese by average score", [("Comte", 7.0)]),
        ("most expensive cheese in our catalogue", [("Comte",)]),
        ("cheeses w/o tastings", [("Feta",)]),
        ("how many operators are there?", [(2,)]),
        ("operators with no hires", [("Di", "Ray")]),
        ("hires in 2025", [(2,)]),
        ("hires in 2024 without an operator", [(3,)]),
        ("how many hires are available?", [(2,)]),
        ("events lasting longer than a week", [("Season",)]),
        ("events longer than 2 weeks", [("Season",)]),
    ],
)
def test_parents_nobody_and_rates(dairy: Any, question: str, rows: list[Any]) -> None:
    dairy.answers(question, rows)


def test_a_year_is_no_number_of_the_best(dairy: Any) -> None:
    dairy.refused("the 2024 best cheeses by average score")


@pytest.mark.parametrize("question", ["subsidiaries", "how many subsidiaries are there", "subbuyers"])
def test_what_is_under_another_is_not_all(dairy: Any, question: str) -> None:
    dairy.refused(question)
