"""Define `ask_candidates`: every query that was considered for a question, best first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from askwhere.engine import Engine
from askwhere.errors import AskError
from askwhere.pipeline.facts import Candidate
from askwhere.session import Question, Ranking, Session
from askwhere.udfs.function import QUESTION, Function, columns

COLUMNS = columns(
    "rank INTEGER, chosen BOOLEAN, confidence DOUBLE, sql TEXT, n_rows INTEGER, preview TEXT, error TEXT, ms DOUBLE,"
    " origin TEXT"
)


def call(session: Session, engine: Engine, question: Question) -> Iterator[tuple[Any, ...]]:
    """Return one row per candidate. `n_rows` is NULL where the trial stopped before the last row; `preview` is JSON."""
    return rows(*session.considered(engine, question))


def rows(considered: Ranking, chosen: Candidate | AskError) -> Iterator[tuple[Any, ...]]:
    """Return the rows for what `Session.considered` returned."""
    rank = chosen.rank if isinstance(chosen, Candidate) else 0  # none is the answer: the rows show why
    return (_row(c, c.rank == rank) for c in considered.candidates)


def _row(candidate: Candidate, chosen: bool) -> tuple[Any, ...]:
    """Return the row of a candidate; `chosen` says whether it answers."""
    result = candidate.result
    preview = json.dumps([list(row) for row in result.rows], default=str) if result else None
    ms = round(result.seconds * 1000, 3) if result else None
    error = str(candidate.error) if candidate.error else None
    return (
        candidate.rank, chosen, round(candidate.confidence, 4), candidate.sql, candidate.n_rows, preview, error, ms,
        candidate.origin,
    )  # fmt: skip


FUNCTION = Function(
    "ask_candidates",
    "table",
    QUESTION,
    call,
    "every query that was considered, best first",
    columns=COLUMNS,
    examples=(
        "SELECT rank, chosen, confidence, sql, n_rows, origin FROM ask_candidates('How many rivers are there?')",
    ),
)
