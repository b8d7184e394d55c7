"""Whatever a view or a query looks like: two databases that differ in a hidden column alone look the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import apsw
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.engine import Grant, Limits
from askwhere.errors import AskError
from askwhere.indexer import catalog as catalog_
from askwhere.indexer.build import in_memory
from askwhere.pipeline.link import schema_text
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

MADE = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, api_token TEXT,
  g TEXT GENERATED ALWAYS AS (api_token || city), h INTEGER GENERATED ALWAYS AS (id * 2));
CREATE TABLE orders (id INTEGER, customer_id INTEGER, api_token TEXT, note TEXT);
INSERT INTO orders VALUES (1, 1, 'CANARY-A', 'x'), (2, 2, 'other', 'y'), (3, 2, 'zz', 'z');
"""
# The hidden values: of other order, length and equality.
TOKENS = (("CANARY-A", "CANARY-Z", "CANARY-A"), ("zzCANARY", "CANARY-AAAAAAAA", "b"))
COLUMNS = "id name city api_token g h rowid x y a b d e note customer_id api_token||name".split()
ITEMS = [
    "*", "c.*", "c", "#4", "#1", "t", "main.customers", "count(*) AS n", "max({0}) AS x", "{0} AS x", "{0} AS y",
    "{0}, {1}", "upper({0}) AS x", "length({0}) AS x", "CASE WHEN {0} > 'M' THEN 1 ELSE 0 END AS x", "hash({0}) AS x",
    "to_json(c) AS x", "count(DISTINCT {0}) AS x", "row_number() OVER (ORDER BY {0}) AS x", "COLUMNS('.*o.*')",
    "(SELECT max({0}) FROM customers) AS x", "EXISTS (SELECT 1 FROM customers WHERE {0} > 'M') AS x", "[{0}] AS x",
    "unnest(c)", "* EXCLUDE (id)", "struct_pack(v := c) AS x", "'api_token' AS x", '"api_token" AS x',
    "group_concat({0})",
]  # fmt: skip
SOURCES = [
    "customers", "customers AS c", "customers AS c(a, b, d, x)", "customers AS t(a, b, d, x, e)", "main.customers",
    "(SELECT * FROM customers) AS c", "(SELECT id, api_token AS x FROM customers) AS c", "orders AS c",
    "customers AS c NATURAL JOIN orders", "customers AS c JOIN orders USING (id)", "v AS c", "w AS c", "w",
    "customers AS c JOIN orders USING (api_token)", "customers AS c JOIN orders AS o ON o.api_token = c.api_token",
    "orders AS c LEFT JOIN customers ON customers.id = c.customer_id", "query_table('customers') AS c(a, b, d, x)",
    "(SUMMARIZE customers) AS c", "spying() AS c", "customers AS c POSITIONAL JOIN orders", "v", "v AS c(a, b, d, x)",
    "(SELECT api_token AS x FROM customers UNION ALL SELECT note FROM orders) AS c",
    "(VALUES ('CANARY-A')) AS c(api_token)",
    "(SELECT 'CANARY-A' AS api_token) AS c NATURAL JOIN customers", "(UNPIVOT customers ON api_token, name) AS c",
]  # fmt: skip
ENDS = [
    "", "", "", "WHERE {0} > 'D'", "WHERE {0} IN (SELECT {1} FROM orders)", "GROUP BY {0}", "GROUP BY ALL",
    "ORDER BY {0}",
    "ORDER BY 1 LIMIT 1", "ORDER BY ALL", "WHERE (SELECT count(*) FROM customers AS k WHERE k.{0} < 'D') > 1",
    "LIMIT (SELECT length(max({0})) FROM customers)", "WHERE 'CANARY-A' IN (SELECT {0} FROM customers)",
    "QUALIFY row_number() OVER (ORDER BY {0}) = 1", "UNION SELECT {0} FROM customers",
]  # fmt: skip


@st.composite
def selects(draw: st.DrawFn) -> str:
    """A SELECT of pieces that may fit."""
    one, other = draw(st.sampled_from(COLUMNS)), draw(st.sampled_from(COLUMNS))
    pieces = [draw(st.sampled_from(some)).format(one, other) for some in (ITEMS, SOURCES, ENDS)]
    return f"SELECT {pieces[0]} FROM {pieces[1]} {pieces[2]}".strip()


@dataclass(frozen=True)
class Pair:
    """Two databases that differ in a hidden column."""

    kind: str
    connections: tuple[Any, Any]

    def remake(self, name: str, sql: str) -> bool:
        """Make a view anew in both; whether the engine takes it and it can be read."""
        try:
            for con in self.connections:
                con.execute(f"DROP VIEW IF EXISTS {name}")
            for con in self.connections:
                con.execute(f"CREATE VIEW {name} AS {sql}")
                con.execute(f"SELECT * FROM {name}").fetchall()
        except (apsw.Error, duckdb.Error):
            for con in self.connections:
                con.execute(f"DROP VIEW IF EXISTS {name}")
            return False
        return True


@pytest.fixture(params=["sqlite", "duckdb"], scope="module")
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    made = []
    for tokens in TOKENS:
        con: Any = apsw.Connection(":memory:") if request.param == "sqlite" else duckdb.connect()
        con.execute(MADE)
        for number, token in enumerate(tokens, 1):
            values = (number, f"n{number}", f"c{number}", token)
            con.execute("INSERT INTO customers (id, name, city, api_token) VALUES (?, ?, ?, ?)", values)
        if request.param == "duckdb":
            con.execute("SET threads = 1")
            con.execute("CREATE MACRO spying() AS TABLE SELECT api_token AS x FROM customers")
        made.append(con)
    yield Pair(request.param, (made[0], made[1]))
    for con in made:
        con.close()


def seen(con: Any, queries: list[str]) -> list[str]:
    """What the catalog shows, what is found of values, and the rows or errors of queries."""
    engine = connections.engine(con)
    catalog = catalog_.read(engine, hide_columns=["customers.api_token"])
    found = [schema_text(catalog), *catalog.left_out]
    found += [str(in_memory(engine, catalog, 5.0).search("canary zzcanary a n1 c2", 9))]
    return found + [outcome(engine, sql, catalog.grant) for sql in queries]


def outcome(engine: Any, sql: str, grant: Grant) -> str:
    try:
        # Without ORDER BY rows come in any order.
        return str(sorted(map(str, engine.run(engine.check(sql, grant), grant, Limits(seconds=30)).rows)))
    except AskError as error:
        return str(error)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(view=selects(), over=selects(), queries=st.lists(selects(), min_size=4, max_size=8))
@example(view="SELECT #4 AS x FROM customers", over="SELECT x FROM v", queries=["SELECT x FROM w", "SELECT x FROM v"])
@example(view="SELECT customers AS x FROM customers", over="SELECT x FROM v", queries=["SELECT * FROM v"])
@example(view="SELECT x FROM spying()", over="SELECT g AS y FROM customers", queries=["SELECT * FROM w"])
@example(view="SELECT id FROM customers ORDER BY api_token", over="SELECT id FROM v", queries=["SELECT * FROM w"])
def test_nothing_depends_on_a_hidden_column(pair: Pair, view: str, over: str, queries: list[str]) -> None:
    pair.remake("w", "SELECT id FROM orders")
    pair.remake("v", view)
    pair.remake("w", over)
    asked = [*queries, "SELECT * FROM v", "SELECT * FROM w", "SELECT * FROM customers"]
    one, other = (seen(con, asked) for con in pair.connections)
    assert one == other
