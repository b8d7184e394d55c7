"""Texts of a SQLite database that are not UTF-8: decoded with replacement, never refused."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import apsw
from askwhere.bindings.sqlite.guard import guarded_cursor
from askwhere.bindings.sqlite.limits import fetch
from askwhere.engine import Checked, Limits, quote


def fetch_undecodable(
    connection: apsw.Connection, checked: Checked, limits: Limits
) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows within the limits where some text is not UTF-8, and whether they are all."""
    return fetch(undecodable_rows(connection, checked), limits)


def undecodable_rows(connection: apsw.Connection, checked: Checked) -> Generator[tuple[Any, ...], None, None]:
    """The same rows where some text is not UTF-8: read as bytes, decoded with replacement."""
    names = [quote(name) for name in checked.columns]
    listed = ", ".join(f"typeof({n}), CASE typeof({n}) WHEN 'text' THEN CAST({n} AS BLOB) ELSE {n} END" for n in names)
    cursor = guarded_cursor(connection).execute(f"SELECT {listed} FROM ({checked.sql})", can_cache=False)
    for row in cursor:
        yield tuple(_decoded(*row[i : i + 2]) for i in range(0, len(row), 2))


def _decoded(kind: str, cell: Any) -> Any:
    return bytes(cell).decode("utf-8", "replace") if kind == "text" else cell


def decoding(sql: str, columns: Sequence[str]) -> str:
    """The query with its texts passed through `askwhere_text`, for results in which some are not UTF-8."""
    listed = (
        f"CASE typeof({n}) WHEN 'text' THEN askwhere_text(CAST({n} AS BLOB)) ELSE {n} END AS {n}"
        for n in map(quote, columns)
    )
    return f"SELECT {', '.join(listed)} FROM ({sql}\n)"


def askwhere_text(*arguments: Any) -> str | None:
    """A text's bytes, the one argument, as text, what is not UTF-8 replaced."""
    (content,) = arguments
    return None if content is None else content.decode("utf-8", "replace")
