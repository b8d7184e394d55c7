"""Read texts of a SQLite database that are not valid UTF-8 or UTF-16: invalid bytes become U+FFFD, not an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import apsw
from askwhere.bindings.sqlite.guard import guarded_cursor
from askwhere.bindings.sqlite.scanning import encoding_of
from askwhere.engine import Checked
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

T = TypeVar("T")
_Rows: TypeAlias = Iterator[tuple[Any, ...]]


def _decoded_rows(connection: apsw.Connection, checked: Checked) -> _Rows:
    """Yield a query's rows: texts are fetched as bytes and decoded, invalid bytes replaced by U+FFFD."""
    encoding = encoding_of(connection)
    names = [quote(name) for name in checked.columns]
    listed = ", ".join(f"typeof({n}), CASE typeof({n}) WHEN 'text' THEN CAST({n} AS BLOB) ELSE {n} END" for n in names)
    cursor = guarded_cursor(connection).execute(f"SELECT {listed} FROM ({checked.sql})", can_cache=False)
    for row in cursor:
        yield tuple(_decoded(row[i], row[i + 1], encoding) for i in range(0, len(row), 2))


def _decoded(kind: str, cell: Any, encoding: str) -> Any:
    """Return a cell, decoded if `kind`, SQLite's `typeof`, is 'text'."""
    return bytes(cell).decode(encoding, "replace") if kind == "text" else cell


def decoding(sql: str, columns: Sequence[str], encoding: str) -> str:
    """Return the query with its texts passed through `askwhere_text`, for a result with texts that are not valid.

    `encoding` is that of the database's texts, in which SQLite casts them to blobs.
    """
    which = "" if encoding == "UTF-8" else f", {quoted(encoding)}"
    listed = (
        f"CASE typeof({n}) WHEN 'text' THEN askwhere_text(CAST({n} AS BLOB){which}) ELSE {n} END AS {n}"
        for n in map(quote, columns)
    )
    return f"SELECT {', '.join(listed)} FROM ({sql}\n)"


def askwhere_text(*arguments: Any) -> str | None:
    """Return a text's bytes, in an encoding (UTF-8 if there is none), as text, invalid bytes replaced; NULL for NULL.

    The SQL function of that name, which queries rewritten by `decoding` call.
    """
    content, encoding = (*arguments, "UTF-8")[:2]
    return None if content is None else str(content.decode(encoding, "replace"))


def decoded(sandbox: apsw.Connection, checked: Checked, read: Callable[[_Rows], T]) -> tuple[T, bool]:
    """Run a query and return what `read` makes of its rows, and whether some text was not valid UTF-8.

    If there was one, the query is run again, and `read` is called again with rows in which invalid bytes are replaced.
    """
    try:
        return read(guarded_cursor(sandbox).execute(checked.sql, can_cache=False)), False
    except UnicodeDecodeError:
        return read(_decoded_rows(sandbox, checked)), True
