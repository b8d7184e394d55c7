"""Define `ask_candidates`: every query that was considered for a question, best first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from askwhere.engine import Engine
from askwhere.errors import AskError
from askwhere.pipeline.facts import Candidate
from askwhere.session import Question, Ranking, Session
from askwhere.udfs.function import QUESTION, Function, columns

COLUMNS = columns(
    "rank INTEGER, chosen BOOLEAN, confidence DOUBLE, sql TEXT, n_rows INTEGER, preview TEXT, error TEXT, ms DOUBLE,"
    " origin TEXT, notes TEXT"
)


def call(session: Session, engine: Engine, question: Question) -> Iterator[tuple[Any, ...]]:
    """Return one row per candidate. `n_rows` is NULL where the trial stopped before the last row; `preview` is JSON.

    `notes` say what was guessed, one a line; those of the chosen candidate are all notes of the answer.
    """
    considered, chosen = session.considered(engine, question)
    if isinstance(chosen, Candidate):
        chosen = replace(chosen, notes=session.answered(engine, question, considered, chosen).notes)
    return rows(considered, chosen)


def rows(considered: Ranking, chosen: Candidate | AskError) -> Iterator[tuple[Any, ...]]:
    """Return the rows for what `Session.considered` returned."""
    answer = chosen if isinstance(chosen, Candidate) else None  # for an error the rows show why there is no answer
    return (_row(answer, True) if answer and c.rank == answer.rank else _row(c, False) for c in considered.candidates)


def _row(candidate: Candidate, chosen: bool) -> tuple[Any, ...]:
    """Return the row of a candidate; `chosen` says whether it answers."""
    result = candidate.result
    preview = json.dumps([list(row) for row in result.rows], default=str) if result else None
    ms = round(result.seconds * 1000, 3) if result else None
    error = str(candidate.error) if candidate.error else None
    return (
        candidate.rank, chosen, round(candidate.confidence, 4), candidate.sql, candidate.n_rows, preview, error, ms,
        candidate.origin, "\n".join(candidate.notes) or None,
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
