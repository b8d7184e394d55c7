"""What was seen of a column before it was hidden comes out of nothing that askwhere keeps."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from support import ERRORS, Database, Told, rows

pytestmark = pytest.mark.slow

CANARY = "CANARY-77"
REPLIES = {
    "the secret of Ann": "SELECT secret FROM people WHERE name = 'Ann'",
    f"who has {CANARY}": f"SELECT name FROM people WHERE secret = '{CANARY}'",
    "secrets as numbers": "SELECT CAST(secret AS INTEGER) + 1 AS n FROM people",
    "count the people": "SELECT count(*) AS n FROM people",
    "list people": "SELECT name FROM people",
}
FIRST = [f"SELECT * FROM ask('{question}')" for question in REPLIES]
ASKED = [
    *(f"SELECT * FROM ask_trace('{question}')" for question in REPLIES),
    *(f"SELECT * FROM {table}('{q}')" for table in ("ask", "ask_candidates") for q in REPLIES if CANARY not in q),
    *(f"SELECT {name}('count the people')" for name in ("ask_schema", "ask_prompt", "ask_sql", "ask_value")),
    "SELECT ask_schema()",
    "SELECT * FROM ask_values('canary 77 CANARY-77')",
    "SELECT * FROM ask_log()",
    "SELECT * FROM ask('pinned')",
    "SELECT * FROM ask_pins()",
    "SELECT * FROM ask_settings()",
    "SELECT ask_fix('SELECT secrt FROM people')",
    "SELECT ask_explain('SELECT secret FROM people')",
]


def people(database: Database, **settings: Any) -> tuple[Any, Told]:
    con = database.raw(database.path)
    con.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, secret TEXT)")
    con.execute("INSERT INTO people VALUES (1, 'Ann', 'CANARY-77'), (2, 'Bo', 'CANARY-78')")
    con.execute("CREATE VIEW renamed AS SELECT id, secret AS x FROM people")
    model = Told(REPLIES)
    askwhere.register(con, model=model, values="show", max_calls=1, **settings)
    return con, model


def lines(con: Any, model: Told, asked: list[str]) -> list[str]:
    """The lines with a secret of all that comes out of some statements, what a model is sent among it."""
    model.prompts.clear()
    found: list[Any] = []
    for sql in asked:
        try:
            found += rows(con, sql)
        except ERRORS as error:
            found.append(error)
    text = "\n".join([*map(str, found), *model.prompts])
    return [line for line in text.splitlines() if "CANARY" in line]


@pytest.mark.parametrize("kept", ["connection", "database"])
def test_what_was_seen_before_does_not_come_out(database: Database, kept: str) -> None:
    con, model = people(database, remember=kept, log=kept)
    rows(con, "SELECT ask_index()")
    rows(con, "SELECT ask_pin('pinned', 'SELECT name, secret FROM people')")
    assert lines(con, model, FIRST)
    assert lines(con, model, ["SELECT * FROM ask_trace('count the people')"])
    rows(con, "SELECT ask_set('hide_columns', 'people.secret')")
    assert lines(con, model, ASKED) == []
    assert {question for (question,) in rows(con, "SELECT question FROM ask_log()")} >= {"?", "count the people"}
    with pytest.raises(ERRORS, match="stale"):
        rows(con, "SELECT * FROM ask('pinned')")
    again = database.raw(database.path)
    askwhere.register(
        again, model=model, values="show", max_calls=1, remember=kept, log=kept, hide_columns="people.secret"
    )
    assert lines(again, model, ASKED) == []


@pytest.mark.parametrize("kept", ["connection", "database"])
def test_the_log_does_not_show_an_earlier_question_whose_query_names_a_hidden_column(
    database: Database, kept: str
) -> None:
    con, _ = people(database, log=kept)
    for first in (f"who has {CANARY}", "count the people"):
        rows(con, f"SELECT ask_sql('{first}')")
        askwhere.ask(con, "list people", follows=first)
    assert CANARY in str(rows(con, "SELECT follows FROM ask_log()"))
    rows(con, "SELECT ask_set('hide_columns', 'people.secret')")
    found = rows(con, "SELECT question, follows FROM ask_log()")
    assert [follows for question, follows in found if question == "list people"] == ['["?"]', '["count the people"]']
    assert ("?", None) in found
