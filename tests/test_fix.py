"""`ask_fix`: what it changes, what it leaves, and what it refuses, in both engines."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import apsw
import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.indexer import catalog as catalogs
from askwhere.models import Scripted
from askwhere.rewrite.explain import explain
from askwhere.rewrite.fix import fix
from hypothesis import given, settings
from hypothesis import strategies as st
from support import SHOP, Database, steps

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

# What is wrong, and the query that comes back.
NAMES = [
    ("SELECT nmae FROM customers", "SELECT name FROM customers"),
    ('SELECT "nam" FROM customers', 'SELECT "name" FROM customers'),
    ("SELECT name FROM custmers", "SELECT name FROM customers"),
    ("SELECT countries FROM customer", "SELECT country FROM customers"),
    ("SELECT ctry FROM cust", "SELECT country FROM customers"),
    ("SELECT amt, cust_id FROM orders", "SELECT amount, customer_id FROM orders"),
    ("SELECT custmers.name FROM custmers", "SELECT customers.name FROM customers"),
    ("SELECT cuont(*) FROM customers", "SELECT count(*) FROM customers"),
    ("SELECT AGV(amount) FROM orders", "SELECT AVG(amount) FROM orders"),
    ("SELECT T1.name FROM customers T2", "SELECT T2.name FROM customers T2"),
    ("SELECT customers.name FROM customers AS c", "SELECT c.name FROM customers AS c"),
    ("SELECT name FROM shop.customers", "SELECT name FROM customers"),
    (
        "SELECT c.name, c.amount FROM customers c JOIN orders o ON o.customer_id = c.id",
        "SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer_id = c.id",
    ),
    (
        "SELECT T1.name FROM customers AS T JOIN orders AS T2 ON T1.id = T2.customer_id",
        "SELECT T1.name FROM customers AS T1 JOIN orders AS T2 ON T1.id = T2.customer_id",
    ),
    (
        "SELECT name FROM customers AS T1 JOIN orders AS T2 ON T1.id = 2.customer_id AND T2.amount > 1",
        "SELECT name FROM customers AS T1 JOIN orders AS T2 ON T1.id = T2.customer_id AND T2.amount > 1",
    ),
    (
        "SELECT id FROM customers JOIN (SELECT id AS id FROM orders) o ON customers.id = o.idd",
        None,
    ),
    ("SELECT max(amount) FROM (SELECT amont FROM orders) t", "SELECT max(amount) FROM (SELECT amount FROM orders) t"),
    (
        "SELECT name FROM customers UNION SELECT country FROM customers ORDER BY nmae",
        "SELECT name FROM customers UNION SELECT country FROM customers ORDER BY name",
    ),
    (
        "SELECT * FROM customers a JOIN customers b USING (nmae)",
        "SELECT * FROM customers a JOIN customers b USING (name)",
    ),
    ("SELECT 2.name, T2.nmae, T2.id FROM customers AS T2", "SELECT T2.name, T2.name, T2.id FROM customers AS T2"),
    (
        "WITH rich AS (SELECT customer_id FROM orders) SELECT * FROM rihc",
        "WITH rich AS (SELECT customer_id FROM orders) SELECT * FROM rich",
    ),
    (
        "SELECT name FROM customers WHERE id NOT IN (SELECT custmer_id FROM orders WHERE amuont > 5)",
        "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE amount > 5)",
    ),
]
JOINS = [
    (
        "SELECT name, amount FROM customers WHERE id = 1",
        "SELECT name, amount FROM customers JOIN orders ON customers.id = orders.customer_id WHERE customers.id = 1",
    ),
    (
        "SELECT orders.amount, customers.name FROM orders",
        "SELECT orders.amount, customers.name FROM orders JOIN customers ON orders.customer_id = customers.id",
    ),
    ("SELECT count(*) FROM customers WHERE amount > 5", None),  # the join would count orders
    ("SELECT * FROM customers ORDER BY amount", None),  # the join would show more
]
TEXTS = [
    ('SELECT name FROM customers WHERE name = "Ann"', "SELECT name FROM customers WHERE name = 'Ann'"),
    ("SELECT name FROM customers WHERE (id = 1", "SELECT name FROM customers WHERE (id = 1)"),
    ("SELECT count(* FROM customers", "SELECT count(*) FROM customers"),
    ("SELECT name FROM customers)", "SELECT name FROM customers"),
    ("SELECT name FROM customers WHERE name = 'Ann", "SELECT name FROM customers WHERE name = 'Ann'"),
    ("SELECT name FORM customers", "SELECT name FROM customers"),
    ("SELCT name FROM customers ODER BY id", "SELECT name FROM customers ORDER BY id"),
    ("SELECT DISTICT country FROM customers", "SELECT DISTINCT country FROM customers"),
    (
        "SELECT name FROM customers WHERE name = \u2018Ann\u2019",
        "SELECT name FROM customers WHERE name = 'Ann'",
    ),
    ("```sql\nSELECT nam FROM customers;\n```\nIt shows names.", "SELECT name FROM customers;"),
    ("Here it is:\nSELECT nam FROM customers\n\nThis shows names.", "SELECT name FROM customers"),
    ("SELECT name FROM customers; hope that helps", "SELECT name FROM customers;"),
    ("SELECT name FROM customers\n\nWERE id = 1", "SELECT name FROM customers\n\nWHERE id = 1"),
    ("sqlite> SELECT nam FROM customers;", "SELECT name FROM customers;"),
]
DIALECTS = [
    ("SELECT TOP 5 name FROM customers ORDER BY id", "SELECT name FROM customers ORDER BY id LIMIT 5"),
    ("SELECT average(amount) FROM orders", "SELECT avg(amount) FROM orders"),
]
SQLITE = [
    (
        "SELECT DATE_TRUNC('Month', name), count(*) FROM customers GROUP BY 1",
        "SELECT date(name, 'start of month'), count(*) FROM customers GROUP BY 1",
    ),
    ("SELECT date_trunc('day', name) FROM customers", "SELECT date(name) FROM customers"),
    ("SELECT YEAR(name) FROM customers", "SELECT CAST(STRFTIME('%Y', name) AS INTEGER) FROM customers"),
    ("SELECT EXTRACT(YEAR FROM name) FROM customers", "SELECT CAST(STRFTIME('%Y', name) AS INTEGER) FROM customers"),
    ("SELECT name FROM customers WHERE name ILIKE 'a%'", "SELECT name FROM customers WHERE name LIKE 'a%'"),
    ("SELECT left(name, 2) FROM customers", "SELECT substr(name, 1, 2) FROM customers"),
    ("SELECT id::text FROM customers", "SELECT CAST(id AS TEXT) FROM customers"),
    ("SELECT name FROM customers FETCH FIRST 2 ROWS ONLY", "SELECT name FROM customers LIMIT 2"),
    ("SELECT name, FROM customers", "SELECT name FROM customers"),
]
DUCKDB = [
    ("SELECT `name` FROM `customers`", 'SELECT "name" FROM "customers"'),
    ("SELECT name FROM customers LIMIT 1, 2", "SELECT name FROM customers LIMIT 2 OFFSET 1"),
    ("SELECT country, count(*) FROM customers", "SELECT country, count(*) FROM customers GROUP BY country"),
    (
        "SELECT country, name, count(*) FROM customers GROUP BY country -- each\nORDER BY 1",
        "SELECT country, name, count(*) FROM customers GROUP BY country, name -- each\nORDER BY 1",
    ),
]


def fixed(connection: Any, sql: str, *error: str) -> str:
    marks = ", ".join("?" * (1 + len(error)))
    found = connection.execute(f"SELECT ask_fix({marks})", [sql, *error]).fetchone()
    return str(found[0])


@pytest.mark.slow
@pytest.mark.parametrize(("sql", "expected"), NAMES + JOINS + TEXTS + DIALECTS)
def test_a_query_is_changed_as_little_as_possible(database: Database, sql: str, expected: str | None) -> None:
    connection = database.shop()
    if expected is None:
        with pytest.raises(Exception, match=r"can be fixed in|cannot be fixed"):
            fixed(connection, sql)
    else:
        assert fixed(connection, sql) == expected
        assert fixed(connection, expected) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sql", "expected"), [("sqlite", *p) for p in SQLITE] + [("duckdb", *p) for p in DUCKDB]
)
def test_what_one_engine_alone_does_not_read(tmp_path: Path, kind: str, sql: str, expected: str) -> None:
    database = Database(kind, tmp_path)
    assert fixed(database.shop(), sql) == expected
    database.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM customers",
        "  select NAME, /* as it is */ count( * )\nfrom customers -- who\n group by name ;",
        'SELECT c."name" FROM main.customers c',
    ],
)
def test_a_query_that_is_right_comes_back_letter_for_letter(database: Database, sql: str) -> None:
    assert fixed(database.shop(), sql) == sql


def test_the_rest_of_the_text_stays_letter_for_letter(database: Database) -> None:
    sql = "select  C.nmae /* whose? */\nFROM customers   AS c  -- all\nwhere c.Country='Canada'"
    assert fixed(database.shop(), sql) == sql.replace("nmae", "name")


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM customers",
        "INSERT INTO customers VALUES (9, 'Di', 'Peru')",
        "PRAGMA table_info(customers)",
        "ATTACH 'x.db' AS x",
        "SELECT 1; DROP TABLE customers",
        "SELECT nam FROM customers; DELETE FROM customers",
        "SELECT name FROM sqlite_master",
        "SELECT ask_sql('how many customers')",
        "SELECT * FROM ask('how many customers')",
    ],
)
def test_what_is_refused_is_refused_with_the_guards_words_and_asks_no_model(database: Database, sql: str) -> None:
    model = Scripted(["SELECT 1"] * 9)
    connection = database.shop(model=model)
    session, engine = (
        connections.session(connection),
        connections.engine(connection),
    )
    with pytest.raises(askwhere.AskError) as guarded:
        engine.check(sql, session.catalog(engine).grant)
    with pytest.raises(type(guarded.value)) as caught:
        session.fix(engine, sql)
    assert str(caught.value) == str(guarded.value)
    assert model.prompts == []


def test_a_forbidden_function_is_refused_and_not_taken_for_another(tmp_path: Path) -> None:
    for kind, sql in (("sqlite", "SELECT load_extension('x')"), ("duckdb", "SELECT * FROM read_text('/etc/passwd')")):
        database = Database(kind, tmp_path)
        with pytest.raises(Exception, match=r"calls the function|reads from the function"):
            fixed(database.shop(), sql)
        database.close()


def test_a_table_that_may_not_be_asked_is_refused_and_not_taken_for_another(database: Database) -> None:
    connection = database.shop(exclude_tables="orders")
    connection.execute("CREATE TABLE order_s (id INTEGER, amount DOUBLE)")
    with pytest.raises(Exception, match="'orders', which is not one of the tables it may read"):
        fixed(connection, "SELECT amount FROM orders")


@pytest.mark.any_engine
def test_a_hidden_column_is_not_taken_for_another(database: Database) -> None:
    connection = database.shop(hide_columns="customers.name")
    connection.execute("ALTER TABLE customers ADD COLUMN names TEXT")
    for sql in ("SELECT name FROM customers", "SELECT c.name FROM customers c"):
        with pytest.raises(Exception, match="name"):
            fixed(connection, sql)


@pytest.mark.any_engine
def test_of_two_that_are_equally_near_none_is_taken(database: Database) -> None:
    connection = database.shop()
    with pytest.raises(Exception, match=r"2 ways that are equally near.*\n.*customers\.id.*\n.*orders\.id"):
        fixed(connection, "SELECT id FROM customers JOIN orders ON customers.id = orders.customer_id")
    with pytest.raises(Exception, match=r"'Canada' ORDER BY name\n.*'Canada ORDER BY name'"):
        fixed(connection, "SELECT name FROM customers WHERE country = 'Canada ORDER BY name")


def test_the_error_that_was_seen_may_settle_it(database: Database) -> None:
    sql = "SELECT id FROM customers JOIN orders ON customers.id = orders.customer_id"
    error = 'ambiguous: perhaps you meant "orders.id"'
    assert fixed(database.shop(), sql, error) == sql.replace("SELECT id", "SELECT orders.id")


def test_columns_that_a_join_makes_equal_are_not_ambiguous(database: Database) -> None:
    connection = database.shop()
    connection.execute("CREATE TABLE notes (id INTEGER, text TEXT)")
    sql = "SELECT id FROM customers JOIN notes ON customers.id = notes.id"
    assert fixed(connection, sql) == sql.replace("SELECT id", "SELECT customers.id")
    with pytest.raises(Exception, match="equally near"):
        fixed(connection, sql.replace("JOIN", "LEFT JOIN"))


@pytest.mark.any_engine
def test_no_repair_compares_a_column_with_itself(database: Database) -> None:
    sql = "SELECT T1.id FROM orders AS T1 JOIN orders AS T2 ON T1.customer_id = {}.customer_id"
    assert fixed(database.shop(), sql.format("TT")) == sql.format("T2")


def test_what_cannot_be_fixed_says_what_is_wrong_and_what_was_tried(database: Database) -> None:
    connection = database.shop()
    with pytest.raises(Exception, match=r"there is no column 'colour'\. Tried: nothing, as no known name is near"):
        fixed(connection, "SELECT colour FROM customers")
    with pytest.raises(Exception, match=r"there is no column 'colour'\. Tried: nmae → name"):
        fixed(connection, "SELECT nmae, colour FROM customers")


def test_names_are_quoted_where_they_must_be(database: Database) -> None:
    connection = database.shop()
    connection.execute('CREATE TABLE "group" ("first name" TEXT, "order" INTEGER)')
    assert fixed(connection, "SELECT order FROM group") == 'SELECT "order" FROM "group"'
    assert fixed(connection, 'SELECT "frst name" FROM "group"') == 'SELECT "first name" FROM "group"'


@pytest.mark.any_engine
def test_a_model_corrects_what_no_rule_can(database: Database) -> None:
    model = Scripted(["There is no such column.", "name FROM customers"])
    connection = database.shop(model=model, leave_out="adjustment")  # of a method, which this is not
    sql = "SELECT colour FROM customers"
    assert fixed(connection, sql, "no such column: colour of 'Zed'") == "SELECT name FROM customers"
    assert fixed(connection, sql, "no such column: colour of 'Zed'") == "SELECT name FROM customers"
    assert len(model.prompts) == 2
    assert f"change as little of it as possible: {sql}" in model.prompts[0]
    assert "### Hint: The query gave the error: no such column: colour of '…'" in model.prompts[0]
    assert "there is no column 'colour'" in model.prompts[0]
    assert steps(connection, sql) == ["reflect", "correct", "check"]


@pytest.mark.any_engine
def test_what_a_rule_fixes_asks_no_model(database: Database) -> None:
    model = Scripted([])
    assert fixed(database.shop(model=model), "SELECT nmae FROM customers") == "SELECT name FROM customers"
    assert model.prompts == []


@pytest.mark.any_engine
def test_what_a_model_writes_passes_the_guard_or_is_an_error(database: Database) -> None:
    replies = ["why", "DELETE FROM customers", "why", "SELECT nothing FROM customers"]
    connection = database.shop(model=Scripted(replies), effort="fast")
    with pytest.raises(Exception, match=r"did not correct it either; its last try, SELECT nothing FROM customers"):
        fixed(connection, "SELECT colour FROM customers")
    assert connection.execute("SELECT count(*) FROM customers").fetchall() == [(3,)]


@pytest.mark.any_engine
def test_a_model_that_fails_is_an_error_that_says_so(database: Database) -> None:
    connection = database.shop(model=Scripted([]))
    with pytest.raises(Exception, match=r"did not correct it either.*the script has 0 replies left"):
        fixed(connection, "SELECT colour FROM customers")


@pytest.mark.any_engine
def test_a_model_costs_no_more_than_the_budget(database: Database) -> None:
    model = Scripted(["why", "SELECT nothing FROM customers"] * 9)
    connection = database.shop(model=model, max_calls=3)
    with pytest.raises(Exception, match="max_calls"):
        fixed(connection, "SELECT colour FROM customers")
    assert len(model.prompts) == 3


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_misspelt_queries_of_spider_come_back_as_they_were(data: Path, dialect: str) -> None:
    import fix as benchmark

    found = list(benchmark.outcomes("dev", dialect, seed="1", stride=40))
    kinds = [outcome.kind for outcome, *_ in found]
    assert len(kinds) > 20
    assert kinds.count("equal") > 0.9 * len(kinds)
    assert "wrong" not in kinds


def test_the_command_line_prints_the_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from askwhere.bindings.cli import main as cli

    database = Database("sqlite", tmp_path)
    database.shop(database.path).close()
    assert cli.main(["fix", str(database.path), "SELECT nmae FROM customers"]) == 0
    assert capsys.readouterr() == ("SELECT name FROM customers\n", "")
    assert cli.main(["fix", str(database.path), "SELECT name FROM customers"]) == 0
    assert "no error that the database finds" in capsys.readouterr().err
    assert cli.main(["fix", str(database.path), "DROP TABLE customers"]) == 1
    assert "a query may only read" in capsys.readouterr().err
    database.close()


FAULTS = [
    "'",
    '"',
    "(",
    ")",
    "`",
    "[",
    ";",
    ",",
    ".",
    "::",
    " select ",
    " top 5",
    "/*",
    "--",
    "\0",
    "\ud800",
    "\u2019",
    "$$",
]


@pytest.mark.slow
@given(sql=st.sampled_from([sql for sql, _ in (*NAMES, *JOINS, *TEXTS, *SQLITE, *DUCKDB)]), data=st.data())
@settings(max_examples=300)
def test_whatever_is_wrong_the_result_is_a_query_or_an_error_of_ours(sql: str, data: st.DataObject) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(SHOP)
    engine = connections.engine(connection)
    catalog = catalogs.read(engine)
    for _ in range(data.draw(st.integers(1, 3))):
        place, end = (data.draw(st.integers(0, len(sql))) for _ in range(2))
        sql = sql[:place] + data.draw(st.sampled_from([*FAULTS, "", "x"])) + sql[max(place, min(end, place + 6)) :]
    with contextlib.suppress(askwhere.AskError):
        engine.check(fix(sql, engine, catalog).sql, catalog.grant)
    with contextlib.suppress(askwhere.AskError):
        explain(sql, catalog, engine.dialect)


SPACED = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, ship_city TEXT);
CREATE TABLE "Order Details" (order_id INTEGER, "Unit Price" REAL);
"""


@pytest.mark.parametrize(
    ("sql", "fixed"),
    [
        ("SELECT count(*) FROM Order Details", 'SELECT count(*) FROM "Order Details"'),
        ("SELECT d.Unit Price FROM order  details d", 'SELECT d."Unit Price" FROM "Order Details" d'),
        ("SELECT ship city FROM orders", "SELECT ship_city FROM orders"),
        ("SELECT max(Unit Price) FROM Order Details", 'SELECT max("Unit Price") FROM "Order Details"'),
    ],
)
def test_words_side_by_side_that_are_a_name_together_are_quoted(database: Database, sql: str, fixed: str) -> None:
    connection = database.made(SPACED)
    assert connections.session(connection).fix(connections.engine(connection), sql) == fixed
