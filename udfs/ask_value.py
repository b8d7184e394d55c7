"""Define `ask_value`: the first column of the answer's first row; it can be called for each row of another table."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import QUESTION, Function


def call(session: Session, engine: Engine, question: Question) -> Any:
    """Return the value; None if the answer has no rows."""
    row = session.first_row(engine, question)
    return row[0] if row else None


FUNCTION = Function(
    "ask_value",
    "scalar",
    QUESTION,
    call,
    "the first column of the answer's first row",
    examples=(
        "SELECT ask_value('How many rivers are there?')",
        "SELECT name, ask_value('How many lakes are in ' || name || '?') AS lakes FROM countries WHERE"
        " population > 1000000000 ORDER BY name",
    ),
)
