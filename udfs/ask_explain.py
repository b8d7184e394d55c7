"""`ask_explain`: what a query shows, in plain language."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, sql: str) -> str:
    """The explanation, a line for each part of the query; in the model's words where one is set."""
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
