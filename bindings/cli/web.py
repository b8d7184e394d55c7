"""`askwhere web`: shows a page to ask a database, on this machine alone."""

from __future__ import annotations

import argparse
from dataclasses import replace

from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources
from askwhere.errors import AskError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser)
    parser.add_argument("--port", type=_port, default=0, help="the port to listen on; a free one by default")
    parser.add_argument("--write", action="store_true", help="let the page pin queries, and edit comments and synonyms")
    options.add(parser)
    parser.set_defaults(run=_run)


def _port(text: str) -> int:
    """Return the number of a port."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port, 0 to 65535, found {text!r}")
    return int(text)


def _run(parsed: argparse.Namespace) -> int:
    try:
        from askwhere.bindings.web import server
    except ImportError:
        raise AskError("askwhere web needs Starlette and uvicorn: pip install starlette uvicorn") from None
    source, chosen = replace(parsed.database, read_only=not parsed.write), options.chosen(parsed)
    server.run(lambda: connections.connect(source, chosen), source.name, parsed.port, parsed.write)
    return 0
