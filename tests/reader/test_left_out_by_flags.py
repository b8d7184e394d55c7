"""Rows that are to be left out by a column of yes and no: "leave out refunds" counts those that are not refunded."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def booth(make: Any) -> Any:
    return make(
        "CREATE TABLE kinds (id INTEGER PRIMARY KEY, label VARCHAR);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, kind_id INTEGER REFERENCES kinds (id), quantity INTEGER,"
        " refunded INTEGER, sold_on DATE);"
        "INSERT INTO kinds VALUES (1, 'adult'), (2, 'child');"
        "INSERT INTO sales VALUES (1, 1, 2, 0, '2024-01-01'), (2, 1, 3, 1, '2024-01-02'),"
        " (3, 2, 1, 0, '2024-01-03'), (4, 2, 4, 0, '2024-02-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of sales, leave out refunds", [(3,)]),
        ("number of sales, leaving out refunded ones", [(3,)]),
        ("number of sales, excluding refunds", [(3,)]),
        ("sales without refunds", [(1,), (3,), (4,)]),
        ("number of sales per kind, except refunds", [("adult", 1), ("child", 2)]),
        ("number of refunded sales", [(1,)]),
    ],
)
def test_a_flag_says_what_is_left_out(booth: Any, question: str, rows: list[Any]) -> None:
    booth.answers(question, rows)


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE pier (pier_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE mooring (mooring_id INTEGER PRIMARY KEY, pier_id INTEGER REFERENCES pier (pier_id),"
        " boat VARCHAR, nights INTEGER, waived INTEGER, state VARCHAR);"
        "INSERT INTO pier VALUES (1, 'East'), (2, 'West');"
        "INSERT INTO mooring VALUES (1, 1, 'Tern', 3, 0, 'booked'), (2, 1, 'Gull', 4, 1, 'cancelled'),"
        " (3, 2, 'Kite', 9, 0, 'booked'), (4, 2, 'Erne', 1, 0, 'cancelled');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("moorings per pier, waived ones excluded", [("East", 1), ("West", 2)]),
        ("number of moorings per pier, waived moorings left out", [("East", 1), ("West", 2)]),
        ("number of moorings per pier, cancelled moorings not counted", [("East", 1), ("West", 1)]),
        ("number of moorings per pier, cancelled ones aside", [("East", 1), ("West", 1)]),
        ("number of moorings per pier, excluding waived moorings", [("East", 1), ("West", 2)]),
        ("number of moorings per pier, cancelled ones included", [("East", 2), ("West", 2)]),
        ("total nights per pier, only piers above 8", [("West", 10)]),
        ("number of moorings per state, only states with at least two", [("booked", 2), ("cancelled", 2)]),
    ],
)
def test_what_is_left_out_may_be_said_last(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    ["number of moorings per pier (cancelled moorings don't count)", "moorings per pier, don't count cancelled ones"],
)
def test_so_of_what_does_not_count(harbour: Any, question: str) -> None:
    harbour.answers(question, [("East", 1), ("West", 1)])


@pytest.mark.parametrize(
    "question",
    [
        "total nights per pier, with the amounts",
        "total nights by pier: totals",
    ],
)
def test_what_groups_show_may_be_said_again(harbour: Any, question: str) -> None:
    harbour.answers(question, [("East", 7), ("West", 10)])


def test_a_sum_is_not_dropped_where_rows_are_counted(harbour: Any) -> None:
    harbour.refused("number of moorings per pier, with the amounts")
