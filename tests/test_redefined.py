"""A view that another connection redefines while a question is answered: what was judged is what runs, or nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.engine import Limits
from askwhere.errors import Busy
from askwhere.models import Scripted
from support import SHOP, Database, connected, error, rows

JUDGED = "CREATE VIEW people AS SELECT name FROM customers"
OTHER = ("DROP VIEW people", "CREATE VIEW people AS SELECT country AS name FROM customers")
SAID = "the view .*people was changed while the question was answered; ask again"


@pytest.fixture
def other(database: Database) -> Iterator[Any]:
    """Another connection to the file."""
    with contextlib.closing(connected(database.kind, database.path)) as made:
        made.execute(SHOP)
        made.execute(JUDGED)
        yield made


def redefine(connection: Any) -> None:
    for statement in OTHER:
        connection.execute(statement)


def test_between_the_check_and_the_run_nothing_runs(database: Database, other: Any) -> None:
    with contextlib.closing(askwhere.connect(str(database.path))) as connection:
        engine = connections.engine(connection)
        grant = connections.session(connection).catalog(engine).grant
        checked = engine.check("SELECT * FROM people", grant)
        assert engine.run(checked, grant, Limits()).rows[0] == ("Ann",)
        redefine(other)
        for attempt in (lambda: engine.run(checked, grant, Limits()), lambda: engine.check(checked.sql, grant)):
            with pytest.raises(Busy, match=SAID):
                attempt()


def test_while_a_model_writes_the_query_it_is_an_error_and_the_next_question_an_answer(
    database: Database, other: Any
) -> None:
    class Redefining(Scripted):
        def complete(self, *given: Any, **named: Any) -> Any:
            if len(self.prompts) == 0:
                redefine(other)
            return super().complete(*given, **named)

    model = Redefining(["SELECT name FROM people"] * 9)
    given = {"model": model, "effort": "fast", "method": "sea", "hide_columns": "customers.country"}
    with contextlib.closing(askwhere.connect(str(database.path), **given)) as connection:
        with pytest.raises(askwhere.AskError, match=SAID):
            askwhere.ask(connection, "flurb of zorb")
        with pytest.raises(askwhere.AskError):
            askwhere.ask(connection, "flurb of zorb")  # the view reads a hidden column now


def test_a_view_that_only_its_own_transaction_sees_is_asked(database: Database) -> None:
    connection = database.shop(database.path)
    connection.execute(JUDGED)
    connection.execute("BEGIN")
    redefine(connection)
    assert sorted(askwhere.ask(connection, "names of people").rows)[0] == ("Canada",)
    connection.execute("ROLLBACK")
    assert sorted(rows(connection, "SELECT * FROM people"))[0] == ("Ann",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "asked"), [("values", "SELECT ask_schema('Canada')"), ("building", "SELECT ask_index()")]
)
def test_while_values_are_read_it_is_an_error_and_no_hidden_one_is_kept(
    database: Database, other: Any, moment: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"hide_columns": "customers.country", "values": "show"}
    with contextlib.closing(askwhere.connect(str(database.path), **given)) as connection:
        engine = type(connections.engine(connection))
        original, done = getattr(engine, moment), list[str]()

        def redefining(*arguments: Any) -> Any:
            if not done:
                done.append("")
                redefine(other)
            return original(*arguments)

        monkeypatch.setattr(engine, moment, redefining)
        assert "another connection changed the tables meanwhile; ask again" in error(connection, asked)
        for again in (asked, "SELECT ask_schema('Canada')", "SELECT * FROM ask_values('Canada')"):
            assert "'Canada'" not in str(rows(connection, again)), again
        other.execute(OTHER[0])
        other.execute(JUDGED)
        assert "'Canada'" not in str(rows(connection, "SELECT * FROM ask_values('Canada')"))
