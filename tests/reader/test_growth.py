"""How much an amount changed between two periods is one number, or one for each thing."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

RENTALS = """
CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, depot_name VARCHAR, opened_on DATE);
CREATE TABLE hires (
  hire_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depots, hired_on DATE, distance_km INTEGER);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, hire_id INTEGER REFERENCES hires, paid_on DATE, amount DOUBLE);
INSERT INTO depots VALUES (1, 'North', '2019-01-01'), (2, 'South', '2020-01-01'), (3, 'East', '2021-01-01');
INSERT INTO hires VALUES (1, 1, '2022-01-05', 10), (2, 1, '2022-06-05', 30), (3, 1, '2023-01-09', 20),
  (4, 2, '2023-03-01', 50), (5, 2, '2023-04-01', 10), (6, 3, '2021-05-05', 5), (7, 1, '2023-02-01', 20);
INSERT INTO payments VALUES (1, 1, '2022-01-06', 40), (2, 2, '2022-06-06', 60), (3, 3, '2023-01-10', 80),
  (4, 4, '2023-03-02', 70), (5, 7, '2024-02-02', 30);
"""


@pytest.fixture(scope="module")
def rentals(make: Any) -> Any:
    return make(RENTALS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("growth of payments from 2022 to 2023 in percent", [(50.0,)]),
        ("by how many percent did payments grow from 2022 to 2023?", [(50.0,)]),
        ("payments growth 2022 to 2023 as a percentage", [(50.0,)]),
        ("by how much did payments change between 2022 and 2023", [(50.0,)]),
        ("how did the number of hires change from 2022 to 2023", [(2,)]),
        ("increase in the number of hires between January 2022 and January 2023", [(0,)]),
        ("growth in hires from 2022 to 2023, percent", [(100.0,)]),
        ("change in total distance from 2022 to 2023", [(60,)]),
        ("change in the average distance from 2022 to 2023", [(5.0,)]),
    ],
)
def test_the_change_between_two_periods(rentals: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    rentals.answers(question, rows)


def test_growth_from_nothing_is_null_in_both_engines(rentals: Any) -> None:
    rentals.answers("growth in hires from 2020 to 2021 in percent", [(None,)])
    (reading,) = rentals.read("growth in hires from 2022 to 2023 in percent per depot")
    assert sorted(rentals.rows(reading.sql)) == [("North", 0.0), ("South", None)], reading.sql


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("change in hires from 2022 to 2023", "change"),
        ("growth in hires from 2022 to 2023 in percent", "percent_change"),
        ("growth in hires per year in percent", "percent_change"),
    ],
)
def test_a_change_in_percent_is_named_so(rentals: Any, question: str, name: str) -> None:
    assert f" AS {name}" in rentals.read(question)[0].sql


def test_things_without_rows_in_either_period_are_left_out(rentals: Any) -> None:
    rentals.answers("change in the number of hires from 2022 to 2023 per depot", [("North", 0), ("South", 2)])


@pytest.mark.parametrize(
    "question",
    [
        "depots whose hires grew from 2022 to 2023",  # asks for depots, and for no amount
        "growth of hires from 2023 to 2022",  # the earlier period stands behind
        "growth of hires and payments from 2022 to 2023",
        "top 2 depots by growth of hires from 2022 to 2023",
    ],
)
def test_other_changes_are_refused(rentals: Any, question: str) -> None:
    with pytest.raises(Unread):
        rentals.read(question)
