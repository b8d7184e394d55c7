"""Acts whose date says whether they were done, "paid", "unpaid", are said of rows also where these are another's."""

from __future__ import annotations

from typing import Any

import pytest

BILLS = """
CREATE TABLE tenants (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE bills (id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants (id), amount INTEGER, sent_on DATE,
  paid_on DATE);
INSERT INTO tenants VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
INSERT INTO bills VALUES (1, 1, 10, '2024-01-02', '2024-01-09'), (2, 1, 20, '2024-02-02', NULL),
  (3, 2, 40, '2024-02-02', NULL), (4, 2, 80, '2024-03-02', NULL);
"""


@pytest.fixture(scope="module")
def bills(make: Any) -> Any:
    return make(BILLS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tenants with paid bills", [("Ann",)]),
        ("tenants with unpaid bills", [("Ann",), ("Bo",)]),
        ("tenants whose bills are paid", [("Ann",)]),
        ("tenants whose bills are not paid", [("Ann",), ("Bo",)]),
        ("tenants with bills that are unpaid", [("Ann",), ("Bo",)]),
        ("which tenants have unpaid bills", [("Ann",), ("Bo",)]),
        ("how many tenants have paid bills", [(1,)]),
        ("tenants with more than 1 unpaid bill", [("Bo",)]),
        ("tenants without paid bills", [("Bo",), ("Cy",)]),
        ("tenants without bills that were paid", [("Bo",), ("Cy",)]),
        ("tenants who have no unpaid bills", [("Cy",)]),
        ("total amount of paid bills", [(10,)]),
        ("total amount of unpaid bills per tenant", [("Ann", 20), ("Bo", 120)]),
    ],
)
def test_what_was_done_is_a_condition_on_rows(bills: Any, question: str, rows: list[Any]) -> None:
    bills.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total unpaid amount", [(140,)]),
        ("total unpaid amount per tenant", [("Ann", 20), ("Bo", 120)]),
        ("how much did we bill in January 2024", [(10,)]),
        ("how much was billed per tenant", [("Ann", 30), ("Bo", 120)]),
    ],
)
def test_amounts_of_what_was_or_was_not_done_are_added_up(bills: Any, question: str, rows: list[Any]) -> None:
    bills.answers(question, rows)


def test_who_lives_has_no_year_of_death(make: Any) -> None:
    poets = make(
        "CREATE TABLE poets (id INTEGER PRIMARY KEY, name VARCHAR, birth_year INTEGER, death_year INTEGER);"
        "INSERT INTO poets VALUES (1, 'Ann', 1900, 1980), (2, 'Bo', 1970, NULL);"
    )
    poets.answers("living poets", [("Bo",)])
    poets.answers("poets who are still alive", [("Bo",)])


@pytest.fixture(scope="module")
def gallery(make: Any) -> Any:
    return make(
        "CREATE TABLE paintings (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, painting_id INTEGER REFERENCES paintings (id), sold_on DATE);"
        "CREATE TABLE frames (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, frame_id INTEGER REFERENCES frames (id));"
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, state VARCHAR);"
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, bill_id INTEGER REFERENCES bills (id));"
        "INSERT INTO paintings VALUES (1, 'Sea'), (2, 'Sky'); INSERT INTO sales VALUES (1, 1, '2024-01-01');"
        "INSERT INTO frames VALUES (1, 'oak'), (2, 'ash'); INSERT INTO orders VALUES (1, 2);"
        "INSERT INTO bills VALUES (1, 'void'), (2, 'open'); INSERT INTO payments VALUES (1, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("sold paintings", [("Sea",)]),
        ("how many sold paintings", [(1,)]),
        ("unsold paintings", [("Sky",)]),
        ("ordered frames", [("ash",)]),
    ],
)
def test_what_other_rows_record_was_done_with_things(gallery: Any, question: str, rows: list[Any]) -> None:
    gallery.answers(question, rows)


def test_a_bill_with_some_payment_may_still_be_unpaid(gallery: Any) -> None:
    gallery.refused("unpaid bills")
