"""How something was done, "paid by card", what was made in a time, and when what something is valid until ends."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def moorings(make: Any) -> Any:
    return make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR, make VARCHAR);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), came_on DATE, fee INTEGER,"
        " payment_method VARCHAR, ship_mode VARCHAR);"
        "CREATE TABLE fines (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), issued_on DATE,"
        " status VARCHAR, paid_on DATE, shipped_on DATE);"
        "CREATE TABLE berths (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), start_date DATE,"
        " end_date DATE, status VARCHAR);"
        "CREATE TABLE offers (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id), offered_on DATE);"
        "INSERT INTO boats VALUES (1, 'Gull', 'Hallberg'), (2, 'Tern', 'Bavaria');"
        "INSERT INTO stays VALUES (1, 1, '2024-01-05', 20, 'cash', 'crane'), (2, 2, '2024-02-05', 30, 'card', 'lorry'),"
        " (3, 2, '2025-03-01', 40, 'cash', 'lorry');"
        "INSERT INTO fines VALUES (1, 1, '2024-01-06', 'paid', '2024-02-01', NULL), (2, 2, '2024-02-06', 'open', NULL,"
        " NULL);"
        "INSERT INTO berths VALUES (1, 1, '2024-01-01', '2024-12-31', 'expired'), (2, 2, '2024-06-01', '2025-05-31',"
        " 'active'), (3, 2, '2025-06-01', '2025-06-30', 'active');"
        "INSERT INTO offers VALUES (1, 1, '2024-03-05'), (2, 2, '2025-04-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("stays paid in cash", [(1,), (3,)]),
        ("how many stays were paid by card", [(1,)]),
        ("which stays were paid with the card", [(2,)]),
        ("total fee of stays paid in cash", [(60,)]),
        ("stays shipped by lorry", [(2,), (3,)]),
    ],
)
def test_a_column_says_in_which_way_something_was_done(moorings: Any, question: str, rows: list[Any]) -> None:
    moorings.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("offers made in 2024", [(1,)]),
        ("boats made by Bavaria", [("Tern",)]),
        ("which make has the most stays", [("Bavaria",)]),
    ],
)
def test_a_make_is_a_brand_and_nothing_that_was_made(moorings: Any, question: str, rows: list[Any]) -> None:
    moorings.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("berths that expire in May 2025", [(2,)]),
        ("which berths expire in June 2025", [(3,)]),
        ("how many berths expire in 2025", [(2,)]),
        ("berths that expired in December 2024", [(1,)]),
    ],
)
def test_a_date_says_when_things_expire_beside_a_state_that_says_it(
    moorings: Any, question: str, rows: list[Any]
) -> None:
    moorings.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("how many berths ending in 2025", [(2,)]), ("berths starting in 2024", [(1,), (2,)])],
)
def test_what_ends_in_a_year_is_tested_by_its_end(moorings: Any, question: str, rows: list[Any]) -> None:
    moorings.answers(question, rows)


@pytest.mark.parametrize("day", ["tomorrow's", "this month's", "yesterday's"])
def test_days_may_own_the_things_of_that_day(moorings: Any, day: str) -> None:
    (owned,), (behind,) = (moorings.read(q) for q in (f"show me {day} offers", f"show me offers {day[:-2]}"))
    assert owned.sql == behind.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("swiss made clocks", [("Alp",), ("Jura",)]),
        ("how many swiss made clocks are broken", [(1,)]),
        ("swiss made wall clocks", [("Jura",)]),
        ("oldest swiss made clock", [("Jura",)]),
    ],
)
def test_things_made_somewhere_are_asked_for_and_not_who_made_them(make: Any, question: str, rows: list[Any]) -> None:
    shop = make(
        "CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);"
        "CREATE TABLE clocks (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, state VARCHAR, year_built INTEGER,"
        " maker_id INTEGER REFERENCES makers (id));"
        "INSERT INTO makers VALUES (1, 'Omega', 'Switzerland'), (2, 'Junghans', 'Germany');"
        "INSERT INTO clocks VALUES (1, 'Alp', 'table', 'broken', 1950, 1), (2, 'Jura', 'wall', 'going', 1900, 1),"
        " (3, 'Harz', 'wall', 'broken', 1920, 2);"
    )
    shop.answers(question, rows)
