"""Define `ask_trace`: how a question was answered, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import FOLLOWS, Argument, Function
from askwhere.udfs.function import question as question_

COLUMNS = (
    ("step", "TEXT"),
    ("detail", "TEXT"),
    ("model", "TEXT"),
    ("prompt", "TEXT"),
    ("reply", "TEXT"),
    ("prompt_tokens", "INTEGER"),
    ("completion_tokens", "INTEGER"),
    ("ms", "DOUBLE"),
)


def call(session: Session, engine: Engine, question: str, follows: str | None) -> Iterator[tuple[Any, ...]]:
    """Return one row per step, in order, of the latest time that this connection asked the question."""
    steps = session.trace(question_(question, follows))
    return (tuple(getattr(step, name) for name, _ in COLUMNS) for step in steps)


FUNCTION = Function(
    "ask_trace",
    "table",
    (Argument("question", required=True), FOLLOWS),
    call,
    "the steps to the latest answer to a question, with each prompt and reply",
    columns=COLUMNS,
    examples=(
        "SELECT * FROM ask('How many rivers are there?')",
        "SELECT step, detail FROM ask_trace('How many rivers are there?')",
    ),
)
