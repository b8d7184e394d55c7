"""`askwhere serve`: serves a database to every DuckDB client."""

from __future__ import annotations

import argparse
from pathlib import Path

from askwhere.bindings.cli import options, sources
from askwhere.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, help_="a DuckDB file; or a SQLite file or data files, which clients can only read")
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
    """Serve until a signal ends the process: in one process, watched by a second one, or in several workers."""
    from askwhere.bindings.serve import server, watch, workers  # import duckdb
    from askwhere.bindings.serve.address import parse

    source, chosen = parsed.database, options.chosen(parsed)
    workers.check(source, parsed.workers)
    address, (token, made) = parse(parsed.listen), server.find_token(parsed.token_file)
    Session(chosen)  # raises for a wrong setting before anything is opened

    def shown(attached: str | None) -> list[str]:
        return server.lines(source, address, token if made else None, attached)

    if parsed.workers > 1:
        workers.run(workers.Task(source, address, token, chosen), parsed.workers, shown)
    within, watched, ready = watch.begin(address, shown, lambda: server.clean(source), server.signals())
    server.serve(source, within, token, chosen, watched, lambda served: ready(served.attached))
