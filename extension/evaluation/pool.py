"""Run the questions of an evaluation in worker processes, and kill a process that takes too long over a question.

A question that hangs in a model or in an engine costs its own time limit and one process; the run continues.

Each stage of a question has a limit of its own, the reply is cached even if judging it fails, and a process gets the
questions about the database that it has open. The pools of the standard library and of pebble do not offer this:
`concurrent.futures` cannot kill one process and go on with the others, and pebble has one limit for a task, no messages
before its end, and no choice of the process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
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
from askwhere.evaluation.worker import QuestionAsked, QuestionDone, Task, work

# The first word of the error of a question whose process exited by itself, and of one whose process was killed (limit).
DIED, CUT = "Died", "Cut"
# Limit for starting a process and opening a database, in seconds: a copy into DuckDB may be large.
OPENING_SECONDS = 600.0
# Limit for judging a question, in seconds, added to the limits of its queries.
JUDGING_SECONDS = 30.0
# Queries that judging one question may run: gold and the prediction, by several rules, on a few databases.
QUERIES = 10


class _Worker:
    """A worker process, its task, and the deadline of the task's stage, in seconds of `time.monotonic`.

    `database` is the name of the database that the process has open.
    """

    def __init__(self, plan: Plan, opener: Opener) -> None:
        self._plan, self._opener = plan, opener
        self._process: BaseProcess | None = None
        self.channel: Connection
        self.task: Task | None = None
        self.reply: Reply | None = None
        self.database = ""
        self.deadline = 0.0

    def give(self, task: Task) -> None:
        """Send a task to the process, which is started if there is none.

        The question's own time begins once its database is open.
        """
        if self._process is None:
            self._start()
        self.task, self.reply, self.database = task, task.reply, task.item.db_id
        self.deadline = time.monotonic() + OPENING_SECONDS
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the process ended, which `_heard` reports
            self.channel.send(task)

    def _start(self) -> None:
        self.channel, worker_end = multiprocessing.Pipe()
        arguments = (worker_end, self._opener, self._plan.settings, self._plan.header)
        self._process = _context(self._opener).Process(target=work, args=arguments, daemon=True)
        with _without_current_folder():
            self._process.start()
        worker_end.close()

    def end(self, seconds: float = 0.0) -> int | None:
        """Kill the process and return its exit code if it ended by itself within `seconds`, else None."""
        if self._process is None:
            return None
        self._process.join(seconds)
        code = self._process.exitcode
        self._process.kill()
        self._process.join()
        self.channel.close()
        self._process = None
        return code


@contextlib.contextmanager
def _without_current_folder() -> Iterator[None]:
    """Enter a block in which new Python processes do not import modules from the current folder.

    `multiprocessing` starts them by `python -c`, which would run a file `random.py` beside the questions.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        os.environ.update({} if before is None else {"PYTHONSAFEPATH": before})


def _context(opener: Opener) -> Any:
    """Return the multiprocessing context: 'forkserver' where there is one.

    The server process has imported what workers need but has started no threads of an engine or a model, so that
    forking it is safe and fast.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__, opener.__module__])
    return context


class Pool:
    """The worker processes of a run.

    A database's questions go to one worker while other workers have databases of their own.
    """

    def __init__(self, plan: Plan, opener: Opener, workers: int, cache: Cache | None) -> None:
        self._plan, self._cache = plan, cache
        self._workers = [_Worker(plan, opener) for _ in range(workers)]
        self._left: dict[str, deque[Item]] = {}

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()

    def outcomes(self, items: Sequence[Item]) -> Iterator[QuestionDone]:
        """Ask and judge the questions; yield the outcome of each as soon as it is known, in no fixed order."""
        for item in items:
            self._left.setdefault(item.db_id, deque()).append(item)
        for worker in self._workers:
            self._next(worker)
        while busy := [worker for worker in self._workers if worker.task]:
            for worker in self._ready(busy):
                done = self._heard(worker)
                if done is not None:
                    self._next(worker)
                    yield done

    def _next(self, worker: _Worker) -> None:
        """Give a worker its next question, about the database that it has open if there is one; else end the worker."""
        worker.task = None
        left = {name: len(items) for name, items in self._left.items() if items}
        if not left:
            worker.end()
            return
        taken = {w.database for w in self._workers if w.task}
        # Opening a database takes time: stay with it, else take the one with most questions that no worker has open.
        name = worker.database if worker.database in left else max(left, key=lambda n: (n not in taken, left[n]))
        item = self._left[name].popleft()
        reply = self._cache.get(self._key(item)) if self._cache else None
        worker.give(Task(item, self._plan.paths[name], reply))

    def _ready(self, busy: Sequence[_Worker]) -> list[_Worker]:
        """Wait until a worker sends a message, exits or reaches its deadline; return all workers that did."""
        soonest = min(worker.deadline for worker in busy)
        heard = wait([worker.channel for worker in busy], max(0.0, soonest - time.monotonic()))
        return [w for w in busy if w.channel in heard or w.deadline <= time.monotonic()]

    def _heard(self, worker: _Worker) -> QuestionDone | None:
        """Read a message of a worker, and return the outcome of its task; None while the task goes on."""
        try:
            message = worker.channel.recv() if worker.channel.poll() else None
        except (EOFError, ConnectionResetError):
            return self._lost(worker, DIED)
        if message is None:
            return self._lost(worker, CUT)
        if isinstance(message, QuestionDone):
            return message
        if isinstance(message, QuestionAsked):
            worker.reply = message.reply
            self._keep(worker)
        worker.deadline = time.monotonic() + self._seconds(worker)
        return None

    def _seconds(self, worker: _Worker) -> float:
        """Return the seconds that a worker may take until its next message: to answer the question, or to judge it."""
        header = self._plan.header
        queries = QUERIES + (2 * bird.ITERATIONS if "ves" in header.scores else 0)
        judging = JUDGING_SECONDS + queries * header.query_seconds
        return judging if worker.reply else header.seconds + header.query_seconds

    def _lost(self, worker: _Worker, how: str) -> QuestionDone:
        """Return the outcome of a task whose process exited by itself (`how` is `DIED`) or is killed here (`CUT`)."""
        task, code = worker.task, worker.end(5.0 if how == DIED else 0.0)
        assert task is not None
        if how == CUT:
            stage = "judged" if worker.reply else "answered"
            error = f"{CUT}: the question was not {stage} within {self._plan.header.seconds:g} seconds"
        else:
            error = f"{DIED}: the process that asked ended with code {code}"
        if worker.reply is None:
            worker.reply = Reply("failed", error=error, seconds=self._plan.header.seconds, lasting=how == CUT)
            self._keep(worker)
        reply, item = worker.reply, task.item
        scores = dict.fromkeys(self._plan.header.scores, 0.0)
        facts = {"level": spider.hardness(item.gold), "difficulty": item.difficulty, "scores": scores}
        fields = {**reply.for_record(), **facts, "error": error}
        return QuestionDone(Record(item.id, item.db_id, item.question, item.gold, **fields))

    def _keep(self, worker: _Worker) -> None:
        """Cache a worker's reply, unless asking again might give a better one."""
        assert worker.task is not None
        assert worker.reply is not None
        if self._cache and worker.reply.lasting:
            self._cache.put(self._key(worker.task.item), worker.reply)

    def _key(self, item: Item) -> str:
        return identity.key(self._plan.header, item, self._plan.prints[item.db_id])
