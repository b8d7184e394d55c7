"""Define `ask_trace`: how a question was answered, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import ASKED, Function, columns

COLUMNS = columns(
    "step TEXT, detail TEXT, model TEXT, prompt TEXT, reply TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,"
    " ms DOUBLE"
)


def call(session: Session, engine: Engine, question: Question) -> Iterator[tuple[Any, ...]]:
    """Return one row per step, in order, of the latest time that this connection asked the question."""
    return (tuple(getattr(step, name) for name, _ in COLUMNS) for step in session.trace(question))


FUNCTION = Function(
    "ask_trace",
    "table",
    ASKED,
    call,
    "the steps to the latest answer to a question, with each prompt and reply",
    columns=COLUMNS,
    examples=(
        "SELECT * FROM ask('How many rivers are there?')",
        "SELECT step, detail FROM ask_trace('How many rivers are there?')",
    ),
)
