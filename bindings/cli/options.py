"""Arguments that several commands have: the database, the question, the model and any other setting."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from askwhere import settings
from askwhere.errors import ArgumentError

# Settings with an option of their own, with what each takes; the others are given by --set NAME=VALUE.
NAMED = {
    "model": "what writes the SQL: reader, a name of `askwhere model list`, openai:NAME, ollama:NAME, gguf:FILE",
    "method": "how a model is asked: plain, or a published method, sea, dac or mcs",
    "effort": "how far a model goes: fast, balanced or thorough",
}


class PairParser(argparse.ArgumentParser):
    """A parser for which a pair behind an option of two values may be written as one, `WORDS=NAME`."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the arguments, with each such pair as two of them."""
        given = sys.argv[1:] if args is None else args
        pairs = {name for action in self._actions if action.nargs == 2 for name in action.option_strings}
        return super().parse_known_args([part for word in _split(given, pairs) for part in word], namespace)


def _split(words: Sequence[str], pairs: Collection[str]) -> Iterator[Sequence[str]]:
    """Yield the words of a command line, each in its parts: a pair behind one of the options `pairs` has two."""
    before = ""
    for word in words:
        name, _, value = word.partition("=")
        if name in pairs and "=" in value:
            yield name, *value.split("=", 1)
        else:
            yield word.split("=", 1) if before in pairs and "=" in word else [word]
        before = word


def add(command: argparse.ArgumentParser) -> None:
    """Add the options of every command that may ask: the model, the method, the effort, and any other setting."""
    for name, takes in NAMED.items():
        command.add_argument(f"--{name}", help=takes)
    command.add_argument(
        "--set",
        dest="given",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any setting; `askwhere shell DB 'SELECT * FROM ask_settings()'` lists them",
    )


def subcommand(commands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    """Add a command below another, with what it does in the list of commands and in its own help."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=sentence(summary))
    return parser


def sentence(summary: str) -> str:
    """Return what a command does as a sentence."""
    return f"{summary[0].upper()}{summary[1:]}."


def add_asking(command: argparse.ArgumentParser) -> None:
    """Add the options of a command that asks one question."""
    command.add_argument("--hint", help="something that a model should know; the reader cannot use it")
    command.add_argument(
        "--follows",
        action="append",
        metavar="QUESTION",
        help="the earlier question that this one refines; given again, the next of a chain",
    )
    add(command)
    add_read_only(command)
    command.add_argument(
        "--choose", type=int, metavar="RANK", help="answer an ambiguous question with the candidate of this rank"
    )


def add_read_only(command: argparse.ArgumentParser) -> None:
    """Add the option that opens the file for reading only."""
    command.add_argument("--read-only", action="store_true", help="open the database for reading only")


def chosen(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the options give, by name. Raise `ArgumentError`, `SettingError`."""
    given: dict[str, Any] = {name: value for name in NAMED if (value := getattr(parsed, name)) is not None}
    for text in parsed.given:
        name, equals, value = text.partition("=")
        if not equals:
            raise ArgumentError(f"--set: expected NAME=VALUE, found {text!r}")
        given[settings.named(name).name] = value
    return given
