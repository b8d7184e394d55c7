"""The time from one event to another: "average time from order to delivery in hours"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def couriers(make: Any) -> Any:
    return make(
        "CREATE TABLE riders (rider_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (rider_id),"
        " collected_at TIMESTAMP, delivered_at TIMESTAMP);"
        "INSERT INTO riders VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO parcels VALUES (1, 1, '2024-05-01 08:00:00', '2024-05-01 10:00:00'),"
        " (2, 1, '2024-05-01 09:00:00', '2024-05-01 13:00:00'), (3, 2, '2024-05-02 09:00:00', '2024-05-02 10:00:00');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average time from collected to delivered in minutes", [(140.0,)]),
        ("average time from collected to delivered in hours per rider", [("Ann", 3.0), ("Bo", 1.0)]),
        ("average time to delivery", [(2.3333333333333335,)]),
    ],
)
def test_it_begins_at_the_first_event(couriers: Any, question: str, rows: list[Any]) -> None:
    couriers.answers(question, rows)
