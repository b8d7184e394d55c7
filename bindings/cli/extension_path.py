"""`askwhere extension-path`: prints where the loadable SQLite extension is."""

from __future__ import annotations

import argparse

from askwhere.bindings.loadable import library


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        "askwhere extension-path", description="Print where the loadable SQLite extension is."
    )
    parser.set_defaults(run=_run)
    return parser


def _run(parsed: argparse.Namespace) -> int:
    print(library.extension_path())
    return 0
