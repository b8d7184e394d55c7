"""`askwhere demo`: builds the sample database in both engines and asks it five questions."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from pathlib import Path

import askwhere
from askwhere.bindings import sample
from askwhere.display import table
from askwhere.sql.literals import quoted

QUESTIONS = (
    "How many countries are there in each continent?",
    "Which 5 cities have the largest population?",
    "What languages are spoken in Switzerland?",
    "Show the name and height of mountains higher than 8000 meters",
    "Which countries have no rivers?",
)
SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        help="the folder for world.db and world.duckdb; the current one by default",
    )
    parser.set_defaults(run=lambda parsed: run(parsed.folder))


def run(folder: Path) -> int:
    """Build `world.db` and `world.duckdb` in `folder`, ask the questions, and print how to go on. Return 0."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, build in ((folder / "world.db", sample.build_sqlite), (folder / "world.duckdb", sample.build_duckdb)):
        build(path)
        print(f"\n── {path} " + "─" * 40)
        with contextlib.closing(askwhere.connect(path)) as connection:
            for question in QUESTIONS:
                print(f"\n{_statement(question)}")
                answer = askwhere.ask(connection, question)
                print(f"-- {answer.candidates[0].sql}\n{table(answer.columns, answer.rows, SHOWN)}")
    command = shlex.join([_program(), "shell", str(folder / "world.db")])
    print(f"\nNow ask it something yourself:\n  {command}")
    return 0


def _statement(question: str) -> str:
    return f"SELECT * FROM ask({quoted(question)});"


def _program() -> str:
    """Return how this program was called, for a command line that can be pasted."""
    return sys.argv[0] if Path(sys.argv[0]).name == "askwhere" else "askwhere"
