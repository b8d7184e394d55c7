"""Worker processes for the questions of a run: each is given a question, and is ended when it takes too long."""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from askwhere.evaluation import bird, identity, spider
from askwhere.evaluation.ask import Reply
from askwhere.evaluation.cache import Cache
from askwhere.evaluation.databases import Opener
from askwhere.evaluation.plans import Plan
from askwhere.evaluation.records import Record
from askwhere.evaluation.sets import Item
from askwhere.evaluation.worker import Asked, Done, Task, work

# How the error of a question begins whose process ended by itself, and of one that was cut.
DIED, CUT = "Died", "Cut"
# What starting a process and opening a database may take; a copy in DuckDB may be large.
OPENING_SECONDS = 600.0
# What judging a question may take, beside its queries.
JUDGING_SECONDS = 30.0
# How many queries are run to judge one: gold's and the prediction's, by several rules, on a few databases.
QUERIES = 10
VES = frozenset({"ves", "r_ves"})


class _Worker:
    """A process, the task that it is at, and when that is cut; `database` is the one that it has open."""

    def __init__(self, plan: Plan, opener: Opener) -> None:
        self._plan, self._opener = plan, opener
        self._process: BaseProcess | None = None
        self.channel: Connection
        self.task: Task | None = None
        self.reply: Reply | None = None
        self.database = ""
        self.deadline = 0.0

    def give(self, task: Task) -> None:
        """Send a task, to a new process where there is none; its own time begins when the database is open."""
        if self._process is None:
            self._start()
        self.task, self.reply, self.database = task, task.reply, task.item.db_id
        self.deadline = time.monotonic() + OPENING_SECONDS
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it is gone, which is seen when it is heard
            self.channel.send(task)

    def _start(self) -> None:
        self.channel, theirs = multiprocessing.Pipe()
        arguments = (theirs, self._opener, self._plan.settings, self._plan.header)
        self._process = _context(self._opener).Process(target=work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def end(self, seconds: float = 0.0) -> int | None:
        """End the process, whatever it is at; gives the code that it ended with by itself within so many seconds."""
        if self._process is None:
            return None
        self._process.join(seconds)
        code = self._process.exitcode
        self._process.kill()
        self._process.join()
        self.channel.close()
        self._process = None
        return code


def _context(opener: Opener) -> Any:
    """How processes are started: from one that has loaded what they need, and no engine's or model's threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__, opener.__module__])
    return context


class Pool:
    """The workers of a run. A database's questions go to one worker while others have more to do."""

    def __init__(self, plan: Plan, opener: Opener, workers: int, cache: Cache | None) -> None:
        self._plan, self._cache = plan, cache
        self._workers = [_Worker(plan, opener) for _ in range(workers)]
        self._left: dict[str, deque[Item]] = {}
        self._golds: dict[str, tuple[str, ...]] = {}

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()

    def outcomes(self, items: Sequence[Item]) -> Iterator[Done]:
        """What comes of each question, as it comes."""
        for item in items:
            self._left.setdefault(item.db_id, deque()).append(item)
        if "perturbed_ex" in self._plan.header.scores:
            for item in self._plan.items:
                self._golds[item.db_id] = (*self._golds.get(item.db_id, ()), item.gold)
        for worker in self._workers:
            self._next(worker)
        while busy := [worker for worker in self._workers if worker.task]:
            for worker in self._ready(busy):
                done = self._heard(worker)
                if done is not None:
                    self._next(worker)
                    yield done

    def _next(self, worker: _Worker) -> None:
        """Give a worker its next question, or end it: one of the same database, or of one that nobody has open."""
        worker.task = None
        left = {name: len(items) for name, items in self._left.items() if items}
        if not left:
            worker.end()
            return
        taken = {w.database for w in self._workers if w.task}
        name = worker.database if worker.database in left else max(left, key=lambda n: (n not in taken, left[n]))
        item = self._left[name].popleft()
        reply = self._cache.get(self._key(item)) if self._cache else None
        worker.give(Task(item, self._plan.paths[name], reply, self._golds.get(name, ())))

    def _ready(self, busy: Sequence[_Worker]) -> list[_Worker]:
        """The workers that have said something, have ended, or have run out of time."""
        soonest = min(worker.deadline for worker in busy)
        heard = wait([worker.channel for worker in busy], max(0.0, soonest - time.monotonic()))
        return [w for w in busy if w.channel in heard or w.deadline <= time.monotonic()]

    def _heard(self, worker: _Worker) -> Done | None:
        """What came of a worker's task; None while it goes on."""
        try:
            message = worker.channel.recv() if worker.channel.poll() else None
        except (EOFError, ConnectionResetError):
            return self._lost(worker, DIED)
        if message is None:
            return self._lost(worker, CUT)
        if isinstance(message, Done):
            return message
        if isinstance(message, Asked):
            worker.reply = message.reply
            self._keep(worker)
        worker.deadline = time.monotonic() + self._seconds(worker)
        return None

    def _seconds(self, worker: _Worker) -> float:
        """How long a worker may say nothing now: a question's limit, or what judging it may take."""
        header = self._plan.header
        queries = QUERIES + (0 if VES.isdisjoint(header.scores) else 4 * bird.ITERATIONS)
        judging = JUDGING_SECONDS + queries * header.query_seconds
        return judging if worker.reply else header.seconds + header.query_seconds

    def _lost(self, worker: _Worker, how: str) -> Done:
        """The outcome of a task whose worker ended or is ended now."""
        task, code = worker.task, worker.end(5.0 if how == DIED else 0.0)
        assert task is not None
        if how == CUT:
            doing = "judged" if worker.reply else "answered"
            error = f"{CUT}: the question was not {doing} within {self._plan.header.seconds:g} seconds"
        else:
            error = f"{DIED}: the process that asked ended with code {code}"
        if worker.reply is None:
            worker.reply = Reply("failed", error=error, seconds=self._plan.header.seconds, lasting=how == CUT)
            self._keep(worker)
        reply, item = worker.reply, task.item
        return Done(
            Record(
                item.id,
                item.db_id,
                item.question,
                item.gold,
                reply.predicted,
                reply.outcome,
                error,
                level=spider.hardness(item.gold),
                difficulty=item.difficulty,
                scores=dict.fromkeys(self._plan.header.scores, 0.0),
                seconds=reply.seconds,
                calls=reply.calls,
            )
        )

    def _keep(self, worker: _Worker) -> None:
        assert worker.task is not None
        assert worker.reply is not None
        if self._cache and worker.reply.lasting:
            self._cache.put(self._key(worker.task.item), worker.reply)

    def _key(self, item: Item) -> str:
        return identity.key(self._plan.header, item, self._plan.prints[item.db_id])
