"""Which results count as equal, and how candidates are grouped by them."""

from __future__ import annotations

import datetime
import gc
import tracemalloc
import weakref
from decimal import Decimal
from typing import Any

import pytest
from askwhere.engine import Result
from askwhere.errors import QueryError
from askwhere.models import Scripted
from askwhere.pipeline import select
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.outcomes import comparable, of_rows, same
from support import Database

Rows = tuple[tuple[Any, ...], ...]


def result(rows: Rows, complete: bool = True) -> Result:
    return Result(tuple(f"c{i}" for i in range(len(rows[0]) if rows else 1)), rows, complete, 0.0)


def equal(one: Rows, other: Rows, sql: str = "SELECT 1", other_sql: str = "SELECT 1") -> bool:
    return same(of_rows(result(one), sql, "sqlite"), of_rows(result(other), other_sql, "sqlite"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2, 2.0), (2, Decimal("2.00")), (0.3, 0.1 + 0.2), (1e15, 10**15), (0, -0.0), (True, 1), (1 / 3, 1 / 3 + 1e-15),
        (float("nan"), float("nan")), (Decimal("0.5"), 0.5), ([1, 2.0], [1.0, 2]), ({"a": 1}, {"a": 1.0}),
        (12345678901234567, 12345678901234567), (1234567890123, 1234567890122.9998),
        (1234567890123.0002, 1234567890122.9998), (Decimal("1234567890123.0001"), 1234567890123),
        (float("inf"), Decimal("Infinity")), (None, None),
    ],
)  # fmt: skip
def test_cells_that_are_equal(one: Any, other: Any) -> None:
    assert equal(((one,),), ((other,),))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1234567890123, 1234567890124.0), (0.123456789012, 0.123456789013),
        (2, "2"), (None, "None"), (0.3, 0.3001), (12345678901234567, 12345678901234568), ("a", "A"), (b"a", "a"),
        (1.00000000001, 1), (datetime.date(2020, 1, 1), "2020-01-01"), (float("nan"), None), ("", None),
        (float("inf"), float("-inf")), (["a", "b"], ["a, b"]),
    ],
)  # fmt: skip
def test_cells_that_differ(one: Any, other: Any) -> None:
    assert not equal(((one,),), ((other,),))


def test_rows_count_as_often_as_they_occur() -> None:
    assert equal(((1,), (2,), (1,)), ((1,), (1,), (2,)))
    assert not equal(((1,), (2,), (1,)), ((1,), (2,), (2,)))
    assert not equal(((1,), (1,)), ((1,),))
    assert not equal((), ((None,),))


def test_columns_stay_in_the_order_given() -> None:
    assert not equal(((1, 2),), ((2, 1),))


def test_the_order_of_rows_counts_where_both_queries_order_them() -> None:
    one, other, ordered = ((1,), (2,)), ((2,), (1,)), "SELECT a FROM t ORDER BY a"
    assert equal(one, other)
    assert equal(one, other, ordered)
    assert not equal(one, other, ordered, f"{ordered} DESC")


def test_equal_cells_are_written_the_same() -> None:
    assert repr(comparable(2.0)) == repr(comparable(Decimal(2))) == "2"


def test_many_rows_are_told_apart_by_one_cell() -> None:
    rows = tuple((i, f"name {i}", i / 7) for i in range(20_000))
    assert equal(rows, tuple(reversed(rows)))
    assert not equal(rows, (*rows[:-1], (19_999, "name 19999", 0.5)))


@pytest.mark.slow
def test_a_large_result_is_not_held_twice() -> None:
    found = result(tuple((i, f"name {i}", i / 7) for i in range(50_000)))
    tracemalloc.start()
    of_rows(found, "SELECT 1", "sqlite")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 500_000


def cut(sql: str, rows: Rows) -> Candidate:
    return Candidate(sql, "model", result=result(rows, complete=False))


def test_cut_results_are_read_whole_where_another_may_equal_them() -> None:
    asked = []

    def run(sql: str, rows: int | None) -> Result:
        asked.append((sql, rows))
        return result(tuple((i,) for i in range(5)))

    a, b, wide = cut("SELECT a", ((0,),)), cut("SELECT b", ((4,),)), cut("SELECT c", ((0, 1),))
    found = select.rank(select.compared([a, b, a, wide], "sqlite", run), "sqlite")
    assert sorted(asked) == [("SELECT a", None), ("SELECT b", None)]
    assert [(c.sql, c.group, c.n_rows) for c in found] == [
        ("SELECT a", 1, 5), ("SELECT b", 1, 5), ("SELECT a", 1, 5), ("SELECT c", 2, None),
    ]  # fmt: skip


def test_whole_results_are_held_one_at_a_time() -> None:
    held: weakref.WeakSet[Result] = weakref.WeakSet()
    most = []

    def run(sql: str, rows: int | None) -> Result:
        gc.collect()
        most.append(len(held))
        found = result(tuple((i, sql) for i in range(5)))
        held.add(found)
        return found

    select.compared([cut(f"SELECT {name}", ((0, ""),)) for name in "abc"], "sqlite", run)
    assert most == [0, 0, 0]


@pytest.mark.parametrize("whole", [result(((0,),), complete=False), QueryError("it failed", "SELECT a")])
def test_results_too_large_to_be_read_are_like_no_other(whole: Any) -> None:
    def run(sql: str, rows: int | None) -> Result:
        if isinstance(whole, Exception):
            raise whole
        return whole  # type: ignore[no-any-return]

    found = select.compared([cut("SELECT a", ((0,),)), cut("SELECT b", ((0,),))], "sqlite", run)
    assert [len(group) for group in select.groups(found, "sqlite")] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize(("sql", "agree"), [("SELECT c.name FROM customers AS c ORDER BY c.id", 0.8333), (
    "SELECT CASE WHEN id = 3003 THEN 'x' ELSE name END AS name FROM customers", 0.1667)])  # fmt: skip
def test_two_queries_of_many_rows_are_compared_to_the_last(database: Database, sql: str, agree: float) -> None:
    """The trial sees the first thousand rows; here the last one decides."""
    connection = database.shop(model=Scripted([sql]))
    connection.execute(
        "INSERT INTO customers WITH RECURSIVE k(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM k WHERE i < 3003)"
        " SELECT i, 'name ' || i, 'Canada' FROM k"
    )
    rows = connection.execute("SELECT confidence, n_rows, origin FROM ask_candidates('names of customers')").fetchall()
    assert [(confidence, n, origin) for confidence, n, origin in rows if origin == "scripted"] == [
        (agree, 3003, "scripted")
    ]
