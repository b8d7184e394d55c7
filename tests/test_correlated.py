"""A generated query means the same wherever it is put: no name in it reaches a column of the statement around it."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.sql.lexer import names_alone
from support import ERRORS, Database, Told

AROUND = "SELECT id, (SELECT x FROM ask('{}')) AS x FROM customers"
# Columns whose names the engines also read as something else where there is no such column.
NAMES = (
    "api_token true false rowid oid user current_user session_user current_role current_catalog current_schema"
    " current_date current_time current_timestamp localtime localtimestamp today now"
).split()
REPLIES = {
    "one": 'SELECT "{}" AS x',
    "two": "SELECT {} AS x",
    "three": 'SELECT x FROM (SELECT "{}" AS x)',
    "four": 'SELECT a AS x FROM other UNION ALL SELECT "{}"',
    "five": 'WITH t AS (SELECT "{}" AS x) SELECT x FROM t',
    "six": "SELECT x FROM (SELECT {} AS x)",
}


def hiding(database: Database, column: str, replies: dict[str, str]) -> Any:
    con = database.raw()
    con.execute(f'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, "{column}" TEXT)')
    con.execute("INSERT INTO customers VALUES (1, 'Ann', 'CANARY'), (2, 'Bo', 'CANARY')")
    con.execute("CREATE TABLE other (a INTEGER)")
    askwhere.register(con, model=Told(replies), max_calls=1, hide_columns=f"customers.{column}")
    return con


@pytest.mark.slow
@pytest.mark.parametrize("column", NAMES)
def test_a_name_reaches_no_column_of_the_statement_around(database: Database, column: str) -> None:
    con = hiding(database, column, {question: reply.format(column) for question, reply in REPLIES.items()})
    if database.kind == "sqlite":  # there a transaction is what makes the trial run on this very connection
        con.execute("BEGIN; INSERT INTO other VALUES (1)")
    for question, reply in REPLIES.items():
        try:
            found = con.execute(AROUND.format(question)).fetchall()
        except ERRORS as error:
            found = [str(error)]
        assert "CANARY" not in str(found), reply


def test_a_name_is_no_text_in_a_transaction_either(database: Database) -> None:
    con = hiding(database, "api_token", {"zz": 'SELECT name FROM customers WHERE name = "Ann"'})
    con.execute("BEGIN")
    con.execute("INSERT INTO other VALUES (1)")
    assert con.execute("SELECT * FROM ask('zz')").fetchall() == [("Ann",)]  # repaired: written as a text
    con.execute("SELECT ask_set('leave_out', 'repair')").fetchall()
    with pytest.raises(ERRORS, match="Ann"):
        con.execute("SELECT * FROM ask('zz')").fetchall()


@pytest.mark.parametrize(
    ("sql", "alone"),
    [
        ('SELECT "a""b`c", \'"d"\', "e" -- "f"', 'SELECT `a"b``c`, \'"d"\', `e` -- "f"'),
        ("SELECT [a], `b`, c", "SELECT [a], `b`, c"),
    ],
)
def test_names_in_double_quotes_get_quotes_that_are_no_texts(sql: str, alone: str) -> None:
    assert names_alone(sql) == alone


def test_true_is_true_where_no_column_is_named_so(database: Database) -> None:
    con = hiding(database, "api_token", {"zz": "SELECT name FROM customers WHERE true ORDER BY 1"})
    assert con.execute("SELECT * FROM ask('zz')").fetchall() == [("Ann",), ("Bo",)]
