"""A pool of processes that run generated SQL for this one.

They are started when needed, used again, and ended with this process. Each has one database open and answers one
request at a time, so that several requests go to several processes. One that fails in any way is ended, and the next
request starts another. A process ends by itself when this one is gone, and when it has not been asked for a while.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from askwhere.bindings.isolation.process import DatabaseSpec, Worker
from askwhere.engine import Grant
from askwhere.errors import AskError, Busy, DatabaseError, QueryError, Refused, TooMuch

GRACE_SECONDS = 1.0  # given to a process beyond a query's own limit, to report that it stopped
WORKERS = 4  # processes at work at once, and idle at most; more requests wait
ERRORS = {cls.__name__: cls for cls in (AskError, Busy, DatabaseError, QueryError, Refused, TooMuch)}


class _Pool:
    """The processes of this one; a forked process begins with none."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.free = threading.BoundedSemaphore(WORKERS)
        self.idle: list[Worker] = []  # the one used most recently is the last
        self.all: set[Worker] = set()

    def take(self, spec: DatabaseSpec) -> Worker | None:
        """Remove dead processes from the pool, and return an idle one that has the database open, or None."""
        with self.lock:
            dead = [worker for worker in self.idle if not worker.alive]
            self.idle = [worker for worker in self.idle if worker not in dead]
            idle = next((worker for worker in reversed(self.idle) if worker.spec == spec), None)
            if idle:
                self.idle.remove(idle)
        self.end(dead)
        return idle

    def put(self, worker: Worker) -> None:
        """Keep a process for the next request; of more than `WORKERS`, the longest idle one is ended."""
        with self.lock:
            self.idle.append(worker)
            over, self.idle = self.idle[:-WORKERS], self.idle[-WORKERS:]
        self.end(over)

    def end(self, workers: list[Worker]) -> None:
        """End processes, all at once."""
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.end()
            self.all.discard(worker)

    def start(self, spec: DatabaseSpec) -> Worker:
        """Start a process."""
        worker = Worker(spec)
        self.all.add(worker)
        return worker


_pool = _Pool()


@contextlib.contextmanager
def borrowed(
    spec: DatabaseSpec, at_work: Callable[[Worker], contextlib.AbstractContextManager[None]], new: bool
) -> Iterator[Worker]:
    """Yield a process that has the database open, for this thread alone.

    An idle process is taken unless a `new` one is asked for; else one is started. `at_work` is entered while it works.
    In the end it goes back to the pool if it is `clean`, and is ended otherwise.
    """
    pool = _pool
    with pool.free:
        idle = None if new else pool.take(spec)
        worker = idle or pool.start(spec)
        try:
            with at_work(worker):
                if not idle:
                    worker.begin()
                yield worker
        finally:
            if worker.clean:
                pool.put(worker)
            else:
                pool.end([worker])


def named(grant: Grant, as_json: Callable[[Grant], Mapping[str, Any]]) -> tuple[str, Mapping[str, Any]]:
    """Return a digest of a grant, and its content as JSON; cached for the last one, which most requests have."""
    global _named
    if _named is None or _named[0] is not grant:
        content = as_json(grant)
        _named = (grant, (_digest(content), content))
    return _named[1]


_named: tuple[Grant, tuple[str, Mapping[str, Any]]] | None = None


def _digest(content: Mapping[str, Any]) -> str:
    import hashlib

    return hashlib.blake2b(json.dumps(content).encode(), digest_size=16).hexdigest()


def alive() -> list[Worker]:
    """Return the processes that run for this one."""
    return [worker for worker in list(_pool.all) if worker.alive]


@atexit.register
def end_all() -> None:
    """End every process, at exit."""
    _pool.idle.clear()
    _pool.end(list(_pool.all))


def _forked() -> None:
    """Begin with an empty pool in a forked process."""
    global _pool
    for worker in _pool.all:
        worker.forget()
    _pool = _Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
