"""Define `ask_keys`: the foreign keys that questions are joined by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Function, columns

COLUMNS = columns("key TEXT, refers_to TEXT, origin TEXT")


def call(session: Session, engine: Engine) -> Iterator[tuple[Any, ...]]:
    """Return one row per key; `origin` is 'database', 'declared' (by `ask_key`) or 'guessed' (from names)."""
    return iter(session.keys(engine))


FUNCTION = Function(
    "ask_keys",
    "table",
    (),
    call,
    "the foreign keys that tables are joined by, and whether the database, a user or nobody declares them",
    columns=COLUMNS,
    examples=("SELECT * FROM ask_keys() ORDER BY key LIMIT 3",),
)
