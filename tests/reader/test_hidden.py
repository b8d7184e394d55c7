"""A hidden column is not there, and no other is taken for it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

SHOP = (
    "CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR);"
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, city VARCHAR,"
    " rep INTEGER REFERENCES employees (id));"
    "INSERT INTO employees VALUES (1, 'Ann', 'ann@shop.org');"
    "INSERT INTO customers VALUES (1, 'Bo', 'bo@home.org', 'Oslo', 1);"
)


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(SHOP, hide_columns=("customers.email",))


@pytest.mark.parametrize(
    "question", ["emails of customers", "email of Bo", "emails of customers in Oslo", "customers with a missing email"]
)
def test_what_is_hidden_is_refused(shop: Any, question: str) -> None:
    with pytest.raises(Unread, match=r"could not place “emails?”"):
        shop.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("emails of employees", [("ann@shop.org",)]), ("cities of customers", [("Oslo",)]), ("customers", [("Bo",)])],
)
def test_what_is_not_hidden_is_answered(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("How many customers are there?", [(1,)]), ("names of customers in Oslo", [("Bo",)])],
)
def test_a_key_to_a_table_that_is_excluded_is_no_error(make: Any, question: str, rows: list[Any]) -> None:
    make(SHOP, exclude_tables=("employees",)).answers(question, rows)
