"""`askwhere shell`: a SQL prompt in which `ask` works. SQLite's is APSW's own; DuckDB's is `duckdb_shell`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import askwhere
from askwhere.bindings import connections, script

HELP = "Ask with SELECT * FROM ask('…'); see the SQL with SELECT ask_sql('…'); .help lists the commands."


def run(database: str, statements: Sequence[str], read_only: bool = False) -> int:
    """Run the statements, or open a prompt (or read a pipe) until it ends; returns the exit code."""
    connection = askwhere.connect(database, read_only=read_only)
    with contextlib.closing(connection):
        if connections.kind_of(connection) == "sqlite":
            return _sqlite(connection, database, statements)
        from askwhere.bindings import duckdb_shell

        if not statements and sys.stdin.isatty():
            return duckdb_shell.run(connection, database, sys.stdout)
        found = statements or script.complete_statements(sys.stdin, script.is_complete)
        return script.run(found, lambda text: duckdb_shell.execute(connection, text, sys.stdout))


def _sqlite(connection: Any, database: str, statements: Sequence[str]) -> int:
    import apsw
    import apsw.shell

    # Python hears Ctrl-C only while Python runs: now and then during every statement.
    connection.set_progress_handler(lambda: False, 100_000)
    shell: Any = apsw.shell.Shell(db=connection)
    shell.process_command(".mode box" if sys.stdout.isatty() or statements else ".mode list")
    if statements or not sys.stdin.isatty():
        found = statements or script.complete_statements(sys.stdin, apsw.complete)
        return script.run(found, shell.process_complete_line)
    print(f"askwhere {askwhere.__version__} on SQLite, {database}. {HELP}")
    shell.cmdloop(intro="")
    return 0
