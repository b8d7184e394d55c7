"""Define `ask_fix`: repair a query that fails, with as few changes as possible."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, sql: str, error: str | None) -> str:
    """Return the repaired query, not run; `sql` itself if it has no error. `error` is the error that it raised."""
    return session.fix(engine, sql, error)


FUNCTION = Function(
    "ask_fix",
    "scalar",
    (Argument("sql", required=True), Argument("error")),
    call,
    "a query that fails, repaired with as few changes as possible",
    volatile=True,
    examples=("SELECT ask_fix('SELECT nme FROM cites WHERE populaton > 20000000 ORDER BY nme')",),
)
