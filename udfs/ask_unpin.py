"""Define `ask_unpin`: remove a pin."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import ASKED, Function


def call(session: Session, engine: Engine, question: Question) -> str:
    """Return what was done. Raise `ArgumentError` where the question has no pin."""
    return session.unpin(engine, question)


FUNCTION = Function(
    "ask_unpin",
    "scalar",
    ASKED,
    call,
    "removes a pin",
    changes=True,
    examples=(
        "SELECT ask_pin('How many lakes?', 'SELECT count(*) AS n FROM lakes')",
        "SELECT ask_unpin('how many lakes')",
    ),
)
