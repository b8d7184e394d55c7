"""`askwhere shell`: a SQL prompt in which `ask` works. SQLite's is APSW's own; DuckDB's is `duckdb_shell`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import askwhere
from askwhere.bindings import connections

HELP = "Ask with SELECT * FROM ask('…'); see the SQL with SELECT ask_sql('…'); .help lists the commands."


def run(database: str, statements: Sequence[str]) -> int:
    """Run the statements, or open a prompt (or read a pipe) until it ends; returns the exit code."""
    connection = askwhere.connect(database)
    with contextlib.closing(connection):
        if connections.kind_of(connection) == "sqlite":
            return _sqlite(connection, database, statements)
        from askwhere.bindings import duckdb_shell

        return duckdb_shell.run(connection, database, statements, sys.stdin, sys.stdout)


def _sqlite(connection: Any, database: str, statements: Sequence[str]) -> int:
    import apsw.shell

    # Python hears Ctrl-C only while Python runs: now and then during every statement.
    connection.set_progress_handler(lambda: False, 100_000)
    shell: Any = apsw.shell.Shell(db=connection)
    shell.process_command(".mode box" if sys.stdout.isatty() or statements else ".mode list")
    try:
        for statement in statements:
            shell.process_complete_line(statement)
    except Exception as exc:
        print(f"askwhere: {exc}", file=sys.stderr)
        return 1
    if not statements:
        if sys.stdin.isatty():
            print(f"askwhere {askwhere.__version__} on SQLite, {database}. {HELP}")
        shell.cmdloop(intro="")
    return 0
