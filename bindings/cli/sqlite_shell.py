"""A prompt for SQLite: APSW's own shell, which takes questions too, with long texts whole, and Ctrl-C at any time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import apsw
import apsw.shell
from askwhere.bindings.cli import questions, script
from askwhere.bindings.cli.show import Screen
from askwhere.tables import table, whole
from askwhere.udfs import FUNCTIONS


class Shell(apsw.shell.Shell):
    """APSW's shell with questions, and with long texts shown whole: its own boxes cut them at 1,024 characters."""

    def get_line(self, prompt: str = "") -> str | None:
        """Return the next line; a question as the command that asks it."""
        line: str | None = super().get_line(prompt)  # type: ignore[no-untyped-call]
        why = questions.why_question(line, "sqlite") if line and self.interactive and prompt == self.prompt else None
        if why is None:
            return line
        self.stdout.write(f"{why}\n")
        return f".ask {line}"

    def process_command(self, command: str) -> None:
        """Run one dot command; `.ask` with its text as it is, not split into words."""
        name, _, question = command.strip().partition(" ")
        if name == ".ask" and question.strip():
            questions.answer(self.db, question.strip(), self.stdout)
        else:
            super().process_command(command)  # type: ignore[no-untyped-call]

    def command_ask(self, words: list[str]) -> None:
        """ask QUESTION: Shows the answer to a question, also to one that looks like SQL"""  # APSW's .help shows this
        raise self.Error(".ask: expected a question after it, found none")  # see `process_command`

    def command_help(self, words: list[str]) -> None:  # noqa: D102  # APSW's docstring is given below
        super().command_help(words)  # type: ignore[no-untyped-call]
        if not words:
            self.stdout.write(table(("function", "returns"), [(f.signature, f.summary) for f in FUNCTIONS]) + "\n")

    command_help.__doc__ = apsw.shell.Shell.command_help.__doc__

    def output_box(self, column_names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Outputs using line drawing and auto sizing columns, but a long text as it is"""  # APSW's .help shows this
        found = list(rows)
        text = whole(found)
        if text is None:
            super().output_box(column_names, found)  # type: ignore[no-untyped-call]
        else:
            self.stdout.write(f"{text}\n")

    output_box.all_at_once = True  # type: ignore[attr-defined]  # APSW's mark of a mode that needs all rows at once


def run(connection: Any, statements: Sequence[str], intro: str) -> int:
    """Run the statements, or open a prompt, or run what a pipe holds. Returns the exit code."""
    # Python handles Ctrl-C only while it runs Python code: this handler lets it, now and then during a statement.
    connection.set_progress_handler(lambda: False, 100_000)
    out: Any = Screen(sys.stdout)
    errors: Any = Screen(sys.stderr)
    shell: Any = Shell(db=connection, stdout=out, stderr=errors)
    shell.process_command(".mode box" if sys.stdout.isatty() or statements else ".mode list")
    if statements or not sys.stdin.isatty():
        found = statements or script.complete_statements(sys.stdin, apsw.complete)
        return script.run(found, shell.process_complete_line)
    print(intro)
    shell.cmdloop(intro="")
    return 0
