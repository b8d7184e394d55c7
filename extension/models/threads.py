"""Run work in a thread of its own, or wait for another thread, so that Ctrl-C can interrupt the wait at any moment.

Waiting goes through a `SimpleQueue`. A Future of `concurrent.futures` has a lock: where Ctrl-C interrupts a waiter that
has just taken it, the lock stays taken, and the thread that is to set the result waits for it for ever.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
WAKE = 0.1  # seconds of one wait; on Windows, Ctrl-C reaches the caller only between two waits


def received(answers: queue.SimpleQueue[T], seconds: float = math.inf) -> T:
    """Return the first of `answers`. Ctrl-C interrupts the wait; raises `TimeoutError` after `seconds`."""
    until = time.monotonic() + seconds
    while True:
        left = until - time.monotonic()
        with contextlib.suppress(queue.Empty):
            return answers.get(timeout=max(0.0, min(left, WAKE)))
        if left <= 0:
            raise TimeoutError


def put_outcome(work: Callable[[], T], done: queue.SimpleQueue[Future[T]]) -> None:
    """Run `work`, and put its result or its exception into `done`."""
    outcome: Future[T] = Future()
    try:
        outcome.set_result(work())
    except BaseException as exc:
        outcome.set_exception(exc)
    done.put(outcome)
    # The exception refers to this frame, and this frame to the outcome. Without `del` the circle would keep the rows of
    # a failed query in memory until the next garbage collection.
    del outcome


def in_thread(work: Callable[[], T], stop: Callable[[], object], check: Callable[[], object] = lambda: None) -> T:
    """Run `work` in a thread of its own, and return its result or raise its exception.

    `check` is called every `WAKE` seconds, and may raise. After that, and after Ctrl-C, `stop` tells the work to end,
    and this function returns only once it has ended.
    """
    done: queue.SimpleQueue[Future[T]] = queue.SimpleQueue()
    ended: queue.SimpleQueue[None] = queue.SimpleQueue()

    def run() -> None:
        put_outcome(work, done)
        ended.put(None)

    try:
        threading.Thread(target=run, name="askwhere-model", daemon=True).start()
    except BaseException:  # Ctrl-C may come after the thread has begun
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
    finally:
        outcome = None  # as in `put_outcome`
