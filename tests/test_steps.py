"""What the steps of a trace record, over both engines."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.models import Scripted
from askwhere.pipeline.facts import Step
from askwhere.session import Question
from support import Database, Make

RIGHT = "SELECT name FROM customers ORDER BY id"
WRONG = "SELECT salary FROM customers"


def steps(connection: Any, question: str) -> tuple[Step, ...]:
    return connections.session(connection).trace(Question(question))


@pytest.mark.any_engine
def test_a_run_records_its_query_and_the_one_that_it_corrects(scripted: Make) -> None:
    connection, _ = scripted(WRONG, "why", RIGHT, method="sea")
    askwhere.ask(connection, "flurb")
    runs = [s for s in steps(connection, "flurb") if s.step == "run"]
    assert [(s.before, s.sql) for s in runs] == [("", WRONG), (WRONG, RIGHT)]
    assert all(s.ms > 0 for s in runs)


@pytest.mark.any_engine
def test_what_the_eliminator_replaces_is_recorded_and_what_it_keeps_is_not(database: Database) -> None:
    eliminator = Scripted([RIGHT, f"{RIGHT};"])
    sql = "SELECT country FROM customers"
    connection = database.shop(model=Scripted([sql, RIGHT]), eliminator=eliminator, method="sea")
    for question in ("flurb", "flurb again"):
        askwhere.ask(connection, question)
    assert [s.before for s in steps(connection, "flurb") if s.sql] == ["", sql]
    assert [s.before for s in steps(connection, "flurb again") if s.sql] == [""]


def test_the_reader_is_a_step_whether_it_reads_or_refuses(database: Database) -> None:
    connection = database.shop()
    askwhere.ask(connection, "How many customers are there?")
    first = steps(connection, "How many customers are there?")[0]
    assert (first.step, first.detail) == ("read", "1 reading")
    assert first.ms > 0
    with pytest.raises(askwhere.Unread):
        askwhere.ask(connection, "zorb the flux")
    (only,) = steps(connection, "zorb the flux")
    assert only.step == "read"
    assert "zorb" in only.detail


NUMBER = 471_147
FAILING = {"sqlite": "SELECT json_extract(note, '$') FROM notes", "duckdb": "SELECT CAST(n AS TINYINT) FROM notes"}


@pytest.mark.slow
@pytest.mark.parametrize("values", ["show", "matched", "hide"])
def test_a_value_in_the_error_of_a_run_is_kept_from_a_model_that_may_not_see_it(
    database: Database, values: str
) -> None:
    """DuckDB names the number that it could not cast, outside quotes."""
    model = Scripted([FAILING[database.kind], "why", "SELECT n FROM notes"])
    connection = database.shop(model=model, values=values, method="sea")
    connection.execute("CREATE TABLE notes (n INTEGER, note TEXT)")
    connection.execute(f"INSERT INTO notes VALUES ({NUMBER}, 'no json')")
    assert askwhere.ask(connection, "flurb").rows == ((NUMBER,),)
    first = next(s for s in steps(connection, "flurb") if s.step == "run")
    told, recorded = str(model.prompts[1:]), str(first.detail)
    assert "failed: " in recorded
    if values != "show":
        assert str(NUMBER) not in told
    elif database.kind == "duckdb":
        assert str(NUMBER) in told
    if values == "hide":
        assert str(NUMBER) not in recorded
        assert "it failed while it ran (" in recorded
