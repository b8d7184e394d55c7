"""Define `ask_sql`: the SQL that answers a question, without running it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import QUESTION, Function


def call(session: Session, engine: Engine, question: Question) -> str:
    """Return the SQL as the reader or the model wrote it; tables have a path where their name alone would not do."""
    return session.runnable(engine, session.choose(engine, question)[0])


FUNCTION = Function(
    "ask_sql",
    "scalar",
    QUESTION,
    call,
    "the SQL of the answer, not run",
    examples=("SELECT ask_sql('top 5 cities by population')",),
)
