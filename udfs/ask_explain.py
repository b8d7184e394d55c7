"""Define `ask_explain`: an explanation of a query in plain language."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, sql: str) -> str:
    """Return the explanation, one line per part of the query; where a model is set, it words the explanation."""
    return session.explain(engine, sql)


FUNCTION = Function(
    "ask_explain",
    "scalar",
    (Argument("sql", required=True),),
    call,
    "what a query shows, in plain language",
    volatile=True,
    examples=(
        "SELECT ask_explain('SELECT c.name, count(*) AS cities FROM cities t JOIN countries c ON c.code ="
        " t.country_code WHERE t.population > 1000000 GROUP BY c.name HAVING count(*) > 5')",
    ),
)
