"""Where readings are close: what the error says, what `ask_candidates` shows, and that `choose` settles it here."""

from __future__ import annotations

import json
from typing import Any

import askwhere
import pytest
from askwhere.errors import ModelError
from askwhere.models import Completions
from support import PER_COUNTRY, Database, Make, error, rows

QUESTION = "how many customers are there?"
COUNTED = [(3,)]
GROUPED = [("Canada", 2), ("Norway", 1)]


class Stubborn:
    """Says one thing to every question, as often as the reader's query weighs, and cannot be asked more."""

    name, remote = "stubborn", False

    def complete(self, prompt: str, n: int = 1, temperature: float = 0.0, **_: Any) -> Completions:
        if temperature and n > 2:
            raise ModelError("the model says things four times")
        return Completions((PER_COUNTRY,) * n)


@pytest.fixture
def close(database: Database) -> Any:
    """A connection on which the model and the reader understand `QUESTION` differently."""
    return database.shop(model=Stubborn())


@pytest.mark.any_engine
def test_the_error_lists_the_readings_by_their_ranks(close: Any) -> None:
    text = error(close, "SELECT * FROM ask(?)", (QUESTION,))
    assert "the question can be read in 2 ways; say which with choose (a rank from ask_candidates), or ask" in text
    assert f"  1: SELECT COUNT(*) AS count FROM customers\n  2: {PER_COUNTRY}" in text


def test_the_candidates_show_each_reading_with_the_rows_that_it_gives(close: Any) -> None:
    found = rows(close, "SELECT rank, chosen, n_rows, preview, error FROM ask_candidates(?)", (QUESTION,))
    shown = [(rank, bool(chosen), n, json.loads(preview), wrong) for rank, chosen, n, preview, wrong in found]
    assert shown == [(1, False, 1, [[3]], None), (2, False, 2, [["Canada", 2], ["Norway", 1]], None)]


@pytest.mark.any_engine
def test_a_choice_settles_the_question_for_this_connection(close: Any) -> None:
    assert "2 ways" in error(close, "SELECT * FROM ask(?)", (QUESTION,))
    assert rows(close, f"SELECT * FROM ask('{QUESTION}', choose := 1)") == COUNTED
    assert rows(close, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED
    assert rows(close, "SELECT CAST(ask_value(?) AS INTEGER)", (QUESTION,)) == COUNTED
    assert askwhere.ask(close, QUESTION).rows == ((3,),)
    chosen = rows(close, "SELECT rank FROM ask_candidates(?) WHERE chosen", (QUESTION,))
    assert chosen == [(1,)]


@pytest.mark.any_engine
def test_what_is_chosen_last_counts(close: Any) -> None:
    for rank, expected in ((1, COUNTED), (2, GROUPED)):
        rows(close, f"SELECT * FROM ask('{QUESTION}', choose := {rank})")
        assert rows(close, "SELECT * FROM ask(?)", (QUESTION,)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("function", ["ask_sql", "ask_value"])
def test_each_function_that_takes_a_rank_settles_it(close: Any, function: str) -> None:
    rows(close, f"SELECT {function}('{QUESTION}', NULL, NULL, NULL, 1)")
    assert rows(close, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED


@pytest.mark.any_engine
def test_a_choice_in_python_settles_it(close: Any) -> None:
    askwhere.ask(close, QUESTION, choose=1)
    assert rows(close, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED


def test_sqlites_hidden_column_settles_it(database: Database) -> None:
    if database.kind == "duckdb":
        pytest.skip("a spelling of SQLite's: its table-valued functions have hidden columns")
    con = database.shop(model=Stubborn())
    assert rows(con, "SELECT * FROM ask(?) WHERE ask_choose = 1", (QUESTION,)) == COUNTED
    assert rows(con, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED


def test_another_connection_is_asked_back_all_the_same(database: Database) -> None:
    con = database.shop(database.path, model=Stubborn())
    rows(con, f"SELECT * FROM ask('{QUESTION}', choose := 1)")
    other = con.cursor() if database.kind == "duckdb" else database.raw(database.path)
    askwhere.register(other, model=Stubborn())
    assert "2 ways" in error(other, "SELECT * FROM ask(?)", (QUESTION,))
    assert rows(con, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED


@pytest.mark.any_engine
def test_a_choice_is_for_its_question_and_hint_alone(close: Any) -> None:
    rows(close, f"SELECT * FROM ask('{QUESTION}', choose := 1)")
    assert "2 ways" in error(close, f"SELECT * FROM ask('{QUESTION}', hint := 'by country')")
    assert "2 ways" in error(close, "SELECT * FROM ask('How many customers are there')")


@pytest.mark.any_engine
def test_a_rank_that_cannot_answer_settles_nothing(close: Any) -> None:
    assert "choose: there are 2 candidates, and no rank 3" in error(
        close, f"SELECT * FROM ask('{QUESTION}', choose := 3)"
    )
    assert "2 ways" in error(close, "SELECT * FROM ask(?)", (QUESTION,))


def test_a_choice_outlives_a_change_of_the_schema_while_the_query_runs(close: Any) -> None:
    rows(close, f"SELECT * FROM ask('{QUESTION}', choose := 1)")
    close.execute("CREATE TABLE others (id INTEGER)")
    assert rows(close, "SELECT * FROM ask(?)", (QUESTION,)) == COUNTED
    outcomes = rows(close, "SELECT outcome, sql FROM ask_log()")
    assert [outcome for outcome, _ in outcomes] == ["answered", "answered"]
    assert all("COUNT(*)" in sql for _, sql in outcomes)


@pytest.mark.any_engine
def test_what_was_chosen_can_be_pinned(close: Any) -> None:
    rows(close, f"SELECT * FROM ask('{QUESTION}', choose := 1)")
    assert rows(close, "SELECT ask_pin(?)", (QUESTION,)) == [(f"pinned '{QUESTION}'",)]
    ((sql, model),) = rows(close, "SELECT sql, model FROM ask_pins()")
    assert ("COUNT(*)" in sql, model) == (True, "reader")


@pytest.mark.any_engine
def test_an_answer_below_min_confidence_is_refused_with_its_sql(scripted: Make) -> None:
    two_of_three = {"method": "mcs", "mcs": "prompts=1, samples=3", "leave_out": "linking, choice"}
    con, _ = scripted(PER_COUNTRY, "SELECT 1 AS n", PER_COUNTRY, min_confidence=0.9, **two_of_three)
    with pytest.raises(askwhere.AskError) as caught:
        askwhere.ask(con, "flurb")
    said = f"the best answer has confidence 0.50, below the setting min_confidence 0.9: {PER_COUNTRY}"
    assert str(caught.value) == said
    assert said in error(con, "SELECT * FROM ask('flurb')")
    assert rows(con, "SELECT round(confidence, 2), outcome FROM ask_log()") == [(0.5, f"AskError: {said}")]
    assert not rows(con, "SELECT rank FROM ask_candidates('flurb') WHERE chosen")
    assert rows(con, "SELECT * FROM ask('flurb', choose := 1)") == GROUPED
    assert rows(con, "SELECT * FROM ask('flurb')") == GROUPED
