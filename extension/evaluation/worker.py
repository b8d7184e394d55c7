"""Ask and judge the questions that the runner sends to this worker process, one after the other."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from askwhere.errors import QueryError
from askwhere.evaluation.ask import Reply, ask, listening
from askwhere.evaluation.databases import Database, Opener
from askwhere.evaluation.judge import Judge, judging
from askwhere.evaluation.records import Excluded, Header, Record
from askwhere.evaluation.sets import Item
from askwhere.frozen import frozen


@frozen
class Task:
    """A question to ask and judge, with the file of its database.

    `reply` is the reply of an earlier run, if there is one.
    """

    item: Item
    path: Path
    reply: Reply | None = None


@frozen
class DatabaseOpened:
    """A message: the database of the task is open."""


@frozen
class QuestionAsked:
    """A message: the question was asked in this run; judging it follows."""

    reply: Reply


@frozen
class QuestionDone:
    """A message: the question was judged, or cannot be used. `warnings` are those that askwhere logged meanwhile."""

    outcome: Record | Excluded
    warnings: tuple[str, ...] = ()


def work(channel: Connection, opener: Opener, settings: Mapping[str, Any], header: Header) -> None:
    """Do the tasks that come through the channel until it is closed or the runner has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner handles Ctrl-C, and ends this process
    threading.Thread(target=_end_with_the_runner, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError), listening() as warnings:
        bench = _OpenDatabase(opener, settings, header)
        while True:
            task = channel.recv()
            for message in bench.done(task):
                if isinstance(message, QuestionDone):
                    message = replace(message, warnings=tuple(dict.fromkeys(warnings)))
                    warnings.clear()
                channel.send(message)


def _end_with_the_runner() -> None:
    """End this process once the runner has ended, even by `kill -9`: asking a model on would cost money."""
    if runner := multiprocessing.parent_process():
        runner.join()
        os._exit(1)


class _OpenDatabase:
    """The open database with its judge; another database is opened when a task is about another."""

    def __init__(self, opener: Opener, settings: Mapping[str, Any], header: Header) -> None:
        self._opener, self._settings, self._header = opener, settings, header
        self._path: Path | None = None
        self._closing = contextlib.ExitStack()
        self._database: Database
        self._judge: Judge

    def done(self, task: Task) -> Iterator[DatabaseOpened | QuestionAsked | QuestionDone]:
        """Do a task and yield messages for the runner; the last one is `QuestionDone`."""
        try:
            self._open(task.path)
        except Exception as exc:
            yield _excluded(task, f"its database cannot be used: {exc}")
            return
        yield DatabaseOpened()
        try:
            gold = self._judge.gold(task.item)
        except Exception as exc:
            yield _excluded(task, f"its gold query cannot be used: {exc}")
            return
        item = replace(task.item, gold=gold.sql)
        reply = task.reply
        if reply is None:
            reply = self._reply_to(item)
            yield QuestionAsked(reply)
        cached = task.reply is not None
        try:
            yield QuestionDone(self._judge.record(task.item, gold, reply, self._header.scores, cached))
        except QueryError as exc:  # gold fails in the form that Spider runs, or on another database of the test suite
            yield _excluded(task, f"its gold query cannot be used: {exc}")
        except Exception as exc:
            yield _excluded(task, f"its answer cannot be judged: {type(exc).__name__}: {exc}")

    def _reply_to(self, item: Item) -> Reply:
        """Ask a question; any exception becomes a reply that failed."""
        try:
            return ask(self._database, item, self._header.evidence)
        except Exception as exc:  # an error in one question must not end a run of hours
            return Reply("failed", error=f"{type(exc).__name__}: {exc}", lasting=False)

    def _open(self, path: Path) -> None:
        """Open the database of a path, and close the one before, unless it is open already."""
        if path == self._path:
            return
        self._closing.close()
        self._path = None
        database = self._opener(path, self._header.engine, self._settings)
        self._closing.callback(database.close)
        database.session.values(database.engine)  # read the value index now, so that it counts in no question's time
        judge = judging(database, path, self._opener, self._header.query_seconds)
        self._judge = self._closing.enter_context(judge)
        self._database, self._path = database, path


def _excluded(task: Task, reason: str) -> QuestionDone:
    return QuestionDone(Excluded(task.item.id, task.item.db_id, reason))
