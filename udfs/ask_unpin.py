"""Define `ask_unpin`: remove a pin."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import FOLLOWS, Argument, Function
from askwhere.udfs.function import question as question_


def call(session: Session, engine: Engine, question: str, follows: str | None) -> str:
    """Return what was done. Raise `ArgumentError` where the question has no pin."""
    return session.unpin(engine, question_(question, follows))


FUNCTION = Function(
    "ask_unpin",
    "scalar",
    (Argument("question", required=True), FOLLOWS),
    call,
    "removes a pin",
    changes=True,
    examples=(
        "SELECT ask_pin('How many lakes?', 'SELECT count(*) AS n FROM lakes')",
        "SELECT ask_unpin('how many lakes')",
    ),
)
