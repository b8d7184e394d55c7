"""Define `ask_sql`: the SQL that answers a question, without running it."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import QUESTION, Function, question


def call(session: Session, engine: Engine, **arguments: Any) -> str:
    """Return the SQL as the reader or the model wrote it; tables have a path where their name alone would not do."""
    return session.runnable(engine, session.choose(engine, question(**arguments))[0])


FUNCTION = Function(
    "ask_sql",
    "scalar",
    QUESTION,
    call,
    "the SQL of the answer, not run",
    examples=("SELECT ask_sql('top 5 cities by population')",),
)
