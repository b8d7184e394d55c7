"""`askwhere ask`: asks one question, and prints the rows, and on standard error the query and what was guessed."""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import askwhere
from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.show import Screen, fitted, print_rows, safe_for
from askwhere.cells import in_decimals
from askwhere.errors import Unread

_CHARTS = (".html", ".json", ".png", ".svg")  # the files that `drawing` writes
_FILE = re.compile(r"\S+\.[A-Za-z]{2,4}")  # also of a kind that is no chart, which is refused
_CHART = f"draw the rows in the terminal, or in a file that ends in {', '.join(_CHARTS[:-1])} or {_CHARTS[-1]}"


class Parser(argparse.ArgumentParser):
    """A parser for which the word after `--chart` belongs to the question if it is not the name of a chart's file."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the arguments, with `--chart` and a file behind it as one of them."""
        return super().parse_known_args(_with_chart(sys.argv[1:] if args is None else args), namespace)


def _with_chart(words: Sequence[str]) -> list[str]:
    """Return the words of a command line, `--chart` and its file as one word; `--chart=` where no file follows.

    A file that is there, and whose ending is not that of a chart, is the one that is asked.
    """
    joined: list[str] = []
    for word in words:
        behind = bool(joined) and joined[-1] == "--chart=" and _FILE.fullmatch(word) is not None
        if behind and (word.endswith(_CHARTS) or not os.path.exists(word)):
            joined[-1] += word
        else:
            joined.append("--chart=" if word == "--chart" else word)
    return joined


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "question", "what to ask, in quotes or as words")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the rows as a JSON array of objects")
    output.add_argument("--csv", action="store_true", help="print the rows as CSV")
    output.add_argument("--sql", action="store_true", help="print the SQL, and do not run it")
    output.add_argument("--chart", nargs="?", metavar="FILE", help=_CHART)
    parser.add_argument("--quiet", action="store_true", help="leave the query and the notes out of standard error")
    options.add_asking(parser)
    parser.set_defaults(run=_run)


def _refused(error: Unread, question: str, connection: Any, database: str) -> Unread:
    """Return the error for a refused question; if it may be SQL, with the command that runs it."""
    from askwhere.bindings import connections
    from askwhere.bindings.cli.questions import why_question

    if why_question(question, connections.kind_of(connection)):
        return error
    command = f"`askwhere shell {database} {shlex.quote(question)}`"
    return Unread(f"{error.reason}\nIf it is SQL: {command}", error.reason, error.words)


def _run(parsed: argparse.Namespace) -> int:
    from askwhere.bindings import connections  # takes time to load, and --help needs none

    if parsed.chart:
        from askwhere.bindings.cli import drawing  # takes time to load

        drawing.check(Path(parsed.chart))
    chosen = options.chosen(parsed)
    connection = connections.connect_to_ask(sources.to_ask(parsed.database, chosen), chosen)
    with contextlib.closing(connection):
        asked = " ".join(parsed.question)
        try:
            answer = askwhere.ask(connection, asked, hint=parsed.hint, choose=parsed.choose, follows=parsed.follows)
        except Unread as exc:
            raise _refused(exc, asked, connection, parsed.database.arguments) from None
        rows = () if parsed.sql else in_decimals(answer.rows, answer.types)
        if parsed.sql:
            print(safe_for(answer.sql, sys.stdout))
        elif parsed.csv:
            csv.writer(Screen(sys.stdout), lineterminator="\n").writerows((answer.columns, *rows))
        elif parsed.chart is not None:
            from askwhere.bindings.cli import drawing  # takes time to load

            print(drawing.draw(answer.columns, rows, parsed.chart))
        else:
            print_rows(answer.columns, rows, parsed.json)
        if not parsed.quiet and (reasons := answer.reasons(with_query=not parsed.sql)):
            sys.stdout.flush()  # the rows stand above, where both go to one terminal
            print(fitted(reasons, sys.stderr), file=sys.stderr)
    return 0
