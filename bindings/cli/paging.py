"""Show what the prompt prints in the user's pager where it is longer than the terminal."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from typing import IO

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
    """Show a text in a pager until the user leaves it. Returns its exit code."""
    environment = {"LESS": _LESS, **os.environ}
    process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environment)
    assert process.stdin is not None
    # Ctrl-C is for the pager, which may go on; one that is left early has a closed pipe.
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError), process.stdin as pipe:
        pipe.write(f"{text}\n".encode(errors="backslashreplace"))
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            return process.wait()
