"""Define `ask_index`: build the value index in the database file, refresh one table of it, or drop it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, name: str | None) -> str:
    """Return what was done. Without `name` all tables are indexed, with a name that table; 'drop' removes the index."""
    return session.index(engine, name)


FUNCTION = Function(
    "ask_index",
    "scalar",
    (Argument("name"),),
    call,
    "indexes the values of all tables, or those of one table again; 'drop' removes the index",
    changes=True,
    examples=("SELECT ask_index()", "SELECT ask_index('cities')", "SELECT ask_index('drop')"),
)
