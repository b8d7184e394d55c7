"""Rows as a query that holds them: how an answer reaches SQL when the generated query may not run there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from askwhere.engine import Result, quote


def query(result: Result, types: Sequence[str] | None) -> str:
    """A SELECT that gives the rows of `result` in their order, each column cast to its type where `types` are given."""
    names = [quote(name) for name in result.columns]
    rows = result.rows or ((None,) * len(names),)
    values = ", ".join(f"({', '.join(map(literal, row))})" for row in rows)
    shown = names if types is None else [f"CAST({n} AS {t}) AS {n}" for n, t in zip(names, types, strict=True)]
    nothing = "" if result.rows else " WHERE FALSE"
    return f"WITH ask_rows({', '.join(names)}) AS (VALUES {values}) SELECT {', '.join(shown)} FROM ask_rows{nothing}"


def literal(value: Any) -> str:
    """A value as a SQL literal of both engines; what has no literal is written as the text that casts to it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    text = str(value)
    if "\0" in text:
        return f"CAST(x'{text.encode('utf-8', 'replace').hex()}' AS TEXT)"
    return "'" + text.replace("'", "''") + "'"
