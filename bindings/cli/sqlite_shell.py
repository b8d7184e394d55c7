"""Run statements for the shell in SQLite; scripts by APSW's own shell, whose other commands the prompt has too."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

import apsw
import apsw.shell
from askwhere.bindings.cli import commands, script
from askwhere.bindings.cli.commands import Result, Shell
from askwhere.bindings.cli.show import Screen
from askwhere.bindings.sqlite.text import statements as statements_of
from askwhere.cells import rounded
from askwhere.display import SHOWN, whole
from askwhere.errors import AskError

_MORE = "Others are those of APSW's shell, such as .dump, .import and .read."


class ScriptShell(apsw.shell.Shell):
    """APSW's shell with long texts shown whole: its own boxes cut them at 1,024 characters."""

    def process_command(self, command: str) -> None:
        """Run one dot command; those about questions are the prompt's. Raise `AskError` for its others."""
        name = command.strip().partition(" ")[0]
        if name in commands.ABOUT_QUESTIONS:
            commands.execute(shell(self.db, self.stdout), command.strip())
        elif name in commands.COMMANDS and not hasattr(self, f"command_{name.removeprefix('.')}"):
            raise AskError(
                f"{name} is a command of the prompt, and no script in SQLite has it; .help lists those it has"
            )
        else:
            super().process_command(command)  # type: ignore[no-untyped-call]

    def command_schema(self, words: list[str]) -> None:  # noqa: D102  # APSW's docstring is given below
        known = "SELECT tbl_name FROM sqlite_schema UNION ALL SELECT tbl_name FROM sqlite_temp_schema"
        for word in words:
            if not self.db.execute(f"SELECT 1 FROM ({known}) WHERE tbl_name LIKE ? LIMIT 1", [word]).fetchall():
                commands.execute(shell(self.db, self.stdout), f".schema {word}")  # says which name is near
        super().command_schema(words)  # type: ignore[no-untyped-call]

    command_schema.__doc__ = apsw.shell.Shell.command_schema.__doc__

    def command_help(self, words: list[str]) -> None:  # noqa: D102  # APSW's docstring is given below
        if words == [commands.FUNCTIONS_TOPIC]:
            self.stdout.write(f"{commands.functions_listed()}\n")
            return
        if not words:
            self.stdout.write(f"{commands.commands_listed(('.help', *commands.ABOUT_QUESTIONS))}\n{_MORE}\n")
            self.stdout.flush()  # APSW writes its own list to standard error
        super().command_help(words)  # type: ignore[no-untyped-call]

    command_help.__doc__ = apsw.shell.Shell.command_help.__doc__

    def output_box(self, column_names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Outputs using line drawing and auto sizing columns, but a long text as it is"""  # APSW's .help shows this
        listed = list(rows)
        text = whole(listed)
        if text is None:
            shown = [tuple(map(rounded, row)) for row in listed]
            super().output_box(column_names, shown)  # type: ignore[no-untyped-call]
        else:
            self.stdout.write(f"{text}\n")

    output_box.all_at_once = True  # type: ignore[attr-defined]  # APSW's mark of a mode that needs all rows at once


def run(connection: Any, statements: Sequence[str], asking: str = "") -> int:
    """Run the statements, or what a pipe holds, as `script.run` does. Return the exit code."""
    stoppable(connection)
    out: Any = Screen(sys.stdout)
    errors: Any = Screen(sys.stderr)
    scripts: Any = ScriptShell(db=connection, stdout=out, stderr=errors)
    scripts.process_command(".mode box" if sys.stdout.isatty() or statements else ".mode list")
    texts = statements or script.complete_statements(sys.stdin, apsw.complete)
    return script.run(texts, scripts.process_complete_line, "sqlite", asking)


def stoppable(connection: Any) -> None:
    """Let Ctrl-C stop a statement: Python handles it only while it runs Python code, so it does so now and then."""
    connection.set_progress_handler(lambda: False, 100_000)


def shell(connection: Any, out: IO[str]) -> Shell:
    """Return the shell over a connection."""
    stoppable(connection)
    screen: Any = Screen(out)
    others: Any = apsw.shell.Shell(db=connection, stdout=screen, stderr=screen)

    def own(text: str) -> bool:
        name = text.split()[0].removeprefix(".")
        if not hasattr(others, f"command_{name}"):
            return False
        try:
            others.process_command(text)
        except others.Error as exc:
            raise AskError(str(exc)) from exc
        return True

    names = [f".{name.removeprefix('command_')}" for name in dir(others) if name.startswith("command_")]
    return Shell(connection, lambda text: _results(connection, text), out, own, names, _MORE)


def _results(connection: Any, text: str) -> Iterator[Result]:
    """Run statements, and yield the result of each that returns or changes rows."""
    for statement in statements_of(text):
        before = connection.total_changes()
        described: list[tuple[tuple[str, str], ...]] = []
        cursor = connection.cursor()
        cursor.exec_trace = lambda cursor, sql, values, into=described: into.append(cursor.get_description()) or True
        rows = [row for _, row in zip(range(SHOWN + 1), cursor.execute(statement.sql), strict=False)]
        cursor.close(True)
        if described and described[-1]:
            yield Result([name for name, _ in described[-1]], rows)
        elif changed := connection.total_changes() - before:
            yield Result(changed=changed)
