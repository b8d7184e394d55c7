"""`askwhere explain`: says in plain language what a query shows."""

from __future__ import annotations

import argparse

from askwhere.bindings.cli import given, options
from askwhere.bindings.cli.fix import printed


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser("askwhere explain", description="Say in plain language what a query shows.")
    given.add(parser, "sql", "the query")
    options.add(parser)
    parser.set_defaults(run=_run)
    return parser


def _run(parsed: argparse.Namespace) -> int:
    return printed(parsed, lambda session, engine, sql: session.explain(engine, sql))
