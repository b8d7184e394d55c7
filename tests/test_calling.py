"""Functions of the user's are called only if allowed: by no view, generated column or macro that is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.engine import Column, Table
from askwhere.errors import QueryError
from askwhere.indexer import unsafe_calls
from askwhere.models import Scripted

TABLES = """
CREATE TABLE people(id INTEGER, email VARCHAR);
INSERT INTO people VALUES (1, 'ann@example.com'), (2, 'bob@example.com');
CREATE VIEW mailed AS SELECT id, send_mail(email) AS sent FROM people;
CREATE VIEW mailed_again AS SELECT sent FROM mailed;
CREATE VIEW quoted AS SELECT "SEND_MAIL" (email) AS sent FROM people;
CREATE VIEW plain AS SELECT id, upper(email) AS send_mail FROM people;
"""
GENERATED = """
CREATE TABLE letters(address VARCHAR, sent VARCHAR GENERATED ALWAYS AS (send_mail(address)));
INSERT INTO letters VALUES ('ann@example.com');
CREATE VIEW all_letters AS SELECT * FROM letters;
CREATE VIEW addresses AS SELECT address FROM letters;
"""
LEFT_OUT = ["mailed", "mailed_again", "quoted", "all_letters"]
Made = tuple[Any, list[str]]


@pytest.fixture(params=["sqlite", "duckdb"])
def made(request: pytest.FixtureRequest) -> Iterator[Made]:
    connection, called = people(request.param)
    yield connection, called
    connection.close()


@pytest.fixture(params=["sqlite", "duckdb"], scope="module")
def shared(request: pytest.FixtureRequest) -> Iterator[Made]:
    """As `made`, for tests that change nothing and allow no function."""
    connection, called = people(request.param)
    yield connection, called
    connection.close()


def people(kind: str) -> Made:
    """A connection with views and columns that call a function of the user's, and the texts it was called with."""
    called: list[str] = []

    def send_mail(text: str) -> str:
        called.append(text)
        return f"sent {text}"

    connection: Any
    if kind == "sqlite":
        connection = apsw.Connection(":memory:")
        connection.create_scalar_function("send_mail", send_mail, 1, deterministic=True)
    else:
        connection = duckdb.connect()
        connection.create_function("send_mail", send_mail, ["VARCHAR"], "VARCHAR")
        connection.execute("CREATE MACRO mail(x) AS send_mail(x)")
        connection.execute("CREATE TABLE one AS SELECT 'x' AS a; CREATE VIEW by_macro AS SELECT mail(a) AS b FROM one")
    connection.execute(TABLES)
    connection.execute(GENERATED)
    called.clear()
    return connection, called


def rows(connection: Any, sql: str) -> list[Any]:
    return [tuple(row) for row in connection.execute(sql).fetchall()]


def test_looking_values_up_calls_no_function_of_the_users(made: Made) -> None:
    connection, called = made
    askwhere.register(connection, model=Scripted(["SELECT count(*) AS n FROM people"] * 3))
    assert rows(connection, "SELECT n FROM ask('how many people are there')") == [(2,)]
    rows(connection, "SELECT * FROM ask_values('ann@example.com')")
    rows(connection, "SELECT ask_index()")
    rows(connection, "SELECT * FROM ask_values('ann@example.com')")
    assert called == []


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_generated_query_cannot_read_a_view_that_calls_one(shared: Made, name: str) -> None:
    connection, called = shared
    askwhere.register(connection, model=Scripted([f"SELECT * FROM {name}"] * 3))
    with pytest.raises(
        (askwhere.Refused, duckdb.Error), match=r"calls send_mail\(\), .* allow_functions = 'send_mail'"
    ):
        rows(connection, "SELECT * FROM ask('q')")
    assert called == []


def test_the_schema_says_what_is_left_out(shared: Made) -> None:
    connection, called = shared
    askwhere.register(connection)
    ((text,),) = rows(connection, "SELECT ask_schema()")
    left = [line for line in text.splitlines() if "is left out: it calls send_mail()" in line]
    for name in (*LEFT_OUT, "letters.sent"):
        assert any(f"{name} is left out" in line for line in left)
    shown = text.replace("\n".join(left), "")
    assert "plain" in shown
    assert "addresses" in shown
    assert "mailed" not in shown
    assert ("by_macro is left out" in text) == isinstance(connection, duckdb.DuckDBPyConnection)
    assert called == []


def test_a_generated_column_that_calls_one_is_hidden(shared: Made) -> None:
    connection, called = shared
    askwhere.register(connection, model=Scripted(["SELECT * FROM letters"] * 3))
    assert rows(connection, "SELECT * FROM ask('q')") == [("ann@example.com",)]
    assert called == []


def test_an_allowed_function_is_called(made: Made) -> None:
    connection, called = made
    askwhere.register(
        connection, model=Scripted(["SELECT sent FROM mailed ORDER BY id"] * 3), allow_functions="send_mail"
    )
    assert rows(connection, "SELECT * FROM ask('q')")[0] == ("sent ann@example.com",)
    assert called


def test_a_view_that_is_gone_as_it_is_read_calls_nothing() -> None:
    connection = apsw.Connection(":memory:")
    askwhere.register(connection)
    gone = Table(("main", "gone"), (Column("id"),), "view")
    assert unsafe_calls.find(connections.engine(connection), [gone], ()) == unsafe_calls.UnsafeCalls({}, {})


@pytest.mark.parametrize("content", ["content=mailed", "content='mailed'", 'content="letters"'])
def test_a_full_text_index_over_a_view_that_calls_one_is_left_out(content: str) -> None:
    called: list[str] = []
    connection = apsw.Connection(":memory:")
    connection.create_scalar_function("send_mail", lambda text: called.append(text) or "sent", 1, deterministic=True)
    connection.execute(TABLES + GENERATED)
    connection.execute(f"CREATE VIRTUAL TABLE found USING fts5(sent, {content})")
    connection.execute("INSERT INTO found(rowid, sent) VALUES (1, 'sent')")
    askwhere.register(connection, model=Scripted(["SELECT sent FROM found"] * 9), values="show")
    called.clear()
    connection.execute("SELECT ask_index()").fetchall()
    with pytest.raises(QueryError):
        askwhere.ask(connection, "what was found")
    assert "found is left out: it calls send_mail()" in connection.execute("SELECT ask_schema()").fetchall()[0][0]
    assert called == []


def test_views_that_ask_by_another_view_or_a_macro_are_no_tables_to_ask(made: Made) -> None:
    connection, _ = made
    model = Scripted(["SELECT 1 AS one"] * 9)
    askwhere.register(connection, model=model, method="sea", allow_functions="ask_value?")
    connection.execute("CREATE VIEW asks AS SELECT id, ask_value('flurb') AS one FROM people")
    connection.execute("CREATE VIEW asks_again AS SELECT * FROM asks")
    connection.execute("CREATE VIEW asks_in_quotes AS SELECT \"ASK_value\" /* so */ ('flurb') AS one")
    asking = ["asks", "asks_again", "asks_in_quotes"]
    if isinstance(connection, duckdb.DuckDBPyConnection):
        connection.execute("CREATE MACRO asked() AS TABLE FROM ask('flurb'); CREATE VIEW asks_by_macro AS FROM asked()")
        asking.append("asks_by_macro")
    engine, session = connections.engine(connection), connections.session(connection)
    made_by = len(model.prompts)  # DuckDB reads a view as it is made
    assert not {table.name for table in session.catalog(engine).tables} & {*asking}
    session.values(engine).search("flurb", 9)
    assert len(model.prompts) == made_by
    for view in asking:
        with pytest.raises(QueryError, match=f"'{view}', which asks a question itself, by ask"):
            engine.check(f"SELECT * FROM {view}", session.catalog(engine).grant)
