"""Long values that a DuckDB query repeats, and lists and maps that would become Python objects in one step."""

from __future__ import annotations

from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.models import Scripted

pytestmark = pytest.mark.slow

LARGE = [
    "SELECT histogram(r * 2305843009213693951::HUGEINT) AS h FROM range(60000) x(r)",  # keys of one hash in Python
    "SELECT [histogram(r * 2305843009213693951::HUGEINT)] AS h FROM range(4000) x(r)",
    "SELECT list(NULL) AS l FROM range(1000000) x(r)",
    "SELECT list({'a': r, 'b': r}) AS l FROM range(300000) x(r)",
    "SELECT {'a': list(r)} AS s FROM range(500000) x(r)",
]
FITTING = {
    "SELECT list(name) AS l, {'a': 1} AS s, map {1: 2} AS m FROM authors WHERE id < 2 ORDER BY 1": [
        (["A0", "A1"], {"a": 1}, {1: 2})
    ],
    "SELECT [id] AS l FROM authors ORDER BY id DESC LIMIT 2": [([4],), ([3],)],
    "SELECT a.name, d.id FROM docs d JOIN authors a ON a.id = d.author WHERE d.id < 2 ORDER BY 2": [
        ("A0", 0),
        ("A1", 1),
    ],
    "SELECT a.name, left(d.body, 3) AS b FROM docs d JOIN authors a ON a.id = d.author WHERE d.id = 7": [("A2", "xxx")],
    "SELECT length(body) AS n FROM docs WHERE id = 7": [(600_000,)],
    "SELECT id, row_number() OVER (ORDER BY id) AS n FROM docs LIMIT 1": [(0, 1)],
}
REPEATING = [
    "SELECT a.id, b.body FROM docs a, docs b WHERE b.id = 7",
    "SELECT (SELECT b.body FROM docs b WHERE b.id = 7) AS x, id FROM docs",
    "SELECT first_value(body) OVER (ORDER BY id = 7 DESC) AS x FROM docs",
    "SELECT * FROM docs d JOIN authors a ON a.id = d.author",
    "WITH k AS (SELECT body AS x FROM docs WHERE id = 7) SELECT k.x, d.id FROM k, docs d",
]


@pytest.fixture(scope="module")
def shelf() -> Any:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE docs AS SELECT i AS id, i % 5 AS author,"
            " CASE WHEN i = 7 THEN repeat('x', 600000) ELSE 'short' END AS body FROM range(2000) t(i)"
        )
        connection.execute("CREATE TABLE authors AS SELECT i AS id, 'A' || i AS name FROM range(5) t(i)")
        yield connection


def answered(connection: Any, sql: str) -> list[Any]:
    askwhere.register(connection, model=Scripted([sql] * 20), method="sea")
    return list(askwhere.ask(connection, "any question").rows)


@pytest.mark.parametrize("sql", LARGE)
def test_large_lists_and_maps_are_errors_before_python_has_them(shelf: Any, sql: str) -> None:
    with pytest.raises(askwhere.AskError, match="list of more than 200,000 elements, a map of more than 5,000"):
        answered(shelf, sql)


def test_an_error_of_a_query_with_a_list_shows_the_query_alone(shelf: Any) -> None:
    with pytest.raises(askwhere.AskError) as caught:
        answered(shelf, "SELECT [CAST(name AS INTEGER)] AS l FROM authors")
    assert "Could not convert string 'A0'" in str(caught.value)
    assert "unnest makes them" not in str(caught.value)


@pytest.mark.parametrize("sql", REPEATING)
def test_long_values_that_are_repeated_beside_rows_are_refused_with_their_column(shelf: Any, sql: str) -> None:
    with pytest.raises(askwhere.AskError, match=r"values of docs\.body have up to 600,000 bytes"):
        answered(shelf, sql)


@pytest.mark.parametrize("sql", FITTING)
def test_what_fits_is_answered(shelf: Any, sql: str) -> None:
    assert answered(shelf, sql) == FITTING[sql]


@pytest.mark.parametrize(
    "form", ["replace(body, 'x', body)", "string_split(body, '')", "list_transform([1], i -> body)"]
)
def test_a_view_over_long_values_is_estimated_with_their_lengths(form: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs AS SELECT i AS id, repeat('x', 50000) AS body FROM range(10) t(i)")
        connection.execute("CREATE VIEW short AS SELECT id, upper(left(body, 5)) AS b FROM docs")
        connection.execute(f"CREATE VIEW long AS SELECT id, {form.replace('i ->', 'lambda i:')} AS x FROM docs")
        askwhere.register(connection)
        schema = connection.execute("SELECT ask_schema()").fetchall()[0][0]
        assert "VIEW short" in schema
        left_out = "long is left out: it could make a value that is too large" in schema
        assert left_out is not form.startswith("list_transform")
