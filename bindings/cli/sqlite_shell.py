"""A prompt for SQLite: APSW's own shell, with long texts shown whole, and with Ctrl-C during every statement."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import apsw
import apsw.shell
from askwhere.bindings.cli import script
from askwhere.bindings.cli.show import Screen, whole


class Shell(apsw.shell.Shell):
    """APSW's shell with long texts shown whole: its own boxes cut them at 1,024 characters."""

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
