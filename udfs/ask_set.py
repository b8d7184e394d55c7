"""`ask_set`: change a setting for this connection."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Engine
from askwhere.indexer import catalog
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function

# DuckDB cannot tell an argument that was left out from one that is NULL.
AS_IT_IS = "(as it is)"


def call(session: Session, engine: Engine, name: str, value: Any) -> str:
    """What the setting is now; NULL takes back what was set before, and without a value nothing changes."""
    if value == AS_IT_IS:
        return session.shown_setting(name)
    return session.set(name, value) + _astray(session, engine, name.strip().lower())


def _astray(session: Session, engine: Engine, name: str) -> str:
    """A note on patterns that match nothing: most are mistyped."""
    if name not in ("hide_columns", "include_tables", "exclude_tables"):
        return ""
    what = "column" if name == "hide_columns" else "table"
    found = catalog.astray(engine, session.settings[name], what == "column")
    return f" ({', '.join(found)} matches no {what} of this database)" if found else ""


FUNCTION = Function(
    "ask_set",
    "scalar",
    (Argument("name", required=True), Argument("value", "any", absent=AS_IT_IS)),
    call,
    "changes a setting for this connection; NULL takes it back",
    changes=True,
    examples=(
        "SELECT ask_set('max_rows', 1000)",
        "SELECT ask_set('max_rows')",
        "SELECT ask_set('max_rows', NULL)",
    ),
)
