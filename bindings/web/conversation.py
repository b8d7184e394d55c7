"""Ask the questions of a page one after another, on one connection and one thread; the current one can be stopped."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from typing import Any, TypeVar

from askwhere.bindings import connections
from askwhere.bindings.engine_errors import explained
from askwhere.bindings.web.chart import drawn
from askwhere.cells import in_decimals
from askwhere.errors import Ambiguous, AskError
from askwhere.frozen import frozen
from askwhere.pages.web import Shown
from askwhere.pipeline.select import own_notes
from askwhere.reader.following import may_refine
from askwhere.session import Question
from askwhere.udfs import ask_candidates, ask_trace

T = TypeVar("T")

MOST_ANSWERS = 200  # answers that the page can go back to
WAITING = 20  # questions that may wait for their answers
ROWS = 500  # rows of an answer that the page shows
CELLS = 25_000  # of these rows together
LONGEST = 400  # characters or bytes of a cell that are kept; the page shows fewer
TEXT = 1_000_000  # of all cells together
EVERY_SECONDS = 0.05  # between two attempts to interrupt a question
_STOPPED = "Stopped."


@frozen
class AskedQuestion:
    """A question, the thread's promise of its answer, and when it was asked (seconds of `time.monotonic`)."""

    number: int
    question: Question
    began: float
    answer: Future[Shown]

    def shown(self, patience: float = 0.0) -> Shown:
        """Return the answer, or how long it has been waited for if it takes longer than `patience` seconds more."""
        try:
            return self.answer.result(patience)
        except NotYet:
            return Shown(self.number, self.question.text, self.question.follows, time.monotonic() - self.began)


class Conversation:
    """The questions of one page. `connect` opens the connection, in the thread that uses it."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        self._thread = ThreadPoolExecutor(1, "askwhere-web")
        self._connection = self._thread.submit(connect).result()
        self._ident = self._thread.submit(threading.get_ident).result()
        self._numbers = itertools.count(1)
        self.asked: dict[int, AskedQuestion] = {}
        self._stopped: set[int] = set()
        self._running = 0
        self._examples = self.run(_examples)  # while the browser opens

    def examples(self, patience: float) -> tuple[str, ...]:
        """Return questions about the database, none if it takes longer than `patience` seconds to find them."""
        try:
            return self._examples.result(patience)
        except NotYet:
            return ()

    def ask(self, text: str, after: int | None = None, choose: int | None = None) -> AskedQuestion:
        """Ask a question; it follows question number `after` if that is given and the text sounds like a follow-up.

        Raise `AskError` where too many wait for their answers.
        """
        before = self.asked[after].question if after is not None and may_refine(text) else None
        question = Question(text, choose=choose, follows=before.chain if before else ())
        return self._begin(question)

    def again(self, number: int, choose: int | None = None) -> AskedQuestion:
        """Ask a question again, for its candidate of a rank if one is given. Raise `AskError` as `ask` does."""
        question = self.asked[number].question
        return self._begin(Question(question.text, choose=choose, follows=question.follows))

    def _begin(self, question: Question) -> AskedQuestion:
        """Answer a question in the connection's thread, under the next number; the oldest answers are dropped."""
        if sum(not asked.answer.done() for asked in self.asked.values()) >= WAITING:
            raise AskError(f"{WAITING} questions wait for their answers: stop some of them, or wait.")
        number = next(self._numbers)
        answer = self._thread.submit(self._answered, number, question)
        self.asked[number] = AskedQuestion(number, question, time.monotonic(), answer)
        for old in list(self.asked)[:-MOST_ANSWERS]:
            del self.asked[old]
            self._stopped.discard(old)
        return self.asked[number]

    def stop(self, number: int) -> None:
        """Stop a question: interrupt its running query, and start no further ones."""
        if number in self.asked and number not in self._stopped:
            self._stopped.add(number)
            threading.Thread(target=self._interrupt, args=[number], daemon=True).start()

    def _interrupt(self, number: int) -> None:
        """Interrupt the queries of a question until it is done: one may begin after another was interrupted."""
        while (asked := self.asked.get(number)) and not asked.answer.done():
            if self._running == number:
                connections.interrupt(self._connection, self._ident)
            time.sleep(EVERY_SECONDS)

    def run(self, work: Callable[[Any], T]) -> Future[T]:
        """Return the promise of what `work` returns on the connection, run in the connection's own thread."""
        return self._thread.submit(work, self._connection)

    def close(self) -> None:
        """Close the connection, once the work that runs has ended."""
        self._thread.submit(self._connection.close)
        self._thread.shutdown()

    def _answered(self, number: int, question: Question) -> Shown:
        """Return the answer to a question as the page shows it, or why there is none."""
        self._running = number
        session, engine = connections.session(self._connection), connections.engine(self._connection)
        candidates: tuple[tuple[Any, ...], ...] = ()
        remarks: list[list[str]] = []
        answer, error = None, ""
        try:
            if number in self._stopped:
                raise AskError(_STOPPED)
            with connections.interruptible(self._connection):
                considered = session.considered(engine, question)  # once: to ask again may cost as much again
                candidates = tuple(ask_candidates.rows(*considered))
                remarks = own_notes(considered[0].candidates)
                answer = session.answered(engine, question, *considered)
                rows = in_decimals(answer.rows, answer.types)
        except Exception as exc:  # an engine's error too: it is text on the page, and no end of the server
            error, rows = _reason(exc), ()
        finally:
            self._running = 0
        chart, chart_needs = drawn(answer.columns, rows) if answer and not error else ("", "")
        if stopped := number in self._stopped:  # it may have gone on with another query
            error, rows = _STOPPED, ()
        return Shown(
            number,
            question.text,
            question.follows,
            error=error,
            columns=answer.columns if answer and not error else (),
            rows=_first(rows),
            n_rows=len(rows),
            chart="" if stopped else chart,
            chart_needs="" if stopped else chart_needs,
            sql=answer.sql if answer else "",
            confidence=answer.confidence if answer else 0.0,
            notes=answer.notes if answer else (),
            candidates=() if stopped else candidates,
            remarks=tuple(map(tuple, remarks)),
            steps=tuple(ask_trace.call(session, engine, question)),
            chosen=question.choose,
        )


def _examples(connection: Any) -> tuple[str, ...]:
    try:
        return connections.session(connection).examples(connections.engine(connection))
    except Exception:  # an engine's error too, which the first question meets again
        return ()


def _first(rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """Return the rows that a page shows and keeps: the first, with long cells cut."""
    most = min(ROWS, max(1, CELLS // len(rows[0]))) if rows else 0
    kept, left = [], TEXT
    for row in rows[:most]:
        kept.append(tuple(map(_cut, row)))
        left -= sum(len(cell) for cell in kept[-1] if isinstance(cell, str | bytes))
        if left < 0:
            break
    return tuple(kept)


def _cut(cell: Any) -> Any:
    """Return a cell, or the beginning of one that is too long for a page."""
    if cell is None or isinstance(cell, int | float):
        return cell
    text = cell if isinstance(cell, str | bytes) else str(cell)
    return text[:LONGEST] if len(text) > LONGEST else cell


def _reason(exc: Exception) -> str:
    """Return why there is no answer. The page lists the candidates itself."""
    text = str(explained(exc) or exc) or type(exc).__name__
    return text.partition(":\n")[0] if isinstance(exc, Ambiguous) else text
