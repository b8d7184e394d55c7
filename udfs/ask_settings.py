"""Define `ask_settings`: every setting with its value and where that comes from."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere import settings
from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Function, columns

COLUMNS = columns("name TEXT, value TEXT, source TEXT, description TEXT")


def call(session: Session, engine: Engine) -> Iterator[tuple[str, str, str, str]]:
    """Return one row per setting, then one per environment variable that looks like a misspelt setting."""
    yield from session.settings.rows()
    for name, near in settings.misspelt().items():
        yield name, "", "environment", f"sets nothing: there is no such setting; did you mean {near}?"


FUNCTION = Function(
    "ask_settings",
    "table",
    (),
    call,
    "every setting, its value and its source",
    columns=COLUMNS,
    examples=("SELECT name, value, source FROM ask_settings() WHERE name IN ('effort', 'max_rows')",),
)
