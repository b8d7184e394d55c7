"""Remember Ctrl-C while a function of ours works: DuckDB forgets one that comes as a statement ends (2.0.0)."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_noted: list[list[int]] = []  # the signals that the outermost `noting` of the main thread has seen, while one is open


@contextlib.contextmanager
def noting() -> Iterator[list[int]]:
    """Enter a list of the signals of Ctrl-C that come meanwhile; each is handled as before, too.

    Raises `KeyboardInterrupt` at the end where one came. Inside another `noting` it is that one's list. Only the main
    thread handles signals: in another the list stays empty.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield []
        return
    if _noted:
        yield _noted[0]
        return
    came: list[int] = []
    handle = before

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        handle(number, frame)

    _noted.append(came)
    signal.signal(signal.SIGINT, note)
    try:
        yield came
        stop(came)
    finally:
        signal.signal(signal.SIGINT, before)
        _noted.clear()


def stop(came: list[int]) -> None:
    """Raise `KeyboardInterrupt` where a signal came."""
    if came:
        raise KeyboardInterrupt
