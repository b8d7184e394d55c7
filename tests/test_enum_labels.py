"""The labels of an ENUM are values: the setting `values` decides whether a model sees them."""

from __future__ import annotations

from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.errors import QueryError
from askwhere.models import Scripted


def opened(*replies: str, **settings: Any) -> tuple[Any, Scripted]:
    con = duckdb.connect()
    con.execute("CREATE TYPE illness AS ENUM ('Zorblatt''s fever', 'Quuxitis')")
    con.execute("CREATE TABLE patients(id INTEGER, has illness, had illness[])")
    con.execute("INSERT INTO patients VALUES (1, 'Quuxitis', ['Quuxitis'])")
    model = Scripted([*replies, "SELECT count(*) AS n FROM patients"] * 10)
    askwhere.register(con, model=model, **settings)
    return con, model


@pytest.mark.parametrize("values", ["matched", "hide"])
def test_labels_are_in_no_prompt_where_values_are_not_shown(values: str) -> None:
    con, model = opened("SELECT sum(has) FROM patients", "SELECT has + 1 FROM patients", values=values, method="sea")
    con.execute("SELECT * FROM ask('how many patients')").fetchall()
    texts = [*model.prompts, con.execute("SELECT ask_schema('how many'), ask_prompt('how many')").fetchall()]
    assert len(model.prompts) > 1
    assert not any(label in str(text) for text in texts for label in ("Zorblatt", "Quux"))
    assert "has ENUM,\n" in model.prompts[0]
    assert "had ENUM[]" in model.prompts[0]
    con.close()


def test_labels_are_in_the_prompt_where_values_are_shown_and_never_in_the_schema_without_a_question() -> None:
    con, model = opened(values="show")
    con.execute("SELECT * FROM ask('how many patients')").fetchall()
    assert "Zorblatt" in model.prompts[0]
    assert "Zorblatt" not in con.execute("SELECT ask_schema()").fetchall()[0][0]
    con.close()


def test_an_interval_that_python_cannot_hold_is_an_error_of_ours() -> None:
    con, _ = opened(*["SELECT INTERVAL (2147483647) DAY AS long FROM patients"] * 20)
    with pytest.raises(QueryError, match=r"a value of 'long' is too large for Python .*; cast it to text"):
        askwhere.ask(con, "how long")
    con.close()
