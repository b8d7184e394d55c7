"""`ask_values`: the best values of every column for a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.errors import ArgumentError
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function

COLUMNS = (
    ("table_name", "TEXT"),
    ("column_name", "TEXT"),
    ("value", "TEXT"),
    ("score", "DOUBLE"),
    ("exact", "BOOLEAN"),
)
SHOWN = 2


def call(session: Session, engine: Engine, text: str, k: int | None) -> Iterator[tuple[Any, ...]]:
    """One row a value, `k` (2) of each column at most. `score` is BM25's in that column; `exact`: the text holds it."""
    if k is not None and k < 1:
        raise ArgumentError(f"ask_values(text, [k]): k must be at least 1, found {k}")
    found = session.values(engine).search(text, k or SHOWN)
    return ((m.table[-1], m.column, m.value, m.score, m.exact) for m in found)


FUNCTION = Function(
    "ask_values",
    "table",
    (Argument("text", required=True), Argument("k", "number")),
    call,
    "the best values of every column for a text",
    columns=COLUMNS,
    examples=("SELECT table_name, column_name, value, exact FROM ask_values('Is French spoken in Swizerland?', 1)",),
)
