"""Show on a terminal that something takes long, with the seconds that it has taken."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Iterator
from typing import IO

# Seconds before anything is shown, and between two pictures.
_PATIENCE, _PAUSE = 0.5, 0.1
_PICTURES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_CLEAR = "\r\x1b[K"


@contextlib.contextmanager
def waiting(out: IO[str]) -> Iterator[None]:
    """Show the seconds while the block runs, where `out` is a terminal; they are gone when it ends."""
    if not out.isatty():
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_turn, args=(getattr(out, "terminal", out), ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _turn(out: IO[str], ended: threading.Event) -> None:
    began = time.monotonic()
    if ended.wait(_PATIENCE):
        return
    for picture in itertools.cycle(_PICTURES):
        out.write(f"\r{picture} {time.monotonic() - began:.0f} s")
        out.flush()
        if ended.wait(_PAUSE):
            break
    out.write(_CLEAR)
    out.flush()
