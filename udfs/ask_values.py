"""Define `ask_values`: the values of every column that match a text best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.errors import ArgumentError
from askwhere.patterns import written
from askwhere.session import Session
from askwhere.sql.identifiers import shortest
from askwhere.udfs.function import Argument, Function, columns

COLUMNS = columns("table_name TEXT, column_name TEXT, value TEXT, score DOUBLE, exact BOOLEAN")
SHOWN = 2  # values of a column, where `k` is not given


def call(session: Session, engine: Engine, text: str, k: int | None) -> Iterator[tuple[Any, ...]]:
    """Return one row per value, at most `k` (default 2) per column.

    `score` is the value's BM25 score within its column, and 0 for one that shares no word with the text and is only
    spelt like it; `exact` is true if the text contains the value.
    """
    if k is not None and k < 1:
        raise ArgumentError(f"ask_values(text, [k]): k must be at least 1, found {k}")
    with session.steady(engine) as catalog:
        names = shortest({table.path: table.short for table in catalog.tables})
        matches = session.values(engine).search(text, k or SHOWN)
    return (
        (written(names[m.table]) if len(names[m.table]) > 1 else m.table[-1], m.column, m.value, m.score, m.exact)
        for m in matches
    )


FUNCTION = Function(
    "ask_values",
    "table",
    (Argument("text", required=True), Argument("k", "number")),
    call,
    "for a text, the best matching values of every column",
    columns=COLUMNS,
    examples=("SELECT table_name, column_name, value, exact FROM ask_values('Is French spoken in Swizerland?', 1)",),
)
