"""A query is run no more often than its rows need: those of a trial that read all of them are not read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import askwhere
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.errors import TooMuch
from askwhere.models import Scripted
from askwhere.pipeline import select
from askwhere.session import finding
from support import Database, Make, rows

NAMES = "SELECT name FROM customers ORDER BY name"
MANY = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) SELECT x FROM n, (SELECT 1) AS one"
)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The generated queries that an engine ran."""
    ran: list[str] = []
    for engine in (SQLiteEngine, DuckDBEngine):
        monkeypatch.setattr(engine, "run", _noting(engine.run, ran))
    return ran


def _noting(run: Callable[..., Any], ran: list[str]) -> Callable[..., Any]:
    def noted(engine: Any, checked: Any, *limits: Any) -> Any:
        ran.append(checked.sql)
        return run(engine, checked, *limits)

    return noted


def test_python_gets_the_rows_of_a_trial_that_read_all(asking: Make, runs: list[str]) -> None:
    connection, _ = asking(NAMES)
    assert len(askwhere.ask(connection, "q").rows) == 3
    assert len(runs) == 1


def test_rows_are_read_again_when_a_question_is_repeated(database: Database, runs: list[str]) -> None:
    connection = database.shop(model=Scripted([NAMES]), method="sea")
    askwhere.ask(connection, "q")
    connection.execute("INSERT INTO customers VALUES (9, 'Zed', 'Chad')")
    assert ("Zed",) in askwhere.ask(connection, "q").rows
    assert len(runs) == 2


def test_a_trial_that_was_cut_is_not_the_answer(asking: Make, runs: list[str]) -> None:
    connection, _ = asking(MANY)
    assert len(askwhere.ask(connection, "q").rows) == 2_000
    assert len(runs) == 2


def test_long_values_are_delivered_whole(asking: Make) -> None:
    connection, _ = asking(f"SELECT '{'x' * 5_000}' AS long FROM customers")
    assert {len(value) for (value,) in askwhere.ask(connection, "q").rows} == {5_000}


def test_the_rows_of_a_trial_count_against_max_rows(database: Database) -> None:
    connection = database.shop(model=Scripted([NAMES]), method="sea", max_rows=2)
    with pytest.raises(TooMuch, match="more than max_rows = 2 rows"):
        _ = askwhere.ask(connection, "q").rows


def test_the_first_value_is_that_of_the_trial(asking: Make, runs: list[str]) -> None:
    connection, _ = asking(NAMES, MANY)
    first = rows(connection, NAMES)[0][0]
    assert rows(connection, "SELECT ask_value('q')") == [(first,)]
    assert [str(value) for (value,) in rows(connection, "SELECT ask_value('r')")] == ["1"]
    assert len(runs) == 2


def test_the_answer_is_chosen_once(asking: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[Any] = []
    monkeypatch.setattr(finding, "choose", lambda *found: chosen.append(found) or select.choose(*found))
    connection, _ = asking(NAMES)
    assert len(askwhere.ask(connection, "q").rows) == 3
    assert len(chosen) == 1


def stopped(connection: Any) -> str:
    """The error of a question whose query exceeds a limit."""
    with pytest.raises(askwhere.AskError, match="for want of memory") as caught:
        askwhere.ask(connection, "q")
    return str(caught.value)


def test_a_question_that_a_limit_stopped_is_asked_anew_after_a_while(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, short = [100.0], [True]
    monkeypatch.setattr(finding, "monotonic", lambda: clock[0])
    for engine in (SQLiteEngine, DuckDBEngine):
        monkeypatch.setattr(engine, "run", _short(engine.run, short))
    connection = database.shop(model=(model := Scripted([NAMES] * 9)), method="plain", effort="fast")
    first, asked = stopped(connection), len(model.prompts)
    short[0] = False
    clock[0] += finding.STOPPED_SECONDS - 1
    assert stopped(connection) == first
    assert len(model.prompts) == asked, "a statement that asks many times costs no more than one question"
    clock[0] += 2
    assert len(askwhere.ask(connection, "q").rows) == 3
    clock[0] += 1_000
    assert len(askwhere.ask(connection, "q").rows) == 3
    assert len(model.prompts) == 2 * asked


def test_a_question_whose_process_was_ended_from_outside_is_asked_anew_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = [True]
    for engine in (SQLiteEngine, DuckDBEngine):
        monkeypatch.setattr(engine, "run", _short(engine.run, short, outside=True))
    connection = database.shop(model=Scripted([NAMES] * 9), method="plain", effort="fast")
    stopped(connection)
    short[0] = False
    assert len(askwhere.ask(connection, "q").rows) == 3


def _short(run: Callable[..., Any], short: list[bool], outside: bool = False) -> Callable[..., Any]:
    def limited(engine: Any, checked: Any, *limits: Any) -> Any:
        if short[0]:
            raise TooMuch("its process ended, for want of memory", checked.sql, outside)
        return run(engine, checked, *limits)

    return limited
