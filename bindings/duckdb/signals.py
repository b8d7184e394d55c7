"""Remember Ctrl-C while one of askwhere's functions runs: DuckDB 2.0.0 loses it at the end of a statement."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_noted: list[list[int]] = []  # the list of the outermost `noting` of the main thread, while one is open


@contextlib.contextmanager
def noting() -> Iterator[list[int]]:
    """Yield a list to which each SIGINT of Ctrl-C is added in the block; it is also handled as before.

    Raise `KeyboardInterrupt` at the end of the block if the list is not empty. Inside another `noting`, its list is
    yielded. Only the main thread handles signals, so in another thread the list stays empty.
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
