"""Equal calls of a model at one time are one call: twenty connections that ask the same pay for one reply."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait

from askwhere.errors import ModelError
from askwhere.models.protocol import Completions

# Seconds after the end of a call's time for which others still wait for it. One that was interrupted so that it could
# not say so is made again after them.
LATE = 5.0


class _Flight:
    """A call that one thread makes until a reading of the clock, and `waiting` others wait for; None comes where each
    is to ask for itself.
    """

    def __init__(self, until: float) -> None:
        self.until = until
        self.came: Future[Completions | ModelError | None] = Future()
        self.waiting = 0

    @property
    def lasts(self) -> bool:
        """Whether something may come yet."""
        return not self.came.done() and time.monotonic() < self.until + LATE


_flights: dict[Hashable, _Flight] = {}
_lock = threading.Lock()


def shared(key: Hashable, call: Callable[[], Completions], seconds: float) -> Completions:
    """Return what `call` gives, or what an equal call gives that another thread is making.

    Two calls are equal where their `key` is. A reply that another thread asked for counts no tokens and no request
    here. Where that thread's call fails, so does this one; where it was interrupted, or its own time was over, this
    thread calls. Raises `ModelError` where the other call is not done after `seconds`.
    """
    mine = _Flight(time.monotonic() + seconds)
    try:
        while (flight := _joined(key, mine)) is not mine:
            came = _waited(flight, mine.until)
            if isinstance(came, ModelError):
                raise ModelError(str(came), came.reply)
            if came is not None:
                return Completions(came.texts, requests=0)
        return _made(mine, call)
    finally:
        with _lock:
            if _flights.get(key) is mine:
                del _flights[key]
        if not mine.came.done():
            mine.came.set_result(None)


def waiting() -> int:
    """How many threads wait for a call that another one makes."""
    with _lock:
        return sum(flight.waiting for flight in _flights.values())


def _joined(key: Hashable, mine: _Flight) -> _Flight:
    """The flight of an equal call that another thread makes, else `mine`."""
    with _lock:
        flight = _flights.get(key)
        if flight is None or not flight.lasts:
            flight = _flights[key] = mine
        else:
            flight.waiting += 1
    return flight


def _waited(flight: _Flight, until: float) -> Completions | ModelError | None:
    """What came of a flight; None also where nothing comes any more."""
    try:
        wait([flight.came], max(min(flight.until + LATE, until) - time.monotonic(), 0))
        if flight.came.done():
            return flight.came.result()
        if time.monotonic() >= until:
            raise ModelError("the model was asked the same by another connection, and its reply did not come in time")
        return None
    finally:
        with _lock:
            flight.waiting -= 1


def _made(mine: _Flight, call: Callable[[], Completions]) -> Completions:
    """What `call` gives; all who wait for this flight are told."""
    try:
        came = call()
    except ModelError as exc:
        mine.came.set_result(exc if time.monotonic() < mine.until else None)
        raise
    mine.came.set_result(came)
    return came


def _forked() -> None:
    """Forget the calls of the parent's threads, which a forked process does not have."""
    global _lock
    _lock = threading.Lock()
    _flights.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
