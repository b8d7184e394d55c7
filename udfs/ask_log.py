"""Define `ask_log`: the questions that were asked, with cost and outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, fields
from typing import Any

from askwhere.engine import Engine
from askwhere.indexer.log import Entry
from askwhere.session import Session
from askwhere.udfs.function import Function

_TYPES = {"str": "TEXT", "int": "INTEGER", "float": "DOUBLE"}
COLUMNS = tuple((field.name, _TYPES[str(field.type).removesuffix(" | None")]) for field in fields(Entry))


def call(session: Session, engine: Engine) -> Iterator[tuple[Any, ...]]:
    """Return one row per question that was answered or failed, oldest first.

    They are those of this connection, or with `log = 'database'` of all connections. A question that this connection
    has answered before adds no row.
    """
    return (astuple(entry) for entry in session.log(engine))


FUNCTION = Function(
    "ask_log",
    "table",
    (),
    call,
    "the questions that were asked, with their cost and outcome",
    columns=COLUMNS,
    examples=(
        "SELECT * FROM ask('How many rivers are there?')",
        "SELECT question, sql, model, calls, max_calls, outcome FROM ask_log()",
    ),
)
