"""Periods of another table's date, and what leaves out rows of the table that is added up."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def tours(make: Any) -> Any:
    """Sailings with a state, and tickets for them, which have a date of cancelling of their own."""
    return make(
        "CREATE TABLE sailings (sailing_id INTEGER PRIMARY KEY, leaves_on DATE, status VARCHAR);"
        "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, sailing_id INTEGER REFERENCES sailings (sailing_id),"
        " sold_on DATE, price INTEGER, channel VARCHAR, cancelled_on DATE);"
        "INSERT INTO sailings VALUES (1, '2024-03-01', 'cancelled'), (2, '2025-01-01', 'done');"
        "INSERT INTO tickets VALUES (1, 1, '2024-01-01', 10, 'web', NULL),"
        " (2, 1, '2024-02-01', 20, 'web', '2024-02-02'), (3, 2, '2024-12-01', 40, 'desk', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of tickets by year of sailing", [("2024", 2), ("2025", 1)]),
        ("revenue by year of sailing", [("2024", 30), ("2025", 40)]),
        ("revenue by year of sale", [("2024", 70)]),
        ("revenue per channel without cancelled tickets", [("desk", 40), ("web", 10)]),
        ("revenue per channel, leaving out cancelled tickets", [("desk", 40), ("web", 10)]),
        ("revenue excluding cancelled tickets", [(50,)]),
        ("revenue per channel without cancelled sailings", [("desk", 40)]),
        ("number of tickets without cancelled sailings", [(1,)]),
    ],
)
def test_periods_and_rows_left_out(tours: Any, question: str, rows: list[Any]) -> None:
    tours.answers(question, rows)


@pytest.fixture(scope="module")
def bills(make: Any) -> Any:
    return make(
        "CREATE TABLE firms (firm_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, firm_id INTEGER REFERENCES firms (firm_id),"
        " issued_on DATE, paid_on DATE, amount INTEGER, method VARCHAR);"
        "INSERT INTO firms VALUES (1, 'Acme', 'Leeds'), (2, 'Blue', 'York');"
        "INSERT INTO invoices VALUES (1, 1, '2024-01-01', '2024-02-01', 10, 'online'),"
        " (2, 2, '2024-05-01', NULL, 20, NULL), (3, 1, '2025-01-01', '2025-02-01', 40, 'cash');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total invoiced by year", [("2024", 30), ("2025", 40)]),
        ("total invoiced in 2024", [(30,)]),
        ("total paid online", [(10,)]),
        ("total paid in 2025", [(40,)]),
        ("how much did we invoice in 2024?", [(30,)]),
        ("total turnover by town", [("Leeds", 50), ("York", 20)]),
        ("how much have we billed per town?", [("Leeds", 50), ("York", 20)]),
    ],
)
def test_what_was_invoiced_or_paid_is_the_total_of_the_amounts(bills: Any, question: str, rows: list[Any]) -> None:
    bills.answers(question, rows)
