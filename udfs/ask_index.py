"""`ask_index`: builds the value index in the database file, refreshes one table of it, or drops it."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, name: str | None) -> str:
    """What was done. With no argument every table is indexed, with a table's name that one, with 'drop' none."""
    return session.index(engine, name)


FUNCTION = Function(
    "ask_index",
    "scalar",
    (Argument("name"),),
    call,
    "indexes the values of all tables, or of one again; 'drop' removes the index",
    changes=True,
    examples=(
        "SELECT ask_index()",
        "SELECT ask_index('cities')",
        "SELECT ask_index('drop')",
    ),
)
