"""`askwhere trace`: asks a question, and shows each step to the answer in the terminal or as an HTML page."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.bindings import connections
from askwhere.bindings.advice import for_command_line
from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.show import fitted, safe_for
from askwhere.cells import short
from askwhere.display import table
from askwhere.pages import gather, trace
from askwhere.pages.facts import Trace
from askwhere.pages.page import STARTS
from askwhere.pages.trace import took
from askwhere.pipeline.facts import Step
from askwhere.session import Question, chain
from askwhere.udfs import ask_trace

# The columns of a step that fit on a terminal.
_SHOWN = ("step", "detail", "model", "prompt_tokens", "completion_tokens", "ms")
_WIDE = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser, "question", "what to ask, in quotes or as words")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--html", type=Path, metavar="FILE", help="write one self-contained HTML page")
    output.add_argument("--json", action="store_true", help="print the steps as a JSON array of objects")
    options.add_asking(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    """Print the steps or write the page. Return 0 where there is an answer; else prints why not, and returns 1."""
    asked, follows = " ".join(parsed.question), chain(parsed.follows)
    question = Question(asked, hint=parsed.hint, choose=parsed.choose, follows=follows)
    source, chosen, html = parsed.database, options.chosen(parsed), parsed.html
    if html is not None:
        files.refuse_other(html, STARTS.encode(), "an HTML page")
    with contextlib.closing(connections.connect(sources.to_ask(source, chosen), chosen)) as connection:
        traced = trace_of(connection, question, source.name)
    if html is not None:
        files.write(files.named(html), trace.html(traced))
        print(f"wrote {html}")
    else:
        print(_json(traced) if parsed.json else _text(traced))
    if not traced.chosen:
        why = for_command_line(traced.error, source.arguments, source.keeping)
        print(safe_for(f"askwhere: {why}", sys.stderr), file=sys.stderr)
    return 0 if traced.chosen else 1


def trace_of(connection: Any, question: Question, database: str) -> Trace:
    """Ask a question on an open connection, and return how it was answered."""
    session, engine = connections.session(connection), connections.engine(connection)
    return gather.trace(session, engine, question, database, f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC")


def _text(traced: Trace) -> str:
    """Return the steps as a table, and below it the notes of the query that was chosen."""
    notes = [
        fitted(f"Note: {note}", sys.stdout)
        for query in traced.queries
        if query.rank == traced.chosen
        for note in query.notes
    ]
    return "\n".join([table(_SHOWN, list(map(_row, traced.steps))), took(traced), *notes])


def _json(traced: Trace) -> str:
    """Return the rows of `ask_trace` as JSON."""
    return json.dumps([{name: getattr(step, name) for name, _ in ask_trace.COLUMNS} for step in traced.steps])


def _row(step: Step) -> list[Any]:
    tokens = (step.prompt_tokens, step.completion_tokens)
    return [step.step, short(step.detail, _WIDE), step.model, *tokens, round(step.ms, 1)]
