"""Write rows as the mode of the prompt says: a table that fits the terminal, a line a column, CSV or JSON.

What is longer than the terminal is shown in the user's pager.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import IO, Any

from askwhere.bindings.cli.show import plain, safe_for
from askwhere.cells import short, visible, written
from askwhere.display import SHOWN, table

Rows = Sequence[Sequence[Any]]


def written_as(mode: str, columns: Sequence[str], rows: Rows, out: IO[str], fit: bool) -> str:
    """Return at most `SHOWN` rows as `out` takes them, with a note where there are more.

    A table on a terminal is fitted to it, unless `fit` is false.
    """
    if list(columns) == ["explain_key", "explain_value"]:
        return safe_for("\n".join(str(text) for _, text in rows), out)
    if mode == "table":
        room = shutil.get_terminal_size().columns if fit and out.isatty() else None
        text = table(columns, rows[:SHOWN], room=room)
        if room is not None and text != table(columns, rows[:SHOWN]):
            text += "; .mode line shows what was cut"
    else:
        text = MODES[mode](columns, rows[:SHOWN], out)
    return f"{text}\n… and more; the prompt shows {SHOWN:,}" if len(rows) > SHOWN else text


def _lines(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    names = [visible(short(name)) for name in columns]
    wide = max(map(len, names), default=0)
    heads = [f"{name:>{wide}} = " for name in names]
    records = ["\n".join(head + visible(written(cell)) for head, cell in zip(heads, row, strict=True)) for row in rows]
    return "\n\n".join(records) or "0 rows"


def _csv(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((columns, *rows))
    return safe_for(text.getvalue().rstrip("\n"), out)


def _json(columns: Sequence[str], rows: Rows, out: IO[str]) -> str:
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows], default=plain)


MODES: dict[str, Callable[[Sequence[str], Rows, IO[str]], str]] = {
    "table": lambda columns, rows, out: table(columns, rows),
    "line": _lines,
    "csv": _csv,
    "json": _json,
}


# When a pager is used: always, never, or where a text has more lines than the terminal.
PAGERS = ("on", "off", "auto")
_USUAL = ("less", "more")
# Where the user says nothing else, less cuts long lines, which the arrow keys scroll, and leaves them on the screen.
_LESS = "FSX"
_NOT_FOUND = 127  # by the system's shell


def put(text: str, pager: str, out: IO[str]) -> None:
    """Print a text, or show it in the pager: a command of the system's shell in PAGER, or the usual one.

    A pager is used on a terminal only. Where it is not found, a note says so, and the text is printed.
    """
    command = _command()
    if not out.isatty() or pager == "off" or not command or (pager == "auto" and not _is_long(text)):
        print(text, file=out)
        return
    out.flush()
    if _paged(text, command) == _NOT_FOUND:
        print(f"{text}\nThe pager {command!r} (PAGER) was not found; .pager off does without.", file=out)


def _command() -> str:
    """Return the pager's command; an empty PAGER is none."""
    given = os.environ.get("PAGER")
    return next(filter(shutil.which, _USUAL), "") if given is None else given.strip()


def _is_long(text: str) -> bool:
    """Return whether a text and the prompt below it do not fit into the terminal."""
    room = shutil.get_terminal_size()
    lines = sum(max(1, -(-len(line) // room.columns)) for line in text.splitlines())
    return lines >= room.lines - 1


def _paged(text: str, command: str) -> int:
    """Show a text in a pager until the user leaves it. Return its exit code."""
    environment = {"LESS": _LESS, **os.environ}
    process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environment)
    assert process.stdin is not None
    # Ctrl-C is for the pager, which may go on; one that is left early has a closed pipe.
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError), process.stdin as pipe:
        pipe.write(f"{text}\n".encode(errors="backslashreplace"))
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            return process.wait()
