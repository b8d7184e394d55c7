"""Periods as what is asked for or grouped by: the best month, the busiest hour, month and town together."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def ferry(make: Any) -> Any:
    return make(
        "CREATE TABLE ports (id INTEGER PRIMARY KEY, name VARCHAR, monthly_fee INTEGER);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, port_id INTEGER REFERENCES ports (id), sold_at TIMESTAMP,"
        " amount INTEGER);"
        "INSERT INTO ports VALUES (1, 'Hull', 10), (2, 'Oslo', 20);"
        "INSERT INTO sales VALUES (1, 1, '2023-01-02 08:10:00', 10), (2, 1, '2023-01-09 08:40:00', 10),"
        " (3, 2, '2023-02-06 17:00:00', 50), (4, 2, '2024-01-01 08:00:00', 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which month had the most sales in 2023?", [("2023-01",)]),
        ("which month of 2023 had the highest revenue?", [("2023-02",)]),
        ("month with the highest revenue", [("2023-02",)]),
        ("what was our best month?", [("2023-02",)]),
        ("best month in 2024", [("2024-01",)]),
        ("best year by revenue", [("2023",)]),
        ("revenue by hour of the day", [("08", 25), ("17", 50)]),
        ("which hour has the most sales?", [("08",)]),
        ("revenue per port and month in 2023", [("Hull", "2023-01", 20), ("Oslo", "2023-02", 50)]),
        ("revenue by month and port", [("2023-01", "Hull", 20), ("2023-02", "Oslo", 50), ("2024-01", "Oslo", 5)]),
        ("best day of the week", [("1",)]),
    ],
)
def test_a_period_is_asked_for(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)
