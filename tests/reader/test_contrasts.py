"""Two groups that are compared give one row each."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many female vs male clients", [("F", 2), ("M", 3)]),
        ("compare the number of orders from Leeds and York", [("Leeds", 2), ("York", 3)]),
        ("compare revenue in 2022 and 2023", [("2022", 100.0), ("2023", 545.0)]),
        ("do we have more male or female clients", [("M",)]),
        ("do we have more female than male clients", [("F", 2), ("M", 3)]),
    ],
)
def test_two_groups_of_clients_are_compared(depot: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    depot.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("female vs male members", [("F", 3), ("M", 2)]),
        ("compare bookings of drama and comedy films", [("drama", 5)]),
        ("compare the average length of drama and comedy films", [("comedy", 104.5), ("drama", 122.5)]),
        ("bookings in 2023 vs 2024", [("2023", 2), ("2024", 3)]),
        ("bookings in 2023 against 2024, two numbers", [("2023", 2), ("2024", 3)]),
        ("bookings in 2023 vs 2024, count of each", [("2023", 2), ("2024", 3)]),
        ("are there fewer male or female members", [("M",)]),
        ("were there more bookings in 2023 or in 2024", [("2024",)]),
        ("did we get more bookings in 2023 or 2024", [("2024",)]),
        ("did we do more bookings in 2023 than in 2024", [("2023", 2), ("2024", 3)]),
        ("did we have fewer bookings in 2023 or 2024", [("2023",)]),
        ("were there more bookings in 2023 than in 2024", [("2023", 2), ("2024", 3)]),
        ("are there fewer male than female members", [("F", 3), ("M", 2)]),
    ],
)
def test_two_groups_at_the_club_are_compared(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    club.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("fixtures with more home goals than away goals", [(1,), (4,)]),
        ("fixtures that have fewer home goals than away goals", [(3,)]),
    ],
)
def test_two_amounts_of_a_row_are_compared(club: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    club.answers(question, rows)


def test_so_are_prices_and_costs(make: Any) -> None:
    shop = make("""
        CREATE TABLE gadget (gadget_id INTEGER PRIMARY KEY, gadget_name TEXT, items_ordered INTEGER,
                             items_returned INTEGER);
        INSERT INTO gadget VALUES (1, 'Fan', 5, 7), (2, 'Mop', 9, 2);
    """)
    shop.answers("gadgets with more items returned than items ordered", [("Fan",)])


@pytest.mark.parametrize("question", ["compare the films", "members vs films", "female vs drama"])
def test_what_has_no_column_in_common_is_not_compared(club: Any, question: str) -> None:
    with pytest.raises(Unread):
        club.read(question)


@pytest.mark.parametrize("question", ["rented vs not rented boats", "rented versus unrented boats, side by side"])
def test_so_are_those_of_which_something_is_true_and_the_others(make: Any, question: str) -> None:
    harbour = make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR, rented INTEGER);"
        "INSERT INTO boats VALUES (1, 'Tern', 1), (2, 'Gull', 0), (3, 'Kite', 0);"
    )
    harbour.answers(question, [(0, 2), (1, 1)])


@pytest.fixture(scope="module")
def market(make: Any) -> Any:
    """Stalls' customers by kind, what they bought of two kinds of goods, and what they paid."""
    return make(
        "CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR);"
        "CREATE TABLE goods (good_id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR);"
        "CREATE TABLE purchases (purchase_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (buyer_id),"
        " good_id INTEGER REFERENCES goods (good_id), quantity INTEGER, total INTEGER, bought_on DATE);"
        "INSERT INTO buyers VALUES (1, 'Ann', 'cafe'), (2, 'Bo', 'hotel'), (3, 'Cy', 'cafe');"
        "INSERT INTO goods VALUES (1, 'Rye', 'bread'), (2, 'Bun', 'pastry');"
        "INSERT INTO purchases VALUES (1, 1, 1, 5, 50, '2024-01-01'), (2, 2, 2, 9, 30, '2024-02-01'),"
        " (3, 3, 2, 1, 5, '2025-03-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("do cafes pay more than hotels", [("cafe", 55), ("hotel", 30)]),
        ("do hotels or cafes spend more", [("cafe",)]),
        ("do we earn more from hotels than from cafes", [("cafe", 55), ("hotel", 30)]),
        ("do we earn more from hotels or cafes?", [("cafe",)]),
        ("do cafes or hotels spend more in 2024", [("cafe",)]),
        ("did we sell more bread than pastry", [("bread", 5), ("pastry", 10)]),
        ("did we sell more bread or more pastry in 2024?", [("pastry",)]),
    ],
)
def test_who_pays_more_and_what_is_sold_more(market: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    market.answers(question, rows)


def test_what_people_at_work_earn_is_no_revenue(make: Any) -> None:
    firm = make(
        "CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, name VARCHAR, salary INTEGER);"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees (employee_id),"
        " amount INTEGER, sold_on DATE);"
        "INSERT INTO employees VALUES (1, 'Ann', 10), (2, 'Bo', 20);"
        "INSERT INTO sales VALUES (1, 1, 100, '2024-01-01'), (2, 2, 50, '2024-01-02');"
    )
    firm.refused("does Ann earn more than Bo?")
    firm.answers("does Ann sell more than Bo?", [("Ann", 100), ("Bo", 50)])
