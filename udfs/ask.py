"""Define `ask`: the rows that answer a question, with the answer's own columns."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import QUESTION, Function


def call(session: Session, engine: Engine, question: Question) -> str:
    """Return the checked SQL whose rows are the answer. It is found once per connection and schema version."""
    return session.sql(engine, question)


FUNCTION = Function(
    "ask",
    "answer",
    QUESTION,
    call,
    "the answer's rows, with the answer's own columns",
    examples=(
        "SELECT * FROM ask('top 5 cities by population')",
        "SELECT name, count FROM ask('number of countries per continent') WHERE count > 45 ORDER BY name",
    ),
)
