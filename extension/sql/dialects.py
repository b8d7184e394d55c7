"""Look up an engine's `Dialect` by its name, or by the first bytes of a database file, in one place."""

from __future__ import annotations

from askwhere.errors import DatabaseError
from askwhere.sql.dialect import Dialect
from askwhere.sql.duckdb import DUCKDB
from askwhere.sql.sqlite import SQLITE

KNOWN = {dialect.name: dialect for dialect in (SQLITE, DUCKDB)}
# How many of a file's first bytes tell which engine it is for.
HEAD = 16


def named(name: str) -> Dialect:
    """Return the dialect of a name. Raise `DatabaseError` for an engine that is not known."""
    try:
        return KNOWN[name]
    except KeyError:
        raise DatabaseError(
            f"there is no SQL dialect {name!r}: expected {' or '.join(map(repr, KNOWN))};"
            " 'A third engine' in CONTRIBUTING.md says what one needs"
        ) from None


def dialect_of(head: bytes) -> Dialect | None:
    """Return the dialect of a database file that begins with `head`, of `HEAD` bytes; None for another file."""
    marked = ((dialect, *dialect.file_mark) for dialect in KNOWN.values() if dialect.file_mark)
    return next((dialect for dialect, place, mark in marked if head.startswith(mark, place)), None)
