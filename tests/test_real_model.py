"""ask() with a real language model in this process, in both engines.

It has 135 million parameters and knows little SQL: what is tested is that it is asked, that its replies are held to the
names of the tables, and that rows or an error of ours come of it, whatever it says.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import askwhere
import pytest
import sqlglot
from askwhere.bindings import connections
from askwhere.models import named
from askwhere.pipeline import asking
from askwhere.pipeline.binding.grammar import grammar
from askwhere.pipeline.binding.reading import bound
from askwhere.setting_values import Mcs
from support import Database
from test_binding import unfenced

pytestmark = pytest.mark.slow
NAMES = {"customers", "orders", "id", "name", "country", "customer_id", "amount"}
QUESTIONS = (
    "How many customers are there?",
    "What are the names of the customers from Canada?",
    "What is the total amount of the orders?",
)


def asked(connection: Any, question: str) -> tuple[list[tuple[Any, ...]] | None, list[tuple[Any, ...]]]:
    """The rows, or None where there is an error of ours instead; and the steps that asked the model."""
    rows = None
    with contextlib.suppress(askwhere.AskError):
        rows = list(askwhere.ask(connection, question).rows)
    steps = connection.execute(
        f"SELECT step, model, reply, prompt_tokens, completion_tokens, detail FROM ask_trace('{question}')"
    ).fetchall()
    return rows, [step for step in steps if step[1] is not None]


def test_questions_are_asked_and_answered_or_refused(database: Database, real_model: Path) -> None:
    connection = database.shop(model=f"gguf:{real_model}", method="sea", max_calls=2, max_tokens=160)
    answered = 0
    for question in QUESTIONS:
        rows, steps = asked(connection, question)
        answered += rows is not None
        step, model, reply, prompt_tokens, completion_tokens, _ = steps[0]
        assert (step, model) == ("generate", f"gguf:{real_model.name}")
        assert unfenced(reply).strip().lower().startswith("select")
        assert prompt_tokens > 100
        assert completion_tokens > 0
    assert answered, "not one of its queries ran"


def test_whole_queries_bind(database: Database, real_model: Path) -> None:
    connection = database.shop(model=f"gguf:{real_model}")
    session, engine = connections.session(connection), connections.engine(connection)
    held = bound(session._database.catalog(engine, session.settings), database.kind)
    model: Any = named.open_model(session.settings, "model")
    whole = 0
    for question in QUESTIONS:
        prompt = connection.execute(f"SELECT ask_prompt('{question}')").fetchall()[0][0]
        for reply in model.complete(prompt, n=2, temperature=0.8, max_tokens=60, seed=1, grammar=held).texts:
            reading = held.reading.after(reply.encode())
            assert reading is not None, reply
            if reading.ends and parsed(reply, database.kind):
                connection.execute(f"EXPLAIN {unfenced(reply)}").fetchall()
                whole += 1
    assert whole >= 2


def test_whole_queries_name_only_what_there_is(database: Database, real_model: Path) -> None:
    connection = database.shop(model=f"gguf:{real_model}")
    session, engine = connections.session(connection), connections.engine(connection)
    prompt = connection.execute(f"SELECT ask_prompt('{QUESTIONS[1]}')").fetchall()[0][0]
    text = grammar(session._database.catalog(engine, session.settings), database.kind)
    model: Any = named.open_model(session.settings, "model")
    got = model.complete(prompt, n=8, temperature=0.8, max_tokens=60, seed=1, grammar=text)
    whole = [tree for reply in got.texts if (tree := parsed(reply, database.kind))]
    assert len(whole) >= 2
    for tree in whole:
        used = {node.name.lower() for node in tree.find_all(sqlglot.exp.Table, sqlglot.exp.Column)}
        aliases = {node.alias.lower() for node in tree.find_all(sqlglot.exp.Alias, sqlglot.exp.TableAlias)}
        assert used - aliases <= NAMES | {"*", ""}


def parsed(reply: str, dialect: str) -> sqlglot.Expr | None:
    """The tree of a reply; None for one that was cut off."""
    try:
        return sqlglot.parse_one(unfenced(reply), dialect=dialect)
    except sqlglot.errors.SqlglotError:
        return None


@pytest.mark.parametrize("method", ["dac", "mcs", ""])
def test_no_method_breaks(database: Database, real_model: Path, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "REPLY_TOKENS", 16)
    few = Mcs(table_prompts=1, column_prompts=1, link_samples=1, prompts=1, samples=2, votes=1, examples=0)
    connection = database.shop(model=f"gguf:{real_model}", method=method, mcs=few, max_calls=5)
    _, steps = asked(connection, QUESTIONS[2])
    assert steps
    assert not [step for step in steps if "Traceback" in str(step)]
