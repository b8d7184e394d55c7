"""`askwhere extension-path`: prints where the loadable SQLite extension is."""

from __future__ import annotations

import argparse

from askwhere.bindings.loadable import library


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    print(library.extension_path())
    return 0
