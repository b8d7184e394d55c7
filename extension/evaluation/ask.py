"""Ask an open database one question, and record the outcome and its cost."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from askwhere.engine import Column, Table
from askwhere.errors import Ambiguous, AskError, Busy, DatabaseError, ModelError, Refused, Unread
from askwhere.evaluation.databases import Database
from askwhere.evaluation.records import Record
from askwhere.evaluation.sets import Item
from askwhere.frozen import frozen
from askwhere.indexer.values import Match
from askwhere.pipeline.facts import Linked, Usage
from askwhere.pipeline.select import choose
from askwhere.session import Question

EVIDENCE = ("hint", "question", "none")


@frozen
class Reply:
    """The outcome of asking, as the cache keeps it; fields that `Record` has too mean the same here.

    `tables` are the tables that a prompt shows, with the names of their columns; `values` are the values it shows, each
    as table, column and value. `lasting` is False where asking again may give more, since the
    model or the database failed.
    """

    outcome: str
    predicted: str | None = None
    error: str = ""
    confidence: float | None = None
    candidates: int = 0
    requests: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    values: tuple[tuple[str, str, str], ...] = ()
    lasting: bool = True

    def for_record(self) -> dict[str, Any]:
        """Return the fields that the record of the question has too, by name."""
        shared = Record.__dataclass_fields__
        return {name: value for name, value in vars(self).items() if name in shared}

    def shown(self) -> tuple[Table, ...]:
        """Return the tables that a prompt shows."""
        return tuple(Table((name,), tuple(map(Column, columns))) for name, columns in self.tables)

    def matches(self) -> tuple[Match, ...]:
        """Return the values that a prompt shows."""
        return tuple(Match((table,), column, value) for table, column, value in self.values)


def question(item: Item, evidence: str) -> tuple[str, str | None]:
    """Return the question to ask and its hint.

    `evidence` puts the set's evidence into the hint ('hint') or into the question as DAC does ('question'), or leaves
    it out ('none').

    >>> question(Item("1", "shop", "How many are open?", "SELECT 1", evidence="open means status = 1"), "question")
    ('How many are open, where " open means status = 1 ".', None)
    """
    if evidence == "question" and item.evidence:
        return f'{item.question.rstrip(".?! ")}, where " {item.evidence} ".', None
    return item.question, (item.evidence or None) if evidence == "hint" else None


def ask(database: Database, item: Item, evidence: str) -> Reply:
    """Ask a question and return the reply, however it ends. Its seconds are those from the question to its SQL."""
    text, hint = question(item, evidence)
    engine, session = database.engine, database.session
    asked = Question(text, hint=hint)
    started = time.perf_counter()
    try:
        ranking = session.find(engine, asked)
    except AskError as exc:
        return _shown(database, asked, _failed(database, text, exc, time.perf_counter() - started))
    reply = _spent(Reply("failed", candidates=len(ranking.candidates)), ranking.usage, time.perf_counter() - started)
    try:
        best = choose(ranking.candidates, None, session.settings["min_confidence"])
        reply = replace(reply, outcome="answered", predicted=best.sql, confidence=best.confidence)
    except AskError as exc:
        usable = any(c.result is not None for c in ranking.candidates)
        reply = replace(reply, outcome=_outcome(exc, usable), error=f"{type(exc).__name__}: {exc}")
    return _shown(database, asked, reply)


def _outcome(exc: AskError, usable: bool = False) -> str:
    """Return the outcome for an error; a question whose best answer is below the least confidence counts as refused."""
    if isinstance(exc, Ambiguous):
        return "ambiguous"
    return "refused" if usable or isinstance(exc, (Unread, Refused)) else "failed"


def _failed(database: Database, text: str, exc: AskError, seconds: float) -> Reply:
    """Return the reply where asking raised; its cost is taken from the log, its tokens from the trace."""
    trace, log = database.session.trace(Question(text)), database.session.log(database.engine)
    usage = Usage(
        requests=log[-1].requests if log else 0,
        calls=log[-1].calls if log else 0,
        prompt_tokens=sum(step.prompt_tokens for step in trace),
        completion_tokens=sum(step.completion_tokens for step in trace),
        cost=log[-1].cost if log else None,
    )
    lasting = not isinstance(exc, (ModelError, DatabaseError, Busy))
    reply = Reply(_outcome(exc), error=f"{type(exc).__name__}: {exc}", lasting=lasting)
    return _spent(reply, usage, seconds)


def _spent(reply: Reply, usage: Usage, seconds: float) -> Reply:
    """Return the reply with what it cost; `seconds` takes the place of the usage's own."""
    return replace(reply, **vars(replace(usage, seconds=round(seconds, 6))))


def _shown(database: Database, asked: Question, reply: Reply) -> Reply:
    """Return the reply with the schema and values that the model was shown, or would have been if one was asked."""
    last: Linked | None = database.session.last_shown
    if last is None or (last.question, last.hint) != (asked.text, asked.hint):
        last = database.session.shown(database.engine, asked)
    tables = tuple((table.name, tuple(column.name for column in table.columns)) for table in last.schema.tables)
    values = dict.fromkeys((m.table[-1], m.column, m.value) for m in (*last.shown, *last.examples))
    return replace(reply, tables=tables, values=tuple(values))


class _Collector(logging.Handler):
    """The log handler that keeps messages in a list."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message that was logged."""
        self.messages.append(record.getMessage())


@contextmanager
def listening() -> Iterator[list[str]]:
    """Yield a list that collects askwhere's warnings, in place of standard error."""
    messages: list[str] = []
    log: Any = logging.getLogger("askwhere")
    handler, before = _Collector(messages), log.propagate
    log.addHandler(handler)
    log.propagate = False
    try:
        yield messages
    finally:
        log.removeHandler(handler)
        log.propagate = before
