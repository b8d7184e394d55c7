"""A process beside the one that serves: it outlives what ends that one, and cleans up then.

A statement may crash DuckDB, or make it give up the database; in neither case can the process undo what it put there.
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

LOOK_SECONDS = 0.2  # how often it is looked whether the serving process has ended
BROKEN = 3  # the exit code of a process that could not clean up


def begin(clean: Callable[[], None], signals: Sequence[int]) -> Callable[[], bool]:
    """Go on in a new process, which the one of before waits for and hands these signals to; `clean` is called there.

    Gives a function that says whether that one is still there. Windows has no such processes: nothing is watched.
    """
    if not hasattr(os, "fork"):
        return lambda: True
    theirs, ours = os.pipe()  # never written to: it closes as the process of before ends
    if child := os.fork():
        os.close(theirs)
        _wait(child, clean, signals)
    os.close(ours)
    return lambda: not select.select([theirs], [], [], 0)[0]


def _wait(child: int, clean: Callable[[], None], signals: Sequence[int]) -> NoReturn:
    def pass_on(number: int, frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    for number in signals:
        signal.signal(number, pass_on)
    # Looked at again and again: a signal that another thread takes would not end a wait without end, and be lost.
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        time.sleep(LOOK_SECONDS)
    code = os.waitstatus_to_exitcode(ended[1])
    if code < 0 or code == BROKEN:
        said = f"ended: the serving process was killed by {signal.Signals(-code).name}\n" if code < 0 else ""
        code = 1
        try:
            clean()
        except AskError as exc:
            said += f"{exc}\n"
        with suppress(OSError):  # nobody may read it any more: said after all is done
            print(said, end="", flush=True)
    os._exit(code)
