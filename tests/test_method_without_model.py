"""A method is a model's: where no model is set, it is not left out in silence."""

from __future__ import annotations

import pytest
from support import PER_COUNTRY, Database, Make

QUESTION = "number of customers per country"
ANSWER = [("Canada", 2), ("Norway", 1)]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sea", "dac", "mcs"])
def test_a_method_with_no_model_is_an_error_that_says_what_to_set(database: Database, method: str) -> None:
    connection = database.shop()
    connection.execute("SELECT ask_pin('kept', 'SELECT 1 AS n')").fetchall()
    connection.execute("SELECT ask_set('method', ?)", (method,)).fetchall()
    said = rf"the method '{method}' asks a model, and none is set: SELECT ask_set\('model', 'openai:NAME'\)"
    with pytest.raises(Exception, match=said):
        connection.execute("SELECT * FROM ask(?)", (QUESTION,)).fetchall()
    assert connection.execute("SELECT * FROM ask('kept')").fetchall() == [(1,)]
    connection.execute("SELECT ask_set('method', '')").fetchall()
    assert sorted(connection.execute("SELECT * FROM ask(?)", (QUESTION,)).fetchall()) == ANSWER


def test_the_reader_that_is_named_answers_and_the_log_shows_no_method(
    scripted: Make,
) -> None:
    connection, model = scripted(PER_COUNTRY, method="sea")
    asked = "SELECT * FROM ask(?, 'reader')"
    assert sorted(connection.execute(asked, (QUESTION,)).fetchall()) == ANSWER
    assert connection.execute("SELECT * FROM ask('q')").fetchall() == ANSWER
    assert [row[:2] for row in connection.execute("SELECT model, method FROM ask_log()").fetchall()] == [
        ("reader", ""),
        ("scripted", "sea"),
    ]
    assert len(model.prompts) == 1


def test_effort_with_no_model_is_none(database: Database) -> None:
    connection = database.shop(effort="thorough")
    assert sorted(connection.execute("SELECT * FROM ask(?)", (QUESTION,)).fetchall()) == ANSWER
