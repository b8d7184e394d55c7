"""Copy DataFrames and Arrow tables into tables of DuckDB, and convert texts that are dates.

They are copied because a view over a Python object belongs to the one connection on which it was registered, while
`ask()` in SQL works on another one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.unreadable import unreadable
from askwhere.bindings.tabular import types
from askwhere.errors import ArgumentError
from askwhere.sql.identifiers import quote

_GIVEN = "askwhere_given"  # what a frame is called while it is copied


def copied(connection: Connection, frames: Mapping[str, Any], seconds: float) -> Iterator[str]:
    """Copy each object to the table of its name, and yield notes.

    All texts are inspected within about `seconds`. Raise `ArgumentError` for an object that DuckDB does not accept as
    a table, and `DatabaseError` for one that it cannot read.
    """
    until = time.monotonic() + seconds
    for name, frame in frames.items():
        _copy(connection, name, frame)
        described = connection.execute(f"DESCRIBE {quote(name)}").fetchall()
        texts = [column for column, kind, *_ in described if kind == "VARCHAR" or kind.startswith("ENUM(")]
        left = max(until - time.monotonic(), 0.05)
        readings, complete = types.look(connection, quote(name), texts, types.OF_TYPED, left)
        if not complete and readings:
            yield types.stay_text(name, readings)
            continue
        for column, reading in readings.items():
            read = reading.value.format(quote(column))
            connection.execute(f"ALTER TABLE {quote(name)} ALTER {quote(column)} TYPE {reading.type} USING {read}")


def _copy(connection: Connection, name: str, frame: Any) -> None:
    """Copy one DataFrame or table into the database. It is read once: some objects, such as readers, allow no more."""
    try:
        connection.register(_GIVEN, frame)
    except (duckdb.InvalidInputException, TypeError) as exc:
        raise ArgumentError(
            f"{name!r}: expected a DataFrame of pandas or polars, a table of pyarrow or NumPy arrays by column, found"
            f" {type(frame).__module__}.{type(frame).__qualname__}"
        ) from exc
    except (duckdb.Error, RuntimeError) as exc:  # a kind of column that DuckDB does not know; a name that is no UTF-8
        raise unreadable(exc, name) from exc
    try:
        connection.execute(f"CREATE TABLE {quote(name)} AS FROM {_GIVEN}")
    except duckdb.CatalogException as exc:
        raise ArgumentError(f"{name!r}: another table has this name; names are compared without case") from exc
    except (duckdb.Error, RuntimeError) as exc:
        raise unreadable(exc, name) from exc
    finally:
        connection.unregister(_GIVEN)
