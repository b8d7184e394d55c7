"""Numbers and dates that a table holds as text are compared, sorted and added up as what they are, or not at all."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def kennel(make: Any) -> Any:
    return make(
        "CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, dog VARCHAR, arrived VARCHAR, weight VARCHAR, cage VARCHAR,"
        " zip_code VARCHAR);"
        "INSERT INTO stays VALUES (1, 'Rex', '14/03/2024', '9.5', '101', '9410'),"
        " (2, 'Ida', '02/11/2023', '12', '7', '10115'), (3, 'Max', '28/02/2024', '31', '22', '9999'),"
        " (4, 'Lou', '05/01/2025', NULL, '7', '10117');"
        "CREATE TABLE walks (walk_id INTEGER PRIMARY KEY, walker VARCHAR, walked_on VARCHAR);"
        "INSERT INTO walks VALUES (1, 'Ann', '3.14.2024'), (2, 'Bo', '11.2.2023'), (3, 'Cy', '2.28.2024');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("highest weight", [(31.0,)]),
        ("average weight", [(17.5,)]),
        ("which dog has the lowest weight", [("Rex",)]),
        ("dogs with a weight over 10", [("Ida",), ("Max",)]),
        ("dogs with a weight between 9 and 12", [("Ida",), ("Rex",)]),
        ("dogs without a weight", [("Lou",)]),
        ("how many different weights are there", [(3,)]),
        ("dogs with zip code 10115", [("Ida",)]),
        ("stays in March 2024", [(1,)]),
        ("stays after 2024", [(4,)]),
        ("most recent stay", [(4,)]),
        ("stays per year", [("2023", 1), ("2024", 2), ("2025", 1)]),
        ("dogs that arrived in February", [("Max",)]),
        ("walks in February 2024", [(3,)]),
        ("most recent walk", [(1,)]),
        ("walks by month", [("2023-11", 1), ("2024-02", 1), ("2024-03", 1)]),
    ],
)
def test_numbers_and_dates_in_texts_are_read(kennel: Any, question: str, rows: list[Any]) -> None:
    kennel.answers(question, rows)


def test_numbers_in_texts_are_sorted_as_numbers(kennel: Any) -> None:
    (reading,) = kennel.read("dogs sorted by weight in descending order")
    assert [dog for dog, *_ in kennel.rows(reading.sql)] == ["Max", "Ida", "Rex", "Lou"]


def test_a_note_says_how_dates_in_texts_are_read(kennel: Any) -> None:
    (stays,), (walks,) = kennel.read("stays in March 2024"), kennel.read("walks in March 2024")
    assert stays.notes == ("stays.arrived is text, read as dates: day/month/year",)
    assert walks.notes == ("walks.walked_on is text, read as dates: month.day.year",)


@pytest.fixture(scope="module")
def unclear(make: Any) -> Any:
    return make(
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, guest VARCHAR, arrived VARCHAR, fee VARCHAR);"
        "INSERT INTO visits VALUES (1, 'Ann', '04/03/2024', '$9'), (2, 'Bo', '02/11/2023', '$120'),"
        " (3, 'Cy', '08/02/2024', '$35');"
    )


@pytest.mark.parametrize("question", ["visits in March 2024", "most recent visit", "visits sorted by arrival"])
def test_dates_that_can_be_read_in_two_ways_are_refused_with_the_reason(unclear: Any, question: str) -> None:
    assert str(unclear.refused(question)).startswith(
        "visits.arrived holds dates as text in which day and month cannot be told apart"
    )


@pytest.mark.parametrize("question", ["highest fee", "visits with a fee over 50", "guest with the highest fee"])
def test_amounts_whose_text_sorts_otherwise_are_refused_with_the_reason(unclear: Any, question: str) -> None:
    assert str(unclear.refused(question)).startswith("visits.fee holds amounts as text")


def test_texts_with_amounts_and_unclear_dates_are_shown(unclear: Any) -> None:
    unclear.answers("fee of Bo", [("$120",)])
    unclear.answers("guests and when they arrived", [("Ann", "04/03/2024"), ("Bo", "02/11/2023"), ("Cy", "08/02/2024")])
