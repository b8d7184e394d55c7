"""What the guard lets through and what it refuses, each engine judging the text as it would run."""

from __future__ import annotations

import time
from collections.abc import Iterator

import duckdb
import pytest
from askwhere import guard
from askwhere.engine import Column, Grant, Table
from askwhere.errors import QueryError, Refused
from askwhere.guard.duckdb import check_duckdb
from guard.shop import DuckDBShop, Shop, SQLiteShop

BOTH = ["sqlite", "duckdb"]


@pytest.fixture(scope="module")
def sqlite() -> Iterator[SQLiteShop]:
    shop = SQLiteShop()
    yield shop
    shop.close()


@pytest.fixture(scope="module")
def duck() -> Iterator[DuckDBShop]:
    shop = DuckDBShop()
    yield shop
    shop.close()


@pytest.fixture(params=BOTH, scope="module")
def shop(request: pytest.FixtureRequest) -> Iterator[Shop]:
    opened = SQLiteShop() if request.param == "sqlite" else DuckDBShop()
    yield opened
    opened.close()


@pytest.fixture(params=BOTH, scope="module")
def hiding(request: pytest.FixtureRequest) -> Iterator[Shop]:
    """The shop with `customers.token` hidden."""
    opened = SQLiteShop(["customers.token"]) if request.param == "sqlite" else DuckDBShop(["customers.token"])
    yield opened
    opened.close()


# --- the reply -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("  SELECT 1 ;\n", "SELECT 1"),
        ("Sure! Here it is:\n```sql\nSELECT 1;\n```\nHope it helps; DROP TABLE orders;", "SELECT 1"),
        ("```\nSELECT 1\n```", "SELECT 1"),
        ("```sql\nSELECT 1", "SELECT 1"),
        ("First\n```sql\nSELECT 1\n```\nbetter\n```SQL\nSELECT 2\n```\ngives\n```text\n2\n```", "SELECT 2"),
        ("```duckdb\nFROM t\n```", "FROM t"),
    ],
)
def test_the_statement_of_a_reply(reply: str, sql: str) -> None:
    assert guard.one_statement(reply) == sql


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "the reply holds no SQL"),
        (" ;\n", "the reply holds no SQL"),
        ("```sql\n\n```", "the reply holds no SQL"),
        ("SELECT '\0'", "the query holds a NUL character"),
        ("SELECT '\ud800'", "the query holds half of a surrogate pair, which is no character"),
        ("SELECT '" + "x" * 50_000 + "'", "the query has 50,009 bytes; at most 50,000 are run"),
    ],
)
def test_replies_without_one_usable_statement(reply: str, message: str) -> None:
    with pytest.raises(Refused, match=f"^{message}$"):
        guard.one_statement(reply)


# --- both engines --------------------------------------------------------------------------------------------------

ALLOWED = [
    ("SELECT count(*) FROM customers", [(3,)]),
    ("SELECT count(*) FROM Customers AS c WHERE C.ID > 1;", [(2,)]),
    ("SELECT customers.name FROM customers WHERE customers.id = 1", [("Ann",)]),
    ("SELECT name /* who */ FROM customers -- all\nWHERE id = 1 -- one", [("Ann",)]),
    ("SELECT '-- no comment', '/* nor this */', 'ask(1)' FROM customers WHERE id = 1",
     [("-- no comment", "/* nor this */", "ask(1)")]),
    ("WITH customers AS (SELECT 7 AS id) SELECT id FROM customers", [(7,)]),
    ("WITH a AS (SELECT id FROM customers), b AS (SELECT max(id) m FROM a) SELECT m FROM b", [(3,)]),
    ("SELECT (SELECT max(amount) FROM orders o WHERE o.customer_id = c.id) FROM customers c WHERE id = 3", [(5,)]),
    ("WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k WHERE x < 5) SELECT max(x) FROM k", [(5,)]),
    ("SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE amount > 15)", [("Ann",)]),
    (f"SELECT count(*) FROM customers WHERE id IN ({', '.join(map(str, range(2, 7_000)))})", [(2,)]),
    ("SELECT count(*) FROM customers WHERE name NOT IN (" + "'n', " * 6_000 + "name)", [(0,)]),
    ("SELECT id FROM customers INTERSECT SELECT customer_id FROM orders EXCEPT SELECT 3", [(1,)]),
    ("SELECT sum(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders WHERE id = 3", [(5,)]),
    ("VALUES (1, 'a')", [(1, "a")]),
    ('SELECT "sélect" FROM "odd ""name"', [("x",)]),
    ("SELECT name FROM safe WHERE id = 3", [("Cy",)]),
    ("SELECT count(*) FROM safer", [(3,)]),
    ("SELECT max(ask) FROM (SELECT 1 AS ask)", [(1,)]),
    ("SELECT CASE WHEN 1 = 1 THEN coalesce(NULL, 'x') END, round(2.5), length('abc'), CAST('1' AS INTEGER)",
     [("x", 3, 3, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "rows"), ALLOWED, ids=[sql[:80] for sql, _ in ALLOWED])
def test_reading_is_allowed(shop: Shop, sql: str, rows: list[tuple[object, ...]]) -> None:
    assert shop.rows(sql) == rows


def only(word: str) -> str:
    return f"a query may only read: it must be one SELECT, and this begins with '{word}'"


def not_a_table(name: str) -> str:
    return f"the query reads '{name}', which is not one of the tables it may read"


REFUSED = [
    ("", "there is no query"),
    ("-- nothing", "there is no query"),
    ("DELETE FROM orders", only("delete")),
    ("INSERT INTO orders VALUES (1) RETURNING id", only("insert")),
    ("UPDATE orders SET amount = 0", only("update")),
    ("DROP TABLE orders", only("drop")),
    ("CREATE TABLE t(x INT)", only("create")),
    ("ATTACH 'x.db' AS x", only("attach")),
    ("PRAGMA query_only = 0", only("pragma")),
    ("ROLLBACK", only("rollback")),
    ("EXPLAIN SELECT 1", only("explain")),
    ("SELEC * FORM nowhere", only("selec")),
    ("SELECT 1; DROP TABLE orders", "a generated query must be one statement, and this holds several"),
    ("SELECT 1;; SELECT 2", "a generated query must be one statement, and this holds several"),
    ("SELECT * FROM secrets", not_a_table("secrets")),
    ("SELECT * FROM SECRETS", not_a_table("SECRETS")),
    ("SELECT count(*) FROM secrets", not_a_table("secrets")),
    ("SELECT * FROM locked", not_a_table("locked")),
    ("SELECT * FROM customers WHERE EXISTS (SELECT 1 FROM secrets)", not_a_table("secrets")),
    ("WITH secrets AS (SELECT 1), b AS (SELECT 2) SELECT * FROM main.secrets", not_a_table("main.secrets")),
    ("SELECT (WITH c AS (SELECT 1 x) SELECT x FROM c) FROM c", not_a_table("c")),
    ("SELECT * FROM other.customers", not_a_table("other.customers")),
    ("SELECT * FROM sqlite_master", not_a_table("sqlite_master")),
    ("SELECT * FROM information_schema.tables", not_a_table("information_schema.tables")),
    ("SELECT * FROM askwhere_pins", not_a_table("askwhere_pins")),
    ("SELECT * FROM 'secret.csv'", not_a_table("secret.csv")),
    ("SELECT * FROM custmers", not_a_table("custmers") + "; did you mean 'customers'?"),
    ("SELECT * FROM ask('again')", "a generated query may not call ask again"),
    ("SELECT * FROM \"ASK\" /* x */ ('again')", "a generated query may not call ask again"),
    ("SELECT ask_value('again')", "a generated query may not call ask again"),
    ("SELECT " + "(" * 200 + "1" + ")" * 200, "the query is nested too deeply"),
    ("SELECT " + "NOT " * 100 + "1", "the query is nested too deeply"),
    ("SELECT 1 /* a /* b */ c */", "the query holds a comment inside a comment"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "message"), REFUSED, ids=[sql[:60] for sql, _ in REFUSED])
def test_everything_else_is_refused(shop: Shop, sql: str, message: str) -> None:
    with pytest.raises(Refused) as caught:
        shop.rows(sql)
    assert str(caught.value) == message


UNREADABLE = ["SELECT FROM WHERE", "SELECT 'open", "WITH x SELECT 1", "SELECT nonsense FROM customers", "FROM"]


@pytest.mark.parametrize("sql", UNREADABLE)
def test_what_is_no_query_is_a_query_error(shop: Shop, sql: str) -> None:
    with pytest.raises(QueryError):
        shop.rows(sql)


@pytest.mark.parametrize(
    "definition",
    ["CREATE VIEW v AS SELECT * FROM ask('q')", "select ASK_VALUE ('q')", 'FROM "ask"(1)', "FROM `ask`/**/(1)"],
)
def test_definitions_that_ask(definition: str) -> None:
    assert guard.asks(definition)


@pytest.mark.parametrize(
    "definition",
    ["SELECT ask, bid FROM quotes", "SELECT 'ask(1)'", "SELECT task(1)", "-- ask(1)\nSELECT 1", 'SELECT "ask(" FROM t'],
)
def test_definitions_that_do_not_ask(definition: str) -> None:
    assert not guard.asks(definition)


# --- full paths ----------------------------------------------------------------------------------------------------

CUSTOMERS = Table(("main", "customers"), (Column("id"), Column("name")))
TEMPORARY = Table(("temp", "customers"), (Column("id"),))
ATTACHED = Table(("shop", "customers"), (Column("id"),))
QUALIFIED = [
    ("SELECT customers.id FROM customers", 'SELECT customers.id FROM "main"."customers"'),
    ("SELECT 'é' FROM [customers] c, shop.customers",
     "SELECT 'é' FROM \"main\".\"customers\" c, \"shop\".\"customers\""),
    ("SELECT 1 WHERE 2 IN customers", 'SELECT 1 WHERE 2 IN "main"."customers"'),
    ("SELECT 1 -- c\nFROM customers /* d */;", 'SELECT 1  \nFROM "main"."customers"'),
    ("WITH customers AS (SELECT 1) SELECT * FROM customers", "WITH customers AS (SELECT 1) SELECT * FROM customers"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), QUALIFIED)
def test_tables_are_written_by_their_full_path(sql: str, expected: str) -> None:
    assert guard.qualify(sql, "sqlite", Grant((CUSTOMERS, ATTACHED))) == expected


def test_a_temporary_table_stands_before_others_of_its_name() -> None:
    found = guard.qualify("SELECT * FROM customers", "sqlite", Grant((CUSTOMERS, ATTACHED, TEMPORARY)))
    assert found == 'SELECT * FROM "temp"."customers"'


def test_of_equal_names_the_first_of_the_grant_counts() -> None:
    found = guard.qualify("SELECT * FROM customers", "sqlite", Grant((ATTACHED, CUSTOMERS)))
    assert found == 'SELECT * FROM "shop"."customers"'


def test_a_catalog_and_a_name_are_enough() -> None:
    table = Table(("shop", "main", "customers"), (Column("id"),))
    assert guard.qualify("FROM shop.customers", "duckdb", Grant((table,))) == 'FROM "shop"."main"."customers"'


def test_in_duckdb_a_cte_without_recursive_reads_the_table_of_its_name(duck: DuckDBShop) -> None:
    assert duck.rows("WITH orders AS (SELECT * FROM orders WHERE id > 1) SELECT count(*) FROM orders") == [(2,)]
    with pytest.raises(Refused, match="'secrets'"):
        duck.rows("WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets")
    with pytest.raises(Refused, match="'secrets'"):
        duck.rows("WITH a AS (SELECT * FROM secrets), secrets AS (SELECT 1) SELECT * FROM a")
    with pytest.raises(Refused, match="'secrets'"):
        duck.rows("WITH RECURSIVE secrets AS (SELECT * FROM secrets) SELECT * FROM secrets")
    with pytest.raises(Refused, match="'secrets'"):
        duck.rows("WITH RECURSIVE secrets AS (SELECT * FROM secrets UNION ALL SELECT 1) SELECT * FROM secrets")


# --- hidden columns ------------------------------------------------------------------------------------------------

SEEN = [
    ("SELECT * FROM customers WHERE id = 1", [(1, "Ann", "Canada")]),
    ("SELECT c.* FROM customers c WHERE id = 1", [(1, "Ann", "Canada")]),
    ("SELECT * FROM (SELECT * FROM customers) WHERE id = 1", [(1, "Ann", "Canada")]),
    ("WITH a(x, y, z) AS (SELECT * FROM customers) SELECT x, y, z FROM a WHERE x = 1", [(1, "Ann", "Canada")]),
    ("SELECT count(*) FROM customers", [(3,)]),
    ("SELECT customers.name FROM customers JOIN orders ON orders.customer_id = customers.id WHERE amount = 20",
     [("Ann",)]),
    ("SELECT name FROM safe WHERE id = 1", [("Ann",)]),
    ("SELECT note AS token FROM orders WHERE id = 1", [("a",)]),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "rows"), SEEN, ids=[sql for sql, _ in SEEN])
def test_a_table_shows_its_visible_columns(hiding: Shop, sql: str, rows: list[tuple[object, ...]]) -> None:
    assert hiding.rows(sql) == rows


UNSEEN = [
    "SELECT token FROM customers",
    "SELECT c.TOKEN FROM customers c",
    "SELECT count(token) FROM customers",
    "SELECT id FROM customers ORDER BY token",
    "SELECT id FROM customers WHERE token LIKE 'TOKEN-1%'",
    "SELECT id FROM customers GROUP BY token",
    "SELECT (SELECT token FROM orders LIMIT 1) FROM customers",
    "SELECT o.id FROM orders o JOIN (SELECT id, note AS token FROM orders) x JOIN customers USING (token)",
    "SELECT main.customers.token FROM main.customers",
    "WITH c AS (SELECT * FROM customers) SELECT token FROM c",
    "SELECT token FROM (SELECT * FROM customers)",
]


@pytest.mark.parametrize("sql", UNSEEN)
def test_a_hidden_column_does_not_exist(hiding: Shop, sql: str) -> None:
    with pytest.raises(QueryError):
        hiding.rows(sql)


def test_a_natural_join_does_not_compare_hidden_columns(hiding: Shop) -> None:
    guess = "WITH g AS (SELECT 'TOKEN-1' AS token) SELECT count(*) FROM customers NATURAL JOIN g"
    if hiding.dialect == "sqlite":
        assert hiding.rows(guess) == [(3,)]
    else:
        with pytest.raises(QueryError, match="No columns found to join on"):
            hiding.rows(guess)


DUCKDB_UNSEEN = [
    "SELECT c FROM customers c",
    "SELECT customers FROM customers",
    "SELECT to_json(c) FROM customers c",
    "SELECT struct_pack(*COLUMNS(*)) FROM customers",
    "SELECT COLUMNS('.*') FROM customers",
    "SELECT COLUMNS(*)::VARCHAR FROM customers",
    "SELECT unnest(c) FROM customers c",
    "SELECT list(c) FROM customers c",
    "SUMMARIZE customers",
    "SELECT * FROM (SUMMARIZE customers)",
    "UNPIVOT (SELECT * FROM customers) ON COLUMNS(*)::VARCHAR INTO NAME n VALUE v",
    "FROM customers",
    "FROM customers SELECT *",
    "SELECT * FROM customers c POSITIONAL JOIN orders",
    "SELECT * FROM customers AS c(a, b, d)",
    "SELECT * FROM customers c SEMI JOIN orders o ON c.id = o.customer_id",
    "SELECT * FROM customers USING SAMPLE 100%",
    "SELECT * REPLACE (upper(name) AS name) FROM customers",
    "SELECT * FROM customers TABLESAMPLE 100%",
]


@pytest.mark.parametrize("sql", DUCKDB_UNSEEN)
def test_no_way_of_writing_all_columns_shows_the_hidden_one(sql: str) -> None:
    hiding = DuckDBShop(["customers.token"])
    try:
        found = repr(hiding.rows(sql))
    except QueryError as error:
        found = str(error)
    finally:
        hiding.close()
    assert "TOKEN-" not in found


def test_in_duckdb_a_table_with_hidden_columns_is_read_only_through_its_visible_ones() -> None:
    hiding = DuckDBShop(["customers.token"])
    full = hiding.grant.tables[[t.name for t in hiding.grant.tables].index("customers")].path
    for columns in ("*", '"id", "token"', '"customers"', "count(*)"):
        sql = f"SELECT {columns} FROM {'.'.join(full)}"
        tree = hiding.connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()[0][0]
        with pytest.raises(Refused, match="'customers' has hidden columns and is read in a way that cannot be checked"):
            check_duckdb(tree, hiding.grant)
    hiding.close()


def test_a_full_text_copy_hides_the_column_too() -> None:
    hiding = SQLiteShop(["customers.token"])
    hiding.connection.execute("CREATE VIRTUAL TABLE copy USING fts5(name, token)")
    copy = Table(("main", "copy"), (Column("name"), Column("token")), "virtual")
    hiding.grant = Grant((*hiding.grant.tables, copy), hiding.grant.hidden)
    assert hiding.rows("SELECT * FROM copy") == []
    for sql in ("SELECT token FROM copy", "SELECT name FROM copy WHERE copy MATCH 'x'", "SELECT * FROM copy('x')"):
        with pytest.raises(QueryError):
            hiding.rows(sql)
    hiding.close()


@pytest.mark.parametrize("sql", [
    "SELECT name FROM copy4 WHERE name MATCH 'token:tok*'", "SELECT name FROM copy4 WHERE name MATCH 'ann'",
    "SELECT term FROM terms", "SELECT count(*) FROM terms", "SELECT term FROM terms4",
    "SELECT * FROM copy4('token:tok*')",
])  # fmt: skip
def test_what_full_text_search_knows_of_a_hidden_column_is_hidden(sql: str) -> None:
    hiding = SQLiteShop(["customers.token"])
    hiding.connection.execute(
        "CREATE VIRTUAL TABLE copy4 USING fts4(name, token); CREATE VIRTUAL TABLE terms4 USING fts4aux(copy4);"
        "CREATE VIRTUAL TABLE copy5 USING fts5(name, token);"
        "CREATE VIRTUAL TABLE terms USING fts5vocab('copy5', 'row');"
        "INSERT INTO copy4 SELECT name, token FROM customers; INSERT INTO copy5 SELECT name, token FROM customers"
    )
    hiding = _with_virtual_tables(hiding, "copy4", "copy5", "terms", "terms4")
    assert hiding.rows("SELECT name FROM copy4 WHERE name = 'Ann'") == [("Ann",)]
    with pytest.raises(QueryError):
        hiding.rows(sql)
    hiding.close()


def _with_virtual_tables(shop: SQLiteShop, *names: str) -> SQLiteShop:
    added = tuple(shop._table("main", name, "virtual") for name in names)
    shop.grant = Grant((*shop.grant.tables, *added), shop.grant.hidden)
    return shop


def test_the_authorizer_denies_a_hidden_column_by_itself() -> None:
    grant = Grant((CUSTOMERS,), frozenset({(("main", "customers"), "name")}))
    authorizer = guard.Authorizer(grant)
    assert authorizer(20, "CUSTOMERS", "id", "main", None) == 0
    assert authorizer(20, "CUSTOMERS", "Name", "main", None) == 1
    assert authorizer.reason == "the query reads CUSTOMERS.Name, which it may not"


# Where SQLite and the parser that looks for tables read a text differently, the parser would miss one.
READ_DIFFERENTLY = [
    "WITH customers\u00a0(x) AS (SELECT 1), \ufeffsafe(n) AS (SELECT token FROM customers) SELECT n FROM \ufeffsafe",
    "WITH secrets\u2003(x) AS (SELECT 1), \ufeffsafe(n) AS (SELECT token FROM secrets) SELECT n FROM \ufeffsafe",
    "WITH customers$(x) AS (SELECT 1) SELECT id FROM customers NATURAL JOIN (SELECT 'TOKEN-1' AS token)",
    "WITH customers\u200b(x) AS (SELECT 1) SELECT token FROM customers",
    "SELECT id FROM customers \u017felect",
    "SELECT \u0663 FROM customers",
]


@pytest.mark.parametrize("sql", READ_DIFFERENTLY)
def test_text_that_parsers_read_differently_shows_nothing(sql: str) -> None:
    hiding = SQLiteShop(["customers.token"])
    try:
        with pytest.raises(QueryError):
            hiding.rows(sql)
    finally:
        hiding.close()


def test_spaces_and_names_of_other_scripts_are_read(shop: Shop) -> None:
    assert shop.rows("\ufeffSELECT\u00a0name FROM\u3000customers WHERE id = 1") == [("Ann",)]
    assert shop.rows("WITH 员工(ชื่อ) AS (SELECT 'ě\u00a0') SELECT ชื่อ FROM 员工") == [("ě\u00a0",)]


def test_a_table_without_visible_columns_is_refused() -> None:
    hidden = frozenset((CUSTOMERS.path, name) for name in ("id", "NAME"))
    with pytest.raises(Refused, match=r"^all columns of 'customers' are hidden$"):
        guard.qualify("SELECT count(*) FROM customers", "sqlite", Grant((CUSTOMERS,), hidden))


# --- SQLite --------------------------------------------------------------------------------------------------------

SQLITE_ALLOWED = [
    ("SELECT count(*) FROM docs WHERE docs MATCH 'hello'", [(2,)]),
    ("SELECT highlight(docs, 0, '<', '>') FROM docs('moon') ORDER BY bm25(docs)", [("hello <moon>",)]),
    ("SELECT rowid FROM docs WHERE body MATCH 'world' ORDER BY rank", [(1,)]),
    ("SELECT snippet(docs4) FROM docs4 WHERE docs4 MATCH 'one'", [("hello <b>one</b>",)]),
    ("SELECT id FROM boxes WHERE low <= 0.5 AND high >= 0.5", [(1,)]),
    ("SELECT value FROM json_each('[1, 2]') WHERE value > 1", [(2,)]),
    ("SELECT '{\"a\": 1}' ->> 'a', json_extract('{\"a\": 2}', '$.a')", [(1, 2)]),
    ("SELECT 1 WHERE 'Ann' IN safer", [(1,)]),
    ("SELECT name FROM 'customers' WHERE id = 1", [("Ann",)]),
    ("SELECT rowid, _rowid_ FROM customers WHERE oid = 2", [(2, 2)]),
    ("SELECT strftime('%Y', day), date(day, '+1 day') FROM orders WHERE id = 3", [("2021", "2021-01-02")]),
    ("SELECT name FROM customers WHERE name GLOB 'A*' AND name LIKE 'a%' ESCAPE '!'", [("Ann",)]),
    ("SELECT string_agg(name, '/') FILTER (WHERE id > 1) FROM customers", [("Bo/Cy",)]),
]


@pytest.mark.parametrize(("sql", "rows"), SQLITE_ALLOWED, ids=[sql for sql, _ in SQLITE_ALLOWED])
def test_sqlites_own_ways_of_reading(sqlite: SQLiteShop, sql: str, rows: list[tuple[object, ...]]) -> None:
    assert sqlite.rows(sql) == rows


def test_in_sqlite_the_tables_of_one_with_see_each_other(sqlite: SQLiteShop) -> None:
    assert sqlite.rows("WITH a AS (SELECT x FROM b), b AS (SELECT 1 AS x) SELECT x FROM a") == [(1,)]


SQLITE_REFUSED = [
    ("SELECT load_extension('evil.so')", "the query calls the function 'load_extension', which it may not"),
    ("SELECT length(randomblob(1000000000))", "the query calls the function 'randomblob', which it may not"),
    ("SELECT zeroblob(10)", "the query calls the function 'zeroblob', which it may not"),
    ("SELECT optimize(docs4) FROM docs4", "the query calls the function 'optimize', which it may not"),
    ("SELECT fts3_tokenizer('simple')", "the query calls the function 'fts3_tokenizer', which it may not"),
    ("SELECT sqlite_log(1, 'x')", "the query calls the function 'sqlite_log', which it may not"),
    ("SELECT spy(name) FROM customers", "the query calls the function 'spy', which it may not"),
    ("SELECT upper(name) FROM customers", "the query calls the function 'upper', which it may not"),
    ("SELECT " + ", ".join(["sum(id) OVER w"] * 51) + " FROM customers WINDOW w AS (ORDER BY id)",
     "the query has 51 windows (OVER), and 50 are allowed; compute fewer at once"),
    ("SELECT * FROM docs_content", not_a_table("docs_content")),
    ("SELECT * FROM pragma_table_info('customers')",
     "the query reads from the function 'pragma_table_info', which is not one of those it may use"),
    ("SELECT * FROM pragma_function_list", not_a_table("pragma_function_list")),
    ("SELECT * FROM dbstat", not_a_table("dbstat")),
    ("SELECT * FROM customers WHERE id IN secrets", not_a_table("secrets")),
    ("SELECT * FROM customers WHERE id = ?", "a generated query may not have parameters"),
    ("SELECT * FROM customers WHERE id = :id", "a generated query may not have parameters"),
    ("SELECT * FROM customers WHERE id = ?1", "a generated query may not have parameters"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "message"), SQLITE_REFUSED, ids=[sql for sql, _ in SQLITE_REFUSED])
def test_sqlites_own_ways_around(sqlite: SQLiteShop, sql: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        sqlite.rows(sql)
    assert str(caught.value) == message


def test_functions_of_the_users_own_are_called_when_they_are_granted() -> None:
    shop = SQLiteShop(functions=["spy", "upper"])
    assert shop.rows("SELECT spy(upper(name)) FROM customers WHERE id = 1") == [("mine",)]
    shop.close()


@pytest.mark.parametrize("view", ["safe", "SAFER"])
def test_a_cte_cannot_borrow_a_views_rights(sqlite: SQLiteShop, view: str) -> None:
    with pytest.raises(QueryError):
        sqlite.rows(f"WITH {view} AS (SELECT token AS name FROM main.secrets) SELECT name FROM {view}")
    with pytest.raises(
        Refused,
        match=f"^a common table expression of the query has the name of a view, '{view}'; give it another name$",
    ):
        sqlite.rows(f"WITH {view} AS (SELECT name FROM customers) SELECT name FROM {view}")


def test_the_authorizer_counts_no_rows_of_what_is_not_granted(sqlite: SQLiteShop) -> None:
    authorizer = guard.Authorizer(sqlite.grant, sqlite.tables, sqlite.existing)
    assert authorizer(20, "secrets", "", None, None) == 1
    assert authorizer(20, "docs_content", "", None, None) == 1
    assert authorizer(20, "customers", "", None, None) == 0
    assert authorizer(20, "some_cte", "", None, None) == 0


@pytest.mark.parametrize("action", [a for a in range(34) if a not in {20, 21, 31, 33}])
def test_the_authorizer_denies_every_other_action(sqlite: SQLiteShop, action: int) -> None:
    authorizer = guard.Authorizer(sqlite.grant)
    assert authorizer(action, "customers", "id", "main", None) == 1
    assert authorizer.reason == "the query does more than read, which it may not"


def test_a_view_may_stand_on_what_is_not_granted() -> None:
    shop = SQLiteShop()
    shop.grant = Grant(tuple(t for t in shop.tables if t.name == "safer"))
    assert shop.rows("SELECT name FROM safer ORDER BY name") == [("Ann",), ("Bo",), ("Cy",)]
    assert shop.rows("SELECT count(*) FROM safer") == [(3,)]
    for sql in ("SELECT * FROM safe", "SELECT * FROM customers", "SELECT token FROM safer"):
        with pytest.raises(QueryError):
            shop.rows(sql)
    shop.close()


def test_sqlite_functions_exist_and_harmful_ones_are_not_among_them(sqlite: SQLiteShop) -> None:
    known = {name for (name,) in sqlite.connection.execute("SELECT lower(name) FROM pragma_function_list")}
    # Those of builds with other options, or that users register under their usual name.
    assert {"regexp", "soundex"} >= guard.SQLITE_FUNCTIONS - known
    harmful = {
        "load_extension", "randomblob", "zeroblob", "optimize", "fts3_tokenizer", "fts5", "fts5_source_id",
        "sqlite_log", "sqlite_offset", "changes", "total_changes", "last_insert_rowid", "rtreecheck", "rtreenode",
        "sqlite_compileoption_get", "writefile", "readfile", "edit", "eval", "ask",
    }  # fmt: skip
    assert not harmful & guard.SQLITE_FUNCTIONS


# --- DuckDB --------------------------------------------------------------------------------------------------------

DUCKDB_ALLOWED = [
    ("FROM customers", 3),
    ("TABLE customers", 3),
    ("FROM customers SELECT name WHERE id = 1", 1),
    ("SUMMARIZE customers", 4),
    ("FROM (SUMMARIZE SELECT id FROM customers)", 1),
    ("SELECT country, count(*) FROM customers GROUP BY ALL ORDER BY ALL", 2),
    ("SELECT DISTINCT ON (country) country, id FROM customers", 2),
    ("SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY id) = 1", 2),
    ("SELECT * EXCLUDE (token) REPLACE (id + 1 AS id) RENAME (name AS n) FROM customers", 3),
    ("SELECT COLUMNS('na.*') FROM customers", 3),
    ("SELECT min(COLUMNS(* EXCLUDE (token))) FROM customers", 1),
    ("SELECT list_transform([1, 2], lambda x: x + 1), [x * 2 FOR x IN [1, 2] IF x > 1]", 1),
    ("SELECT {'a': {'b': 1}}.a.b, [1, 2, 3][1:2], MAP {'k': 1}['k'], 'abc'[1]", 1),
    ("SELECT unnest([1, 2])", 2),
    ("SELECT * FROM unnest([1, 2]) t(x), range(2) r(i), generate_series(1, 2) g(j)", 8),
    ("SELECT name.lower_case FROM (SELECT {'lower_case': 1} AS name)", 1),
    ("SELECT name.upper().replace('A', 'B') FROM customers", 3),
    ("SELECT * FROM customers c ASOF JOIN orders o ON c.id = o.customer_id AND c.id >= o.id", 2),
    ("SELECT * FROM customers c, LATERAL (SELECT max(amount) FROM orders o WHERE o.customer_id = c.id) x", 3),
    ("SELECT * FROM customers SEMI JOIN orders ON customers.id = orders.customer_id", 2),
    ("SELECT * FROM customers USING SAMPLE 2", 2),
    ("SELECT id FROM customers ORDER BY random() LIMIT 50%", 1),
    ("SELECT country, name, grouping(name), count(*) FROM customers GROUP BY ROLLUP (country, name)", 6),
    ("SELECT date_trunc('month', day), day + INTERVAL 1 MONTH, strftime(day, '%Y'), day::TIMESTAMP FROM orders", 3),
    ("SELECT quantile_cont(amount, 0.5), arg_max(id, amount), string_agg(note, ',' ORDER BY id) FROM orders", 1),
    ("SELECT x::DECIMAL(10, 2), x::VARCHAR[], TRY_CAST(x AS DATE), x::STRUCT(a INT)[] FROM (SELECT NULL AS x)", 1),
    ("SELECT '{\"a\": 1}'::JSON ->> '$.a', json_extract('{}', '$.a')", 1),
    ("UNPIVOT (SELECT id, amount FROM orders) ON amount INTO NAME n VALUE v", 3),
    ("FROM orders UNPIVOT (v FOR n IN (amount))", 3),
    ("SELECT * FROM (SELECT id, note FROM orders) PIVOT (max(id) FOR note IN ('a', 'b'))", 1),
    ("SELECT lpad(name, 10, ' '), repeat('-', 3) FROM customers", 3),
    ("SELECT a + 1 AS b, b + 1 AS c FROM (SELECT 1 AS a)", 1),
    ("SELECT customers FROM customers", 3),
    ("SELECT current_date, TRY(1 / 0), 2 ** 3, 'a' ^@ 'a', 1 IN (1, 2), E'a\\n', $$b$$", 1),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "count"), DUCKDB_ALLOWED, ids=[sql for sql, _ in DUCKDB_ALLOWED])
def test_duckdbs_own_ways_of_reading(duck: DuckDBShop, sql: str, count: int) -> None:
    assert len(duck.rows(sql)) == count


def not_a_function(name: str) -> str:
    return f"the query calls the function '{name}', which it may not"


def not_a_source(name: str) -> str:
    return f"the query reads from the function '{name}', which is not one of those it may use"


DUCKDB_REFUSED = [
    ("WITH d AS (DELETE FROM customers RETURNING *) SELECT * FROM d", None),
    ("SELECT * FROM (DELETE FROM customers RETURNING *)", None),
    ("COPY customers TO 'out.csv'", only("copy")),
    ("INSTALL httpfs", only("install")),
    ("SET memory_limit = '1TB'", only("set")),
    ("DESCRIBE customers", only("describe")),
    ("SHOW TABLES", only("show")),
    ("CALL pragma_version()", only("call")),
    ("FROM (DESCRIBE customers)", "SHOW and DESCRIBE read the catalog, which a generated query may not"),
    ("FROM (SHOW TABLES)", None),
    ("PIVOT orders ON note USING sum(amount)", "PIVOT cannot be checked; write it with CASE inside aggregates"),
    ("FROM (PIVOT orders ON note USING sum(amount))",
     "only a SELECT can be checked; instead of PIVOT, write CASE inside aggregates"),
    ("SELECT * FROM read_text('/etc/passwd')", not_a_source("read_text")),
    ("SELECT * FROM read_csv('x.csv')", None),
    ("SELECT * FROM glob('*')", not_a_source("glob")),
    ("SELECT * FROM query('SELECT 1')", not_a_source("query")),
    ("SELECT * FROM query_table('secrets')", not_a_source("query_table")),
    ("SELECT * FROM duckdb_settings()", not_a_source("duckdb_settings")),
    ("SELECT * FROM pragma_table_info('customers')", not_a_source("pragma_table_info")),
    ("SELECT * FROM spies()", not_a_source("spies")),
    ("SELECT * FROM pg_catalog.pg_tables", not_a_table("pg_catalog.pg_tables")),
    ("SELECT nextval('s')", not_a_function("nextval")),
    ("SELECT currval('s')", not_a_function("currval")),
    ("SELECT getvariable('x')", not_a_function("getvariable")),
    ("SELECT getenv('HOME')", not_a_function("getenv")),
    ("SELECT current_setting('threads')", not_a_function("current_setting")),
    ("SELECT sleep_ms(1000)", not_a_function("sleep_ms")),
    ("SELECT pg_sleep(1)", not_a_function("pg_sleep")),
    ("SELECT write_log('x')", not_a_function("write_log")),
    ("SELECT setseed(0.5)", not_a_function("setseed")),
    ("SELECT txid_current()", not_a_function("txid_current")),
    ("SELECT stats(name) FROM customers", not_a_function("stats")),
    ("SELECT spy(name) FROM customers", not_a_function("spy")),
    ("SELECT lower(name) FROM customers", not_a_function("lower")),
    ("SELECT main.lower(name) FROM customers", not_a_function("lower")),
    ("SELECT name.lower() FROM customers", not_a_function("lower")),
    ("SELECT sum(id) FILTER (WHERE spy(id) > 0) FROM customers", not_a_function("spy")),
    ("SELECT row_number() OVER (ORDER BY spy(id)) FROM customers", not_a_function("spy")),
    ("SELECT id FROM customers ORDER BY spy(id)", not_a_function("spy")),
    ("SELECT id FROM customers LIMIT spy(1)", not_a_function("spy")),
    ("SELECT list_transform([1], lambda x: spy(x))", not_a_function("spy")),
    ("SELECT * REPLACE (spy(id) AS id) FROM customers", not_a_function("spy")),
    ("SELECT * FROM range(spy(3))", not_a_function("spy")),
    ("SELECT * FROM customers c JOIN orders o ON spy(c.id) = o.id", not_a_function("spy")),
    ("SELECT 1 GROUP BY GROUPING SETS ((spy(1)))", not_a_function("spy")),
    ("VALUES (spy(1))", not_a_function("spy")),
    ("SELECT repeat('x', 1000000000)", "repeat needs a plain number up to 10,000 for its size"),
    ("SELECT lpad('x', id * 1000000, 'y') FROM customers", "lpad needs a plain number up to 10,000 for its size"),
    ("SELECT * FROM customers AT (VERSION => 1)",
     "AT reads another version of a table, which a generated query may not"),
    ("FROM customers PIVOT (max(id) FOR name IN mood)", None),
    ("FROM ?", "the query reads from something that is neither a table nor a function"),
    ("SELECT 'sad'::mood", "'mood' is not a built-in type"),
    ("SELECT 'sad'::main.mood", None),
    ("SELECT * FROM customers WHERE id = ?", "a generated query may not have parameters"),
    ("SELECT * FROM customers WHERE id = $id", "a generated query may not have parameters"),
    ("SELECT 1 AS a0" + "".join(f", a{i} + a{i} AS a{i + 1}" for i in range(25)),
     "the query has more than 40,000 columns and expressions where *, COLUMNS, aliases, macros, filters of UNION"
     " and what it names in WITH are written out; name fewer columns, by short names, and use each alias and each name"
     " of WITH less often"),
    ("SELECT " + "(SELECT " * 20 + "1" + ")" * 20, "the query is nested too deeply"),
    ("SELECT " + "list_transform([1], lambda x: " * 20 + "x" + ")" * 20, "the query is nested too deeply"),
    (" UNION ALL ".join(["SELECT 1"] * 300), "the query has more than 200 set operations"),
    ("SELECT 1 FROM customers" + ", orders" * 100,
     "the query has more than 80 joins; subqueries in expressions, aggregates with DISTINCT, mode, entropy and"
     " histogram count as one each"),
    ("SELECT " + ", ".join("1" for _ in range(6_000)), "the query has more than 5,000 nodes"),
    ("SELECT 1 IN (1" + ", id" * 6_000 + ") FROM customers", "the query has more than 5,000 nodes"),
    ("SELECT a" + ".b" * 100 + " FROM customers", "a column's name has more than 16 parts"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "message"), DUCKDB_REFUSED, ids=[sql[:60] for sql, _ in DUCKDB_REFUSED])
def test_duckdbs_own_ways_around(duck: DuckDBShop, sql: str, message: str | None) -> None:
    started = time.thread_time()
    with pytest.raises(QueryError) as caught:
        duck.rows(sql)
    assert message is None or str(caught.value) == message
    assert time.thread_time() - started < 20


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("current_timestamp", "get_current_timestamp"),
        ("CURRENT_TIME", "get_current_time"),
        ("localtime", "current_localtime"),
        ("localtimestamp", "current_localtimestamp"),
        ("current_date", "current_date"),
    ],
)
def test_a_time_that_duckdb_reads_as_a_call_calls_no_macro(written: str, called: str) -> None:
    shop = DuckDBShop()
    shop.connection.execute(f"CREATE MACRO {called}() AS (SELECT token FROM secrets)")
    tree = shop.connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [f"SELECT {written}"]).fetchall()[0][0]
    check_duckdb(tree, shop.grant)
    with pytest.raises(Refused, match=f"^the query calls the function '{written}', which it may not$"):
        check_duckdb(tree, shop.grant, [called])
    shop.close()


@pytest.mark.parametrize("name", ["current_user", "session_user", '"USER"', "current_schema", "current_catalog"])
def test_a_name_that_duckdb_reads_as_a_call_calls_no_macro(name: str) -> None:
    shop = DuckDBShop()
    shop.connection.execute(f"CREATE MACRO {name}() AS (SELECT token FROM secrets)")
    own = [name.strip('"').lower()]
    tree = shop.connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [f"SELECT {name}"]).fetchall()[0][0]
    check_duckdb(tree, shop.grant)
    with pytest.raises(Refused, match=r"^the query calls the function '(?i:current|session|user)"):
        check_duckdb(tree, shop.grant, own)
    shop.close()


def test_duckdb_functions_of_the_users_own_are_called_when_they_are_granted() -> None:
    shop = DuckDBShop(functions=["spy", "lower", "spies"])
    assert shop.rows("SELECT spy(lower(name)) FROM customers WHERE id = 1") == [("mine",)]
    assert shop.rows("SELECT token FROM spies()") == [("SECRET",)]
    shop.close()


@pytest.mark.parametrize(
    "tree",
    [
        "", "[]", "null", "{}", "1", "[" * 100_000, '{"error": 0, "statements": []}',
        '{"error": null}', '{"error": false}',
        '{"error": false, "statements": []}', '{"error": false, "statements": [{"node": null}]}',
        '{"error": false, "statements": [{"node": {"type": "INSERT_NODE"}}]}',
        '{"error": false, "statements": [{"node": {"type": "SELECT_NODE"}}]}',
        '{"error": false, "statements": [{"node": {"type": "SELECT_NODE", "from_table": 1, "select_list": []}}]}',
        '{"error": false, "statements": [{"node": {"type": "EMPTY", "later": 1}}]}',
        '{"error": false, "statements": [{"node": {"class": "NEW", "type": "NEW"}}]}',
        '{"error": false, "statements": [{"node": {"type": "EMPTY"}, "more": 1}]}',
    ],
)  # fmt: skip
def test_a_tree_of_an_unknown_shape_is_refused(tree: str) -> None:
    with pytest.raises(Refused):
        check_duckdb(tree, Grant(()))


def test_the_engines_own_message_for_what_it_cannot_parse() -> None:
    tree = '{"error": true, "error_type": "parser", "error_message": "syntax error at or near x"}'
    with pytest.raises(QueryError, match=r"^the query cannot be read: syntax error at or near x$"):
        check_duckdb(tree, Grant(()))


# Functions that only one of the supported versions has: 2.0 and later, or 1.5 only.
DUCKDB_BOUND = {
    "round_even", "roundbankers",  # macros in 1.5, functions since
}  # fmt: skip


def test_duckdb_functions_exist_and_harmful_ones_are_not_among_them() -> None:
    connection = duckdb.connect()
    query = "SELECT DISTINCT lower(function_name), function_type FROM duckdb_functions() WHERE internal"
    listed = connection.execute(query).fetchall()
    connection.close()
    known = {name for name, _ in listed}
    if int(duckdb.__version__.split(".")[0]) >= 2:
        assert guard.DUCKDB_FUNCTIONS - known <= DUCKDB_BOUND | PARSED
    harmful = {name for name, _ in listed if name.startswith(HARMFUL_STARTS)} | HARMFUL
    assert not harmful & guard.DUCKDB_FUNCTIONS
    sources = {name for name, kind in listed if kind in {"table", "table_macro", "pragma"}}
    assert {*sources, "unnest"} >= guard.DUCKDB_TABLE_FUNCTIONS
    # Names that are both a table function and an ordinary one.
    assert sources & guard.DUCKDB_FUNCTIONS == {"generate_series", "histogram", "range", "repeat", "unnest"}


# Names that the parser gives to operators and keywords, which are no functions of the catalog.
PARSED = {
    "!", "->", "<>", "!=", "==", "~*", "!~", "!~*", "ifnull", "ilike", "coalesce", "percentile_cont", "percentile_disc",
    "current_time", "current_timestamp", "unnest",
}  # fmt: skip
HARMFUL_STARTS = ("read_", "parquet_", "duckdb_", "pragma_", "pg_get", "has_", "inet_", "__internal",
                  "json_execute", "json_serialize", "json_deserialize", "collate_", "icu_", "current_conn",
                  "current_trans")  # fmt: skip
HARMFUL = {
    "query", "query_table", "getenv", "getvariable", "current_setting", "nextval", "currval", "setval", "setseed",
    "sleep_ms", "pg_sleep", "write_log", "txid_current", "sql_auto_complete", "stats", "glob", "sniff_csv",
    "which_secret", "index_key", "to_aggregate_state", "finalize", "combine", "combine_aggr", "cast_to_type", "ask",
    "current_query", "in_search_path", "create_sort_key", "error", "assert_true", "enable_logging",
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("median(a)", "median(a ORDER BY (a) + 0.0)"),
        ("median(DISTINCT a + 1)", "median(DISTINCT a + 1 ORDER BY (a + 1) + 0.0)"),
        ('"Percentile"(a, 50) FILTER (WHERE a > 1)', '"Percentile"(a, 50 ORDER BY (a) + 0.0) FILTER (WHERE a > 1)'),
        ('median(round("order", 2))', 'median(round("order", 2) ORDER BY (round("order", 2)) + 0.0)'),
        ("median(a ORDER BY -a)", ""),
        ("median(a) OVER ()", ""),
        ("median(a) FILTER (WHERE a > 1) OVER w", ""),
        ("median((SELECT median(b) FROM u))", ""),
        ("median(random())", ""),
    ],
)
def test_sqlite_gets_the_values_of_a_median_in_order(call: str, written: str) -> None:
    sql = f"SELECT {call} FROM t"
    if not written:
        with pytest.raises(Refused, match="neither as a window, nor with another order"):
            guard.with_sorted_percentiles(sql)
        assert guard.with_sorted_percentiles(sql, ["median"]) == sql
        return
    assert guard.with_sorted_percentiles(sql) == f"SELECT {written} FROM t"
    assert guard.with_sorted_percentiles(f"SELECT {written} FROM t") == f"SELECT {written} FROM t"
    assert guard.with_sorted_percentiles(sql, ["Median", "percentile"]) == sql
