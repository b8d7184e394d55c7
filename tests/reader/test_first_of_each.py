"""The first things of each group: by a column, by what is counted or added up, in each period, and the first few."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def ferries(make: Any) -> Any:
    return make(
        "CREATE TABLE lines (id INTEGER PRIMARY KEY, name VARCHAR, coast VARCHAR, cost_per_trip REAL);"
        "CREATE TABLE captains (id INTEGER PRIMARY KEY, name VARCHAR, home_port VARCHAR);"
        "CREATE TABLE trips (id INTEGER PRIMARY KEY, line_id INTEGER REFERENCES lines (id),"
        " captain_id INTEGER REFERENCES captains (id), departed_at TIMESTAMP, cabin VARCHAR, miles INTEGER);"
        "CREATE TABLE meals (id INTEGER PRIMARY KEY, trip_id INTEGER REFERENCES trips (id), price REAL);"
        "INSERT INTO lines VALUES (1, 'Gull', 'east', 9.5), (2, 'Tern', 'east', 4.0), (3, 'Skua', 'west', 7.0);"
        "INSERT INTO captains VALUES (1, 'Bo', 'Hull'), (2, 'Liv', 'Hull'), (3, 'Per', 'Leith');"
        "INSERT INTO trips VALUES (1, 1, 1, '2022-03-01 08:00:00', 'deck', 10),"
        " (2, 1, 1, '2022-04-01 08:00:00', 'deck', 40), (3, 2, 2, '2022-05-01 08:00:00', 'suite', 90),"
        " (4, 3, 3, '2023-06-01 08:00:00', 'suite', 20), (5, 3, 3, '2023-07-01 08:00:00', NULL, 30),"
        " (6, 3, 2, '2023-08-01 08:00:00', NULL, 5);"
        "INSERT INTO meals VALUES (1, 1, 3.0), (2, 3, 12.0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("cheapest line per coast", [("east", "Tern"), ("west", "Skua")]),
        ("which line had the most trips on each coast", [("east", "Gull"), ("west", "Skua")]),
        ("which captain made the most trips from each home port", [("Hull", "Bo"), ("Hull", "Liv"), ("Leith", "Per")]),
        ("most common cabin of each line", [("Gull", "deck"), ("Skua", "suite"), ("Tern", "suite")]),
        ("which line had the most trips in each year", [("2022", "Gull"), ("2023", "Skua")]),
        ("cheapest line of each coast, name and cost", [("east", "Tern", 4.0), ("west", "Skua", 7.0)]),
        ("the 2 cheapest lines of each coast", [("east", "Gull"), ("east", "Tern"), ("west", "Skua")]),
    ],
)
def test_the_first_of_each(ferries: Any, question: str, rows: list[Any]) -> None:
    ferries.answers(question, rows)


def test_the_most_per_month_may_be_an_average(ferries: Any) -> None:
    with pytest.raises(Unread):
        ferries.read("captains with the most trips per month")


def test_rows_are_dated_by_a_time_of_their_own(ferries: Any) -> None:
    ferries.answers("trips per year", [("2022", 3), ("2023", 3)])


def test_the_date_of_the_latest_is_what_it_is_the_latest_by(make: Any) -> None:
    owners = make(
        "CREATE TABLE owners (id INTEGER PRIMARY KEY, name VARCHAR, joined DATE);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id), came_on DATE,"
        " paid_on DATE, reason VARCHAR);"
        "INSERT INTO owners VALUES (1, 'Ida', '2010-01-01'), (2, 'Per', '2012-01-01');"
        "INSERT INTO visits VALUES (1, 1, '2021-01-01', '2021-02-01', 'cough'), (2, 1, '2021-03-01', NULL, 'fever'),"
        " (3, 2, '2022-03-01', '2022-03-04', 'limp');"
    )
    for reading in owners.read("latest visit of each owner: date and reason"):
        assert "visits.came_on, visits.reason" in reading.sql or "visits.paid_on, visits.reason" in reading.sql
