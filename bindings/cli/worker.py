"""`askwhere worker`: answers for the program that loaded the SQLite extension, which starts it."""

from __future__ import annotations

import argparse


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        "askwhere worker", description="Started by the SQLite extension, to answer for the program that loaded it."
    )
    parser.set_defaults(run=_run)
    return parser


def _run(parsed: argparse.Namespace) -> int:
    from askwhere.bindings.loadable import worker  # imports all that answers questions

    return worker.run()
