"""A participle that names a column says which column the value behind it is in: "trips starting in Leeds"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def trips(make: Any) -> Any:
    return make(
        "CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, start VARCHAR, finish VARCHAR, km INTEGER);"
        "CREATE TABLE couriers (courier_id INTEGER PRIMARY KEY, courier_name VARCHAR, home VARCHAR, base VARCHAR);"
        "INSERT INTO trips VALUES (1, 'Leeds', 'York', 40), (2, 'York', 'Leeds', 40), (3, 'Hull', 'Ripon', 60);"
        "INSERT INTO couriers VALUES (1, 'Bo Ek', 'Leeds', 'York'), (2, 'Al Di', 'York', 'Leeds');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("trips starting in Leeds", [(1,)]),
        ("trips finishing in Leeds", [(2,)]),
        ("how many trips finishing in York are there", [(1,)]),
        ("couriers based in Leeds", [("Al Di",)]),
    ],
)
def test_the_value_is_in_the_column_of_the_verb(trips: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    trips.answers(question, rows)


def test_a_value_that_the_column_of_the_verb_does_not_hold_is_refused(trips: Any) -> None:
    with pytest.raises(Unread):
        trips.read("trips starting in Ripon")
