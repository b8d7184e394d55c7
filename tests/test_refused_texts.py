"""Errors say what is wrong in the words of SQL, not of our parser or of another mistake."""

from __future__ import annotations

from dataclasses import replace

import askwhere
import pytest
from askwhere.errors import QueryError, Unread
from askwhere.models import Scripted
from askwhere.pipeline import select
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.readings import REFINES
from askwhere.reader.refuse import MODEL
from support import Database


def error(database: Database, call: str) -> str:
    with pytest.raises(Exception, match=r"\w") as caught:
        database.shop().execute(call).fetchall()
    return str(caught.value)


@pytest.mark.parametrize("parameter", ["?", "$1"])
def test_a_pin_with_a_parameter_of_the_engine_is_refused_as_that(database: Database, parameter: str) -> None:
    said = error(database, f"SELECT ask_pin('of one', 'SELECT name FROM customers WHERE id = {parameter}')")
    assert "a generated query may not have parameters" in said


@pytest.mark.any_engine
def test_what_is_missing_is_said_without_the_parsers_classes(database: Database) -> None:
    said = error(database, "SELECT ask_fix('SELECT name FROM customers LIMIT 5 OFFSET')")
    assert "the query cannot be read: something is missing at “OFFSET” (line 1, column 41)" in said
    assert "sqlglot" not in said


def test_a_query_that_sqlglot_reads_but_cannot_write_is_refused_like_any_other(database: Database) -> None:
    shop = database.shop(model=Scripted(["SELECT * FROM customers MATCH_RECOGNIZE (PATTERN (a))"] * 9))
    with pytest.raises(askwhere.AskError, match="no usable query was found"):
        askwhere.ask(shop, "zz")


@pytest.mark.any_engine
def test_the_log_says_why_a_question_was_refused_and_not_what_to_do(database: Database) -> None:
    shop = database.shop()
    with pytest.raises(Exception, match="Without “waterproof”"):
        shop.execute("SELECT * FROM ask('how many waterproof customers are there')").fetchall()
    (outcome,) = shop.execute("SELECT outcome FROM ask_log()").fetchall()[-1]
    assert outcome == "Unread: The built-in reader could not place “waterproof” in this database."


@pytest.mark.any_engine
def test_a_reading_that_is_too_uncertain_is_shown_also_where_it_may_refine_another(database: Database) -> None:
    agency = database.made(
        "CREATE TABLE property (propertyId INTEGER PRIMARY KEY, town VARCHAR);"
        "CREATE TABLE listing (listingId INTEGER PRIMARY KEY, propertyId INTEGER, askingPrice INTEGER);"
        "CREATE TABLE viewing (viewingId INTEGER PRIMARY KEY, listingId INTEGER, score INTEGER);"
        "INSERT INTO property VALUES (1, 'Lynton'); INSERT INTO listing VALUES (1, 1, 5);"
    )
    askwhere.register(agency)
    with pytest.raises(Unread) as caught:
        askwhere.ask(agency, "and which property has the most viewings")
    uncertain, shown, refines, model = str(caught.value).splitlines()
    assert "too uncertain of its reading to run it" in uncertain
    assert shown.startswith("If it is what you mean, run it yourself: SELECT property.propertyId FROM property")
    assert (refines, model) == (REFINES, MODEL)


def test_a_reading_that_fails_says_why_and_what_else_may_read_it() -> None:
    failed = QueryError("Conversion Error: no cast\n\nLINE 1: SELECT checked\n               ^")
    candidate = Candidate("SELECT 1", "reader", 1.0, 0.9, error=failed)
    with pytest.raises(QueryError) as caught:
        select.choose((candidate,), None, 0.0)
    said = str(caught.value)
    assert said.startswith("no usable query was found. The last one failed: Conversion Error: no cast\nSQL: SELECT 1\n")
    assert said.endswith(MODEL)
    with pytest.raises(QueryError) as caught:
        select.choose((replace(candidate, origin="plain"),), None, 0.0)
    assert str(caught.value).endswith("\nSQL: SELECT 1")


@pytest.mark.any_engine
def test_what_a_terminal_would_obey_in_a_reply_is_shown(database: Database) -> None:
    shop = database.shop(model=Scripted(["SELECT name /*\x1b]0;x\x07*/ FROM nowhere"] * 9), method="sea")
    with pytest.raises(askwhere.AskError) as caught:
        askwhere.ask(shop, "zz")
    assert "\x1b" not in str(caught.value)
    assert "⟨U+001B⟩" in str(caught.value)
