"""How much work a query is by the engine's own plan."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.engine import Limits, Table
from askwhere.models import Scripted
from askwhere.pipeline import choice, plans
from support import Database


def shop(database: Database) -> Any:
    """A shop with a thousand orders of each of a hundred customers."""
    con = database.raw()
    con.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
    con.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER)")
    numbers = "range(1, {} + 1) AS k(i)"
    if database.kind == "sqlite":
        numbers = "(WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {}) SELECT i FROM k)"
    con.execute(f"INSERT INTO customers SELECT i, 'name ' || i FROM {numbers.format(100)}")
    con.execute(f"INSERT INTO orders SELECT i, i % 100 + 1, i % 7 FROM {numbers.format(100_000)}")
    return con


def work(con: Any, sql: str) -> float:
    engine, session = connections.engine(con), connections.session(con)
    catalog = session.catalog(engine)
    checked = engine.check(sql, catalog.grant)
    plan = engine.run(plans.explaining(checked, engine.dialect), catalog.grant, Limits()).rows
    return plans.work(plan, checked.sql, engine.dialect, catalog.tables)


# Of each pair the first is less work, in either engine.
PAIRS = [
    ("SELECT id FROM customers", "SELECT id FROM orders"),
    ("SELECT name FROM customers", "SELECT a.name FROM customers AS a, customers AS b"),
    (
        "SELECT c.name FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
        "SELECT c.name FROM orders AS o JOIN customers AS c ON c.id + 0 < o.customer_id",
    ),
    ("SELECT amount FROM orders", "SELECT amount FROM orders UNION SELECT amount + 1 FROM orders"),
    (
        "SELECT max(amount) AS m FROM orders",
        "SELECT amount FROM orders WHERE amount = (SELECT max(amount) FROM orders)",
    ),
]


@pytest.mark.parametrize(("less", "more"), PAIRS)
def test_less_work_is_less(database: Database, less: str, more: str) -> None:
    con = shop(database)
    askwhere.register(con)
    assert 0 < work(con, less) < work(con, more)


CUSTOMERS = Table(("main", "customers"), (), rows=100)
ORDERS = Table(("main", "orders"), (), rows=5_000)


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ([(1, 0, "SCAN main.orders")], 5_000),
        ([(1, 0, "SCAN o"), (2, 0, "SEARCH customers USING INTEGER PRIMARY KEY (rowid=?)")], 10_000),
        ([(1, 0, "SCAN customers"), (2, 0, "SEARCH o USING INDEX i (customer_id=?) LEFT-JOIN")], 1_100),
        ([(1, 0, "SCAN customers"), (2, 0, "SEARCH o USING INDEX i (amount>?)")], 125_100),
        ([(1, 0, "SCAN customers"), (2, 0, "CORRELATED SCALAR SUBQUERY 1"), (3, 2, "SEARCH o")], 500_100),
        (
            [(1, 0, "CO-ROUTINE x"), (2, 1, "SCAN orders"), (3, 0, "SCAN x"), (4, 0, "USE TEMP B-TREE FOR ORDER BY")],
            7_000,
        ),
        ([(1, 0, "SCAN uncounted")], 1_000_000),
        ([(1, 0, "SOMETHING NEW")], 0),
    ],
)
def test_loops_of_sqlite_are_within_those_before_them(details: list[tuple[int, int, str]], expected: float) -> None:
    plan = [(number, parent, 0, detail) for number, parent, detail in details]
    tables = (CUSTOMERS, ORDERS, Table(("main", "uncounted"), ()))
    assert plans.work(plan, "SELECT * FROM orders AS o", "sqlite", tables) == expected


def test_queries_that_cost_much_are_compared_by_the_engines_plan(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    con, crossed = shop(database), "SELECT count(DISTINCT a.id) AS n FROM customers AS a, customers AS b"
    plain = "SELECT count(id) AS n FROM customers"
    model = Scripted([f"Why.\n```sql\n{sql}\n```" for sql in (crossed, plain)])
    settings: dict[str, Any] = {"method": "mcs", "leave_out": "linking", "mcs": "prompts=1, samples=2, votes=1"}
    askwhere.register(con, model=model, **settings)
    monkeypatch.setattr(choice, "COSTLY", 0.0)
    monkeypatch.setattr(choice, "FAR", float("inf"))
    assert askwhere.ask(con, "how many customers").sql.startswith(plain[:20])
