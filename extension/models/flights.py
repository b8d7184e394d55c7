"""Make equal calls of a model at the same time only once: all connections share the one reply."""

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
from askwhere.models.apart import received
from askwhere.models.protocol import Completions

# Seconds that others wait for a call after its time is over. A call whose thread was interrupted before it could report
# is made again after them.
LATE = 5.0


_Outcome: TypeAlias = Completions | ModelError | None
_Queue: TypeAlias = "SimpleQueue[_Outcome]"


class _Flight:
    """A call that one thread makes until a reading of the clock; others wait for it, each with a queue of its own.

    A queue gets the reply or the error, or None where its thread must make the call itself.
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
        """Give the outcome to all who wait; the first one holds."""
        with _lock:
            landed, self.landed = self.landed, True
            for waiting in () if landed else self.queues:
                waiting.put(outcome)


_flights: dict[Hashable, _Flight] = {}
_lock = threading.Lock()


def shared(key: Hashable, call: Callable[[], Completions], seconds: float) -> Completions:
    """Return the result of `call`, or of an equal call that another thread is making already.

    Calls are equal if their `key` is. A reply that another thread asked for counts no tokens and no request here. If
    that thread's call fails, so does this one; if it was interrupted, or its own time was over, this thread makes the
    call. Raises `ModelError` where the other call is not done after `seconds`.
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
    """Return the flight of an equal call that another thread makes, which `answer` then waits for, else `mine`."""
    with _lock:
        flight = _flights.get(key)
        if flight is None or not flight.lasts:
            flight = _flights[key] = mine
        else:
            flight.queues.append(answer)
    return flight


def _waited(flight: _Flight, answer: _Queue, until: float) -> _Outcome:
    """Wait for a flight and return what came of it; None also where nothing will come."""
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
