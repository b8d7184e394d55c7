"""What was once passed over: quarters of a known year, opposites, "all of the", "run out of"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def yard(make: Any) -> Any:
    return make(
        "CREATE TABLE officers (badge_no VARCHAR PRIMARY KEY, officer_name VARCHAR, supervisor_badge VARCHAR);"
        "CREATE TABLE parts (part_no VARCHAR PRIMARY KEY, part_desc VARCHAR, vend_nm VARCHAR);"
        "CREATE TABLE plots (plot_no VARCHAR PRIMARY KEY, urban INTEGER, region VARCHAR);"
        "CREATE TABLE burials (burial_no INTEGER, plot_no VARCHAR REFERENCES plots (plot_no), burial_date DATE,"
        " wait_min INTEGER, dur_min INTEGER, status VARCHAR);"
        "CREATE TABLE shipments (id INTEGER PRIMARY KEY, order_dt DATE, ship_dt DATE, spend INTEGER);"
        "INSERT INTO officers VALUES ('B1', 'Ann', NULL), ('B2', 'Bo', 'B1');"
        "INSERT INTO parts VALUES ('P1', 'bolt', 'Zing');"
        "INSERT INTO plots VALUES ('A', 1, 'north'), ('B', 0, 'south');"
        "INSERT INTO burials VALUES (9001, 'A', '2023-02-01', 5, 90, 'held'),"
        " (9002, 'A', '2023-05-01', 40, 20, 'held'), (9003, 'B', '2022-05-01', 7, 30, 'moved');"
        "INSERT INTO shipments VALUES (1, '2022-12-30', '2023-01-04', 10), (2, '2023-05-01', '2023-05-03', 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("burials per quarter of 2023", [(1, 1), (2, 1)]),
        ("burials per quarter", [("2022-Q2", 1), ("2023-Q1", 1), ("2023-Q2", 1)]),
        ("longest wait", [(40,)]),
        ("officers with their supervisors", [("Bo", "Ann")]),
        ("plot by region", [("north", 1), ("south", 1)]),
        ("monthly spend", [("2023-01", 10), ("2023-05", 20)]),
        ("average days between order and shipping by year of order", [("2022", 5), ("2023", 2)]),
        ("burials per status, anything but moved", [("held", 2)]),
        ("rural plots", [("B",)]),
        ("plots with a single burial", [("B",)]),
        ("burials held so far? number only", [(2,)]),
        ("officers who have a supervisor", [("Bo",)]),
    ],
)
def test_what_was_read_wrongly_is_right(yard: Any, question: str, rows: list[Any]) -> None:
    yard.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "parts we have run out of",
        "plots where all of the burials were held",
        "average number of burials in a plot",
    ],
)
def test_what_the_data_does_not_say_is_refused(yard: Any, question: str) -> None:
    with pytest.raises(Exception, match="could not"):
        yard.read(question)
