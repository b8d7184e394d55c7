"""Print rows and texts; on a terminal, make control characters visible, as cells and names may contain any."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from askwhere.box import width
from askwhere.cells import visible
from askwhere.display import table


def safe_for(text: str, out: IO[str]) -> str:
    """Return the text as `out` takes it: on a terminal, which obeys control characters, those are made visible."""
    return visible(text) if out.isatty() else text


def fitted(text: str, out: IO[str]) -> str:
    """Return the text as `out` takes it, on a terminal in lines that fit: broken between words, never in quotes."""
    if not out.isatty():
        return text
    room = shutil.get_terminal_size().columns
    return "\n".join(part for line in visible(text).split("\n") for part in _broken(line, room))


def _broken(line: str, room: int) -> Iterator[str]:
    """Yield the parts of a line that fit into `room`, indented as the line is. A word that is wider stays whole."""
    indent, part = line[: len(line) - len(line.lstrip())], ""
    for word in _WORD.findall(line):
        if part and width(part + word) > room:
            yield part
            part = indent + word.lstrip()
        else:
            part += word
    yield part


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]], as_json: bool, none: str = "") -> None:
    """Print rows as a table, or as a JSON array of objects; where there are none, also `none`, on standard error."""
    if as_json:
        json.dump([dict(zip(columns, row, strict=True)) for row in rows], sys.stdout, default=plain)
        print()
    else:
        print(table(columns, rows))
        if none and not rows:
            print(none, file=sys.stderr)


def plain(cell: Any) -> Any:
    """Return a cell that JSON cannot hold as a text."""
    return cell.hex() if isinstance(cell, bytes) else str(cell)


class Screen:
    """A file for a program that writes colours: on a terminal, all other control characters are made visible.

    `terminal` is the file itself, for what moves the cursor.
    """

    def __init__(self, out: IO[str]) -> None:
        self.terminal = self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        parts = _COLOUR.split(text)  # every second part is a colour
        self._out.write("".join(part if n % 2 else safe_for(part, self._out) for n, part in enumerate(parts)))
        return len(text)


@contextlib.contextmanager
def screens(*names: str) -> Iterator[None]:
    """Write to `sys.stdout` or `sys.stderr`, those named, through a `Screen` while the block runs."""
    before = {name: getattr(sys, name) for name in names}
    for name, out in before.items():
        setattr(sys, name, Screen(out))
    try:
        yield
    finally:
        for name, out in before.items():
            setattr(sys, name, out)


@contextlib.contextmanager
def noting(written: Callable[[str], str]) -> Iterator[None]:
    """Print the notes that are logged while the block runs on standard error, each as `written` returns it."""
    import logging  # takes time to load, and --help needs none

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            print(fitted(written(record.getMessage()), sys.stderr), file=sys.stderr)

    logger, notes = logging.getLogger("askwhere"), Notes(logging.WARNING)
    logger.addHandler(notes)
    try:
        yield
    finally:
        logger.removeHandler(notes)


# A word with the spaces before it. A break within quotes would change SQL, and one within backquotes a command to copy.
_WORD = re.compile(r"""\s*(?:'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\S)+?(?=\s|\Z)""")
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")
