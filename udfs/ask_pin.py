"""Define `ask_pin`: keep a question with its verified query in the database file."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Question, Session
from askwhere.udfs.function import FOLLOWS, Argument, Function


def call(session: Session, engine: Engine, question: Question, sql: str | None) -> str:
    """Return what was done. Without `sql`, the query that answers the question now is pinned.

    `{name}` is a parameter, in the question and in the query. 'sales of {artist}' stands for every question of that
    form; what a question has in its place becomes a literal in the query.
    """
    return session.pin(engine, question, sql)


FUNCTION = Function(
    "ask_pin",
    "scalar",
    (Argument("question", required=True), Argument("sql"), FOLLOWS),
    call,
    "pins a query that you have verified to a question, which then needs no model",
    changes=True,
    examples=(
        "SELECT ask_pin('cities of {country} over {least}', 'SELECT t.name FROM cities t JOIN countries c ON"
        " c.code = t.country_code WHERE c.name = {country} AND t.population > {least} ORDER BY t.name')",
        "SELECT * FROM ask('Cities of Japan over 5,000,000?')",
    ),
)
