"""The macros that `allow_functions` names count as what they stand for in a generated query of DuckDB."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import duckdb
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Checked, Grant
from askwhere.errors import Refused

DEFINITIONS = (
    "CREATE TABLE customers AS SELECT i AS id, 'n' || i AS name FROM range(9) r(i)",
    "CREATE VIEW joined AS SELECT id FROM customers a " + " ".join(f"JOIN customers c{n} USING (id)" for n in range(9)),
    "CREATE MACRO states(x) AS approx_count_distinct(x)",
    "CREATE MACRO most(x) AS (SELECT max(c.id) FROM customers c WHERE c.id = x)",
    "CREATE MACRO thrice(x) AS most(x) + most(x + 1) + most(x + 2)",
    "CREATE MACRO doubled(x) AS x + x",
    "CREATE MACRO before(x) AS lag(x) OVER (ORDER BY x)",
    "CREATE MACRO of_view(x) AS (SELECT max(j.id) FROM joined j WHERE j.id = x)",
    "CREATE MACRO pairs(x) AS TABLE SELECT a.id, x AS y FROM customers a JOIN customers b USING (id)",
    "CREATE MACRO one_or_two(x) AS x, (x, y) AS x + y",
    "CREATE MACRO everyone() AS (SELECT list(id) FROM customers)",
    "CREATE MACRO joined_up(x) AS string_agg(x, ',')",
    "CREATE MACRO times(x, n) AS repeat(x, n)",
    "CREATE MACRO padded(x) AS lpad(x, 5, '0')",
    "CREATE MACRO distinct_before(x) AS count(DISTINCT x) OVER (ORDER BY x)",
    "CREATE MACRO half(x, share := 2) AS x / share",
)
FUNCTIONS = frozenset(
    "states most thrice doubled before of_view pairs one_or_two half".split()
    + "everyone joined_up times padded distinct_before".split()
)
JOINED, WINDOWS, KEPT = "more than 80 joins", "more than 30 windows", "keep more than 83,333 bytes"
WRITTEN_OUT, EXPANDED = "more than 40,000 columns and expressions", "more than 300 joins"


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    with contextlib.closing(duckdb.connect()) as connection:
        for definition in DEFINITIONS:
            connection.execute(definition)
        yield DuckDBEngine(connection)


def check(engine: DuckDBEngine, sql: str) -> Checked:
    return engine.check(sql, Grant(engine.tables(), functions=FUNCTIONS))


def many(call: str, count: int, between: str = ", ") -> str:
    return between.join(call.replace("{n}", str(n)) for n in range(count))


def nested(name: str, depth: int, inside: str) -> str:
    return f"{name}(" * depth + inside + ")" * depth


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT states(id), doubled(half(id)), half(id, share := 3), one_or_two(id), one_or_two(id, 2) FROM customers"
        " GROUP BY id",
        "SELECT joined_up(name), padded(max(name)) FROM customers",
        "SELECT everyone() FROM customers WHERE padded(name) <> 'a'",
        "SELECT name, thrice(id), most(id), before(id) FROM customers JOIN pairs(1) p USING (id)",
        f"SELECT {many('before(id + {n})', 30)} FROM customers",
        f"SELECT {nested('half', 9, 'id')}, {nested('doubled', 9, 'id')} FROM customers",
        f"SELECT {many('states(id + {n})', 200)} FROM customers",
    ],
)
def test_ordinary_calls_are_allowed(engine: DuckDBEngine, sql: str) -> None:
    check(engine, sql)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (f"SELECT {many('states(id + {n})', 80)} FROM customers GROUP BY name", KEPT),
        (f"SELECT {many('most(id + {n})', 81)} FROM customers", JOINED),
        (f"SELECT {many('thrice(id + {n})', 27)} FROM customers", JOINED),
        (f"SELECT most(COLUMNS(*)) FROM (SELECT {many('id AS c{n}', 81)} FROM customers)", JOINED),
        (f"SELECT {nested('doubled', 7, '(SELECT 1 FROM customers c WHERE c.id = d.id)')} FROM customers d", JOINED),
        (f"SELECT 1 FROM {many('pairs({n}) p{n}', 42)}", JOINED),
        (f"SELECT {many('before(id + {n})', 31)} FROM customers", WINDOWS),
        (f"SELECT {nested('doubled', 15, 'id')} FROM customers", WRITTEN_OUT),
        (f"SELECT 1 FROM {many('pairs({n}) p{n}', 2)}, pairs({nested('doubled', 15, '1')}) p", WRITTEN_OUT),
        (f"SELECT {many('of_view(id + {n})', 40)} FROM customers", EXPANDED),
    ],
)
def test_what_they_stand_for_is_bounded(engine: DuckDBEngine, sql: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        check(engine, sql)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT sum(list_position(everyone(), -id)) FROM customers", "collected value again"),
        (
            "SELECT len(ltrim(l, c.name)) FROM (SELECT joined_up(name) AS l FROM customers) a, customers c",
            "collected value again",
        ),
        ("SELECT times(name, 1000000) FROM customers", "makes a value of that size"),
        (f"SELECT {many('distinct_before(id + {n})', 4)} FROM customers", "more than 3 windows"),
    ],
)
def test_what_a_macro_makes_counts_as_what_its_body_makes(engine: DuckDBEngine, sql: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        check(engine, sql)
