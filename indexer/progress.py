"""Show the progress of long work on a terminal, as one line on standard error that is overwritten and then erased."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO, TypeAlias

from askwhere.cells import short, visible

# Takes the name of the next step, how many steps are done, and how many there are.
Tell: TypeAlias = Callable[[str, int, int], None]
# Seconds before the first line: short work shows nothing.
QUIET = 1.0


def silent(name: str, done: int, total: int) -> None:
    """Show nothing."""


def on_terminal(activity: str, stream: TextIO | None = None) -> Tell:
    """Return a function to call before each step; its lines begin with the word `activity`.

    It is `silent` where the stream, by default standard error, is no terminal.
    """
    given = stream or sys.stderr
    if given is None or not given.isatty():
        return silent
    out: TextIO = getattr(given, "terminal", given)  # below a `Screen`, which would not let the line be erased
    started = time.monotonic()

    def tell(name: str, done: int, total: int) -> None:
        seconds = time.monotonic() - started
        if done == total:
            out.write("\r\x1b[K")
        elif seconds >= QUIET:
            out.write(f"\r\x1b[K{line(activity, name, done, total, seconds)}")
        out.flush()

    return tell


def line(activity: str, name: str, done: int, total: int, seconds: float) -> str:
    """Return one line of progress.

    >>> line("indexing", "customers.name", 30, 120, 10.0)
    'indexing customers.name: 30 of 120, 3.0 a second, 30 s left'
    """
    rate = done / seconds if seconds else 0.0
    left = f", {(total - done) / rate:.0f} s left" if rate else ""
    return f"{activity} {short(visible(name))}: {done} of {total}, {rate:.1f} a second{left}"
