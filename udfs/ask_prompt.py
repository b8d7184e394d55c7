"""Define `ask_prompt`: the first prompt that a model would be sent, without sending it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import ASKED, Function


def call(session: Session, engine: Engine, question: Question) -> str:
    """Return the text of the prompt. A model is sent no cell value that is not in it."""
    return session.prompt(engine, question)


FUNCTION = Function(
    "ask_prompt",
    "scalar",
    ASKED,
    call,
    "the first prompt that a model would get",
    examples=("SELECT ask_prompt('rivers in Brazil')",),
)
