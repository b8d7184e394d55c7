"""Read the tables in which users state what the schema does not: comments and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from askwhere.engine import Engine, Table
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen


@frozen
class UserRow:
    """A row of such a table: its cells by column, '' for NULL.

    It is about tables in the database or schema `scope`, which holds it. `home` says whether that has askwhere's own
    tables, too.
    """

    cells: Mapping[str, str]
    scope: tuple[str, ...]
    home: bool


def read(
    engine: Engine, name: str, columns: Sequence[str], fault_of: Callable[[Table], str]
) -> tuple[list[UserRow], tuple[str, ...]]:
    """Return the rows of all tables of a name, and a sentence about each table that cannot be read.

    `fault_of` returns why a table cannot be read, '' if it can.
    """
    user_rows: list[UserRow] = []
    faults: list[str] = []
    for table in engine.tables_named(name):
        has, fault = columns_of(table, columns), fault_of(table)
        try:
            rows = [] if fault else engine.texts(table, list(has.values()))
        except DatabaseError as exc:
            rows, fault = [], str(exc)
        faults += filter(None, [fault])
        # Rows in the schema `main` of a DuckDB database may be about tables of all its schemas.
        scope, home = table.path[:1] if table.path[-2] == "main" else table.path[:-1], table.path[:-1] == engine.home()
        user_rows += [UserRow(dict(zip(has, row, strict=True)), scope, home) for row in rows]
    return user_rows, tuple(faults)


def columns_of(table: Table, expected: Sequence[str]) -> dict[str, str]:
    """Return the names of a table's expected columns, by the expected name in lower case."""
    return {column.name.lower(): column.name for column in table.columns if column.name.lower() in expected}


def not_read(table: Table, expected: Sequence[str], required: Sequence[str]) -> str:
    """Return why a table cannot be read, '' if it is an ordinary table with the required columns."""
    name = ".".join(table.path)
    if table.kind != "table":
        kind = "virtual table" if table.kind == "virtual" else table.kind
        return f"{name} is not read: it is a {kind}, and must be an ordinary table"
    if missing := [column for column in required if column not in columns_of(table, expected)]:
        return f"{name} is not read: it has no column {missing[0]}; expected {', '.join(expected)}"
    return ""
