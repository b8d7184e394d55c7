"""Define `ask_pins`: the pinned questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.indexer import pins
from askwhere.session import Session
from askwhere.udfs.function import Function, columns

COLUMNS = columns("question TEXT, sql TEXT, pinned_at TEXT, model TEXT, stale BOOLEAN, follows TEXT")


def call(session: Session, engine: Engine) -> Iterator[tuple[Any, ...]]:
    """Return one row per pin, oldest first; `stale` if the tables that its query reads have changed since.

    `follows` is a JSON array of the earlier questions, NULL where there are none.
    """
    return (
        (pin.question, pin.sql, pin.pinned_at, pin.model or None, bool(stale), pins.as_text(pin.follows))
        for pin, stale in session.pins(engine)
    )


FUNCTION = Function(
    "ask_pins",
    "table",
    (),
    call,
    "the pinned questions, and whether they are stale",
    columns=COLUMNS,
    examples=(
        "SELECT ask_pin('deepest lake', 'SELECT name FROM lakes ORDER BY max_depth_m DESC LIMIT 1')",
        "SELECT question, sql, stale FROM ask_pins()",
    ),
)
