"""`askwhere index`: indexes the values of a database."""

from __future__ import annotations

import argparse

from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "table", "index only this table again", 0)
    parser.add_argument("--drop", action="store_true", help="remove the index")
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    if len(parsed.table) > 1 or (parsed.table and parsed.drop):
        parsed.wrong("expected one table, or --drop")
    chosen = options.chosen(parsed)
    with connections.using(sources.check_kept(parsed.database), chosen) as (session, engine):
        print(session.index(engine, "drop" if parsed.drop else next(iter(parsed.table), None)))
    return 0
