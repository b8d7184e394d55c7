"""Make equal calls of a model that happen at the same time only once, and share the reply (single flight)."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from queue import SimpleQueue
from typing import TypeAlias

from askwhere.errors import ModelError
from askwhere.models.protocol import Completions
from askwhere.models.threads import received

# Seconds after a call's deadline until those who wait for it give up, as its thread was interrupted before it could
# report, and make the call themselves.
LATE = 5.0


_Outcome: TypeAlias = Completions | ModelError | None
_Queue: TypeAlias = "SimpleQueue[_Outcome]"


class _Flight:
    """A call that one thread makes, with its deadline in seconds of `time.monotonic`; others wait for its reply.

    Each waiting thread has a queue, which gets the reply or the error, or None where that thread must make the call
    itself.
    """

    def __init__(self, until: float) -> None:
        self.until = until
        self.landed = False
        self.queues: list[_Queue] = []

    @property
    def lasts(self) -> bool:
        """Return whether a reply may still come."""
        return not self.landed and time.monotonic() < self.until + LATE

    def land(self, outcome: _Outcome) -> None:
        """Give the outcome to all waiting threads; calls after the first do nothing."""
        with _lock:
            landed, self.landed = self.landed, True
            for waiting in () if landed else self.queues:
                waiting.put(outcome)


_flights: dict[Hashable, _Flight] = {}
_lock = threading.Lock()


def shared(key: Hashable, call: Callable[[], Completions], seconds: float) -> Completions:
    """Return the result of `call`, or of an equal call that another thread is making already.

    Calls with the same `key` are equal. A shared reply counts no tokens and no request. Where the other thread's call
    fails, this one raises the same error; where it was interrupted or came to its own deadline, this thread makes the
    call. Raise `ModelError` where the other call is not done after `seconds`.
    """
    mine = _Flight(time.monotonic() + seconds)
    try:
        while (flight := _joined(key, mine, answer := SimpleQueue[_Outcome]())) is not mine:
            outcome = _waited(flight, answer, mine.until)
            if isinstance(outcome, ModelError):
                raise ModelError(str(outcome), outcome.reply)
            if outcome is not None:
                return replace(outcome, prompt_tokens=0, completion_tokens=0, requests=0)
        return _call_for_all(mine, call)
    finally:
        with _lock:
            if _flights.get(key) is mine:
                del _flights[key]
        mine.land(None)


def waiting() -> int:
    """Return how many threads wait for a call that another one makes."""
    with _lock:
        return sum(len(flight.queues) for flight in _flights.values())


def _joined(key: Hashable, mine: _Flight, answer: _Queue) -> _Flight:
    """Return another thread's flight for this key, which will put its outcome into `answer`, else `mine`."""
    with _lock:
        flight = _flights.get(key)
        if flight is None or not flight.lasts:
            flight = _flights[key] = mine
        else:
            flight.queues.append(answer)
    return flight


def _waited(flight: _Flight, answer: _Queue, until: float) -> _Outcome:
    """Wait for a flight and return its outcome; None also where its thread will report none."""
    try:
        with contextlib.suppress(TimeoutError):
            return received(answer, min(flight.until + LATE, until) - time.monotonic())
        if time.monotonic() >= until:
            raise ModelError(
                "another connection asked the model the same, and its reply did not come in time; ask again"
            )
        return None
    finally:
        with _lock:
            flight.queues.remove(answer)


def _call_for_all(mine: _Flight, call: Callable[[], Completions]) -> Completions:
    """Make the call of this thread's flight, and pass the result on to all who wait for it."""
    try:
        reply = call()
    except ModelError as exc:
        mine.land(exc if time.monotonic() < mine.until else None)
        raise
    mine.land(reply)
    return reply


def _forked() -> None:
    """Forget the calls of the parent's threads, which a forked process does not have."""
    global _lock
    _lock = threading.Lock()
    _flights.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
