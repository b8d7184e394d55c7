"""Answer the questions of one connection: find candidates, choose one, deliver its rows.

The work is done in the other modules of this package; here is one lock, as several threads may use a connection, and
calls of `ask` by a generated query are refused.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from askwhere import settings as settings_
from askwhere.engine import Checked, Engine, Result
from askwhere.errors import AskError
from askwhere.guard.tables import runnable
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.memory import Memory
from askwhere.models import prices
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.session import notices, trials
from askwhere.session.database import Database
from askwhere.session.delivery import Delivery
from askwhere.session.finding import Finding
from askwhere.session.questions import Answer, Found, Question, Rows, begun, check_texts

if TYPE_CHECKING:
    from askwhere.session.rewriting import Rewriting
    from askwhere.session.showing import Showing

SECONDS_TO_NOTICE = 1.0  # that a query may take to be run again in other forms, and each of these


class Answering:
    """The part of a session that answers questions.

    `given` are the settings that the caller gave. Without `use_pins` pins do not count.
    """

    def __init__(self, given: Mapping[str, Any], use_pins: bool = True) -> None:
        self.settings = settings_.load(given)
        self._cost = prices.of_user()
        self._memory = Memory()
        self._lock = threading.RLock()
        self._asking = False
        self._database = Database()
        self._use_pins = use_pins
        self._finding = Finding(self._database, self._memory, lambda: self._showing, use_pins)
        self._delivery = Delivery(self._database)

    # Most questions need neither of these two, and each takes a while to import.
    @cached_property
    def _showing(self) -> Showing:
        from askwhere.session.showing import Showing

        return Showing(self._database, self._memory, self._use_pins)

    @cached_property
    def _rewriting(self) -> Rewriting:
        from askwhere.session.rewriting import Rewriting

        return Rewriting(self._database, self._showing, self._finding, self._cost, self._refusing)

    @property
    def last_shown(self) -> Linked | None:
        """Return the last question that a model was asked, with the part of the database that the prompt showed."""
        return self._finding.last_shown

    def share(self, other: Answering) -> None:
        """Share catalog, value index, candidates and traces with another connection's session on the same database.

        Each keeps its own settings, and its own choices made by `choose`.
        """
        self._database.share(other._database)
        self._finding.share(other._finding)

    @contextlib.contextmanager
    def _refusing(self, nested: str) -> Iterator[None]:
        """Refuse calls of this session inside the block, with the message `nested`: a query would have made them."""
        if self._asking:
            raise AskError(nested)
        self._asking = True
        try:
            yield
        finally:
            self._asking = False

    @contextlib.contextmanager
    def steady(self, engine: Engine) -> Iterator[Catalog]:
        """Yield the catalog, which the session keeps while the block runs.

        Raise `Busy` in place of an error of the block where the tables were changed meanwhile.
        """
        with self._lock, self._database.steady(engine, self.settings) as catalog:
            yield catalog

    @contextlib.contextmanager
    def delivering(self, engine: Engine) -> Iterator[None]:
        """Raise `Busy` in place of an error of the block where the tables have changed since the last question."""
        with self._lock, self._database.since_answered(engine, self.settings):
            yield

    def catalog(self, engine: Engine) -> Catalog:
        """Return the catalog as the settings show it, read again if the schema or those settings have changed."""
        return self._database.catalog(engine, self.settings)

    def values(self, engine: Engine) -> ValueIndex:
        """Return the catalog's value index, opened again if rows may have changed."""
        return self._database.values(engine, self.settings)

    def find(self, engine: Engine, question: Question) -> Found:
        """Return the candidates for a question, tried and ranked; found once per connection and schema version.

        Raise `ArgumentError` for a question or hint that is too long, and `AskError` where no candidate is found.
        """
        return self.considered(engine, question)[0]

    def considered(self, engine: Engine, question: Question) -> tuple[Found, Candidate | AskError]:
        """Return the candidates as `find` does, with the one that answers, or the error that says why none does.

        The rank `question.choose` also holds when this session is asked the question again without one.
        """
        check_texts(question)
        nested = "ask() was called while a question is being answered; a generated query may not ask"
        with self.steady(engine), self._refusing(nested):
            return self._finding.find(begun(engine, question, self.settings, self._cost))

    def choose(self, engine: Engine, question: Question) -> tuple[Candidate, Checked]:
        """Return the candidate that answers the question, and its checked query.

        Raise `Ambiguous` where two candidates are about equally likely.
        """
        return _answering(*self.considered(engine, question))[1:]

    def runnable(self, engine: Engine, candidate: Candidate) -> str:
        """Return a candidate's SQL as it was written; tables have a path where their name alone would not do."""
        with self._lock:
            return runnable(candidate.sql, engine.dialect, self._database.known(engine, self.settings).grant)

    def answer(self, engine: Engine, question: Question) -> Answer:
        """Return the answer. Its rows are those of its trial, or read from `engine` when they are first used."""
        return self.answered(engine, question, *self.considered(engine, question))

    def answered(self, engine: Engine, question: Question, found: Found, chosen: Candidate | AskError) -> Answer:
        """Return the answer to a question, given what `considered` returned for it. Raise as `choose`."""
        found, chosen, checked = _answering(found, chosen)
        trial = found.trials.get(chosen.sql)
        rows, noticed = self._noticed(engine, question, chosen, checked, trial)
        return Answer(
            sql=self.runnable(engine, chosen),
            columns=checked.columns,
            confidence=chosen.confidence,
            notes=(*chosen.notes, *noticed),
            candidates=found.candidates,
            usage=found.usage,
            _read=lambda: self.rows(engine, checked, trial=trial),
            _rows=rows,
            _next=lambda text: self.answer(engine, replace(question, text=text, follows=question.chain, choose=None)),
        )

    def _noticed(
        self, engine: Engine, question: Question, chosen: Candidate, checked: Checked, trial: Result | None
    ) -> tuple[Rows | None, tuple[str, ...]]:
        """Return sentences on an answer's rows (`notices`), with the rows, None where they were not needed.

        Where its trial took longer than `SECONDS_TO_NOTICE` there are none.
        """
        before = trial or chosen.result
        if before is None or before.seconds > SECONDS_TO_NOTICE:
            return None, ()
        if not notices.may_be_noticed(chosen.sql, before.rows, chosen.n_rows):
            return None, ()
        try:
            rows = self.rows(engine, checked, trial=trial).rows
        except AskError:  # raised again where the rows are used
            return None, ()
        turn = begun(engine, question, self.settings, self._cost)
        run = trials.runner(turn, self._database.known(engine, self.settings), SECONDS_TO_NOTICE)
        with self._lock:
            return rows, notices.notices(chosen.sql, engine.dialect, rows, run)

    def first_row(self, engine: Engine, question: Question) -> tuple[Any, ...] | None:
        """Return the first row of the answer; None if it has no rows."""
        found, chosen, checked = _answering(*self.considered(engine, question))
        rows = self.rows(engine, checked, 1, found.trials.get(chosen.sql)).rows
        return rows[0] if rows else None

    def sql(self, engine: Engine, question: Question, counted: bool = False) -> str:
        """Return the SQL whose rows are the answer: the checked query, or under isolation one that reads the process.

        Raise `TooMuch` if the answer takes longer than `query_timeout`, and with `counted` if it has more rows than
        `max_rows`.
        """
        found, chosen, checked = _answering(*self.considered(engine, question))
        with self.delivering(engine):
            trial = found.trials.get(chosen.sql)
            return self._delivery.sql(engine, self.settings, chosen, checked, counted, trial)

    def rows(self, engine: Engine, checked: Checked, first: int | None = None, trial: Result | None = None) -> Result:
        """Return all rows of a checked query, or the `first` ones: those of a `trial` just made, if it read enough.

        Raise `TooMuch` if all are more than `max_rows`: rows are never cut silently.
        """
        with self.delivering(engine):
            return self._delivery.rows(engine, self.settings, checked, first, trial)

    def stream(self, engine: Engine, checked: Checked) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a checked query that the isolated process runs. Raise as `rows` does."""
        with self.delivering(engine):
            return self._delivery.stream(engine, self.settings, checked)


def _answering(found: Found, chosen: Candidate | AskError) -> tuple[Found, Candidate, Checked]:
    """Return what was found, the candidate that answers, and its checked query. Raise `chosen` where it is an error."""
    if isinstance(chosen, AskError):
        raise chosen
    assert chosen.checked is not None  # a candidate is chosen by its rows, and only a checked one has rows
    return found, chosen, chosen.checked
