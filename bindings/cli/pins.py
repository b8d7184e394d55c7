"""`askwhere pins`: lists pinned questions, and writes them to a file or reads them from one."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from askwhere import files
from askwhere.bindings import connections
from askwhere.bindings.cli import sources
from askwhere.bindings.cli.show import print_rows
from askwhere.cells import counted
from askwhere.engine import Engine
from askwhere.indexer.pins import from_json, to_json
from askwhere.session import Session
from askwhere.udfs import ask_pins

_NONE = "`.pin` in `askwhere shell` pins the query of the last answer; in SQL there is ask_pin()"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--json", action="store_true", help="print them as a JSON array of objects")
    action.add_argument("--export", type=Path, metavar="FILE", help="write them to a file as JSON lines")
    action.add_argument(
        "--import", type=Path, metavar="FILE", dest="read", help="check and pin the questions of a file of JSON lines"
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    source = sources.check_kept(parsed.database) if parsed.read else replace(parsed.database, read_only=True)
    with connections.using(source, {}) as (session, engine):
        if parsed.read:
            _import(session, engine, parsed.read)
        elif parsed.export:
            _export(session, engine, parsed.export)
        else:
            columns = [name for name, _ in ask_pins.COLUMNS]
            print_rows(columns, list(ask_pins.call(session, engine)), parsed.json, _NONE)
    return 0


def _import(session: Session, engine: Engine, file: Path) -> None:
    lines = file.read_text("utf-8").split("\n")  # JSON may hold other characters that Python takes for line breaks
    pins = [from_json(line, f"{file}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    print(f"{counted(session.pin_all(engine, pins), 'pin')} read from {file}", file=sys.stderr)


def _export(session: Session, engine: Engine, file: Path) -> None:
    pins = [pin for pin, _ in session.pins(engine)]
    files.write(files.named(file), "".join(f"{to_json(pin)}\n" for pin in pins))
    print(f"{counted(len(pins), 'pin')} written to {file}", file=sys.stderr)
