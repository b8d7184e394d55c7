"""Plain requests over short names: amounts in cents, flags denied by a prefix, what goes out and comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]

SHOP = """
CREATE TABLE clerks (id INTEGER PRIMARY KEY, name TEXT, is_active INTEGER, monthly_wage_cents INTEGER);
INSERT INTO clerks VALUES (1, 'Ann', 1, 260000), (2, 'Bea', 0, 190000), (3, 'Cid', 1, 180000);
CREATE TABLE activities (id INTEGER PRIMARY KEY, clerk_id INTEGER REFERENCES clerks (id), kind TEXT);
INSERT INTO activities VALUES (1, 1, 'call'), (2, 2, 'visit');
CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, price_cents INTEGER);
INSERT INTO goods VALUES (1, 'Lamp', 950), (2, 'Chair', 4500), (3, 'Mug', 250);
CREATE TABLE daily_sales (day DATE, goods_id INTEGER REFERENCES goods (id), sold INTEGER);
INSERT INTO daily_sales VALUES ('2024-05-01', 1, 9), ('2024-05-01', 3, 2), ('2024-05-02', 3, 2), ('2024-06-02', 3, 1);
"""

HIRE = """
CREATE TABLE mach (mach_id INTEGER PRIMARY KEY, serial_no VARCHAR(9), cat_cd VARCHAR(4), yr INTEGER);
INSERT INTO mach VALUES (1, 'KX-88', 'MINI', 1999), (2, 'TX-12', 'TRAC', 2090);
CREATE TABLE mach_cat (cat_cd VARCHAR(4) PRIMARY KEY, descr VARCHAR(20), lic_req VARCHAR(1));
INSERT INTO mach_cat VALUES ('MINI', 'Small', 'N'), ('TRAC', 'Tractor', 'Y');
CREATE TABLE hire (hire_no INTEGER PRIMARY KEY, out_dt DATE, due_dt DATE, ret_dt DATE);
INSERT INTO hire VALUES (1, '2024-03-01', '2024-03-09', '2024-03-05'), (2, '2024-03-01', '2024-03-03', NULL);
CREATE TABLE hire_ln (hire_no INTEGER, ln_no INTEGER, mach_id INTEGER, rt DECIMAL(8, 2));
INSERT INTO hire_ln VALUES (1, 1, 1, 95), (1, 2, 2, 85);
"""


@pytest.fixture
def shop(make: Make) -> Any:
    return make(SHOP)


@pytest.fixture
def hire(make: Make) -> Any:
    return make(HIRE)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("inactive clerks", [("Bea",)]),
        ("how many clerks are inactive", [(1,)]),
        ("active clerks", [("Ann",), ("Cid",)]),
    ],
)
def test_a_flag_is_denied_also_where_another_name_has_its_stem(
    shop: Any, question: str, rows: list[tuple[Any, ...]]
) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clerks who earn more than 2000 a month", [("Ann",)]),
        ("goods under 10", [("Lamp",), ("Mug",)]),
        ("goods under 10 euros", [("Lamp",), ("Mug",)]),
        ("goods cheaper than 300 cents", [("Mug",)]),
        ("goods with price cents below 300", [("Mug",)]),
        ("goods that cost between 5 and 50", [("Chair",), ("Lamp",)]),
        ("goods with a price above average", [("Chair",)]),
    ],
)
def test_a_number_without_a_unit_is_no_number_of_cents(shop: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    shop.answers(question, rows)


def test_the_note_says_that_a_column_is_in_cents(shop: Any) -> None:
    (reading,) = shop.read("goods under 10")
    assert "10 whole units are 1000 in goods.price_cents" in reading.notes


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("best selling goods", [("Lamp",)]),
        ("goods that sold the most", [("Lamp",)]),
        ("least sold goods", [("Mug",)]),
        ("how many pieces were sold in May 2024", [(13,)]),
    ],
)
def test_what_was_sold_is_added_up_where_the_price_is_elsewhere(
    shop: Any, question: str, rows: list[tuple[Any, ...]]
) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("machines older than 10 years", [("KX-88",)]),
        ("average hire length", [(4.0,)]),
        ("hires not returned yet", [(2,)]),
        ("overdue hires", [(2,)]),
        ("machines that need a licence", [("TX-12",)]),
    ],
)
def test_short_names_of_years_returns_and_licences_are_known(
    hire: Any, question: str, rows: list[tuple[Any, ...]]
) -> None:
    hire.answers(question, rows)
