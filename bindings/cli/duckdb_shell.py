"""Run statements for the shell in DuckDB: one after the other, with Ctrl-C at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

import duckdb
from askwhere.bindings.cli.commands import Result, Shell
from askwhere.bindings.duckdb.running import Connection, interruptible
from askwhere.cells import in_decimals
from askwhere.display import SHOWN


def shell(connection: Connection, out: IO[str]) -> Shell:
    """Return the shell over a connection."""
    return Shell(connection, lambda text: _results(connection, text), out)


def _results(connection: Connection, text: str) -> Iterator[Result]:
    """Run statements, and yield the result of each that returns or changes rows."""
    for statement in duckdb.extract_statements(text):
        columns, rows = interruptible(connection, lambda s=statement: _rows(connection.execute(s)))  # type: ignore[misc]
        if _counts(statement, columns):
            yield from (Result(changed=changed) for (changed,) in rows if changed)
        elif duckdb.ExpectedResultType.QUERY_RESULT in statement.expected_result_type and columns:
            yield Result(columns, rows)


def _rows(result: Connection) -> tuple[list[str], Sequence[tuple[Any, ...]]]:
    """Return a result's columns, and the rows to show with one more where there are more."""
    described = result.description or ()
    rows = in_decimals(result.fetchmany(SHOWN + 1), [str(kind) for _, kind, *_ in described])
    return [name for name, *_ in described], rows


def _counts(statement: duckdb.Statement, columns: list[str]) -> bool:
    """Return whether a statement returned the number of rows that it changed."""
    return duckdb.ExpectedResultType.CHANGED_ROWS in statement.expected_result_type and columns == ["Count"]
