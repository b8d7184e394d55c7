"""The command line: `askwhere ask`, `trace`, `shell`, `index`, `model`, `pins`, `keys`, `fix` and the others."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import askwhere
from askwhere.bindings import address_space
from askwhere.bindings.cli.show import fitted, noting, screens
from askwhere.bindings.engine_errors import explained
from askwhere.cells import short
from askwhere.errors import ArgumentError, AskError, SettingError, suggestion

# Exit codes, as shells expect: 1 for a failure, 2 for wrong arguments (by argparse), 130 for an interrupt.
FAILED, INTERRUPTED = 1, 130
LONGEST = 20_000  # characters of an error that are shown
# Each command with what it does. Its module is imported for it alone, and has `add_arguments`; what is parsed then has
# a function `run`, which returns the exit code.
COMMANDS = {
    "ask": "ask one question and print the rows",
    "trace": "ask one question and show how the answer came about, step by step",
    "shell": "open a prompt that takes questions and SQL",
    "index": "index the values of a database, so that questions find them at once",
    "pins": "list the pinned questions, export them to a file, or import them from one",
    "calibrate": "calibrate the confidence of answers by asking the pinned questions",
    "comments": "list comments on tables and columns, add a synonym, or import dbt's",
    "keys": "list the keys that tables are joined by, suggest others, or declare some",
    "fix": "repair a query that fails, with as few changes as possible, and print it",
    "explain": "say in plain language what a query shows",
    "serve": "serve a database, with ask('…'), to every DuckDB client",
    "web": "show a page to ask a database, on this machine alone",
    "eval": "measure how often answers are right, by questions with gold SQL",
    "model": "download language models, and list, choose and delete them",
    "train": "train adapters of a model: for generation, and the bias eliminator",
    "demo": "build the sample database and ask it five questions",
    "extension-path": "print where the loadable SQLite extension is",
    "worker": "started by the SQLite extension, to answer for the program that loaded it",
    "doctor": "report what is installed, and which settings and models would be used",
}
# The similarity from which an option is taken for a misspelt one: "--modl" for --model; "--port" is no "--effort".
_NEAR = 0.75
_MODULES = {"eval": "evaluate", "extension-path": "extension_path"}
# Commands that take several words, between which options may stand.
_TAKING_WORDS = ("ask", "trace", "shell", "index", "fix", "explain")
# Commands that have commands of their own.
_WITH_COMMANDS = ("eval", "model", "train")
# Commands that take SQL as long as they run: what `SELECT ask_index()` does is not lost at once.
_TAKING_SQL = ("shell", "serve", "web", "worker")
# Commands that run although the environment has a misspelt setting: they ask nothing, or serve another program.
_WITH_ANY_ENVIRONMENT = ("doctor", "extension-path", "worker")
# The streams in which control characters are made visible, for commands where these are not both: the prompt, and
# progress bars of other packages, move the cursor themselves.
_SCREENS = {"shell": ("stderr",), "model": ("stdout",), "train": ("stdout",), "worker": ()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code. A user's mistake prints what is wrong, never a traceback."""
    if arguments is None:
        # Nearly all objects that are made at the start stay. A question makes 130,000; collecting takes 0.03 s.
        gc.set_threshold(300_000)
        atexit.register(_skip_garbage)
    typed = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None and typed[:1] != ["train"]:
        # numpy starts threads for products of matrices: 0.1 s of processor time, and questions need no large ones.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parsed = argparse.Namespace()
    try:
        _refuse_undecodable(typed)
        address_space.require_to_ask()
        parsed = _parsed(typed)
        if "words" in parsed:  # else the command takes no database
            from askwhere.bindings.cli import sources  # its command has loaded it

            sources.read_source(parsed)
        if typed[0] not in _WITH_ANY_ENVIRONMENT:
            _refuse_misspelt()
        with screens(*_SCREENS.get(typed[0], ("stdout", "stderr"))), _noting(typed[0], parsed):
            code = int(parsed.run(parsed))
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as exc:
        error = exc if isinstance(exc, AskError) else explained(exc)
        if error is None and isinstance(exc, OSError):
            return _unwritten(exc)
        if isinstance(exc, UnicodeEncodeError) and exc.encoding != "utf-8":
            return _unencoded(exc)
        if error is None:
            raise
        cut = short(_advising(str(error), parsed), LONGEST)  # an argument may have a megabyte
        print(fitted(f"askwhere: {cut}", sys.stderr), file=sys.stderr)
        return FAILED


def _noting(name: str, parsed: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the context in which the command of this name runs: its notes advise commands, as its errors do."""
    return nullcontext() if name in _TAKING_SQL else noting(lambda note: _advising(note, parsed))


def _advising(message: str, parsed: argparse.Namespace) -> str:
    """Return a message with its advice as commands for the database of a command line."""
    from askwhere.bindings.advice import for_command_line  # takes time to load

    database = getattr(parsed, "database", "DB")
    return for_command_line(message, *(getattr(database, name, str(database)) for name in ("arguments", "keeping")))


def _unwritten(exc: OSError) -> int:
    """Print what cannot be read or written, and return the exit code."""
    # Else Python would report the error again when it closes standard output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(exc, BrokenPipeError):  # a closed pipe, such as that of `head`, is no mistake
        what = exc.filename or "the output cannot be written"
        print(fitted(f"askwhere: {what}: {exc.strerror}", sys.stderr), file=sys.stderr)
    return FAILED


def _unencoded(exc: UnicodeEncodeError) -> int:
    """Print which character the encoding of the output lacks, and return the exit code."""
    what = f"the output is in {sys.stdout.encoding.upper()}, which has no {exc.object[exc.start]!a}"
    print(f"askwhere: {what}: set PYTHONIOENCODING=utf-8", file=sys.stderr)
    return FAILED


def _skip_garbage() -> None:
    """Skip garbage collection at exit, when all memory is freed anyway.

    Not with DuckDB, whose package would report the objects that are left as leaks.
    """
    if "_duckdb" not in sys.modules:
        gc.freeze()


def _refuse_undecodable(arguments: Sequence[str]) -> None:
    """Raise `ArgumentError` for an argument with bytes that are not in the terminal's encoding: no engine takes one."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as exc:
            place = f"{argument[exc.start]!a} in {argument.encode(errors='replace').decode()}"
            raise ArgumentError(f"an argument is not in {sys.getfilesystemencoding().upper()}: {place}") from None


def _refuse_misspelt() -> None:
    """Raise `SettingError` for a misspelt setting in the environment, which would otherwise be ignored."""
    from askwhere import settings  # takes time to load, and --help needs none

    for name, near in settings.misspelt().items():
        raise SettingError(f"the environment has {name}, which is no setting; did you mean {near}?")


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    if arguments and arguments[0] == "help":  # "help", "help ask"
        arguments = [*arguments[1:2], "--help"]
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name not in COMMANDS:
        overview = _overview()
        if not name:
            overview.print_help(sys.stderr)
            overview.exit(2)
        if not name.startswith("-"):
            overview.error(_unknown(name))
        return overview.parse_args(arguments)
    if name in _WITH_COMMANDS:
        rest = rest or ["--help"]
    if name == "eval":
        from askwhere.bindings.cli import evaluate  # its command alone needs it

        rest = evaluate.completed(rest)
    parser = parser_of(name)
    parse = parser.parse_known_intermixed_args if name in _TAKING_WORDS else parser.parse_known_args
    parsed, unknown = parse(rest)
    if unknown:
        near = suggestion(unknown[0].partition("=")[0], re.findall(r"--[\w-]+", parser.format_help()), _NEAR)
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
    return parsed


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command, with the arguments that its module adds."""
    from askwhere.bindings.cli import options  # the list of commands does without

    module = importlib.import_module(f"askwhere.bindings.cli.{_MODULES.get(name, name)}")
    made: type[argparse.ArgumentParser] = getattr(module, "Parser", argparse.ArgumentParser)
    parser = made(f"askwhere {name}", description=options.sentence(COMMANDS[name]))
    module.add_arguments(parser)
    return parser


def _unknown(name: str) -> str:
    """Return the error for a command that there is not, or for a file in its place."""
    if os.path.exists(name):
        file = shlex.quote(name)
        return f"expected a command, found the file {file}: try askwhere ask {file} 'QUESTION' or askwhere shell {file}"
    return f"there is no command {name!r}; askwhere --help lists them{suggestion(name, COMMANDS)}"


def _overview() -> argparse.ArgumentParser:
    """Return the parser of a line without a command: it has the list of commands for --help."""
    parser = argparse.ArgumentParser("askwhere", description="Ask a database in plain language, and get rows.")
    parser.add_argument("--version", action="version", version=askwhere.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary)
    return parser
