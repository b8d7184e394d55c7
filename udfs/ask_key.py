"""Define `ask_key`: declare a foreign key that the database does not, or remove it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, key: str, refers_to: str) -> str:
    """Return what was done. 'drop' as `refers_to` removes the keys that were declared for those columns.

    A key of several columns is written 'lines(day, number)'.
    """
    return session.declare(engine, [(key, refers_to)])[0]


FUNCTION = Function(
    "ask_key",
    "scalar",
    (Argument("key", required=True), Argument("refers_to", required=True)),
    call,
    "declares which column refers to which, for tables without foreign keys; 'drop' removes it",
    changes=True,
    examples=("SELECT ask_key('lakes.name', 'rivers.name')", "SELECT ask_key('lakes.name', 'drop')"),
)
