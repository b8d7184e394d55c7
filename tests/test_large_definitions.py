"""Views and generated columns whose own calls make huge values: reading one would take the memory and the time."""

from __future__ import annotations

from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from support import error, rows

TABLES = """
CREATE TABLE t (name VARCHAR, n INT, d DATE, tags VARCHAR[], j JSON);
INSERT INTO t VALUES ('Ann', 1, DATE '2024-01-01', ['a'], '{}'), ('Bo', 2, NULL, NULL, NULL);
CREATE TABLE s (id INT, label VARCHAR, amount DOUBLE);
CREATE MACRO huge(x) AS repeat(x, 20000000);
CREATE MACRO shout(x) AS lower(trim(x)) || '!';
CREATE MACRO copies(x) AS TABLE SELECT repeat(x, 20000000) AS a;
CREATE TABLE g (
  a VARCHAR, b VARCHAR GENERATED ALWAYS AS (repeat(a, 20000000)), k VARCHAR GENERATED ALWAYS AS (upper(a) || '-'),
  l VARCHAR GENERATED ALWAYS AS (m || m), m VARCHAR GENERATED ALWAYS AS (b || 'x'));
"""
LARGE = {
    "repeated": "SELECT repeat('x', 20000000) AS a",
    "by_column": "SELECT repeat(name, n) AS a FROM t",
    "of_a_view": "SELECT a FROM repeated",
    "of_two": "SELECT replace(a, 'x', repeat('y', 1000)) AS a FROM chained",
    "by_macro": "SELECT huge('x') AS a",
    "by_table_macro": "SELECT * FROM copies('x')",
    "by_subquery": "SELECT (SELECT lpad('x', 20000000, 'y')) AS a, n FROM t",
    "by_star": "SELECT * FROM (SELECT lpad('x', 20000000, 'y') AS zz, n FROM t)",
    "in_condition": "SELECT n FROM t WHERE length(repeat('x', 20000000)) > 1",
    "series": "SELECT range(2000000000) AS a",
    "generated": "SELECT b FROM g",
    "padded": "SELECT printf('%20000000d', n) AS a FROM t",
    "one_in_union": "SELECT name AS a FROM t UNION ALL SELECT repeat('x', 20000000)",
    "renamed": "WITH z(q) AS (SELECT repeat('x', 20000000)) SELECT q FROM z",
    "by_query": "SELECT * FROM query('SELECT repeat(name, 20000000) AS a FROM t')",
    "by_name": "SELECT * FROM query_table('repeated')",
    "by_casts": "SELECT name" + "::BLOB::BIT::VARCHAR" * 6 + " AS a FROM t",
    "nested": "SELECT replace(replace(replace(name, 'n', '{0}'), 'x', '{0}'), 'x', '{0}') AS a FROM t".format(
        "x" * 500
    ),
}
USUAL = {
    "chained": "SELECT repeat('x', 10000) AS a",
    "plain": "SELECT name, upper(name) AS u, n + 1 AS m FROM t",
    "grouped": "SELECT name, string_agg(label, ', ') AS l, list(label) AS ls, sum(amount) AS total"
    " FROM t JOIN s ON t.n = s.id GROUP BY name",
    "listed": "SELECT unnest(ls) AS l FROM grouped",
    "joined": "SELECT name || ' ' || n::VARCHAR AS full_name, concat_ws('-', name, n, d) AS k, lpad(n::VARCHAR, 5, '0')"
    " AS code FROM t",
    "calendar": "SELECT unnest(generate_series(DATE '2020-01-01', DATE '2025-12-31', INTERVAL 1 DAY)) AS day",
    "days": "SELECT day::DATE AS day FROM generate_series(DATE '2020-01-01', (SELECT max(d) FROM t), INTERVAL 1 DAY)"
    " AS g(day)",
    "cases": "SELECT CASE WHEN n > 1 THEN 'many' ELSE 'few' END AS size, regexp_replace(name, '[aeiou]', '', 'g') AS c,"
    " strftime(d, '%Y-%m') AS month FROM t",
    "documents": "SELECT j->>'$.a' AS a, json_extract_string(j, '$.b') AS b, array_to_string(tags, ',') AS tt FROM t",
    "windows": "SELECT name, row_number() OVER (ORDER BY n) AS r, lag(n) OVER (ORDER BY d) AS p FROM t",
    "pivoted": "PIVOT t ON n IN (1, 2) USING count(*) GROUP BY name",
    "recursive": "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 10)"
    " SELECT i, repeat('*', 3) AS stars FROM k",
    "shouted": "SELECT shout(name) AS x FROM t",
    "split": "SELECT string_split(name, ' ')[1] AS first_name, levenshtein(name, 'Ann') AS d FROM t",
    "records": "SELECT {'a': n, 'b': name} AS st, [n, n + 1] AS li, map {'k': n} AS mp FROM t",
    "hashed": "SELECT md5(name) AS h, epoch(d) AS e, date_trunc('month', d) AS mo, strptime('2024', '%Y') AS y FROM t",
    "rolled_up": "SELECT name, n, count(*) AS c FROM t GROUP BY ROLLUP (name, n)",
    "summary": "SUMMARIZE t",
    "of_generated": "SELECT k FROM g",
}


@pytest.fixture
def many() -> Any:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        for name, query in {**USUAL, **LARGE}.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        yield connection


def test_duckdb_views_that_make_huge_values_are_left_out_and_the_schema_says_why(many: Any) -> None:
    askwhere.register(many)
    schema = rows(many, "SELECT ask_schema()")[0][0]
    shown = {name for name in (*USUAL, *LARGE) if f"VIEW {name} " in schema}
    assert shown == set(USUAL)
    for name in LARGE:
        assert f"-- memory.main.{name} is left out: it could make a value that is too large (" in schema
    assert "repeat needs a plain number" in schema
    assert "; include_tables = 'by_column' would have it asked" in schema
    table = schema.partition("CREATE TABLE g (")[2].partition(")")[0]
    assert table.split() == ["a", "VARCHAR,", "k", "VARCHAR"]
    assert "memory.main.g.l is left out: it could make a value that is too large" in schema
    refused = error(many, "SELECT ask_pin('mine', 'SELECT a FROM by_column')")
    assert "the query reads 'by_column', which could make a value that is too large (repeat needs" in refused


def test_a_duckdb_view_that_include_tables_names_is_asked_though_it_could_be_large(many: Any) -> None:
    askwhere.register(many, include_tables="by_column, t")
    assert "VIEW by_column" in rows(many, "SELECT ask_schema()")[0][0]


def test_a_view_over_one_in_another_database_is_left_out_with_it() -> None:
    with duckdb.connect() as connection:
        connection.execute("ATTACH ':memory:' AS o; CREATE TABLE o.t (name VARCHAR); CREATE TABLE own (id INTEGER)")
        connection.execute("CREATE VIEW o.main.vv AS SELECT repeat(name, 2000000) AS x FROM o.t")
        connection.execute("CREATE VIEW v AS FROM o.vv")
        askwhere.register(connection)
        schema = rows(connection, "SELECT ask_schema()")[0][0]
        assert "o.main.vv is left out" in schema
        assert "memory.main.v is left out" in schema


def test_sqlite_reads_no_huge_values_of_views_and_generated_columns() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("""
        CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('Ann'), ('Bo');
        CREATE VIEW big AS SELECT printf('%.*c', 200000000, 'x') AS a, name AS called FROM t;
        CREATE TABLE g (name TEXT, long BLOB, a TEXT GENERATED ALWAYS AS (printf('%.*c', 200000000, 'x')));
    """)
    connection.execute("INSERT INTO g (name, long) VALUES ('Cy', zeroblob(30000000))")
    askwhere.register(connection)
    apsw.memory_high_water(True)
    assert askwhere.ask(connection, "how many t are named Bo").rows == ((1,),)
    told = rows(connection, "SELECT ask_index()")[0][0]
    assert apsw.memory_high_water() < 150_000_000
    assert "big.called, g.name, t.name" in told
    assert "big.a, g.a (cannot be read)" in told
    connection.close()
