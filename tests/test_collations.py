"""Collations of the user's own are called where the schema says so, and by no name in a generated query."""

from __future__ import annotations

import apsw
import askwhere
import pytest
from askwhere.models import Scripted


def asked(sql: str) -> tuple[list[str], list[str]]:
    """The names that the query gives, and the calls of the collation."""
    called: list[str] = []

    def mine(one: str, other: str) -> int:
        called.append(one)
        return (one > other) - (one < other)

    connection = apsw.Connection(":memory:")
    connection.create_collation("mine", mine)
    connection.execute("CREATE TABLE people(name TEXT, nick TEXT COLLATE mine)")
    connection.execute("INSERT INTO people VALUES ('b', 'x'), ('A', 'y'), ('c', 'z')")
    called.clear()
    askwhere.register(connection, model=Scripted([sql]), effort="fast")
    return [name for (name,) in connection.execute("SELECT * FROM ask('zz')")], called


@pytest.mark.parametrize("name", ["mine", "MINE", '"mine"', "[mine]", "`mine`", "'mine'", "/* a */ mine"])
def test_a_query_may_not_name_a_collation_of_the_users(name: str) -> None:
    with pytest.raises(askwhere.AskError, match=r"the query names the collation '(?i:mine)'; it may name BINARY"):
        asked(f"SELECT name FROM people ORDER BY name COLLATE {name}")


def test_the_error_comes_before_the_first_call() -> None:
    called: list[str] = []
    connection = apsw.Connection(":memory:")
    connection.create_collation("mine", lambda one, other: called.append(one) or 0)  # type: ignore[func-returns-value]
    connection.execute("CREATE TABLE people(name TEXT); INSERT INTO people VALUES ('b'), ('a')")
    askwhere.register(connection, model=Scripted(["SELECT max(name COLLATE mine) FROM people"]), effort="fast")
    with pytest.raises(askwhere.AskError):
        connection.execute("SELECT * FROM ask('zz')").fetchall()
    assert called == []


@pytest.mark.parametrize(("collation", "names"), [("NOCASE", ["A", "b", "c"]), ('"binary"', ["A", "b", "c"])])
def test_sqlites_own_collations_are_no_ones_code(collation: str, names: list[str]) -> None:
    assert asked(f"SELECT name FROM people ORDER BY name COLLATE {collation}") == (names, [])


def test_a_column_keeps_the_collation_that_it_is_declared_with() -> None:
    names, called = asked("SELECT name FROM people ORDER BY nick")
    assert names == ["b", "A", "c"]
    assert called


@pytest.mark.parametrize("name", ["mine", "NOCASE", "RTRIM"])
def test_looking_values_up_calls_no_collation(name: str) -> None:
    called: list[str] = []
    connection = apsw.Connection(":memory:")
    # It takes the place of SQLite's own where it has the name of one.
    connection.create_collation(name, lambda one, other: called.append(one) or (one > other) - (one < other))  # type: ignore[func-returns-value]
    connection.execute(f"CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT COLLATE {name}, nick TEXT)")
    connection.execute("INSERT INTO people(name, nick) VALUES ('Bo', 'x'), ('Ann', 'y'), ('Cy', 'z')")
    askwhere.register(connection, model=Scripted(["SELECT count(*) AS n FROM people"] * 9), method="sea")
    called.clear()
    for call in ("ask_values('ann')", "ask('how many people are called Ann')"):
        assert connection.execute(f"SELECT * FROM {call}").fetchall()
        connection.execute("SELECT ask_index()").fetchall()
    connection.execute("BEGIN; INSERT INTO people(nick) VALUES ('w')")
    assert connection.execute("SELECT * FROM ask('how many')").fetchall() == [(4,)]
    assert called == []
