"""`askwhere worker`: answers for the program that loaded the SQLite extension, which starts it."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from askwhere.bindings.loadable import worker  # imports all that answers questions

    return worker.run()
