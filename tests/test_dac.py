"""DAC end to end, over both engines, with a scripted model: each step of the paper, and every branch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.engine import Column, Table
from askwhere.models import Scripted
from askwhere.pipeline.decompose import alignment, alignments
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.pipeline.facts import Alignment
from support import Make, golden, steps

pytestmark = pytest.mark.any_engine

QUESTION = "which customers are from Canada"
RIGHT = "SELECT name FROM customers WHERE country = 'Canada'"
LACKING = "SELECT name FROM customers"
ALIGNED = json.dumps(
    [
        {"token": "which", "schema": None, "type": None},
        {"token": "customers", "schema": "customers", "type": "tbl"},
        {"token": "Canada", "schema": "customers.country", "type": "val"},
    ]
)
SHOP = (
    Table(("main", "customers"), (Column("id"), Column("name"), Column("country"))),
    Table(("main", "orders"), (Column("id"), Column("customer_id"), Column("amount"))),
)


@pytest.fixture
def dac(scripted: Make) -> Make:
    return lambda *replies, **settings: scripted(*replies, method="dac", **settings)


def asked(connection: Any) -> list[str]:
    """The steps that asked the model."""
    sql = f"SELECT step FROM ask_trace('{QUESTION}') WHERE prompt IS NOT NULL"
    return [step for (step,) in connection.execute(sql).fetchall()]


def test_a_query_that_agrees_with_the_question_costs_three_calls(dac: Make) -> None:
    con, model = dac(RIGHT, ALIGNED, "SELECT a FROM b WHERE c = 'd'")
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",))
    linked = ["link entities", "link entities", "compare"]
    assert steps(con, QUESTION) == ["generate", "run", *linked, "parse skeleton", "compare"]
    assert len(model.prompts) == 3


def test_what_the_question_mentions_and_the_query_lacks_is_corrected_first(dac: Make) -> None:
    con, model = dac(LACKING, ALIGNED, RIGHT, "SELECT a FROM b WHERE c = 'd'")
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",))
    assert asked(con) == ["generate", "link entities", "correct entities", "parse skeleton"]
    assert "The question mentions customers.country, which the query does not use" in model.prompts[2]
    assert f"### Query: {LACKING}\n" in model.prompts[2]


def test_entities_of_the_query_that_the_question_does_not_mention_are_no_mistake(dac: Make) -> None:
    nothing = '[{"token": "which", "schema": null, "type": null}]'
    con, model = dac(RIGHT, nothing, "SELECT a FROM b WHERE c = 1")
    askwhere.ask(con, QUESTION)
    assert len(model.prompts) == 3


def test_then_the_skeleton_is_corrected(dac: Make) -> None:
    con, model = dac(
        "SELECT name FROM customers ORDER BY country DESC LIMIT 1", ALIGNED, "SELECT a FROM b WHERE c = 1", RIGHT
    )
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",))
    assert asked(con) == ["generate", "link entities", "parse skeleton", "correct skeleton"]
    assert "could have the form SELECT _ FROM _ WHERE _ = _, where each _" in model.prompts[3]


def test_a_skeleton_longer_than_the_querys_own_is_not_used(dac: Make) -> None:
    long = "SELECT a FROM b JOIN c ON d = e WHERE f = 'g' ORDER BY h LIMIT 1"
    con, model = dac(RIGHT, ALIGNED, long)
    askwhere.ask(con, QUESTION)
    assert len(model.prompts) == 3


def test_the_skeleton_is_parsed_from_the_question_alone(dac: Make) -> None:
    con, model = dac(RIGHT, ALIGNED, RIGHT)
    askwhere.ask(con, QUESTION)
    assert "amount" in model.prompts[0]
    assert "amount" not in model.prompts[2]
    assert QUESTION in model.prompts[2]


def test_the_error_of_a_query_that_does_not_run_is_corrected_last(dac: Make) -> None:
    wrong = "SELECT salary FROM customers WHERE country = 'Canada'"
    con, model = dac(wrong, ALIGNED, "SELECT a FROM b WHERE c = 1", RIGHT)
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",))
    assert asked(con)[-1] == "correct execution"
    assert f"### Query: {wrong}\n### Error: " in model.prompts[-1]


def test_entities_skeleton_and_error_are_never_corrected_in_one_prompt(dac: Make) -> None:
    con, model = dac(
        "SELECT salary FROM customers ORDER BY 1", ALIGNED, LACKING.replace("name", "salary"), RIGHT, RIGHT, RIGHT
    )
    askwhere.ask(con, QUESTION)
    parts = ("The question mentions", "could have the form", "### Error: ")
    assert [sum(part in prompt for part in parts) for prompt in model.prompts] == [0, 0, 1, 0, 1][: len(model.prompts)]


def test_a_query_that_runs_is_never_replaced_by_one_that_does_not(dac: Make) -> None:
    con, model = dac(LACKING, ALIGNED, "SELECT nonsense FROM customers", "SELECT a FROM b")
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",), ("Cy",))
    assert len(model.prompts) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left_out", "expected"),
    [
        ("entities", ["generate", "parse skeleton", "correct skeleton", "correct execution"]),
        ("skeleton", ["generate", "link entities", "correct entities", "correct execution"]),
        ("execution", ["generate", "link entities", "correct entities", "parse skeleton", "correct skeleton"]),
        ("entities,skeleton,execution", ["generate"]),
    ],
)
def test_each_step_can_be_left_out(dac: Make, left_out: str, expected: list[str]) -> None:
    replies = {
        "generate": "SELECT salary FROM customers ORDER BY 1 LIMIT 1",
        "link entities": ALIGNED,
        "correct entities": "SELECT salary FROM customers WHERE country = 'x' ORDER BY 1 LIMIT 1",
        "parse skeleton": "SELECT a FROM b WHERE c = 1",
        "correct skeleton": "SELECT salary FROM customers WHERE country = 'Canada'",
        "correct execution": RIGHT,
    }
    con, _ = dac(*(replies[step] for step in expected), leave_out=left_out)
    con.execute("SELECT * FROM ask_candidates(?)", (QUESTION,)).fetchall()
    assert asked(con) == expected


def test_demonstrations_are_pins_and_the_file_of_examples(database: Any, tmp_path: Path) -> None:
    file = tmp_path / "examples.jsonl"
    file.write_text(
        json.dumps({"question": "which singers are from France", "sql": "SELECT n FROM s WHERE c = 'France'"})
    )
    model = Scripted([RIGHT, ALIGNED, RIGHT])
    con = database.shop(model=model, method="dac", examples=str(file))
    con.execute("SELECT ask_pin('which customers are there', 'SELECT name FROM customers')").fetchall()
    askwhere.ask(con, QUESTION)
    for prompt in model.prompts:
        assert "### Question: which singers are from France\n" in prompt
        assert "### Question: which customers are there\n" in prompt
    assert '{"token": "singers", "schema": null, "type": null}' in model.prompts[1]
    assert '{"token": "customers", "schema": "customers", "type": "tbl"}' in model.prompts[1]


def test_values_of_pins_do_not_leave_where_values_are_hidden(dac: Make) -> None:
    con, model = dac(RIGHT, ALIGNED, RIGHT, values="hide")
    con.execute(
        "SELECT ask_pin('customers of Norway', 'SELECT name FROM customers WHERE country = ''Norway''')"
    ).fetchall()
    askwhere.ask(con, QUESTION)
    assert not any("Norway" in prompt for prompt in model.prompts)


def test_the_prompts_of_one_question_are_these(dac: Make) -> None:
    replies = (
        LACKING.replace("name", "salary"),
        ALIGNED,
        "SELECT salary FROM customers WHERE country = 'x' ORDER BY 1",
        "SELECT a FROM b WHERE c = 1",
    )
    con, model = dac(*replies, "SELECT salary FROM customers WHERE country = 'Canada'", RIGHT)
    con.execute("SELECT ask_pin('which customers are there', 'SELECT name FROM customers')").fetchall()
    askwhere.ask(con, QUESTION)
    name = "duckdb" if "DuckDB" in model.prompts[0] else "sqlite"
    golden(f"dac.{name}.txt", "\n\n======\n\n".join(model.prompts) + "\n")


# ------------------------------------------------------------------------------------------------------------ replies


REPLIES = [
    (ALIGNED, ["customers", "customers.country"]),
    ("```python\n[{'token': 'x', 'schema': 'Customers.NAME', 'type': 'col'}, {'token': 'y'}]\n```", ["customers.name"]),
    ('Sure! [{"token": "x", "schema": "amount", "type": "col"}, {"token": "y", "sch', ["orders.amount"]),
    ('[{"token": "x", "schema": "id", "type": "col"}]', []),
    ('[{"token": "x", "schema": "nothing", "type": "tbl"}, {"token": 3}]', []),
    ('[{"token": "x", "schema": "main.orders.amount", "type": "col"}]', ["orders.amount"]),
    ('[{"token": "x", "schema": "\\"orders\\"", "type": "table"}]', ["orders"]),
    ("no list at all", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "expected"), REPLIES)
def test_alignments_are_read_leniently_and_checked_against_the_catalog(reply: str, expected: list[str]) -> None:
    assert [a.schema for a in alignments(reply, SHOP) if a.schema] == expected


def test_a_demonstration_is_aligned_by_its_own_query() -> None:
    one = Demonstration("Which schools in Alameda are new?", "SELECT name FROM schools WHERE county = 'Alameda'")
    assert alignment(one, "sqlite") == (
        Alignment("which"),
        Alignment("schools", "schools", "tbl"),
        Alignment("in"),
        Alignment("alameda", "county", "val"),
        Alignment("are"),
        Alignment("new"),
    )
