"""`askwhere shell`: a prompt that takes SQL and questions, of `sqlite_shell` or `duckdb_shell`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import askwhere
from askwhere.bindings import connections
from askwhere.bindings.cli import questions, script


def run(database: str, statements: Sequence[str], read_only: bool = False, **chosen: Any) -> int:
    """Run the statements, or open a prompt, or run what a pipe holds; `chosen` are settings. Returns the exit code."""
    connection = askwhere.connect(database, read_only=read_only, **chosen)
    with contextlib.closing(connection):
        if connections.kind_of(connection) == "sqlite":
            from askwhere.bindings.cli import sqlite_shell

            intro = f"askwhere {askwhere.__version__} on SQLite, {database}. {questions.HELP}"
            return sqlite_shell.run(connection, statements, intro)
        from askwhere.bindings.cli import duckdb_shell

        if not statements and sys.stdin.isatty():
            return duckdb_shell.run(connection, database, sys.stdout)
        found = statements or script.complete_statements(sys.stdin, script.is_complete)
        return script.run(found, lambda text: duckdb_shell.execute(connection, text, sys.stdout))
