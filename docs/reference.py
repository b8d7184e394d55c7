"""Write the generated parts of reference.md and of the README: functions, settings, errors, commands, Python.

`make docs` runs it through cog, and `make check` fails where a page differs from what it would write.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import askwhere
from askwhere import errors, models, session
from askwhere.bindings import sample
from askwhere.bindings.cli import main as cli
from askwhere.display import table
from askwhere.known_settings import SETTINGS
from askwhere.settings import as_text
from askwhere.udfs import FUNCTIONS, Function

# A longer output is left out.
SHOWN = 16
KINDS = {"answer": "A table", "table": "A table", "scalar": "A value"}


def overview() -> str:
    """Return the table of all SQL functions, for the README."""
    lines = ["| call | what comes back |", "|---|---|"]
    for function in FUNCTIONS:
        columns = ": " + ", ".join(f"`{name}`" for name, _ in function.columns) if function.columns else ""
        kind = KINDS[function.kind].removeprefix("A ")
        lines.append(f"| `{function.signature}` | {kind}: {function.summary}{columns} |")
    return "\n".join(lines) + "\n"


def functions() -> str:
    """Return a section for each SQL function, its examples with what they give in both engines."""
    with tempfile.TemporaryDirectory() as folder:
        samples = build(Path(folder))
        return "\n".join(_function(function, samples) for function in FUNCTIONS)


def _function(function: Function, samples: Sequence[Path]) -> str:
    lines = [
        f"### `{function.signature}`",
        "",
        f"{KINDS[function.kind]}: {function.summary}. {text(function.call)}",
        "",
    ]
    if function.arguments:
        arguments = (f"`{a.name}` ({a.kind}{'' if a.required else ', optional'})" for a in function.arguments)
        lines += [f"Arguments: {', '.join(arguments)}.", ""]
    if function.columns:
        lines += ["Columns: " + ", ".join(f"`{name}` {kind}" for name, kind in function.columns) + ".", ""]
    if function.changes:
        lines += ["It changes something, so that views and triggers cannot call it.", ""]
    lines += ["```sql", *_examples(function, samples), "```", ""]
    return "\n".join(lines)


def _examples(function: Function, samples: Sequence[Path]) -> Iterator[str]:
    """Yield each example, and below it its result as a comment, where that is short and the same in both engines."""
    given = [run(path, function.examples) for path in samples]
    for statement, *shown in zip(function.examples, *given, strict=True):
        yield f"{statement};"
        lines = shown[0].splitlines()
        if len(set(shown)) == 1 and len(lines) <= SHOWN:
            yield from (f"-- {line}".rstrip() for line in lines)


def build(folder: Path) -> tuple[Path, Path]:
    """Write the sample database for both engines into a folder, and return the two files."""
    sqlite, duckdb = folder / "world.db", folder / "world.duckdb"
    sample.build_sqlite(sqlite)
    sample.build_duckdb(duckdb)
    return sqlite, duckdb


def run(path: Path, statements: Sequence[str]) -> list[str]:
    """Run statements one after the other on a copy of a database, and return their results as text."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, folder)
        with contextlib.closing(askwhere.connect(copy)) as connection:
            return [result(connection, statement) for statement in statements]


def result(connection: Any, statement: str) -> str:
    """Return the rows of a statement as text: one value as it is, more as a table; truth values are 0 and 1."""
    cursor = connection.execute(statement)
    try:
        names = [name for name, *_ in cursor.description or ()]
    except apsw.ExecutionCompleteError:
        return ""  # there are no rows
    rows = [tuple(int(cell) if isinstance(cell, bool) else cell for cell in row) for row in cursor.fetchall()]
    shown = str(rows[0][0]) if len(rows) == len(names) == 1 else table(names, rows) if rows else ""
    return re.sub(r" in \d+\.\d s", "", shown)  # how long it took


def settings() -> str:
    """Return a table of all settings."""
    lines = ["| setting | default | example | in SQL | meaning |", "|---|---|---|---|---|"]
    for s in SETTINGS:
        default = f"`{as_text(s.default)}`" if as_text(s.default) else ""
        by = "no" if s.guarded else "yes"
        lines.append(f"| `{s.name}` | {default} | `{s.example}` | {by} | {s.description} |")
    return "\n".join(lines) + "\n"


def commands() -> str:
    """Return a section for each command of the command line."""
    return "\n".join(_command(name, summary, parser) for name, (summary, parser) in every_command().items())


def every_command() -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the commands by name, each with what it does and its arguments."""
    found: dict[str, tuple[str, argparse.ArgumentParser]] = {}
    for name, summary in cli.COMMANDS.items():
        parser = cli.parser_of(name)
        own = _commands_of(parser) if parser._subparsers else {"": (summary, parser)}
        found |= {f"{name} {part}".strip(): one for part, one in own.items()}
    return found


def _commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    (named,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {a.dest: (a.help or "", named.choices[a.dest]) for a in named._choices_actions}


def _command(name: str, summary: str, command: argparse.ArgumentParser) -> str:
    actions = [action for action in command._actions if action.dest != "help"]
    usage = ["askwhere", name, *(_written(a) for a in actions if not a.option_strings and a.nargs in (None, "+"))]
    groups = {id(a): group._group_actions for group in command._mutually_exclusive_groups for a in group._group_actions}
    for action in actions:
        together = groups.get(id(action), [action])
        if _written(action) not in usage and action is together[0]:
            usage.append("[" + " | ".join(map(_written, together)) + "]")
    lines = [f"### `askwhere {name}`", "", f"{summary[0].upper()}{summary[1:]}.", ""]
    lines += ["```sh", " ".join(usage), "```", ""]
    if actions:
        lines += ["| argument | meaning |", "|---|---|"]
        lines += [f"| `{_written(action)}` | {action.help or 'the ' + action.dest} |" for action in actions]
        lines += [""]
    return "\n".join(lines)


def _written(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"{action.metavar or action.dest}{' …' if action.nargs in ('*', '+') else ''}"
    value = action.metavar or action.dest.upper()
    value = value if isinstance(value, str) else " ".join(value)
    named = "" if action.nargs == 0 else f"[={value}]" if action.nargs == "?" else f" {value}"
    return f"{action.option_strings[0]}{named}"


def tree() -> str:
    """Return the errors as a tree."""
    return "```\n" + (errors.__doc__ or "").split("\n\n", 1)[1].rstrip() + "\n```\n"


def failures() -> str:
    """Return a table of all errors."""
    lines = ["| error | when | what to do |", "|---|---|---|"]
    for error in every_error():
        when, _, then = inspect.getdoc(error).partition("\n\n")  # type: ignore[union-attr]
        lines.append(f"| `{error.__name__}` | {_one_line(when)} | {_one_line(then)} |")
    return "\n".join(lines) + "\n"


def every_error() -> list[type[errors.AskError]]:
    """Return the errors in the order of their module."""
    found = vars(errors).values()
    return [value for value in found if isinstance(value, type) and issubclass(value, errors.AskError)]


PYTHON = {
    "askwhere": (askwhere.connect, askwhere.register, askwhere.ask),
    "askwhere.session": (session.Answer,),
    "askwhere.models": (models.Model, models.Completions, models.Scripted),
}


def python() -> str:
    """Return a section for each function and class of the Python interface."""
    return "\n".join(_python(module, named) for module, all_ in PYTHON.items() for named in all_)


def _python(module: str, named: Any) -> str:
    lines = [f"### `{module}.{named.__name__}`", ""]
    if not inspect.isclass(named):
        lines += ["```", f"{named.__name__}{_plain(inspect.signature(named))}", "```", ""]
    paragraphs = (inspect.getdoc(named) or "").split("\n\n")
    lines += ["\n\n".join(f"```pycon\n{part}\n```" if part.startswith(">>>") else part for part in paragraphs), ""]
    for name, method in vars(named).items() if inspect.isclass(named) else ():
        if not name.startswith("_") and (callable(method) or isinstance(method, property)):
            call = "" if isinstance(method, property) else _plain(inspect.signature(method))
            lines.append(f"- `{name}{re.sub(r'self(, )?', '', call)}`: {text(method)}")
    return "\n".join(lines).rstrip() + "\n"


def _plain(signature: inspect.Signature) -> str:
    """Return the signature without the quotes around its annotations."""
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature))


def text(named: Any) -> str:
    """Return a docstring as one paragraph."""
    return _one_line(inspect.getdoc(named) or "")


def _one_line(paragraph: str) -> str:
    return " ".join(paragraph.split())
