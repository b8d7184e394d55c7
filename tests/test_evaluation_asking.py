"""Asking one question of an open database for an evaluation: what comes of it, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.opening import open_database
from askwhere.errors import AskError, DatabaseError
from askwhere.evaluation import ask
from askwhere.evaluation.databases import Database
from askwhere.evaluation.sets import Item
from askwhere.models import Scripted
from askwhere.session import Question
from support import SHOP
from support import Database as Shop

GOLD = "SELECT count(*) FROM customers WHERE country = 'Canada'"
CANADA = Item("1", "shop", "How many customers are in Canada?", GOLD)
Open = Callable[..., Database]


@pytest.fixture
def opened(database: Shop) -> Iterator[Open]:
    """Opens the shop's file as an evaluation does."""
    database.raw(database.path).execute(SHOP)
    database.close()
    kept: list[Database] = []

    def make(**settings: Any) -> Database:
        kept.append(open_database(database.path, database.kind, {"method": "sea", **settings}))
        return kept[-1]

    yield make
    for one in kept:
        one.close()


@pytest.mark.any_engine
def test_an_answer_has_its_query_and_what_the_model_was_shown(opened: Open) -> None:
    reply = ask.ask(opened(model=Scripted([GOLD])), CANADA, "hint")
    assert (reply.outcome, reply.predicted, reply.error, reply.candidates) == ("answered", GOLD, "", 1)
    assert (reply.calls, reply.requests, reply.confidence, reply.lasting) == (1, 1, 0.5, True)
    assert reply.prompt_tokens > reply.completion_tokens > 0
    assert [(table.name, [c.name for c in table.columns]) for table in reply.shown()] == [
        ("customers", ["id", "name", "country"]),
        ("orders", ["id", "customer_id", "amount"]),
    ]
    assert ("customers", "country", "Canada") in reply.values


def test_the_reader_answers_and_refuses(opened: Open) -> None:
    database = opened(method="", model="reader")
    answered = ask.ask(database, CANADA, "hint")
    assert (answered.outcome, answered.calls, answered.cost) == ("answered", 0, None)
    assert answered.tables  # what a prompt would have shown
    refused = ask.ask(database, Item("2", "shop", "How many blorps are there?", GOLD), "hint")
    assert (refused.outcome, refused.predicted, refused.lasting) == ("refused", None, True)
    assert "blorps" in refused.error


@pytest.mark.any_engine
def test_a_model_that_fails_is_asked_again_another_time(opened: Open) -> None:
    reply = ask.ask(opened(model=Scripted([])), CANADA, "hint")
    assert (reply.outcome, reply.predicted, reply.lasting) == ("failed", None, False)
    assert reply.error.startswith("ModelError: the script has 0 replies left")


def test_a_query_that_cannot_run_is_a_failure_with_its_cost(opened: Open) -> None:
    reply = ask.ask(opened(model=Scripted(["SELECT abs(name, 2) FROM customers"] * 20)), CANADA, "hint")
    assert (reply.outcome, reply.predicted, reply.lasting) == ("failed", None, True)
    assert reply.calls > 1
    assert reply.prompt_tokens > 0


@pytest.mark.any_engine
def test_an_answer_that_is_not_sure_enough_is_refused(opened: Open) -> None:
    reply = ask.ask(opened(method="", model="reader", min_confidence=0.99), CANADA, "hint")
    assert reply.outcome == "refused"
    assert "below the setting min_confidence" in reply.error


@pytest.mark.any_engine
def test_pins_are_neither_answers_nor_examples(database: Shop) -> None:
    con = database.raw(database.path)
    con.execute(SHOP)
    askwhere.register(con)
    con.execute("SELECT ask_pin(?, 'SELECT 7 AS seven')", (CANADA.question,)).fetchall()
    con.close()
    model = Scripted([GOLD])
    opened = open_database(database.path, database.kind, {"model": model, "method": "dac", "leave_out": "entities"})
    with closing(opened):
        ask.ask(opened, CANADA, "hint")
    assert model.prompts
    assert not any("seven" in prompt for prompt in model.prompts)


def test_the_database_cannot_be_written(opened: Open) -> None:
    database = opened(model=Scripted([GOLD]))
    assert database.engine.read_only
    with pytest.raises(AskError):
        database.session.pin(database.engine, Question("how many orders"), "DELETE FROM orders RETURNING id")


def test_a_sqlite_file_is_copied_into_duckdb(tmp_path: Path) -> None:
    sqlite = Shop("sqlite", tmp_path)
    sqlite.raw(sqlite.path).execute(
        SHOP + "CREATE TABLE mixed (a INTEGER, b TEXT, c REAL, d, empty INT, bytes);"
        "INSERT INTO mixed VALUES (1, 'x', 1, 1, NULL, x'00'), ('one', 2, 2.5, 2.5, NULL, NULL);"
    )
    sqlite.close()
    with closing(open_database(sqlite.path, "duckdb", {})) as copied:
        types = {c.name: c.type for t in copied.engine.tables() if t.name == "mixed" for c in t.columns}
        assert types == {
            "a": "VARCHAR",
            "b": "VARCHAR",
            "c": "DOUBLE",
            "d": "DOUBLE",
            "empty": "BIGINT",
            "bytes": "BLOB",
        }
        orders = next(t for t in copied.engine.tables() if t.name == "orders")
        assert orders.primary_key == ("id",)
        assert [key.columns for key in orders.foreign_keys] == [("customer_id",)]
        assert copied.engine.read("SELECT count(*), sum(amount) FROM orders") == [(4, 36.5)]


def test_a_duckdb_file_is_not_for_sqlite(tmp_path: Path) -> None:
    duckdb = Shop("duckdb", tmp_path)
    duckdb.raw(duckdb.path).execute(SHOP)
    duckdb.close()
    with pytest.raises(DatabaseError, match="is a DuckDB database; ask it with --engine duckdb"):
        open_database(duckdb.path, "sqlite", {})


def test_evidence_is_a_hint_a_part_of_the_question_or_left_out() -> None:
    item = Item("1", "shop", "How many are open?", GOLD, evidence="open means status = 1")
    assert ask.question(item, "hint") == (item.question, "open means status = 1")
    assert ask.question(item, "none") == (item.question, None)
    assert ask.question(item, "question") == ('How many are open, where " open means status = 1 ".', None)


def test_warnings_are_heard() -> None:
    import logging

    with ask.listening() as told:
        logging.getLogger("askwhere").warning("not all was read")
    assert told == ["not all was read"]
