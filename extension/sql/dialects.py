"""Look up an engine's `Dialect` by its name, in one place."""

from __future__ import annotations

from askwhere.errors import DatabaseError
from askwhere.sql.dialect import Dialect
from askwhere.sql.duckdb import DUCKDB
from askwhere.sql.sqlite import SQLITE

KNOWN = {dialect.name: dialect for dialect in (SQLITE, DUCKDB)}


def named(name: str) -> Dialect:
    """Return the dialect of a name. Raises `DatabaseError` for an engine that is not known."""
    try:
        return KNOWN[name]
    except KeyError:
        raise DatabaseError(
            f"there is no SQL dialect {name!r}: expected {' or '.join(map(repr, KNOWN))};"
            " 'A third engine' in CONTRIBUTING.md says what one needs"
        ) from None
