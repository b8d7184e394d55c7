"""A shop in either engine for the guard's tests, and the guard as a binding would use it, without any binding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Timer
from typing import Any

import apsw
import duckdb
from askwhere import guard
from askwhere.engine import Column, Grant, Table
from askwhere.errors import QueryError
from askwhere.guard.duckdb import check_duckdb

FILLED = """\
INSERT INTO customers VALUES (1, 'Ann', 'Canada', 'TOKEN-1'), (2, 'Bo', 'Canada', 'TOKEN-2'), (3, 'Cy', 'Norway', 'x');
INSERT INTO orders VALUES (1, 1, 10, 'a', '2020-01-01'), (2, 1, 20, 'b', '2020-02-01'), (3, 3, 5, 'c', '2021-01-01');
INSERT INTO secrets VALUES (1, 'SECRET');
INSERT INTO "odd ""name" VALUES (1, 'x');
CREATE VIEW safe AS SELECT id, name FROM customers;
CREATE VIEW safer AS SELECT name FROM safe;
CREATE VIEW locked AS SELECT token FROM secrets;
"""
SQLITE = f"""
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, country TEXT, token TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INT, amount REAL, note TEXT, day TEXT);
CREATE TABLE secrets(id INTEGER PRIMARY KEY, token TEXT);
CREATE TABLE "odd ""name"(id INT, "sélect" TEXT);
{FILLED}
CREATE VIRTUAL TABLE docs USING fts5(body, tag);
INSERT INTO docs VALUES ('hello world', 'a'), ('hello moon', 'b');
CREATE VIRTUAL TABLE docs4 USING fts4(body);
INSERT INTO docs4(body) VALUES ('hello one');
CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
INSERT INTO boxes VALUES (1, 0, 1);
"""
DUCKDB = f"""
CREATE TABLE customers(id INTEGER, name VARCHAR, country VARCHAR, token VARCHAR);
CREATE TABLE orders(id INTEGER, customer_id INTEGER, amount DOUBLE, note VARCHAR, day DATE);
CREATE TABLE secrets(id INTEGER, token VARCHAR);
CREATE TABLE "odd ""name"(id INTEGER, "sélect" VARCHAR);
{FILLED}
CREATE SEQUENCE s;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE MACRO lower(x) AS 'mine';
CREATE MACRO spy(x) AS x;
CREATE MACRO spies() AS TABLE SELECT * FROM secrets;
"""
MOST = 1_000  # rows that a test looks at
NOT_GRANTED = {"secrets", "locked"}
Rows = list[tuple[Any, ...]]


class SQLiteShop:
    """The shop in SQLite; `rows` runs a query that the guard lets through, and only such."""

    dialect = "sqlite"
    seconds = 600.0

    def __init__(self, hidden: Iterable[str] = (), functions: Iterable[str] = ()) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.execute(SQLITE)
        self.connection.create_scalar_function("upper", lambda x: "mine", 1)
        self.connection.create_scalar_function("spy", lambda x: x, 1)
        listed = self.connection.execute("SELECT schema, name, type FROM pragma_table_list").fetchall()
        self.existing = [name for _, name, _ in listed]
        self.tables = [self._table(s, n, k) for s, n, k in listed if k != "shadow" and not n.startswith("sqlite_")]
        self.grant = grant(self.tables, hidden, functions)

    def _table(self, schema: str, name: str, kind: str) -> Table:
        columns = self.connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
        definition = self.connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchall()
        return Table((schema, name), tuple(Column(*c) for c in columns), kind, definition=definition[0][0])

    def rows(self, sql: str) -> Rows:
        """Rows of a query; `Refused` or `QueryError` when the guard or the engine does not take it."""
        text = guard.qualify(sql, self.dialect, self.grant)
        authorizer = guard.Authorizer(self.grant, self.tables, self.existing, ["upper", "spy"])
        cursor = apsw.Cursor(self.connection)
        cursor.exec_trace = self._prepared
        self.connection.authorizer = authorizer
        try:
            with stopping(self.connection.interrupt, self.seconds):
                cursor.execute(text, can_cache=False)
        except apsw.Error as error:
            raise QueryError(authorizer.reason or str(error), text) from error
        finally:
            self.connection.authorizer = None
        try:
            with stopping(self.connection.interrupt, self.seconds):
                return list(islice(cursor, MOST))
        except apsw.Error as error:
            raise QueryError(str(error), text) from error

    def _prepared(self, *_: object) -> bool:
        # Full-text tables prepare statements of their own on their shadow tables while they are read.
        self.connection.authorizer = None
        return True

    def close(self) -> None:
        self.connection.close()


class DuckDBShop:
    """The shop in DuckDB; `rows` runs a query that the guard lets through, and only such."""

    dialect = "duckdb"
    seconds = 600.0

    def __init__(self, hidden: Iterable[str] = (), functions: Iterable[str] = ()) -> None:
        self.connection = duckdb.connect()
        self.connection.execute(DUCKDB)
        found: dict[tuple[str, ...], list[Column]] = {}
        for *path, column in self.connection.execute(
            "SELECT database_name, schema_name, table_name, column_name FROM duckdb_columns() WHERE NOT internal"
            " ORDER BY table_oid, column_index"
        ).fetchall():
            found.setdefault(tuple(path), []).append(Column(column))
        self.tables = [Table(path, tuple(columns)) for path, columns in found.items()]
        self.grant = grant(self.tables, hidden, functions)

    def rows(self, sql: str) -> Rows:
        """Rows of a query; `Refused` or `QueryError` when the guard or the engine does not take it."""
        text = guard.qualify(sql, self.dialect, self.grant)
        tree = self.connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchall()[0][0]
        check_duckdb(tree, self.grant, ["lower", "spy", "spies"])
        try:
            with stopping(self.connection.interrupt, self.seconds):
                found = self.connection.execute(text).fetchmany(MOST)
                self.connection.interrupt()  # or the rest of an endless result goes on being made (2.0.0)
                return found
        except duckdb.Error as error:
            raise QueryError(str(error), text) from error

    def close(self) -> None:
        self.connection.close()


Shop = SQLiteShop | DuckDBShop


@contextmanager
def stopping(interrupt: Callable[[], None], seconds: float) -> Iterator[None]:
    """Interrupts what takes longer; time limits are the engines' part, not the guard's."""
    timer = Timer(seconds, interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def grant(tables: Iterable[Table], hidden: Iterable[str], functions: Iterable[str]) -> Grant:
    """Everything but secrets, with `table.column` hidden."""
    granted = tuple(t for t in tables if t.name not in NOT_GRANTED)
    pairs = (name.split(".") for name in hidden)
    return Grant(
        granted,
        frozenset((t.path, column) for table, column in pairs for t in granted if t.name == table),
        frozenset(functions),
    )
