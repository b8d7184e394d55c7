"""Equal calls of a model at one time are one call: twenty connections that ask the same pay for one reply."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait

from askwhere.errors import ModelError
from askwhere.models.protocol import Completions


class _Flight:
    """A call that one thread makes and `waiting` others wait for; None comes where each is to ask for itself."""

    def __init__(self) -> None:
        self.came: Future[Completions | ModelError | None] = Future()
        self.waiting = 0


_flights: dict[Hashable, _Flight] = {}
_lock = threading.Lock()


def shared(key: Hashable, call: Callable[[], Completions], seconds: float) -> Completions:
    """Return what `call` gives, or what an equal call gives that another thread is making.

    Two calls are equal where their `key` is. A reply that another thread asked for counts no tokens and no request
    here. Where that thread's call fails, so does this one; where it was interrupted, or its own time was over, this
    thread calls. Raises `ModelError` where the other call is not done after `seconds`.
    """
    until = time.monotonic() + seconds
    while True:
        with _lock:
            flight = _flights.get(key)
            if flight is None:
                flight = _flights[key] = _Flight()
                break
            flight.waiting += 1
        came = _waited(flight, until - time.monotonic())
        if isinstance(came, ModelError):
            raise ModelError(str(came), came.reply)
        if came is not None:
            return Completions(came.texts, requests=0)
    return _made(key, flight, call, until)


def waiting() -> int:
    """How many threads wait for a call that another one makes."""
    with _lock:
        return sum(flight.waiting for flight in _flights.values())


def _waited(flight: _Flight, seconds: float) -> Completions | ModelError | None:
    """What came of a flight."""
    try:
        if not wait([flight.came], max(seconds, 0)).done:
            raise ModelError("the model was asked the same by another connection, and its reply did not come in time")
        return flight.came.result()
    finally:
        with _lock:
            flight.waiting -= 1


def _made(key: Hashable, flight: _Flight, call: Callable[[], Completions], until: float) -> Completions:
    """What `call` gives; all who wait for this flight are told."""
    came: Completions | ModelError | None = None
    try:
        came = call()
        return came
    except ModelError as exc:
        came = exc if time.monotonic() < until else None
        raise
    finally:
        with _lock:
            _flights.pop(key, None)
        flight.came.set_result(came)


def _forked() -> None:
    """Forget the calls of the parent's threads, which a forked process does not have."""
    global _lock
    _lock = threading.Lock()
    _flights.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
