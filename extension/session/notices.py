"""Write notes on what an answer's rows do not show: a tie that LIMIT cuts through, a condition that no value meets."""

from __future__ import annotations

from collections.abc import Callable

from askwhere.engine import Result
from askwhere.errors import AskError
from askwhere.session.questions import Rows
from askwhere.sql import parsing
from sqlglot import exp

MOST_ROWS = 1_000  # of an answer whose last row is compared with those behind it


def may_be_noticed(sql: str, first: Rows, number: int | None) -> bool:
    """Return whether `notices` may have a note; `first` are the first of `number` rows, None for too many to count."""
    few = number is not None and number <= MOST_ROWS
    return few and (_is_empty(first) or "limit" in sql.lower())


def notices(sql: str, dialect: str, rows: Rows, run: Callable[[str, int | None], Result]) -> tuple[str, ...]:
    """Return notes on a query's rows. `run` runs queries derived from it; if one fails, there are no notes."""
    from askwhere.session import ties, unmet  # most answers need neither

    tree = parsing.parsed(sql, dialect)
    if not isinstance(tree, exp.Select):
        return ()
    try:
        return tuple(unmet.notes(tree, dialect, run) if _is_empty(rows) else ties.notes(tree, dialect, rows, run))
    except AskError:
        return ()


def _is_empty(rows: Rows) -> bool:
    """Return whether there are no rows, or a single row of zeros and NULLs, such as a count of 0."""
    return not rows or (len(rows) == 1 and all(cell is None or cell == 0 for cell in rows[0]))
