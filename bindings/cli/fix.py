"""`askwhere fix`: repairs a query that fails, and prints it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace

from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.show import safe_for
from askwhere.engine import Engine
from askwhere.session.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "sql", "the query")
    parser.add_argument("--error", help="the error that the query raised, if you have it")
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    def fixed(session: Session, engine: Engine, sql: str) -> str:
        fixed_sql = session.fix(engine, sql, parsed.error)
        if fixed_sql == sql:
            print("This query has no error that the database finds; it is printed unchanged.", file=sys.stderr)
        return fixed_sql

    return printed(parsed, fixed)


def printed(parsed: argparse.Namespace, write: Callable[[Session, Engine, str], str]) -> int:
    """Print the text that `write` returns for the query on the command line, and return the exit code."""
    source = replace(parsed.database, read_only=True)
    with connections.using(source, options.chosen(parsed)) as (session, engine):
        print(safe_for(write(session, engine, sources.one(parsed.sql, "one query")), sys.stdout))
    return 0
