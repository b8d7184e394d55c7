"""Scores and percentages are averaged and never added up, and "only" before several of them is no number."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def inns(make: Any) -> Any:
    return make(
        "CREATE TABLE inns (id INTEGER PRIMARY KEY, name VARCHAR, tax_pct INTEGER);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, inn_id INTEGER REFERENCES inns(id), score INTEGER);"
        "INSERT INTO inns VALUES (1, 'Oak', 5), (2, 'Elm', 7), (3, 'Ash', 9);"
        "INSERT INTO visits VALUES (1, 1, 3), (2, 1, 3), (3, 1, 4), (4, 2, 5), (5, 3, 1), (6, 3, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 2 inns by score", [("Elm", 5.0), ("Oak", 10 / 3)]),
        ("best rated inn", [("Elm",)]),
        ("worst rated inn", [("Ash",)]),
        ("inns with only 2 visits", [("Ash",)]),
        ("total tax percent", [(21,)]),
    ],
)
def test_scores_are_averaged(inns: Any, question: str, rows: list[Any]) -> None:
    inns.answers(question, rows)


@pytest.mark.parametrize("question", ["total tax per inn", "inns with only 5 score visits"])
def test_what_adds_up_percentages_or_drops_only_is_refused(inns: Any, question: str) -> None:
    inns.refused(question)


def test_stocks_are_added_up_for_groups_and_not_for_the_things_themselves(make: Any) -> None:
    wines = make(
        "CREATE TABLE regions (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE wines (id INTEGER PRIMARY KEY, name VARCHAR, region_id INTEGER REFERENCES regions(id),"
        " stock INTEGER);"
        "INSERT INTO regions VALUES (1, 'Mosel'), (2, 'Douro');"
        "INSERT INTO wines VALUES (1, 'Alba', 1, 5), (2, 'Brut', 1, 7), (3, 'Cava', 2, 2);"
    )
    wines.answers("stock by region", [("Douro", 2), ("Mosel", 12)])
    wines.answers("stock of each wine", [("Alba", 5), ("Brut", 7), ("Cava", 2)])
    wines.answers("wines with the lowest stock", [("Cava",)])


@pytest.fixture(scope="module")
def films(make: Any) -> Any:
    return make(
        "CREATE TABLE films (id INTEGER PRIMARY KEY, name VARCHAR, age_rating VARCHAR);"
        "CREATE TABLE ratings (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films(id), stars INTEGER);"
        "CREATE TABLE showings (id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films(id), minutes_watched INTEGER,"
        " started_on DATE);"
        "INSERT INTO films VALUES (1, 'Ice', '18'), (2, 'Sea', '6');"
        "INSERT INTO ratings VALUES (1, 1, 5), (2, 1, 1), (3, 2, 4);"
        "INSERT INTO showings VALUES (1, 1, 90, '2024-01-01'), (2, 2, 60, '2024-01-01'), (3, 2, 50, '2024-01-02');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average rating per film", [("Ice", 3.0), ("Sea", 4.0)]),
        ("best rated film", [("Sea",)]),
        ("most watched film", [("Sea",)]),
    ],
)
def test_ratings_in_their_own_table_are_averaged_and_minutes_are_added_up(
    films: Any, question: str, rows: list[Any]
) -> None:
    films.answers(question, rows)


def test_nothing_is_the_top_of_dates_nor_cheapest_by_a_rating(make: Any) -> None:
    shops = make(
        "CREATE TABLE sellers (id INTEGER PRIMARY KEY, name VARCHAR, rating INTEGER);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, sold_on DATE, place VARCHAR, agent VARCHAR);"
        "INSERT INTO sellers VALUES (1, 'Kim', 3), (2, 'Lou', 1);"
    )
    shops.refused("cheapest seller")
    shops.answers("best rated seller", [("Kim",)])


def test_a_column_with_nothing_behind_the_comma_is_read_or_refused(inns: Any) -> None:
    for question in ("score ;", "score,", "visits by score and"):
        with contextlib.suppress(Unread):
            inns.read(question)


@pytest.mark.parametrize("question", ["total fee in 2024", "fees added up per berth"])
def test_years_are_never_added_up(make: Any, question: str) -> None:
    berths = make(
        "CREATE TABLE berths (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE dues (id INTEGER PRIMARY KEY, berth_id INTEGER REFERENCES berths (id), fee_year INTEGER,"
        " settled DATE);"
        "INSERT INTO berths VALUES (1, 'A1'), (2, 'A2');"
        "INSERT INTO dues VALUES (1, 1, 2024, '2024-02-01'), (2, 2, 2024, '2024-03-01'), (3, 1, 2023, NULL);"
    )
    with pytest.raises(Unread):
        berths.read(question)


def test_amounts_of_a_year_are_added_up(make: Any) -> None:
    teams = make(
        "CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR, hours_this_year INTEGER);"
        "INSERT INTO teams VALUES (1, 'Red', 5), (2, 'Blue', 7);"
    )
    teams.answers("total hours this year", [(12,)])
