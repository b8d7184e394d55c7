"""Define `ask_set`: change a setting for this connection."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function

# DuckDB cannot tell an argument that was left out from one that is NULL.
AS_IT_IS = "(as it is)"


def call(session: Session, engine: Engine, name: str, value: Any) -> str:
    """Return the setting's value. NULL resets it for this connection; without a value nothing changes."""
    if value == AS_IT_IS:
        return session.shown_setting(name)
    return session.set_for(engine, name, value)


FUNCTION = Function(
    "ask_set",
    "scalar",
    (Argument("name", required=True), Argument("value", "any", absent=AS_IT_IS)),
    call,
    "changes a setting for this connection; NULL resets it",
    changes=True,
    examples=("SELECT ask_set('max_rows', 1000)", "SELECT ask_set('max_rows')", "SELECT ask_set('max_rows', NULL)"),
)
