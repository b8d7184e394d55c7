"""`ask_set`: change a setting for this connection."""

from __future__ import annotations

from typing import Any

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, name: str, value: Any) -> str:
    """What the setting is now; NULL takes back what was set before."""
    return session.set(name, value)


FUNCTION = Function(
    "ask_set",
    "scalar",
    (Argument("name", required=True), Argument("value", "any")),
    call,
    "changes a setting for this connection; NULL takes it back",
    changes=True,
)
