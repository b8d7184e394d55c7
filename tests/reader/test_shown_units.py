"""The unit in which amounts are asked for, "in euros", and columns whose names end in "in"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE berths (id INTEGER PRIMARY KEY, name VARCHAR, rent_ct INTEGER, visit_ct INTEGER);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, boat VARCHAR, check_in DATE, check_out DATE, fee_cents INTEGER,"
        " cargo_kg INTEGER, unload_seconds INTEGER, berth_id INTEGER REFERENCES berths (id));"
        "INSERT INTO berths VALUES (1, 'North', 150000, 3), (2, 'South', 90000, 4);"
        "INSERT INTO stays VALUES (1, 'Gull', '2024-03-01', '2024-03-04', 2500, 4000, 600, 1),"
        " (2, 'Tern', '2024-03-09', '2024-03-10', 1000, 500, 120, 2),"
        " (3, 'Skua', '2024-05-02', '2024-05-08', 7000, 2500, 900, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total fee of the stays in euros", [(105.0,)]),
        ("average fee per berth in euro", [("North", 25.0), ("South", 40.0)]),
        ("boat and cargo in tonnes of each stay", [("Gull", 4.0), ("Skua", 2.5), ("Tern", 0.5)]),
        ("longest unload in minutes", [(15.0,)]),
        ("total cargo in kilos", [(7000,)]),
        ("total cargo in kg", [(7000,)]),
        ("tonnes of cargo per boat", [("Gull", 4.0), ("Skua", 2.5), ("Tern", 0.5)]),
        ("stays with a fee over 20 euros - boat", [("Gull",), ("Skua",)]),
        ("which berths have a rent below 1000 dollars?", [("South",)]),
        ("berths with more than 3 visits", [("South",)]),
        ("boats with a check-in in March 2024", [("Gull",), ("Tern",)]),
        ("average days between check-in and check-out", [(10 / 3,)]),
        ("Good morning, just the boats that came after May 1st 2024 pls", [("Skua",)]),
    ],
)
def test_amounts_are_shown_in_the_unit_asked_for(harbour: Any, question: str, rows: list[Any]) -> None:
    (reading,) = harbour.read(question)
    assert sorted(harbour.rows(reading.sql)) == [pytest.approx(row) for row in rows], reading.sql


def test_pounds_of_money_are_not_called_euros(make: Any) -> None:
    shop = make(
        "CREATE TABLE refunds (id INTEGER PRIMARY KEY, paid_cents INTEGER); INSERT INTO refunds VALUES (1, 250);"
    )
    (reading,) = shop.read("total paid in pounds")
    assert shop.rows(reading.sql) == [(2.5,)]
    assert "euros" not in reading.sql
    assert "shown in pounds sterling" in reading.notes


def test_a_unit_that_nothing_shown_is_in_is_refused(harbour: Any) -> None:
    with pytest.raises(Unread):
        harbour.read("total fee of the stays in hours")


@pytest.mark.parametrize("question", ["total price of the tours in euros", "tours with a price over 20 euros"])
def test_no_currency_is_taken_for_another(make: Any, question: str) -> None:
    tours = make(
        "CREATE TABLE tours (id INTEGER PRIMARY KEY, title VARCHAR, price_usd INTEGER);"
        "INSERT INTO tours VALUES (1, 'Old town', 25), (2, 'Harbour', 15);"
    )
    with pytest.raises(Unread):
        tours.read(question)
    assert tours.read(question.replace("euros", "dollars"))
