"""Questions that refine earlier ones: the argument `follows`, over both engines."""

from __future__ import annotations

import io
import json
from typing import Any

import askwhere
import pytest
from askwhere import ArgumentError, AskError
from askwhere.bindings import connections
from askwhere.bindings.cli import asking
from askwhere.session import Question
from support import PER_COUNTRY, Database, Make, error, rows

pytestmark = pytest.mark.any_engine

FIRST, THEN = "customers by land, flurb", "zorb only those of Canada"
CANADA = "SELECT country, count(*) AS n FROM customers WHERE country = 'Canada' GROUP BY country"


def test_a_model_is_shown_the_earlier_question_with_its_query(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY, CANADA)
    assert rows(connection, f"SELECT * FROM ask('{THEN}', follows := '{FIRST}')") == [("Canada", 2)]
    first, second = model.prompts
    assert "Earlier question" not in first
    assert f"### Earlier question: {FIRST}\n{PER_COUNTRY}\n" in second
    assert second.index(FIRST) < second.index(THEN)


def test_earlier_questions_are_not_asked_again(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY, CANADA, "SELECT 1 AS one")
    askwhere.ask(connection, FIRST)
    askwhere.ask(connection, THEN, follows=FIRST)
    askwhere.ask(connection, THEN, follows=[FIRST])
    askwhere.ask(connection, "zorb and the sum", follows=[FIRST, THEN])
    assert len(model.prompts) == 3
    assert model.prompts[2].count("### Earlier question: ") == 2


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT ask_sql('{THEN}', follows := '{FIRST}')", CANADA),
        (f"SELECT ask_value('{THEN}', follows := '[\"{FIRST}\"]')", "Canada"),
        (f"SELECT sql FROM ask_candidates('{THEN}', follows := '{FIRST}')", CANADA),
    ],
)
def test_functions_that_take_a_question_take_what_it_follows(scripted: Make, sql: str, expected: str) -> None:
    connection, _ = scripted(PER_COUNTRY, CANADA)
    assert rows(connection, sql) == [(expected,)]


def test_the_same_words_after_another_question_are_another_question(scripted: Make) -> None:
    connection, _ = scripted("SELECT 1 AS n", PER_COUNTRY, CANADA)
    assert askwhere.ask(connection, THEN).rows == ((1,),)
    assert askwhere.ask(connection, THEN, follows=FIRST).rows == (("Canada", 2),)
    assert askwhere.ask(connection, THEN).rows == ((1,),)


def test_a_whole_question_after_another_is_refused_with_what_helps(database: Database) -> None:
    connection = database.shop()
    with pytest.raises(AskError, match=r"Without “waterproof”: .*how many customers are there") as alone:
        askwhere.ask(connection, "how many waterproof customers are there")
    with pytest.raises(AskError) as after:
        askwhere.ask(connection, "how many waterproof customers are there", follows="customers per country")
    assert str(after.value) == str(alone.value)


def test_a_schema_shows_the_values_of_earlier_questions(database: Database) -> None:
    connection = database.shop()
    ((alone, following),) = rows(connection, "SELECT ask_schema('all'), ask_schema('all', 'customers of Norway')")
    assert alone != following
    assert "Norway" in following


def test_a_prompt_shows_what_a_question_follows(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY)
    askwhere.ask(connection, FIRST)
    ((prompt,),) = rows(connection, f"SELECT ask_prompt('{THEN}', '{FIRST}')")
    assert f"### Earlier question: {FIRST}\n{PER_COUNTRY}" in prompt
    assert len(model.prompts) == 1


def test_a_prompt_of_what_follows_an_unanswered_question_calls_no_model(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY)
    with pytest.raises(Exception, match=f"the earlier question '{FIRST}' has no answer, so none can follow it"):
        rows(connection, f"SELECT ask_prompt('{THEN}', '{FIRST}')")
    assert model.prompts == []


def test_with_hidden_values_a_prompt_shows_earlier_queries_without_theirs(scripted: Make) -> None:
    connection, model = scripted(CANADA, PER_COUNTRY, values="hide")
    askwhere.ask(connection, "zorb of all of them", follows="flurb in the north")
    assert "WHERE country = ? GROUP BY country" in model.prompts[1]
    assert "Canada" not in model.prompts[1]


def test_a_pin_is_of_a_whole_chain(database: Database) -> None:
    connection = database.shop()
    done = rows(connection, f"SELECT ask_pin('{THEN}', '{CANADA.replace(chr(39), chr(39) * 2)}', follows := '{FIRST}')")
    assert done == [(f"pinned '{THEN}', which follows '{FIRST}'",)]
    follows = json.dumps([FIRST])
    assert rows(connection, f"SELECT * FROM ask('{THEN.upper()}?', follows := '{FIRST}')") == [("Canada", 2)]
    assert rows(connection, "SELECT question, follows FROM ask_pins()") == [(THEN, follows)]
    for other in ("", ", follows := 'customers'", f', follows := \'["{FIRST}", "{FIRST}"]\''):
        error(connection, f"SELECT * FROM ask('{THEN}'{other})")
    expected = f"there is no pin for '{THEN}'; ask_pins"
    assert expected in error(connection, f"SELECT ask_unpin('{THEN}')")
    assert rows(connection, f"SELECT ask_unpin('{THEN}', '{FIRST}')") == [(f"unpinned '{THEN}'",)]
    assert rows(connection, "SELECT * FROM ask_pins()") == []


def test_pins_of_chains_are_exported_and_read_again(database: Database) -> None:
    from askwhere.indexer.pins import from_json, to_json

    connection = database.shop()
    session, engine = connections.session(connection), connections.engine(connection)
    session.pin(engine, Question("only {n}", follows=(FIRST,)), "SELECT name FROM customers WHERE id = {n}")
    ((pin, _),) = session.pins(engine)
    session.unpin(engine, Question("only {n}", follows=(FIRST,)))
    session.pin_all(engine, [from_json(to_json(pin), "line 1")])
    assert session.pins(engine) == [(pin, "")]
    assert askwhere.ask(connection, "only 1", follows=FIRST).rows == (("Ann",),)
    with pytest.raises(ArgumentError, match=r"line 1: expected a list of earlier questions in follows, found 'x'"):
        from_json('{"question": "q", "sql": "SELECT 1", "follows": "x"}', "line 1")


def test_log_and_trace_keep_the_chain(scripted: Make) -> None:
    connection, _ = scripted(PER_COUNTRY, CANADA)
    rows(connection, f"SELECT * FROM ask('{THEN}', follows := '{FIRST}')")
    assert rows(connection, "SELECT question, follows, outcome FROM ask_log()") == [
        (FIRST, None, "answered"),
        (THEN, json.dumps([FIRST]), "answered"),
    ]
    trace = f"SELECT detail FROM ask_trace('{THEN}', '{FIRST}') WHERE step = 'follow'"
    assert rows(connection, trace) == [(f"{FIRST!r} was answered by {PER_COUNTRY}",)]
    assert rows(connection, f"SELECT * FROM ask_trace('{THEN}')") == []


def test_remembered_answers_are_of_a_whole_chain(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY, CANADA, "SELECT 1 AS n", remember="database")
    askwhere.ask(connection, THEN, follows=FIRST)
    connections.session(connection).uncalibrate(connections.engine(connection))  # forgets what this connection found
    assert askwhere.ask(connection, THEN, follows=FIRST).rows == (("Canada", 2),)
    assert len(model.prompts) == 2
    assert askwhere.ask(connection, THEN).rows == ((1,),)


@pytest.mark.parametrize(
    ("follows", "expected"),
    [
        ("[1]", "follows: expected an earlier question, or a JSON array of earlier questions, oldest first, found"),
        ('["a", ""]', "follows: expected an earlier question, or a JSON array of earlier questions"),
        ('["a"', "oldest first, found '[\"a\"' (Expecting ',' delimiter"),
        ("[" * 100_000, "oldest first, found '[[[["),
        (json.dumps(["a"] * 21), "a question may follow 20 earlier ones, found 21: ask one that needs fewer of them"),
        ("a" * 10_001, "the earlier question has 10,001 characters; it may have 10,000"),
    ],
)
def test_what_is_no_chain_of_questions_is_an_error(scripted: Make, follows: str, expected: str) -> None:
    connection, model = scripted(PER_COUNTRY)
    literal = follows.replace("'", "''")
    assert expected in error(connection, f"SELECT * FROM ask('q', follows := '{literal}')")
    assert model.prompts == []


def test_an_earlier_question_without_an_answer_is_an_error(database: Database) -> None:
    connection = database.shop()
    expected = "the earlier question 'flurbs by zorb' has no answer, so none can follow it: The built-in reader could"
    assert expected in error(connection, "SELECT * FROM ask('only those in Canada', follows := 'flurbs by zorb')")
    with pytest.raises(AskError, match="the earlier question 'flurbs by zorb' has no answer"):
        askwhere.ask(connection, "only those in Canada", follows="flurbs by zorb")


def test_follows_of_python_is_a_text_or_a_sequence_of_texts(scripted: Make) -> None:
    connection, _ = scripted(PER_COUNTRY)
    wrong: Any = 7
    with pytest.raises(ArgumentError, match="follows: expected an earlier question, or a JSON array"):
        askwhere.ask(connection, "q", follows=wrong)


def test_an_answer_asks_what_follows_it(database: Database) -> None:
    answer = askwhere.ask(database.shop(), "customers per country")
    only = answer.ask("only those in Canada")
    assert only.rows == (("Canada", 2),)
    assert only.ask("what about Norway?").rows == (("Norway", 1),)
    assert answer.ask("how many orders are there").candidates[0].notes[-1].startswith("read as a question of its own")


def test_a_prompt_takes_follow_ups(database: Database) -> None:
    connection, out = database.shop(), io.StringIO()
    for line in ("customers per country", "only those in Canada", "and Norway?", "how many orders are there"):
        asking.answer(connection, line, out, lambda columns, found: None)
    shown = out.getvalue()
    assert "After “customers per country”:\n" in shown
    assert "After “only those in Canada”:\n" in shown
    assert shown.count("After ") == 2
    log = rows(connection, "SELECT question, follows FROM ask_log()")
    assert log[-2:] == [
        ("and Norway?", json.dumps(["customers per country", "only those in Canada"])),
        ("how many orders are there", None),
    ]


def test_half_of_a_character_is_refused(scripted: Make) -> None:
    connection, model = scripted(PER_COUNTRY)
    chain = json.dumps(["customers \ud800"])
    for asked in ("ask_sql('customers', ", "ask_pin('customers', 'SELECT 1 AS n', "):
        found = str(error(connection, f"SELECT {asked}follows := '{chain}')"))
        assert "the earlier question has half of a character, '\\ud800': write it in UTF-8" in found
    with pytest.raises(ArgumentError, match="the question has half of a character"):
        askwhere.ask(connection, "customers \ud800")
    assert model.prompts == []
