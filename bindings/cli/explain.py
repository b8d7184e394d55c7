"""`askwhere explain`: says in plain language what a query shows."""

from __future__ import annotations

import argparse

from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.fix import printed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "sql", "the query")
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    return printed(parsed, lambda session, engine, sql: session.explain(engine, sql))
