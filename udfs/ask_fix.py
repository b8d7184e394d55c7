"""Define `ask_fix`: a query that does not run, changed as little as possible so that it does."""

from __future__ import annotations

from askwhere.engine import Engine
from askwhere.session import Session
from askwhere.udfs.function import Argument, Function


def call(session: Session, engine: Engine, sql: str, error: str | None) -> str:
    """Return the fixed query without running it; `sql` itself if it has no error. `error` is the error that it gave."""
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
