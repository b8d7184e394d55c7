"""Values stay out of prompts and of the log wherever a user wrote them before: in pins, and in errors of theirs."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.indexer import forms
from askwhere.models import Scripted
from askwhere.sql.lexer import literal_texts
from support import Database

NAMES = ("Zorblatt", "Quuxington", "O'Grimble", "Wibbleford Smyth", "Ärmel")
PINS = [
    ("how old is Zorblatt", "SELECT age FROM people WHERE name = 'Zorblatt'"),
    ("people like Quuxington", "SELECT id FROM people WHERE name LIKE '%Quuxington%'"),
    ("is O'Grimble there", "SELECT id FROM people WHERE name = 'O''Grimble'"),
    ("about Wibbleford Smyth", "SELECT age FROM people WHERE id = 3"),
    ("a column called so", 'SELECT age AS "Zorblatt\'s", id AS Quuxington FROM people'),
    ("without accents: armel", "SELECT 1 AS armel"),
]


def people(database: Database, **settings: Any) -> tuple[Any, Scripted]:
    con = database.raw()
    con.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)")
    for number, name in enumerate(NAMES):
        con.execute("INSERT INTO people VALUES (?, ?, ?)", (number, name, 30 + number))
    model = Scripted(["SELECT count(*) AS n FROM people"] * 400)
    askwhere.register(con, model=model, **settings)
    return con, model


def told(texts: Any) -> list[str]:
    """The names that stand in the texts."""
    folded = " ".join(map(str, texts)).lower()
    return [n for n in (*NAMES, "armel", "Grimble", "Wibbleford") if n.lower() in folded]


@pytest.mark.slow
@pytest.mark.parametrize("values", ["hide", "matched"])
@pytest.mark.parametrize("method", ["dac", "mcs"])
def test_pins_are_shown_without_values(database: Database, method: str, values: str) -> None:
    con, model = people(database, method=method, values=values)
    for pin in PINS:
        con.execute("SELECT ask_pin(?, ?)", pin).fetchall()
    con.execute("SELECT * FROM ask('how many are there')").fetchall()
    assert any("Question: people like ?" in prompt for prompt in model.prompts)
    assert told(model.prompts) == []


@pytest.mark.parametrize("values", ["hide", "matched"])
def test_an_error_of_the_users_is_shown_without_values(database: Database, values: str) -> None:
    con, model = people(database, values=values)
    error = "Conversion Error: Could not convert string 'O'Grimble' to INT32; see Zorblatt in people.name"
    con.execute("SELECT ask_fix('SELECT height FROM people', ?)", (error,)).fetchall()
    assert any("Could not convert string '…' to INT32; see ? in people.name" in prompt for prompt in model.prompts)
    assert told(model.prompts) == []


def test_the_log_has_no_value_whatever_its_accents(database: Database) -> None:
    con, _ = people(database, values="hide")
    con.execute("SELECT * FROM ask('how old is armel, or Wibbleford SMYTH')").fetchall()
    assert con.execute("SELECT question FROM ask_log()").fetchall() == [("how old is ?, or ?",)]


@pytest.mark.parametrize(
    ("sql", "texts"),
    [
        ("SELECT 'a''b', '%c%', x'00'", {"a'b", "c", "00"}),
        ("SELECT $$d$$, $t$e'$t$", {"d", "e'"}),
        (r"SELECT E'f\'g'", {"f'g", r"f\'g"}),
    ],
)
def test_a_literals_text_is_found_however_it_is_quoted(sql: str, texts: set[str]) -> None:
    assert texts <= literal_texts(sql, "duckdb")


def test_a_value_is_held_by_whole_words() -> None:
    assert forms.contains_value("sales of Guns N' Roses", ["guns n roses"])
    assert not forms.contains_value("sales of Gunston", ["guns"])
