"""What reads a hidden column shows it: such views, generated columns, virtual tables and macros are kept back."""

from __future__ import annotations

from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.errors import AskError
from askwhere.models import Scripted
from support import Database, rows

pytestmark = pytest.mark.slow

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, api_token TEXT);
INSERT INTO customers VALUES (1, 'Ann', 'ann@x', 'CANARY-1'), (2, 'Bo', 'bo@x', 'CANARY-2');
CREATE TABLE orders (id INTEGER, customer_id INTEGER, api_token TEXT);
INSERT INTO orders VALUES (1, 1, 'a guess');
CREATE TABLE "odd.name" (id INTEGER, "co""l" TEXT);
INSERT INTO "odd.name" VALUES (1, 'CANARY-3');
"""
HIDE = 'customers.api_token, "odd.name"."co""l"'
HARMLESS = """
SELECT id, name FROM customers
SELECT c.name, count(*) AS n FROM customers c GROUP BY c.name
SELECT count(*) AS n FROM customers
SELECT customers.name, orders.id FROM customers JOIN orders ON orders.customer_id = customers.id
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id)
SELECT name FROM customers JOIN (SELECT id FROM orders) o USING (id)
WITH t AS (SELECT id, name FROM customers) SELECT name FROM t
SELECT 'api_token' AS text, name FROM customers
SELECT id AS "api*token" FROM customers
SELECT id FROM "odd.name"
"""
BOTH = """
SELECT * FROM customers
SELECT api_token AS x FROM customers
SELECT "api_token" AS x FROM customers
SELECT api_token || name AS x FROM customers
SELECT max(c.api_token) AS x FROM customers AS c
SELECT id FROM customers WHERE api_token LIKE 'CANARY%'
SELECT id FROM customers ORDER BY api_token
SELECT name, count(*) AS n FROM customers GROUP BY name, api_token
SELECT id FROM customers GROUP BY id HAVING min(api_token) > 'C'
SELECT sum(id) OVER (ORDER BY api_token) AS x FROM customers
SELECT customers.id FROM customers JOIN orders USING (api_token)
SELECT customers.name FROM customers NATURAL JOIN orders
SELECT id FROM orders WHERE api_token IN (SELECT api_token FROM customers)
SELECT id, (SELECT api_token FROM customers WHERE id = orders.id) AS x FROM orders
WITH t(a, b, c, d) AS (SELECT * FROM customers) SELECT d FROM t
SELECT x FROM (SELECT api_token AS x FROM customers) AS t
SELECT id AS x FROM orders UNION ALL SELECT api_token FROM customers
SELECT CASE WHEN 1 = 0 THEN api_token ELSE name END AS x FROM customers
SELECT name FROM customers LIMIT (SELECT count(api_token) FROM customers)
SELECT "co""l" AS x FROM "odd.name"
"""
SQLITE = """
SELECT `api_token` AS x FROM customers
SELECT [API_TOKEN] AS x FROM main.customers
SELECT count(*) AS n FROM orders WHERE (1, 'a', 'b', 'CANARY-1') IN customers
SELECT value AS x FROM customers, json_each(json_array(api_token))
"""
DUCKDB = """
SELECT #4 AS x FROM customers
SELECT x FROM customers AS t(a, b, cc, x)
SELECT main.customers AS x FROM main.customers
SELECT customers AS x FROM customers
SELECT (c).api_token AS x FROM customers c
SELECT hash(c) AS x FROM customers c
SELECT to_json(c) AS x FROM customers c
SELECT row(c) AS x FROM customers c
SELECT unnest(c) FROM customers c
SELECT count(DISTINCT c) AS x FROM customers c
SELECT [c for k in [1]] AS x FROM customers c
SELECT * EXCLUDE (id) FROM customers
SELECT * REPLACE (1 AS id) FROM customers
SELECT * RENAME (api_token AS x) FROM customers
SELECT COLUMNS('.*tok.*') FROM customers
SELECT COLUMNS(lambda c: c LIKE '%token') FROM customers
SELECT min(COLUMNS(*)) FROM customers
SELECT unnest([api_token]) AS x FROM customers
SELECT x FROM query_table('customers') AS t(a, b, cc, x)
SELECT x FROM query_table('cust' || 'omers') AS t(a, b, cc, x)
SELECT x FROM query('SELECT api_token AS x FROM customers')
SELECT tokens() AS x
SELECT x FROM through() AS t(a, b, cc, x)
SELECT v AS x FROM (UNPIVOT customers ON api_token INTO NAME n VALUE v)
FROM (SUMMARIZE customers)
SELECT id FROM customers QUALIFY row_number() OVER (ORDER BY api_token) = 1
SELECT DISTINCT ON (api_token) id FROM customers
SELECT id FROM orders SEMI JOIN customers USING (api_token)
SELECT c.x FROM orders, LATERAL (SELECT api_token AS x FROM customers) c
FROM customers
SELECT stats AS x FROM pragma_storage_info('customers')
SELECT id FROM customers c WHERE c IN (SELECT c FROM customers c)
SELECT array_agg(customers) AS x FROM customers
SELECT list_transform([1], lambda k: api_token) AS x FROM customers
SELECT lag(c) OVER () AS x FROM customers c
TABLE customers
"""
MACROS = """
CREATE MACRO tokens() AS (SELECT max(api_token) FROM customers);
CREATE MACRO through() AS TABLE FROM customers;
CREATE MACRO deeper() AS (tokens());
CREATE MACRO double(x) AS x * 2;
"""


def lines(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if line]


def seen(connection: Any) -> dict[str, Any]:
    """What of a catalog may be asked, by name."""
    catalog = connections.session(connection).catalog(connections.engine(connection))
    return {table.name: table for table in catalog.tables}


def shown(connection: Any) -> str:
    """All rows of all that may be asked, and what is said and found of it."""
    engine, session = connections.engine(connection), connections.session(connection)
    catalog = session.catalog(engine)
    found = [session.prompt(engine, askwhere.session.Question("tokens CANARY-1 of customers"))]
    found += rows(connection, "SELECT * FROM ask_values('CANARY-1 canary')") + rows(connection, "SELECT ask_schema()")
    for table in catalog.tables:
        for sql in (f'SELECT * FROM "{table.name}"', f'SELECT x FROM "{table.name}"', f'SELECT d FROM "{table.name}"'):
            try:
                found.append(engine.run(engine.check(sql, catalog.grant), catalog.grant, askwhere.engine.Limits()).rows)
            except AskError as error:
                found.append(error)
    return str(found)


def views(database: Database, definitions: str, hide: str = HIDE, **settings: Any) -> tuple[Any, list[str]]:
    """A registered connection to a shop with those views that the engine takes, and their names."""
    con = database.raw(database.path)
    con.execute(SHOP)
    if database.kind == "duckdb":
        con.execute(MACROS)
    made = []
    for number, definition in enumerate(lines(definitions)):
        con.execute(f"CREATE VIEW v{number} AS {definition}")
        con.execute(f"SELECT * FROM v{number}").fetchall()  # a view that does not work shows nothing
        made.append(f"v{number}")
    askwhere.register(con, hide_columns=hide, **settings)
    return con, made


@pytest.mark.slow
def test_a_view_that_reads_no_hidden_column_is_asked(database: Database) -> None:
    con, names = views(database, HARMLESS)
    assert set(names) <= set(seen(con))
    assert "left out" not in rows(con, "SELECT ask_schema()")[0][0]
    assert "CANARY-" not in shown(con).replace("CANARY-1 of", "")


def test_a_view_that_reads_a_hidden_column_is_left_out_and_said(database: Database) -> None:
    con, names = views(database, BOTH + (SQLITE if database.kind == "sqlite" else DUCKDB))
    assert set(names) & set(seen(con)) == set()
    said = rows(con, "SELECT ask_schema()")[0][0]
    assert all(f"-- the view {name} is left out: " in said for name in names)
    assert "-- the view v1 is left out: it reads customers.api_token, which is hidden; include_tables = 'v1'" in said
    assert "CANARY-" not in shown(con).replace("CANARY-1 of", "")


def test_views_of_views_and_named_views(database: Database) -> None:
    con, _ = views(database, "SELECT api_token AS x, id FROM customers", include_tables="customers, v0, w*?")
    con.execute("CREATE VIEW w0 AS SELECT x AS y FROM v0; CREATE VIEW w1 AS SELECT y AS z FROM w0;")
    assert set(seen(con)) == {"customers", "v0"}  # whoever names a view means it; a pattern names none
    assert [c.name for c in seen(con)["v0"].columns] == ["x", "id"]


@pytest.mark.slow
def test_a_hidden_column_of_a_view_is_hidden_behind_other_views_too(database: Database) -> None:
    con, _ = views(database, "SELECT id, email AS x FROM customers", hide="v0.x")
    con.execute("CREATE VIEW w0 AS SELECT x AS y FROM v0; CREATE VIEW w1 AS SELECT email FROM customers")
    assert [c.name for c in seen(con)["v0"].columns] == ["id"]
    assert {"w0", "w1"} & set(seen(con)) == {"w1"}


def test_a_generated_column_is_hidden_with_what_it_is_computed_from(database: Database) -> None:
    con = database.raw()
    con.execute(
        "CREATE TABLE t (id INTEGER, secret TEXT, a TEXT GENERATED ALWAYS AS (secret || 'x'),"
        " b TEXT GENERATED ALWAYS AS (a || 'y'), c INTEGER GENERATED ALWAYS AS (id + 1))"
    )
    con.execute("INSERT INTO t (id, secret) VALUES (1, 'CANARY-1')")
    con.execute("CREATE VIEW v AS SELECT b FROM t; CREATE VIEW w AS SELECT c FROM t")
    askwhere.register(con, hide_columns="t.secret")
    assert [c.name for c in seen(con)["t"].columns] == ["id", "c"]
    assert set(seen(con)) == {"t", "w"}
    assert "CANARY-" not in shown(con).replace("CANARY-1 of", "")


def test_a_hidden_key_is_not_shown_as_the_number_of_a_row(database: Database) -> None:
    con = database.raw()
    con.execute(
        "CREATE TABLE people (ssn INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (987654321, 'Ann')"
    )
    if database.kind == "sqlite":
        for number, name in enumerate(("rowid", "oid", "_rowid_", "ssn", "people.rowid")):
            con.execute(f"CREATE VIEW v{number} AS SELECT {name} AS x FROM people")
    askwhere.register(con, hide_columns="people.ssn")
    assert set(seen(con)) == {"people"}
    found = seen(con)["people"]
    assert (found.primary_key, [c.name for c in found.columns]) == ((), ["name"])
    assert "987654321" not in str(found) + shown(con)
    engine, grant = connections.engine(con), connections.session(con).catalog(connections.engine(con)).grant
    for name in ("ssn", "oid", "_rowid_", "people.ssn", "max(ssn)"):
        with pytest.raises(AskError):
            engine.check(f"SELECT {name} FROM people", grant)


def test_macros_over_a_table_with_hidden_columns_are_not_called(database: Database) -> None:
    con, _ = views(database, "", allow_functions="tokens?, through?, deeper?, double?")
    if database.kind == "sqlite":
        return  # it has no macros
    said = rows(con, "SELECT ask_schema()")[0][0]
    assert "the function through is not called: it names a table with hidden columns" in said
    engine, grant = connections.engine(con), connections.session(con).catalog(connections.engine(con)).grant
    assert engine.check("SELECT double(2)", grant)
    for sql in ("SELECT tokens()", "SELECT deeper()", "FROM through()"):
        with pytest.raises(AskError, match="which"):
            engine.check(sql, grant)


@pytest.mark.parametrize("definition", [
    "CREATE VIRTUAL TABLE f USING fts5(x, content='v0', content_rowid='id')",
    "CREATE VIRTUAL TABLE f USING fts4(content=\"v0\", x)",
    "CREATE VIRTUAL TABLE f USING fts5(name, api_token, content='customers', content_rowid='id')",
    "CREATE VIRTUAL TABLE f USING fts5(id, x, content = v0, content_rowid=id)",
])  # fmt: skip
def test_full_text_indexes_over_a_hidden_column_are_kept_back(database: Database, definition: str) -> None:
    if database.kind == "duckdb":
        return  # it has no virtual tables
    con, _ = views(database, "SELECT id, api_token AS x, name FROM customers")
    con.execute(definition)
    if "fts5" in definition:
        con.execute("INSERT INTO f(f) VALUES ('rebuild')")
        con.execute("CREATE VIRTUAL TABLE terms USING fts5vocab('f', 'row'); CREATE VIRTUAL TABLE own USING fts5(note)")
        assert "CANARY" in str(con.execute("SELECT * FROM terms").fetchall()).upper()
    else:
        con.execute("CREATE VIRTUAL TABLE terms USING fts4aux(f); CREATE VIRTUAL TABLE own USING fts5(note)")
    assert "terms" not in seen(con)
    assert "own" in seen(con)
    assert [c.name for c in seen(con)["f"].columns] == ["name"] if "f" in seen(con) else "v0" in definition
    assert "canary-" not in shown(con).lower().replace("canary-1 of", "")


# Views of what holds the values of other tables: SQLite's own tables, and functions of DuckDB that are told a name.
HOLDING = {
    "sqlite": [
        "CREATE VIRTUAL TABLE w USING fts5(id, api_token); INSERT INTO w VALUES (1, 'CANARY-1');"
        " CREATE VIEW o AS SELECT c1 AS x FROM w_content",
        "CREATE VIRTUAL TABLE w USING fts4(id, api_token); INSERT INTO w VALUES (1, 'CANARY-1');"
        " CREATE VIEW o AS SELECT c1api_token AS x FROM w_content",
        "CREATE VIRTUAL TABLE w USING rtree(id, a, b, +api_token); INSERT INTO w VALUES (1, 0, 1, 'CANARY-1');"
        " CREATE VIEW o AS SELECT a0 AS x FROM w_rowid",
        "CREATE VIRTUAL TABLE w USING fts5(id, api_token); INSERT INTO w VALUES (1, 'CANARY-1');"
        " CREATE VIEW o AS SELECT id AS x FROM w WHERE w MATCH 'CANARY'",
        "CREATE INDEX by_token ON customers(api_token); ANALYZE;"
        " CREATE VIEW o AS SELECT CAST(sample AS TEXT) AS x FROM sqlite_stat4",
        "CREATE VIEW o AS SELECT sql AS x FROM sqlite_schema",
    ],
    "duckdb": [
        "CREATE VIEW o AS SELECT bin AS x FROM histogram_values('cust' || 'omers', api_token)",
        "CREATE VIEW o AS SELECT bin::VARCHAR AS x FROM histogram('cust' || 'omers', api_token)",
        "CREATE VIEW o AS FROM json_execute_serialized_sql("
        "json_serialize_sql('SELECT api_tok' || 'en AS x FROM cust' || 'omers'))",
    ],
}


@pytest.mark.parametrize("place", range(len(HOLDING["sqlite"])))
def test_a_view_of_what_holds_the_values_of_others_is_left_out(database: Database, place: int) -> None:
    for sql in HOLDING[database.kind][place : place + 1]:
        con = database.made(f"{SHOP};{sql}", hide_columns=f"{HIDE}, *.api_token")
        assert "o" not in seen(con)
        assert "CANARY-" not in shown(con).replace("CANARY-1 of", "")


def test_a_view_of_the_value_index_is_left_out(database: Database) -> None:
    con = database.made(SHOP)
    rows(con, "SELECT ask_index()")
    con.execute("CREATE VIEW o AS SELECT * FROM askwhere_index_values")
    assert "CANARY" in str(rows(con, "SELECT * FROM o"))
    rows(con, "SELECT ask_set('hide_columns', 'customers.api_token')")
    assert "o" not in seen(con)


@pytest.mark.parametrize("schemas", [("main", "zz"), ("zz", "main")])
def test_of_two_views_with_one_name_the_one_that_shows_a_hidden_column_is_left_out(schemas: tuple[str, str]) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"{SHOP}; CREATE SCHEMA zz")
        for schema, shown in zip(schemas, ("api_token", "name"), strict=True):
            connection.execute(f"CREATE VIEW {schema}.v AS SELECT {shown} AS x FROM main.customers")
        hiding, harmless = schemas
        model = Scripted([f"SELECT x FROM {hiding}.v", f"SELECT x FROM {harmless}.v"])
        askwhere.register(connection, model=model, method="sea", hide_columns="customers.api_token")
        with pytest.raises(AskError) as refused:
            askwhere.ask(connection, "which x are there")
        assert f"the query reads '{hiding}.v', which is not one of the tables it may read" in str(refused.value)
