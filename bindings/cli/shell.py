"""`askwhere shell`: one prompt for both engines that takes SQL and questions, or a script."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

import askwhere
from askwhere.bindings import connections
from askwhere.bindings.cli import commands, options, prompt, questions, script, sources
from askwhere.bindings.source import Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "sql", "statements to run, instead of opening a prompt", 0, f"{sources.HELP}, or :memory:")
    options.add_read_only(parser)
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    return run(parsed.database, parsed.sql, options.chosen(parsed))


def run(source: Source, statements: Sequence[str], settings: Mapping[str, Any]) -> int:
    """Run the statements, or open a prompt, or run what a pipe holds. Return the exit code."""
    connection = connections.connect(source, settings)
    with contextlib.closing(connection):
        is_sqlite = connections.kind_of(connection) == "sqlite"
        if not statements and sys.stdin.isatty():
            engine = "SQLite" if is_sqlite else "DuckDB"
            return prompt.run(
                shell_of(connection, sys.stdout), f"askwhere {askwhere.__version__} on {engine}, {source}."
            )
        if is_sqlite:
            from askwhere.bindings.cli import sqlite_shell

            return sqlite_shell.run(connection, statements, _asking(source, statements, "sqlite"))
        shell = shell_of(connection, sys.stdout)
        texts = statements or script.complete_statements(sys.stdin, script.is_complete)
        asking = _asking(source, statements, "duckdb")
        return script.run(texts, lambda text: commands.execute(shell, text), "duckdb", asking)


def _asking(source: Source, statements: Sequence[str], engine: str) -> str:
    """Return the command that asks the words of a command line; '' where they are no question together."""
    if not statements:
        return ""
    lines = statements[0].removesuffix(";"), " ".join(statements).removesuffix(";")
    are_question = all(questions.why_question(line, engine) for line in lines)
    return f"askwhere ask {source.arguments} {shlex.join(statements)}" if are_question else ""


def shell_of(connection: Any, out: IO[str]) -> commands.Shell:
    """Return the shell of a connection's engine, which prints on `out`."""
    if connections.kind_of(connection) == "sqlite":
        from askwhere.bindings.cli import sqlite_shell

        return sqlite_shell.shell(connection, out)
    from askwhere.bindings.cli import duckdb_shell

    return duckdb_shell.shell(connection, out)
