"""DuckDB's functions that somebody made are known also where they are named like its own: they are not called."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb.user_functions import own
from support import Told

pytestmark = pytest.mark.slow

QUESTION = "what is there"
ROWS = """
CREATE TABLE people AS SELECT i AS id, 'n' || i AS name, i::DOUBLE AS d, [i] AS l FROM range(3) r(i);
ALTER TABLE people ALTER id TYPE INTEGER;
ALTER TABLE people ALTER l TYPE INTEGER[];
"""
# A function of the user's that DuckDB adds to its own of that name, and a query that would call it.
ADDED = [
    ("row", ["INTEGER"], "SELECT row(id) AS x FROM people"),
    ("row", ["INTEGER", "VARCHAR"], "SELECT (id, name) AS x FROM people"),
    ("||", ["VARCHAR", "VARCHAR"], "SELECT name || 'a' AS x FROM people"),
    ("list_value", ["INTEGER"], "SELECT [id] AS x FROM people"),
    ("list_concat", ["INTEGER[]", "INTEGER[]"], "SELECT list_append(l, 1) AS x FROM people"),
    ("list_aggr", ["INTEGER[]", "VARCHAR"], "SELECT list_sum(l) AS x FROM people"),
    ("array_extract", ["INTEGER[]", "BIGINT"], "SELECT l[1] AS x FROM people"),
    ("constant_or_null", ["INTEGER", "INTEGER"], "SELECT id FROM people WHERE id * 0 = 0"),
    ("create_sort_key", ["VARCHAR", "VARCHAR"], "SELECT name FROM people ORDER BY name, d DESC"),
]
MACROS = [
    ("list_aggr(x, y) AS 777", "SELECT list_sum(l) AS x FROM people"),
    ("ln(x) AS 777", "SELECT geometric_mean(d) AS x FROM people"),
    ("stddev(x) AS 777", "SUMMARIZE people"),
    ("unpivot_list(x, y) AS [777]", "SELECT b FROM (UNPIVOT people ON name, d::VARCHAR INTO NAME a VALUE b)"),
    ("upper(x) AS 777; CREATE MACRO lower(x) AS 'a'", "SELECT upper(name) AS x FROM people"),
]


@pytest.fixture
def people() -> Iterator[Any]:
    with contextlib.closing(duckdb.connect()) as connection:
        connection.execute(ROWS)
        yield connection


def python_function(arguments: int, called: list[Any]) -> Callable[..., Any]:
    def one(a: Any) -> Any:
        called.append(a)
        return a

    def two(a: Any, b: Any) -> Any:
        called.append((a, b))
        return a

    return one if arguments == 1 else two


def add(connection: Any, name: str, types: list[str]) -> list[Any]:
    """Give the connection a Python function, where this DuckDB takes it; its calls."""
    called: list[Any] = []
    with contextlib.suppress(duckdb.CatalogException):
        connection.create_function(name, python_function(len(types), called), types, types[0])
    return called


def ask(connection: Any, sql: str, **settings: Any) -> str:
    """What comes of a question that a model answers by some SQL."""
    askwhere.register(connection, model=Told({QUESTION: sql}), effort="fast", **settings)
    try:
        return str(connection.execute(f"SELECT * FROM ask('{QUESTION}')").fetchall())
    except duckdb.Error as error:
        return str(error)


@pytest.mark.parametrize(("name", "types", "sql"), ADDED)
def test_a_function_that_duckdb_adds_to_its_own_is_not_called(
    people: Any, name: str, types: list[str], sql: str
) -> None:
    called = add(people, name, types)
    ask(people, sql)
    assert called == []


@pytest.mark.parametrize(("macro", "sql"), MACROS)
def test_a_macro_is_not_called_by_what_stands_on_its_name(people: Any, macro: str, sql: str) -> None:
    people.execute(f"CREATE MACRO {macro}")
    said = ask(people, sql)
    assert "777" not in said
    assert "may not" in said or "rename yours" in said


def test_the_error_says_how_to_have_it_called(people: Any) -> None:
    people.execute("CREATE MACRO unpivot_list(x, y) AS [x]")
    sql = "SELECT b FROM (UNPIVOT people ON name, d::VARCHAR INTO NAME a VALUE b) LIMIT 1"
    assert "allow_functions = 'unpivot_list'" in ask(people, sql)
    assert ask(people, sql, allow_functions="unpivot_list") == "[('n0',)]"


@pytest.mark.slow
@pytest.mark.parametrize("sql", [sql for *_, sql in ADDED] + [sql for _, sql in MACROS])
def test_nothing_is_refused_where_nobody_made_any(people: Any, sql: str) -> None:
    assert own(people) == {}
    assert ask(people, sql).startswith("[(")


def test_an_instance_that_may_not_look_at_files_answers_also_in_a_transaction(people: Any) -> None:
    people.execute("SET enable_external_access = false")
    people.execute("BEGIN; INSERT INTO people (id) VALUES (7)")
    askwhere.register(people, model=Told({QUESTION: "SELECT max(id) AS x FROM people"}))
    assert people.execute(f"SELECT * FROM ask('{QUESTION}')").fetchall() == [(7,)]
    people.execute("COMMIT")
    assert people.execute("SELECT max(id) FROM people").fetchall() == [(7,)]


def test_a_connection_that_nobody_else_has_had_has_no_functions_but_macros(people: Any) -> None:
    assert own(people, alone=True) == own(people) == {}
    people.execute("CREATE MACRO ln(x) AS 777")
    assert own(people, alone=True) == own(people)
    assert {"ln", "geometric_mean"} <= own(people).keys()
