"""`askwhere keys`: lists the keys that tables are joined by, suggests others from names and data, and declares some."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace

from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.show import print_rows
from askwhere.bindings.tabular.file_tables import is_glob
from askwhere.engine import Engine
from askwhere.errors import ArgumentError
from askwhere.indexer import keys, progress, suggesting
from askwhere.session import Session
from askwhere.udfs import ask_keys

_NONE = "`--suggest` looks for keys in the data"
_ACCEPT = "`--accept` declares those that names suggest, and `--accept KEY …` those of these columns"


Parser = options.PairParser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--suggest", action="store_true", help="look in names and data for keys that nobody declared, and count values"
    )
    action.add_argument(
        "--accept",
        nargs="*",
        metavar="KEY",
        help="declare the keys suggested for these columns; without any, all that names suggest",
    )
    action.add_argument("--add", nargs=2, metavar=("KEY", "COLUMN"), help="declare that a column refers to another")
    action.add_argument("--drop", metavar="KEY", help="remove the keys that were declared of a column")
    parser.add_argument("--json", action="store_true", help="print rows as a JSON array of objects")
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    _check_data(parsed)
    writes = parsed.add or parsed.drop or parsed.accept is not None
    source = sources.check_kept(parsed.database) if writes else replace(parsed.database, read_only=True)
    with connections.using(source, {}) as (session, engine):
        if not writes:
            _show(session, engine, parsed.suggest, parsed.json)
            return 0
        pairs = _accepted(session, engine, parsed.accept) if parsed.accept is not None else [_pair_of_options(parsed)]
        for done in session.declare(engine, pairs) if pairs else ["no keys are suggested by names"]:
            print(done)
        return 0 if pairs else 1


def _check_data(parsed: argparse.Namespace) -> None:
    """End the command where two columns stand behind the database, which --add was meant to declare."""
    database, *more = parsed.database.paths
    if len(more) == 2 and not any(is_glob(word) or os.path.exists(word) for word in more):
        add = shlex.join([database, "--add", *more])
        parsed.wrong(f"there are no files {more[0]} and {more[1]}; to declare a key: askwhere keys {add}")


def _pair_of_options(parsed: argparse.Namespace) -> tuple[str, str]:
    """Return the key that the options declare or remove."""
    return (parsed.drop, keys.DROP) if parsed.drop else (parsed.add[0], parsed.add[1])


def _show(session: Session, engine: Engine, suggest: bool, as_json: bool) -> None:
    """Print all keys, or with `suggest` the suggested ones, with how many of a column's values the other column has."""
    if suggest:
        rows = [(s.key, s.refers_to, s.found, s.values, s.why) for s in _suggested(session, engine)]
        print_rows(("key", "refers_to", "found", "of", "why"), rows, as_json)
        if rows:
            print(_ACCEPT, file=sys.stderr)
    else:
        print_rows([name for name, _ in ask_keys.COLUMNS], session.keys(engine), as_json, _NONE)


def _accepted(session: Session, engine: Engine, columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the keys that are suggested for some columns; without any, those that names suggest.

    Data alone suggests keys that only look like some: they are printed, with the option that declares them.
    Raise `ArgumentError` for a column without a suggestion.
    """
    suggestions = _suggested(session, engine)
    if not columns:
        for key, other in ((s.key, s.refers_to) for s in suggestions if s.why == "data"):
            print(f"left: {key} refers to {other}, by the data alone; --accept {shlex.quote(key)} declares it")
        return [(s.key, s.refers_to) for s in suggestions if s.why != "data"]
    suggested = {s.key: s.refers_to for s in suggestions}
    for column in columns:
        if column not in suggested:
            listed = f"; there is one for {', '.join(suggested)}" if suggested else ""
            raise ArgumentError(f"no key is suggested for {column!r}{listed}")
    return [(column, suggested[column]) for column in dict.fromkeys(columns)]


def _suggested(session: Session, engine: Engine) -> list[suggesting.Suggestion]:
    return list(suggesting.suggested(engine, session.catalog(engine), progress.on_terminal("comparing")))
