"""`askwhere eval`: runs an evaluation, and prints how many answers were right, and their cost and time."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.bindings.cli import comparing, options, results
from askwhere.bindings.opening import open_database
from askwhere.errors import ArgumentError
from askwhere.evaluation import identity, locking, plans, records, runner, sets, summary
from askwhere.evaluation.ask import EVIDENCE
from askwhere.evaluation.cache import Cache, default_path
from askwhere.evaluation.judge import SCORES, SLOW
from askwhere.evaluation.plans import Plan, Request
from askwhere.evaluation.records import Run
from askwhere.indexer import progress

FOLDER = Path("evaluation")

COMMANDS = ("run", "compare")


def completed(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of `askwhere eval`, with the command `run` where the first word names none."""
    return [*([] if arguments[0] in (*COMMANDS, "-h", "--help") else ["run"]), *arguments]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands of `askwhere eval` to its parser."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_run(
        options.subcommand(
            commands, "run", "ask all questions of a set, and score the answers; `askwhere eval SET` is the same"
        )
    )
    comparing.add(commands)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", type=Path, metavar="SET", help=_SET)
    for name, how in _DATA.items():
        parser.add_argument(f"--{name}", **how)
    options.add(parser)
    for name, how in _OPTIONS.items():
        parser.add_argument(f"--{name}", **how)
    parser.set_defaults(run=_run)


def _request(parsed: argparse.Namespace) -> Request:
    """Return the run that the options ask for. Raise `ArgumentError`, `SettingError`."""
    names = {field.name for field in fields(Request)} - {"set", "settings"}
    same = {name: getattr(parsed, name) for name in names}
    return Request(sets.named(parsed.set), settings=options.chosen(parsed), **same)


def _run(parsed: argparse.Namespace) -> int:
    path, run, figures = _performed(plans.plan(_request(parsed), open_database), parsed)
    if parsed.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print("\n".join([*results.summary_lines(figures), *results.wrong_lines(run, max(parsed.questions, 0))]))
        print(f"\nwritten to {path}")
    return 0


def _performed(plan: Plan, parsed: argparse.Namespace) -> tuple[Path, Run, dict[str, Any]]:
    """Make the run, with progress on a terminal; return its file, its records, and its summary."""
    output = parsed.output
    if output and output.exists() and not output.is_file():
        raise ArgumentError(f"{output} is not a file: expected a file to write the run to, or one of a run to continue")
    path = files.named(output) if output else FOLDER / identity.file_name(plan.header)
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        stack.enter_context(locking.writing(path))
        if parsed.no_cache and records.summary_path(path).exists():  # the run is complete, and to be made again
            path.unlink(missing_ok=True)
        try:
            cache = None if parsed.no_cache else stack.enter_context(Cache(parsed.cache or default_path()))
            run, warnings = runner.run(plan, open_database, path, parsed.workers, cache, _progress())
        except KeyboardInterrupt:
            print("\naskwhere: interrupted; the same command goes on from here", file=sys.stderr)
            raise
        return path, run, summary.write(path, run, warnings)


def _progress() -> runner.Tell:
    tell = progress.on_terminal("asking,")
    return lambda done, total, share: tell(f"{100 * share:.1f} % right", done, total)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _above_zero(kind: Callable[[str], float]) -> Callable[[str], float]:
    def number(text: str) -> float:
        if not (given := kind(text)) > 0:
            raise ValueError
        return given

    return number


def _prices(text: str) -> tuple[float, ...]:
    prices = tuple(float(part) for part in text.split(","))
    if len(prices) != 2 or min(prices) < 0:
        raise ValueError
    return prices


_names.__name__, _prices.__name__ = "names", "pair of prices"

_SET = (
    "questions in the format of Spider, BIRD or KaggleDBQA, or as JSON lines; a folder with such a file; or a database,"
    " whose pins are the questions"
)
_DATA: dict[str, Any] = {
    "split": {"default": "dev", "help": "where SET is a folder, the split to read; dev by default"},
    "databases": {"type": Path, "metavar": "FOLDER",
        "help": "the folder with the databases, as NAME/NAME.sqlite; beside the questions by default"},
    "engine": {"choices": ("sqlite", "duckdb"),
        "help": "the databases' own by default; for duckdb, SQLite files are copied and gold SQL is translated"},
}  # fmt: skip
_OPTIONS: dict[str, Any] = {
    "only": {"type": _names, "default": (), "metavar": "DB,…", "help": "ask only questions about these databases"},
    "without": {"type": _names, "default": (), "metavar": "DB,…", "help": "ask no questions about these databases"},
    "sample": {"type": _above_zero(int), "metavar": "N", "help": "ask N questions, drawn at random"},
    "seed": {"type": int, "default": 0, "metavar": "N", "help": "the seed for drawing the sample; 0 by default"},
    "evidence": {"choices": EVIDENCE, "default": "hint",
        "help": "how BIRD's evidence is used: as the hint, as a part of the question, or not at all; hint by default"},
    "score": {"metavar": "NAME", "help": f"the score by which an answer counts as right: {', '.join(SCORES)}"},
    "more": {"type": _names, "default": (), "metavar": "NAME,…",
        "help": f"also compute these scores, which take longer: {', '.join(SLOW)}"},
    "prices": {"type": _prices, "default": (), "metavar": "P,C",
        "help": "dollars for a million tokens of prompts, and of completions"},
    "workers": {"type": _above_zero(int), "default": os.cpu_count() or 1, "metavar": "N",
        "help": "how many processes ask; by default one for each core"},
    "seconds": {"type": _above_zero(float), "metavar": "N",
        "help": "the time limit of a question; 300 by default, or a minute more than max_seconds"},
    "query-seconds": {"type": _above_zero(float), "default": 30.0, "metavar": "N",
        "help": "the time limit of a query that is run to score an answer; 30 by default"},
    "output": {"type": Path, "metavar": "FILE",
        "help": "where to write the run as JSON lines, and its summary beside it"},
    "cache": {"type": Path, "metavar": "FILE",
        "help": "where to keep models' replies; in the user's cache folder by default"},
    "no-cache": {"action": "store_true",
        "help": "ask everything again: use no kept replies, and make a finished run anew"},
    "json": {"action": "store_true", "help": "print the summary as JSON"},
    "questions": {"type": int, "default": results.LISTED, "metavar": "N",
        "help": f"list at most N of the questions that are not right; {results.LISTED} by default"},
}  # fmt: skip
