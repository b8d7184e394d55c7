"""Tables that another connection changes while a question is answered: one sentence says so, and no engine's error."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.indexer import catalog
from askwhere.models import Scripted
from support import ERRORS, SHOP, Database, Make, connected, rows

pytestmark = pytest.mark.slow

SAID = "another connection changed the tables meanwhile; ask again"
PEOPLE = "CREATE TABLE people (name TEXT, town TEXT); INSERT INTO people VALUES ('Al', 'Rome'), ('Bea', 'Oslo')"
QUESTION = "people in Rome"
ENGINES = {"sqlite": SQLiteEngine, "duckdb": DuckDBEngine}
CHANGES = {
    "renamed": "ALTER TABLE people RENAME TO folk",
    "dropped": "DROP TABLE people; DROP TABLE orders",
    "a column less": "ALTER TABLE people DROP COLUMN town",
}
ASKED: dict[str, Callable[[Any], Any]] = {
    "in Python": lambda connection: askwhere.ask(connection, QUESTION).rows,
    "in SQL": lambda connection: rows(connection, f"SELECT * FROM ask('{QUESTION}')"),
    "values": lambda connection: rows(connection, "SELECT * FROM ask_values('Rome')"),
    "fixed": lambda connection: rows(connection, "SELECT ask_fix('SELECT nam FROM people WHERE town = ''Rome''')"),
    "pinned": lambda connection: rows(connection, f"SELECT ask_pin('{QUESTION}')"),
    "indexed": lambda connection: rows(connection, "SELECT ask_index()"),
}
# All together take minutes: each way of asking meets every other change.
CASES = [(asked, change) for number, (asked, change) in enumerate(product(ASKED, CHANGES)) if number % 2]
# What the engine does, in the order in which it is first done for a question: the tables change just before it.
MOMENTS = ("tables_named", "unreadable", "stamps", "scan", "check", "run", "delivery")


def before(monkeypatch: pytest.MonkeyPatch, database: Database, moment: str, act: Callable[[], Any]) -> list[str]:
    """Have `act` done before an engine does something for the first time. Return what was done of it, once it is."""
    engine: Any = ENGINES[database.kind]
    real, done = getattr(engine, moment), list[str]()

    def acting(self: Any, *given: Any, **named: Any) -> Any:
        if not done:
            done.append(moment)
            act()
        return real(self, *given, **named)

    monkeypatch.setattr(engine, moment, acting)
    return done


def failure(act: Callable[[], Any]) -> str:
    """Return the text of an error, or that of the one that is looked for where there is none."""
    try:
        act()
    except ERRORS as exc:
        return str(exc)
    return SAID


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "change"), CASES)
def test_whenever_the_tables_change_there_is_an_answer_or_one_sentence(
    database: Database, asked: str, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(connected(database.kind, database.path)) as other:
        other.execute(f"{SHOP};{PEOPLE}")
    for moment in MOMENTS:
        path = database.path.with_stem(moment)
        path.write_bytes(database.path.read_bytes())
        with contextlib.closing(connected(database.kind, path)) as other:
            connection = connected(database.kind, path)
            if database.kind == "sqlite":
                other.execute("PRAGMA journal_mode = WAL")  # else a statement that asks keeps others from writing
            askwhere.register(connection)
            with monkeypatch.context() as patched, contextlib.closing(connection):
                before(patched, database, moment, lambda other=other: other.execute(CHANGES[change]))
                said = failure(lambda connection=connection: ASKED[asked](connection))
                # The tables are listed again where they change while they are listed.
                again = failure(lambda connection=connection: ASKED[asked](connection))
                assert SAID in said or said == again, moment


def test_the_next_question_is_answered_from_the_tables_as_they_are(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = database.made(f"{SHOP};{PEOPLE}", database.path)
    with contextlib.closing(connected(database.kind, database.path)) as other, monkeypatch.context() as patched:
        before(patched, database, "check", lambda: other.execute(CHANGES["renamed"]))
        with pytest.raises(askwhere.errors.Busy, match=SAID):
            askwhere.ask(connection, QUESTION)
    assert askwhere.ask(connection, "folk in Rome").rows == (("Al",),)
    assert rows(connection, "SELECT outcome FROM ask_log()")[0] == (f"Busy: {SAID}",)


@pytest.mark.parametrize("hidden", ["", "people.town"])
def test_a_table_that_is_renamed_while_tables_are_listed_is_found_and_shows_no_hidden_value(
    database: Database, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine: Any = ENGINES[database.kind]
    real, listed = engine.tables, list[str]()
    moment = 2 if hidden else 1  # the names of hidden columns are checked by two lists of their own
    connection = database.made(f"{SHOP};{PEOPLE}", database.path)
    if database.kind == "sqlite":
        connection.execute("PRAGMA journal_mode = WAL")  # else what reads keeps others from writing
    askwhere.register(connection, hide_columns=hidden, values="show")
    with contextlib.closing(connected(database.kind, database.path)) as other:

        def tables(self: Any) -> Any:
            found = real(self)
            listed.append("")
            if len(listed) == moment:
                other.execute(CHANGES["renamed"])
            return found

        monkeypatch.setattr(engine, "tables", tables)
        for asked in ("SELECT ask_schema('Rome')", "SELECT * FROM ask_values('Rome')"):
            if hidden:
                with pytest.raises(ERRORS, match=r"hide_columns: .*people\.town"):
                    rows(connection, asked)
            else:
                assert "Rome" in str(found := rows(connection, asked))
                assert "folk" in str(found)


def test_our_own_tables_may_be_replaced_while_tables_are_listed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine: Any = ENGINES[database.kind]
    real, listed = engine.tables, list[str]()
    connection = database.made(f"{SHOP};{PEOPLE}", database.path)
    if database.kind == "sqlite":
        connection.execute("PRAGMA journal_mode = WAL")  # else what reads keeps others from writing
    askwhere.register(connection)
    with contextlib.closing(connected(database.kind, database.path)) as other:

        def tables(self: Any) -> Any:
            listed.append("")
            other.execute(f"CREATE TABLE askwhere_{len(listed)} (name TEXT)")
            return real(self)

        monkeypatch.setattr(engine, "tables", tables)
        assert askwhere.ask(connection, QUESTION).rows == (("Al",),)
        monkeypatch.setattr(engine, "tables", real)
        other.execute(CHANGES["renamed"])
        assert askwhere.ask(connection, "folk in Rome").rows == (("Al",),)


def test_where_values_are_gone_when_they_are_looked_up_it_is_an_error(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = database.made(f"{SHOP};{PEOPLE}", database.path)
    if database.kind == "sqlite":
        connection.execute("PRAGMA journal_mode = WAL")
    with contextlib.closing(connected(database.kind, database.path)) as other, monkeypatch.context() as patched:
        before(patched, database, "values", lambda: other.execute(CHANGES["renamed"]))
        with pytest.raises(ERRORS, match=SAID):
            rows(connection, "SELECT ask_schema('Rome')")
        assert rows(connection, "SELECT table_name, value FROM ask_values('Rome')") == [("folk", "Rome")]


def test_a_failed_question_costs_one_look_at_the_versions_and_no_second_catalog(
    scripted: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, model = scripted("SELECT name FROM customers", *["SELECT nothing FROM customers"] * 9, max_calls=10)
    askwhere.ask(connection, "names")
    seen = list[str]()
    for name in ("version", "read"):
        real = getattr(catalog, name)
        monkeypatch.setattr(catalog, name, lambda *a, real=real, name=name, **k: (seen.append(name), real(*a, **k))[1])
    with pytest.raises(askwhere.errors.QueryError, match="nothing"):
        askwhere.ask(connection, "zorb of flurb", effort="balanced")
    assert (seen, len(model.prompts) > 2) == (["version"] * 2, True)


def test_tables_of_our_own_that_a_question_makes_are_no_change(database: Database) -> None:
    connection = database.shop(database.path, log="database", remember="database")
    for _ in range(2):
        with pytest.raises(askwhere.errors.Unread):
            askwhere.ask(connection, "zorb of flurb")
    assert len(rows(connection, "SELECT * FROM ask_log()")) == 2


def test_a_column_of_a_table_that_is_gone_for_a_moment_is_left_out_of_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was an error that askwhere's own tables could not be written."""
    made = "CREATE TABLE folk (age INTEGER); INSERT INTO folk VALUES (1), (5)"
    con = Database("duckdb", tmp_path).shop()
    con.execute(made)
    real = DuckDBEngine.read

    def read(self: DuckDBEngine, sql: str, *given: Any) -> Any:
        other = con.cursor()
        try:
            if '"folk"' in sql:
                other.execute("DROP TABLE folk")
            return real(self, sql, *given)
        finally:
            other.execute(made.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))

    monkeypatch.setattr(DuckDBEngine, "read", read)
    assert "folk.age (cannot be read)" in rows(con, "SELECT ask_index()")[0][0]
    con.close()


@pytest.mark.parametrize("made", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_takes_the_place_of_a_sqlite_file_keeps_no_question_waiting(
    made: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "shop.db"
    with contextlib.closing(connected("sqlite", path)) as connection:
        connection.execute(SHOP)
        askwhere.register(connection)
        path.unlink()
        made(path)
        assert askwhere.ask(connection, "how many customers are there").rows == ((3,),)


REDEFINED = {
    "a generated column over the hidden one": (
        "DROP TABLE people; CREATE TABLE people (name TEXT GENERATED ALWAYS AS (secret), secret TEXT);"
        "INSERT INTO people (secret) VALUES ('SECRET')"
    ),
    "a view in place of the table": (
        "ALTER TABLE people RENAME TO folk; CREATE VIEW people AS SELECT secret AS name, secret FROM folk"
    ),
    "the hidden column under another's name": (
        "ALTER TABLE people RENAME COLUMN name TO n; ALTER TABLE people RENAME COLUMN secret TO name"
    ),
}


@pytest.mark.parametrize("change", REDEFINED)
@pytest.mark.parametrize("moment", ["check", "run"])
def test_a_change_meanwhile_shows_no_hidden_column(
    database: Database, change: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(connected(database.kind, database.path)) as other:
        other.execute("CREATE TABLE people (name TEXT, secret TEXT); INSERT INTO people VALUES ('Al', 'SECRET')")
        connection = connected(database.kind, database.path)
        model = Scripted(["SELECT name FROM people"] * 9)
        askwhere.register(connection, model=model, hide_columns="people.secret", effort="fast")
        before(monkeypatch, database, moment, lambda: other.execute(REDEFINED[change]))
        with pytest.raises(askwhere.AskError, match=SAID):
            askwhere.ask(connection, "flurb")
        connection.close()
