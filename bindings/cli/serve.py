"""`askwhere serve`: serves a database to every DuckDB client."""

from __future__ import annotations

import argparse
from pathlib import Path

from askwhere.bindings.cli import given, options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    given.add(parser, help_="a DuckDB file; or a SQLite file or data files, which clients can only read")
    parser.add_argument(
        "--listen",
        default="localhost",
        metavar="HOST[:PORT]",
        help="the address to listen on; localhost:9494 by default",
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="the file with the token that clients need; by default the token is ASKWHERE_TOKEN, or a new one",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="how many processes answer, each on a core of its own; 1 by default",
    )
    options.add_read_only(parser)
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from askwhere.bindings.serve import starting  # imports duckdb

    starting.run(parsed.database, parsed.listen, parsed.token_file, options.chosen(parsed), parsed.workers)
