"""Watch the serving process from a process beside it, and clean up when the serving one ends without doing so.

A statement may crash DuckDB, or make it give up the database. In neither case can the process remove what it put into
the file.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from askwhere.errors import AskError

CHECK_EVERY_SECONDS = 0.2  # between two checks that the serving process runs
BROKEN = 3  # the exit code of a process that could not clean up


def begin(clean: Callable[[], None], signals: Sequence[int]) -> Callable[[], bool]:
    """Fork: the caller goes on in the new process, while the old one waits for it and passes `signals` on to it.

    When the new process has failed, the old one calls `clean`. Returns a function that returns whether the old one
    still runs. On Windows, which has no fork, nothing is watched.
    """
    if not hasattr(os, "fork"):
        return lambda: True
    theirs, ours = os.pipe()  # never written to: it closes when the old process ends
    if child := os.fork():
        os.close(theirs)
        _wait(child, clean, signals)
    os.close(ours)
    return lambda: not select.select([theirs], [], [], 0)[0]


def _wait(child: int, clean: Callable[[], None], signals: Sequence[int]) -> NoReturn:
    """Wait for the serving process, clean up after it if it could not, and exit with its code."""

    def pass_on(number: int, frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    for number in signals:
        signal.signal(number, pass_on)
    # Polled: a signal that another thread takes would not interrupt a blocking wait, and be lost.
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        time.sleep(CHECK_EVERY_SECONDS)
    code = os.waitstatus_to_exitcode(ended[1])
    if code < 0 or code == BROKEN:
        message = f"ended: the serving process was killed by {signal.Signals(-code).name}\n" if code < 0 else ""
        code = 1
        try:
            clean()
        except AskError as exc:
            message += f"{exc}\n"
        with suppress(OSError):  # printed last, as nobody may read it any more
            print(message, end="", flush=True)
    os._exit(code)
