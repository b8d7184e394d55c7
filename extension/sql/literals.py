"""Write values as SQL literals, and rows as a query that holds them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from askwhere.sql.identifiers import quote


def query(columns: Sequence[str], rows: Sequence[tuple[Any, ...]], types: Sequence[str] | None) -> str:
    """Return a SELECT that gives `rows` in order, with `columns` cast to `types` where these are given.

    It delivers an answer where the generated query itself must not run.
    """
    names = [quote(name) for name in columns]
    listed = rows or ((None,) * len(names),)
    values = ", ".join(f"({', '.join(map(literal, row))})" for row in listed)
    shown = names if types is None else [f"CAST({n} AS {t}) AS {n}" for n, t in zip(names, types, strict=True)]
    nothing = "" if rows else " WHERE FALSE"
    return f"WITH ask_rows({', '.join(names)}) AS (VALUES {values}) SELECT {', '.join(shown)} FROM ask_rows{nothing}"


def literal(value: Any) -> str:
    """Return a value as a SQL literal of both engines; a value without a literal as the text that casts to it."""
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
    return quoted(text)


def quoted(text: str) -> str:
    """Return a text without NUL characters as a SQL literal of all engines: `it's` becomes `'it''s'`."""
    return "'" + text.replace("'", "''") + "'"
