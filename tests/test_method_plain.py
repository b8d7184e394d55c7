"""The baseline: tables as CREATE TABLE, the question, one greedy reply."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.models import Completions, Scripted
from support import Database, error

REPLY = "Here is the query:\n```sql\nSELECT name FROM customers ORDER BY id;\n```"


class Held(Scripted):
    """A model that takes grammars, and must be given none."""

    grammars = True

    def complete(self, prompt: str, *rest: Any, grammar: str | None = None, **named: Any) -> Completions:
        assert grammar is None
        return super().complete(prompt, *rest, **named)


def test_one_reply_is_asked_for_and_nothing_stands_around_it(database: Database) -> None:
    model = Held([REPLY])
    connection = database.shop(model=model, method="plain")
    assert [row[0] for row in askwhere.ask(connection, "names of customers").rows] == ["Ann", "Bo", "Cy"]
    (prompt,) = model.prompts
    statements, _, question = prompt.partition("\n\nWrite one ")
    assert question.endswith("### Question: names of customers")
    assert "Ann" not in prompt  # no values
    other = database.raw()
    other.execute(statements)
    kind = "TEXT" if database.kind == "sqlite" else "VARCHAR"
    columns = ("id INTEGER", f"name {kind}", f"country {kind}", "PRIMARY KEY (id)")
    assert "CREATE TABLE customers (\n  " + ",\n  ".join(columns) + "\n);" in statements
    assert "FOREIGN KEY (customer_id) REFERENCES customers (id)" in statements


@pytest.mark.any_engine
def test_a_reply_that_fails_is_not_corrected(database: Database) -> None:
    model = Scripted(["SELECT nam FROM customers"])
    connection = database.shop(model=model, method="plain")
    assert "nam" in error(connection, "SELECT * FROM ask('names of customers')")
    assert len(model.prompts) == 1


def test_hidden_columns_are_not_declared(database: Database) -> None:
    model = Scripted([REPLY])
    connection = database.shop(model=model, method="plain", hide_columns="customers.country")
    askwhere.ask(connection, "names of customers")
    assert "country" not in model.prompts[0]
