"""Run work in a thread of its own, so that Ctrl-C can come at any moment while its caller waits.

Ctrl-C that interrupts a waiter of `concurrent.futures` as it takes the lock of a future leaves that lock taken, and the
work then waits for it without end. A `SimpleQueue` is waited for without such a lock.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
WAKE = 0.1  # seconds of one wait; on Windows, Ctrl-C reaches the caller only between two waits


def apart(work: Callable[[], T], stop: Callable[[], object], check: Callable[[], object] = lambda: None) -> T:
    """Return what `work` returns, or raise what it raises.

    `check` is called every `WAKE` seconds, and may raise. Then, and at Ctrl-C, `stop` tells the work to end, and this
    function waits until it has ended.
    """
    done: queue.SimpleQueue[Future[T]] = queue.SimpleQueue()
    ended: queue.SimpleQueue[None] = queue.SimpleQueue()

    def run() -> None:
        outcome: Future[T] = Future()
        try:
            outcome.set_result(work())
        except BaseException as exc:
            outcome.set_exception(exc)
        done.put(outcome)
        ended.put(None)

    try:
        threading.Thread(target=run, name="askwhere-model", daemon=True).start()
    except BaseException:  # Ctrl-C: it may have begun
        stop()
        raise
    try:
        outcome = None
        while outcome is None:
            check()
            with contextlib.suppress(queue.Empty):
                outcome = done.get(timeout=WAKE)
        return outcome.result()
    except BaseException:
        stop()
        ended.get()
        raise
