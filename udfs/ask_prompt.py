"""Define `ask_prompt`: the first prompt that a model would be sent, without sending it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import FOLLOWS, Argument, Function
from askwhere.udfs.function import question as question_


def call(session: Session, engine: Engine, question: str, follows: str | None) -> str:
    """Return the text of the prompt. A model is sent no cell value that is not in it."""
    return session.prompt(engine, question_(question, follows))


FUNCTION = Function(
    "ask_prompt",
    "scalar",
    (Argument("question", required=True), FOLLOWS),
    call,
    "the first prompt that a model would get",
    examples=("SELECT ask_prompt('rivers in Brazil')",),
)
