"""SQLite as Python's database API has it, with `ask`: transactions, columns and counts, and errors."""

from __future__ import annotations

import datetime
import decimal
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest
from askwhere.bindings.sqlalchemy import dbapi
from support import SHOP

ASK = "SELECT * FROM ask('number of customers per country') ORDER BY 1"
ANSWER = [("Canada", 2), ("Norway", 1)]


@pytest.fixture
def connection() -> Iterator[dbapi.Connection]:
    made = dbapi.connect()
    made.raw.execute(SHOP)
    yield made
    made.close()


def test_a_transaction_begins_with_what_writes(connection: dbapi.Connection) -> None:
    for statement, begins in (
        ("SELECT 1", False),
        (ASK, False),
        ("PRAGMA user_version = 3", False),
        ("-- a comment\n/* and one */ VACUUM", False),
        ("ATTACH ':memory:' AS other", False),
        ("EXPLAIN DELETE FROM orders", False),
        ("INSERT INTO orders VALUES (9, 1, 1.0)", True),
        ("WITH gone AS (SELECT 9 AS id) DELETE FROM orders WHERE id IN (SELECT id FROM gone)", True),
        ("CREATE TABLE made (id INTEGER)", True),
        ("SAVEPOINT one", True),
        ("CREATE VIRTUAL TABLE counted USING ask('number of customers')", True),
        ("SELECT ask_pin('all', 'SELECT name FROM customers')", False),
    ):
        connection.execute(statement).fetchall()
        assert connection.in_transaction is begins, statement
        connection.rollback()
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('made', 'counted')").fetchone() == (0,)
    connection.isolation_level = None
    connection.execute("INSERT INTO orders VALUES (9, 1, 1.0)")
    assert not connection.in_transaction


def test_comments_before_a_statement_take_no_time(connection: dbapi.Connection) -> None:
    started = time.thread_time()
    connection.execute("/* a */" * 1_000 + "INSERT INTO orders VALUES (9, 1, 1.0)")
    assert time.thread_time() - started < 20
    assert connection.in_transaction


def test_columns_rows_and_counts(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    assert cursor.execute("SELECT id, name FROM customers WHERE id > ?", (9,)).description == (
        ("id", None, None, None, None, None, None),
        ("name", None, None, None, None, None, None),
    )
    assert (cursor.fetchone(), cursor.rowcount) == (None, -1)
    cursor.execute("SELECT id FROM customers ORDER BY id")
    assert (cursor.fetchmany(), cursor.fetchmany(5), cursor.fetchmany(5)) == ([(1,)], [(2,), (3,)], [])
    assert list(cursor.execute("SELECT :a, :b", {"a": 1, "b": None})) == [(1, None)]
    cursor.executemany("INSERT INTO orders VALUES (?, 1, 1.0)", [(20,), (21,)])
    assert (cursor.rowcount, cursor.lastrowid, cursor.description) == (2, 21, None)
    assert cursor.execute("UPDATE orders SET amount = 2 WHERE id >= 20").rowcount == 2
    assert cursor.execute("DELETE FROM orders WHERE id > 99").rowcount == 0
    assert cursor.execute("INSERT INTO orders VALUES (22, 1, 1) RETURNING id").fetchall() == [(22,)]
    cursor.execute("ALTER TABLE customers ADD COLUMN age INTEGER")
    assert len(cursor.execute("SELECT * FROM customers").description or ()) == 4
    day, at = datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4)
    assert cursor.execute("SELECT ?, ?", (day, at)).fetchone() == ("2020-01-02", "2020-01-02 03:04:00")
    cursor.close()


@pytest.mark.parametrize(
    ("statement", "parameters", "kind"),
    [
        ("SELEC", (), sqlite3.OperationalError),
        ("SELECT * FROM missing", (), sqlite3.OperationalError),
        ("INSERT INTO customers VALUES (1, 'a', 'b')", (), sqlite3.IntegrityError),
        ("SELECT ?", (), sqlite3.ProgrammingError),
        ("SELECT * FROM ask('xyzzy')", (), sqlite3.OperationalError),
        ("SELECT ask('x', 'y', 'z', 'a', 'b', 'c')", (), sqlite3.OperationalError),
    ],
)
def test_errors_are_those_of_sqlite3(
    connection: dbapi.Connection, statement: str, parameters: tuple[Any, ...], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        connection.execute(statement, parameters)
    assert connection.execute(ASK).fetchall() == ANSWER


def test_what_has_no_type_in_sqlite_is_refused(connection: dbapi.Connection) -> None:
    with pytest.raises((sqlite3.Error, TypeError)):
        connection.execute("SELECT ?", (decimal.Decimal("1.5"),))
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")
