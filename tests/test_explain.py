"""`ask_explain`: what it says of each part of a query, and that it leaves none out, in both engines."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import askwhere
import pytest
import sqlglot
from askwhere.bindings import connections
from askwhere.engine import Column, Grant, Table
from askwhere.indexer.catalog import Catalog
from askwhere.models import Scripted
from askwhere.rewrite.explain import explain
from sqlglot import exp
from support import Database

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

ALL = """\
Shows country of customers, the number of rows (called n) and the total of amount of orders.
From customers, joined with orders where customer_id of orders is id of customers (a foreign key), keeping what matches no row of it.
Only rows where country of customers is 'Canada' or 'Norway' and (amount of orders is more than 5 or (amount of orders is empty and name of customers matches the pattern 'A%')).
One row for each country of customers.
Only groups where the number of rows is more than 1.
Sorted by n descending, then country of customers (column 1) ascending.
Without the first 2 rows.
At most 5 rows."""  # noqa: E501
CASES = [
    (
        "SELECT c.country, count(*) AS n, sum(o.amount) FROM customers AS c LEFT JOIN orders o ON o.customer_id = c.id"
        " WHERE c.country IN ('Canada', 'Norway') AND (o.amount > 5 OR o.amount IS NULL AND c.name LIKE 'A%')"
        " GROUP BY c.country HAVING count(*) > 1 ORDER BY n DESC, 1 LIMIT 5 OFFSET 2;",
        ALL,
    ),
    ("SELECT DISTINCT country FROM customers", "Shows, each different row once: country.\nFrom customers."),
    ("SELECT 1 AS one", "Shows 1 (called one)."),
    ("SELECT * FROM main.customers", "Shows all columns.\nFrom main.customers."),
    (
        "SELECT c.*, amount FROM customers c, orders",
        "Shows all columns of customers and amount of orders.\n"
        "From customers, each row combined with every row of orders.",
    ),
    (
        "SELECT a.name FROM customers a JOIN customers b USING (country)",
        "Shows name of customers (a).\nFrom customers (a), joined with customers (b) on equal country.",
    ),
    (
        "SELECT name FROM customers NATURAL JOIN orders",
        "Shows name of customers.\nFrom customers, joined with orders on equal columns of the same name.",
    ),
    (
        "SELECT CASE WHEN amount >= 10 THEN 'much' ELSE 'little' END, amount * 2 + 1 FROM orders",
        "Shows ('much' if amount is at least 10, otherwise 'little') and amount * 2 + 1.\nFrom orders.",
    ),
    (
        "SELECT count(DISTINCT country), avg(id), count(name) FILTER (WHERE id <> 3) FROM customers",
        "Shows the number of different values of country, the average of id and the number of rows that have a value of"
        " name (only of rows where id is not 3).\nFrom customers.",
    ),
    (
        "SELECT avg(country = 'Canada'), sum(id IN (1, 2)), max(id) FROM customers",
        "Shows the average of (1 if country is 'Canada', 0 if not), the total of (1 if id is 1 or 2, 0 if not) and the"
        " largest id.\nFrom customers.",
    ),
    (
        "SELECT name FROM customers WHERE name NOT LIKE '%x' AND id NOT IN (1, 2) AND NOT id BETWEEN 3 AND 4"
        " AND country IS NOT NULL AND NOT (id = 7 OR id = 8)",
        "Shows name.\nFrom customers.\n"
        "Only rows where name does not match the pattern '%x' and id is not 1 nor 2 and id is not between 3 and 4 (both"
        " included) and country is not empty and it is not so that (id is 7 or id is 8).",
    ),
    (
        "SELECT row_number() OVER (PARTITION BY country ORDER BY id DESC), sum(id) OVER () FROM customers",
        "Shows (`row_number()` among the rows with the same country in the order of id descending) and (the total of id"
        " over all rows).\nFrom customers.",
    ),
    (
        "WITH big AS (SELECT customer_id FROM orders WHERE amount > (SELECT avg(amount) FROM orders))"
        " SELECT name FROM customers c WHERE id IN (SELECT customer_id FROM big)"
        " AND EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id) ORDER BY name LIMIT 1",
        "Shows name.\nFrom customers.\n"
        "Only rows where id is among the values of query A and query B gives at least one row.\n"
        "Sorted by name ascending.\nAt most 1 row.\n"
        "Query A:\n  Shows customer_id.\n  From big.\n"
        "Query B:\n  Shows 1.\n  From orders.\n  Only rows where customer_id is id of customers (of the row outside).\n"
        "The rows called big:\n  Shows customer_id.\n  From orders.\n"
        "  Only rows where amount is more than the value of query C.\n"
        "Query C:\n  Shows the average of amount.\n  From orders.",
    ),
    (
        "SELECT name FROM customers UNION ALL SELECT country FROM customers EXCEPT SELECT 'x'",
        "The rows that query A gives and query B does not, each different row once.\n"
        "Query A:\n  The rows of query C and of query D, repeated ones too.\n"
        "Query B:\n  Shows 'x'.\n"
        "Query C:\n  Shows name.\n  From customers.\n"
        "Query D:\n  Shows country.\n  From customers.",
    ),
    (
        "SELECT max(n) FROM (SELECT country, count(*) AS n FROM customers GROUP BY 1) AS counted",
        "Shows the largest n.\nFrom the query counted.\n"
        "The query counted:\n  Shows country and the number of rows (called n).\n  From customers.\n"
        "  One row for each country (column 1).",
    ),
    (
        "SELECT upper(c.name), c.id || '!' FROM customers AS c ORDER BY 1 DESC NULLS FIRST",
        "Shows `upper(c.name)` and id followed by '!'.\nFrom customers (c).\n"
        "Sorted by `upper(c.name)` (column 1) descending, empty ones first.",
    ),
    (
        "SELECT country AS home, (SELECT max(id) FROM orders) FROM customers GROUP BY 1 ORDER BY 1, 2, 3",
        "Shows country (called home) and the value of query A.\nFrom customers.\nOne row for each home (column 1).\n"
        "Sorted by home (column 1) ascending, then column 2 of what is shown ascending, "
        "then column 3 of what is shown ascending.\n"
        "Query A:\n  Shows the largest id.\n  From orders.",
    ),
    (
        "SELECT * FROM customers ORDER BY 1",
        "Shows all columns.\nFrom customers.\nSorted by column 1 of what is shown ascending.",
    ),
]


def explained(connection: Any, sql: str) -> str:
    return str(connection.execute("SELECT ask_explain(?)", [sql]).fetchone()[0])


@pytest.mark.slow
@pytest.mark.parametrize(("sql", "expected"), CASES)
def test_every_part_of_a_query_is_said(database: Database, sql: str, expected: str) -> None:
    assert explained(database.shop(), sql) == expected


@pytest.mark.parametrize(
    ("sql", "quoted"),
    [
        ("SELECT median(amount) FROM orders WINDOW w AS (ORDER BY id)", "The window w is `(ORDER BY id)`."),
        ("SELECT amount FROM orders WHERE amount > ALL (SELECT 3)", "`ALL (SELECT 3)`"),
        ("SELECT id FROM orders TABLESAMPLE 10%", "10"),
        ("SELECT id FROM orders GROUP BY ROLLUP (id)", "Grouped by `ROLLUP (id)`."),
        ("SELECT * EXCLUDE (id) FROM orders", "id"),
        ("SELECT id FROM orders ORDER BY ALL", "ALL"),
        ("SELECT DISTINCT ON (customer_id) id FROM orders", "once for each customer_id: id"),
        ("SELECT id FROM orders QUALIFY row_number() OVER (ORDER BY id) = 1", "`row_number()` in the order of id"),
        ("SELECT o.id FROM orders o SEMI JOIN customers c ON o.customer_id = c.id", "`SEMI JOIN customers AS c"),
        ("SELECT id FROM orders UNION BY NAME SELECT id FROM customers", "columns matched by name"),
        ("VALUES (1, 'x')", "VALUES (1, 'x')"),
        ("SELECT o.id FROM orders o JOIN (customers c JOIN orders p ON p.id = c.id) ON o.id = c.id", "ON p.id = c.id`"),
        ("((SELECT id FROM orders) LIMIT 3) UNION SELECT 2", "LIMIT 3"),
    ],
)
def test_what_has_no_words_is_quoted(sql: str, quoted: str) -> None:
    assert quoted in explain(sql, CATALOG, "duckdb")


CATALOG = Catalog(
    (
        Table(("main", "orders"), (Column("id"), Column("customer_id"), Column("amount", comment="in euros,\nnet"))),
        Table(("main", "customers"), (Column("id"), Column("name")), comment="who buys"),
    ),
    Grant(()),
)


def test_comments_are_said_once_for_each_column() -> None:
    found = explain("SELECT amount FROM orders WHERE amount > 3", CATALOG, "sqlite")
    assert found == "Shows amount (in euros, net).\nFrom orders.\nOnly rows where amount is more than 3."
    assert "From customers (who buys)." in explain("SELECT name FROM customers", CATALOG, "sqlite")


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql", ["DELETE FROM customers", "SELECT", "SELECT name FROM", "SELECT 1; SELECT 2", "hello there"]
)
def test_what_is_no_query_is_an_error(database: Database, sql: str) -> None:
    connection = database.shop()
    with pytest.raises(askwhere.AskError):
        connections.session(connection).explain(connections.engine(connection), sql)


def test_a_model_puts_it_into_its_own_words(database: Database) -> None:
    model = Scripted(["lists the names of all customers from Canada."])
    connection = database.shop(model=model)
    sql = "SELECT name FROM customers WHERE country = 'Canada'"
    for _ in range(3):
        assert explained(connection, sql) == "The query lists the names of all customers from Canada."
    (prompt,) = model.prompts
    assert f"### Question: What does this query show? {sql}" in prompt
    assert "part by part:\nShows name.\nFrom customers.\nOnly rows where country is 'Canada'.\n" in prompt
    assert connection.execute("SELECT step FROM ask_trace(?)", [sql]).fetchall() == [("schema",), ("explain",)]


@pytest.mark.any_engine
@pytest.mark.parametrize("replies", [[], ["  "]])
def test_a_model_that_fails_is_an_error(database: Database, replies: list[str]) -> None:
    connection = database.shop(model=Scripted(replies))
    with pytest.raises(Exception, match=r"the script has 0 replies left|the model's reply is empty"):
        explained(connection, "SELECT name FROM customers")


def test_a_function_that_may_ask_a_model_is_called_once(database: Database) -> None:
    model = Scripted([])
    connection = database.shop(model=model)
    with pytest.raises(Exception, match="0 replies left"):
        explained(connection, "SELECT name FROM customers")
    assert len(model.prompts) == 1


QUESTIONS = ("customers from Canada", "How many orders does each customer have?", "total amount per country",
             "customers who have no orders", "average amount per country")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_the_reader_writes_is_explained_whole(database: Database, question: str) -> None:
    connection = database.shop()
    sql = connection.execute("SELECT ask_sql(?)", [question]).fetchone()[0]
    assert left_out(sql, database.kind, explained(connection, sql)) == []


def left_out(sql: str, dialect: str, explanation: str) -> list[str]:
    """The tables, columns and values of a query that its explanation does not name."""
    named = sqlglot.parse_one(sql, dialect=dialect).find_all(exp.Table, exp.Column, exp.Literal)
    said = explanation.lower().replace("''", "'")
    return [node.name for node in named if node.name.lower() not in said]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_of_spiders_queries_and_the_readers_no_table_column_or_value_is_left_out(data: Path, dialect: str) -> None:
    from askwhere.reader import read
    from databases import Database as Spider
    from databases import questions

    opened: dict[str, Spider] = {}
    written = 0
    for number, record in enumerate(questions("dev", dialect)):
        name = record["db_id"]
        database = opened[name] = opened.get(name) or Spider(name, dialect)
        found = [record["sql"] if dialect == "sqlite" else record["sql_duckdb"]]
        if number % 4 == 0:
            with contextlib.suppress(askwhere.AskError):  # many questions the reader refuses
                found += [r.sql for r in read(record["question"], database.catalog, database.values, dialect)]
        for sql in found:
            assert left_out(sql, dialect, explain(sql, database.catalog, dialect)) == []
        written += len(found) - 1
    assert number > 900
    assert written > 100


def test_the_command_line_prints_the_explanation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from askwhere.bindings.cli import main as cli

    database = Database("duckdb", tmp_path)
    database.shop(database.path).close()
    assert cli.main(["explain", str(database.path), "SELECT name FROM customers"]) == 0
    assert capsys.readouterr().out == "Shows name.\nFrom customers.\n"
    database.close()
