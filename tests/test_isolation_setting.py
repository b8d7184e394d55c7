"""The setting `isolation`: generated SQL runs in another process, and its rows come back as they are."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import errno
import subprocess
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.errors import DatabaseError
from askwhere.models import Scripted
from askwhere.sql import literals
from support import PER_COUNTRY, SHOP, Database

pytestmark = pytest.mark.slow

ENDLESS = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"


def isolated(database: Database, *replies: str, **settings: Any) -> Any:
    made = database.raw(database.path)
    made.execute(SHOP)
    made.close()
    if database.kind == "sqlite":
        connection = database.raw(database.path)
    else:
        import duckdb

        connection = duckdb.connect(str(database.path), read_only=True)
        database._open.append(connection)
    askwhere.register(connection, model=Scripted(replies), isolation="process", method="sea", **settings)
    return connection


def test_rows_come_from_the_process(database: Database) -> None:
    connection = isolated(database, PER_COUNTRY, "SELECT name FROM customers WHERE id > 9")
    assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [("Canada", 2), ("Norway", 1)]
    assert connection.execute("SELECT n FROM ask('flurb') WHERE country = 'Norway'").fetchall() == [(1,)]
    assert askwhere.ask(connection, "flurb").rows == (("Canada", 2), ("Norway", 1))
    assert str(connection.execute("SELECT ask_value('flurb')").fetchall()[0][0]) == "Canada"
    assert connection.execute("SELECT name FROM ask('flurb flurb')").fetchall() == []


def test_an_endless_query_ends_with_its_process(database: Database) -> None:
    connection = isolated(database, ENDLESS, query_timeout=0.5)
    with pytest.raises(Exception, match=r"stopped after 0\.5 seconds|its process was ended"):
        connection.execute("SELECT * FROM ask('flurb')")
    assert connection.execute("SELECT count(*) FROM customers").fetchall() == [(3,)]


def test_a_database_in_memory_cannot_be_isolated(database: Database) -> None:
    connection = database.shop(model=Scripted([PER_COUNTRY]), isolation="process")
    with pytest.raises(Exception, match=r"isolation = 'process' needs a database in a file"):
        connection.execute("SELECT * FROM ask('flurb')")


def test_a_stored_answer_is_read_in_the_process_too(database: Database) -> None:
    if database.kind == "duckdb":
        return  # stored answers are SQLite's
    connection = isolated(database, PER_COUNTRY)
    connection.execute("CREATE VIRTUAL TABLE pc USING ask('flurb')")
    assert connection.execute("SELECT n FROM pc WHERE country = 'Canada'").fetchall() == [(2,)]


def test_literals_give_every_value_back(database: Database) -> None:
    connection = database.raw()
    row = (None, 7, -2.5, 'it\'s "x" 🜁', b"\x00\xff", 2**62)
    columns = ("a", "b", "c", "d e", "f", "g")
    types = ("INTEGER", "INTEGER", "DOUBLE", "VARCHAR", "BLOB", "BIGINT") if database.kind == "duckdb" else None
    if types:
        row = (*row[:4], None, row[5])
    for rows in ((row, row), ()):
        sql = literals.query(columns, rows, types)
        cursor = connection.execute(sql)
        if rows:
            assert tuple(d[0] for d in cursor.description) == columns
        assert tuple(cursor.fetchall()) == rows
    if database.kind == "duckdb":
        dated = (datetime.date(2024, 2, 29), decimal.Decimal("1.50"), True, [1, 2], b"\x00\xff")
        kinds = ("DATE", "DECIMAL(9,2)", "BOOLEAN", "INTEGER[]", "BLOB")
        sql = literals.query(("a", "b", "c", "d", "e"), [dated], kinds)
        assert connection.execute(sql).fetchall() == [dated]


def test_a_system_that_lets_no_process_start_is_said(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = isolated(database, PER_COUNTRY, PER_COUNTRY)

    def refused(*_: Any, **__: Any) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", refused)
        with pytest.raises(DatabaseError, match=r"not be started .*Too many open files.*system's limits"):
            askwhere.ask(connection, "zz")
    assert askwhere.ask(connection, "zz").rows


def test_views_over_files_are_read_where_their_folder_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("country,amount\nPeru,3\nChile,4\n")
    with duckdb.connect("shop.duckdb") as made:
        made.execute("CREATE VIEW sales AS FROM 'data/sales.csv'")
    question = "total amount of sales in Chile"
    with askwhere.connect("shop.duckdb", read_only=True, isolation="process") as connection:
        how = r"^data/sales.csv may not be read here; in a file for --init, SET allowed_directories = \['data'\] allows"
        with pytest.raises(DatabaseError, match=how):
            askwhere.ask(connection, question)
        connection.execute("SET allowed_directories = ['data']")
        assert askwhere.ask(connection, question).rows == ((4,),)
        assert connection.execute(f"FROM ask('{question}')").fetchall() == [(4,)]


REPLACING = {
    "a macro with its parameters in another order": (
        "CREATE TABLE customers (id INTEGER, name TEXT, email TEXT); INSERT INTO customers VALUES (1, 'Al', 'SECRET');"
        "CREATE MACRO shown(y, x) AS x; CREATE VIEW v AS SELECT shown(name, email) AS name FROM customers"
    ),
    "a generated column over the hidden one": (
        "CREATE TABLE customers (id INTEGER, name TEXT GENERATED ALWAYS AS (email), email TEXT);"
        "INSERT INTO customers (id, email) VALUES (1, 'SECRET')"
    ),
    "a view in place of the table": (
        "CREATE TABLE people (id INTEGER, name TEXT, email TEXT); INSERT INTO people VALUES (1, 'Al', 'SECRET');"
        "CREATE VIEW customers AS SELECT id, email AS name, email FROM people"
    ),
}


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("new", list(REPLACING)[1:])
def test_a_file_put_in_place_of_the_one_that_is_open_shows_nothing_hidden(kind: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    old = "CREATE TABLE customers (id INTEGER, name TEXT, email TEXT); INSERT INTO customers VALUES (1, 'Al', 'a@x')"
    for file, script in ((path, old), (tmp_path / "new", REPLACING[new])):
        with contextlib.closing(apsw.Connection(str(file)) if kind == "sqlite" else duckdb.connect(str(file))) as made:
            made.execute(script)
    model = Scripted(["SELECT * FROM customers"] * 4)
    options = {"hide_columns": "customers.email", "effort": "fast", "isolation": "process"}
    with contextlib.closing(askwhere.connect(str(path), read_only=True, model=model, **options)) as connection:
        assert askwhere.ask(connection, "flurb 0").rows == (("Al",),)
        (tmp_path / "new").replace(path)
        with pytest.raises(
            askwhere.AskError, match=r"customers is defined otherwise in the file than on the connection"
        ):
            askwhere.ask(connection, "flurb 1")


def test_a_macro_put_in_place_of_one_with_other_parameters_is_another(tmp_path: Path) -> None:
    path, new = tmp_path / "shop.db", REPLACING["a macro with its parameters in another order"]
    for file, script in ((path, new.replace("(y, x) AS x", "(x, y) AS x")), (tmp_path / "new", new)):
        with contextlib.closing(duckdb.connect(str(file))) as made:
            made.execute(script)
    options = {"allow_functions": "shown", "effort": "fast", "isolation": "process"}
    model = Scripted(["SELECT * FROM v"] * 4)
    with contextlib.closing(askwhere.connect(str(path), read_only=True, model=model, **options)) as connection:
        assert askwhere.ask(connection, "flurb 0").rows == (("Al",),)
        (tmp_path / "new").replace(path)
        with pytest.raises(askwhere.AskError, match=r"shown\(\) is defined otherwise in the file"):
            askwhere.ask(connection, "flurb 1")
