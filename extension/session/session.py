"""What one connection remembers while it is asked: settings, the catalog, values, and questions already answered."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askwhere import settings as settings_
from askwhere.engine import Checked, Engine, Result
from askwhere.errors import AskError
from askwhere.guard.scan import fold
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin
from askwhere.indexer.values import ValueIndex
from askwhere.memory import Memory, without_hidden
from askwhere.models import prices
from askwhere.pipeline.facts import Candidate, Linked, Step
from askwhere.session.database import Database, check_names
from askwhere.session.delivery import Delivery
from askwhere.session.facts import Answer, Found, Question, begun, check_length
from askwhere.session.finding import Finding, traced
from askwhere.session.pinning import Pinning, writer
from askwhere.session.rewriting import Rewriting
from askwhere.session.showing import Showing
from askwhere.settings import Settings


class Session:
    """One connection's memory. Its methods take the engine to work on, as SQL functions work on one of their own.

    Without `use_pins` a question is asked as if none were pinned.
    """

    def __init__(self, given: Mapping[str, Any], use_pins: bool = True) -> None:
        self.settings = settings_.load(given)
        self._cost = prices.of_user()
        self._memory = Memory()
        self._lock = threading.RLock()
        self._asking = False
        self._database = Database()
        self._showing = Showing(self._database, self._memory, use_pins)
        self._finding = Finding(self._database, self._memory, self._showing, use_pins)
        self._rewriting = Rewriting(self._database, self._showing, self._finding, self._cost, self._alone)
        self._pinning = Pinning(self._database, self._memory)
        self._delivery = Delivery(self._database)

    @property
    def last_shown(self) -> Linked | None:
        """The last question that a model was asked, with what it was shown of the database."""
        return self._finding.last_shown

    def share(self, other: Session) -> None:
        """Know what a session of another connection to the same database knows, and let it know what this one finds.

        Settings, and what `choose` settled, stay each one's own.
        """
        self._database.share(other._database)
        self._finding.share(other._finding)

    @contextlib.contextmanager
    def _alone(self, nested: str) -> Iterator[None]:
        """While this lasts, what a query would ask of this session is refused: `nested` says what it is."""
        if self._asking:
            raise AskError(nested)
        self._asking = True
        try:
            yield
        finally:
            self._asking = False

    def set(self, name: str, value: Any, source: str = "ask_set") -> str:
        """Change a setting for this connection; returns what was done. Raises `SettingError`."""
        with self._lock:
            given = self.settings
            self.settings = (
                given.from_sql(name, value) if source == "ask_set" else given.with_value(source, name, value)
            )
        return self.shown_setting(name)

    def set_for(self, engine: Engine, name: str, value: Any, source: str = "ask_set") -> str:
        """As `set`, for a database that what is set must fit: nothing changes where it names what is not there."""
        with self._lock:
            before = self.settings
            done = self.set(name, value, source)
            try:
                check_names(engine, self.settings, [settings_.named(name).name])
            except BaseException:
                self.settings = before
                raise
        return done

    def check_names(self, engine: Engine) -> None:
        """Raises `SettingError` where a setting names a table, column or function that is not there."""
        check_names(engine, self.settings)

    def shown_setting(self, name: str) -> str:
        """A setting and its value, as `ask_set` shows them. Raises `SettingError`."""
        name = settings_.named(name).name
        return f"{name} = {settings_.as_text(self.settings[name])}"

    def catalog(self, engine: Engine) -> Catalog:
        """The catalog as the settings show it, read again when the schema or those settings have changed."""
        return self._database.catalog(engine, self.settings)

    def values(self, engine: Engine) -> ValueIndex:
        """The value index of the catalog, opened again when rows may have changed."""
        return self._database.values(engine, self.settings)

    def index(self, engine: Engine, table: str | None = None) -> str:
        """Index the values of all tables, or of one again, or with 'drop' none; says what was done."""
        with self._lock:
            return self._database.index(engine, self.settings, table)

    def find(self, engine: Engine, question: Question) -> Found:
        """The candidates for a question, tried and ranked; found once per connection and schema version.

        Raises `ArgumentError` for one that is too long to be one.
        """
        check_length(question)
        nested = "ask() was called while a question is being answered; a generated query may not ask"
        with self._lock, self._alone(nested):
            try:
                return self._finding.find(begun(engine, question, self.settings, self._cost))
            finally:
                self._database.release()

    def choose(self, engine: Engine, question: Question) -> tuple[Candidate, Checked]:
        """The candidate that answers the question. Raises `Ambiguous` where two are about equally likely.

        A rank that is chosen settles the question here: asked again without one, it has the query of that rank.
        """
        chosen = self._finding.choice(self.find(engine, question), question, self.settings)
        assert chosen.checked is not None  # only what was checked has rows to be chosen by
        if question.choose is not None:
            with self._lock:
                self._finding.settle(question, chosen.sql)
        return chosen, chosen.checked

    def answer(self, engine: Engine, question: Question) -> Answer:
        """The answer with its rows to be read from `engine` when they are looked at."""
        chosen, checked = self.choose(engine, question)
        found = self.find(engine, question)
        return Answer(
            sql=checked.sql,
            columns=checked.columns,
            confidence=chosen.confidence,
            candidates=found.candidates,
            usage=found.usage,
            _read=lambda: self.rows(engine, checked),
        )

    def sql(self, engine: Engine, question: Question, counted: bool = False) -> str:
        """The SQL whose rows are the answer: the checked query; under isolation what reads the rows of another process.

        Raises `TooMuch` where the engine would deliver for longer than `query_timeout`; `counted` beyond `max_rows`.
        """
        chosen, checked = self.choose(engine, question)
        with self._lock:
            return self._delivery.sql(engine, self.settings, chosen, checked, counted)

    def rows(self, engine: Engine, checked: Checked, first: int | None = None) -> Result:
        """All rows of a checked query, or the `first` ones.

        Raises `TooMuch` when all are more than `max_rows`: rows are never cut silently.
        """
        with self._lock:
            return self._delivery.rows(engine, self.settings, checked, first)

    def stream(self, engine: Engine, checked: Checked) -> Iterator[tuple[Any, ...]]:
        """The rows of a checked query that another process has run, read when they are wanted. Raises as `rows`."""
        with self._lock:
            return self._delivery.stream(engine, self.settings, checked)

    def trace(self, question: str) -> tuple[Step, ...]:
        """The steps of the last time that a question was asked here; none where it was not."""
        with self._lock:
            return self._finding.traces.get(traced(question, self.settings), ())

    def log(self, engine: Engine) -> list[Entry]:
        """The questions that were answered or failed, oldest first: of this connection, or of the database.

        Without what those that were asked before tell of columns that are hidden now.
        """
        with self._lock:
            entries = self._memory.log(engine, self.settings["log"] == "database")
            if not self.settings["hide_columns"]:
                return entries
            hidden = {fold(column) for _, column in self.catalog(engine).grant.hidden}
            return [without_hidden(entry, hidden) for entry in entries]

    def shown(self, engine: Engine, question: Question) -> Linked:
        """The question with what a prompt shows of the schema and the values. Asks no model."""
        with self._lock:
            return self._showing.shown(engine, question, self._chosen(question))

    def prompt(self, engine: Engine, question: Question) -> str:
        """The first prompt that a model is sent for a question. Asks no model."""
        with self._lock:
            return self._showing.prompt(engine, question, self._chosen(question))

    def _chosen(self, question: Question) -> Settings:
        """The settings with what the question's own arguments say."""
        return self.settings.for_question(model=question.model, effort=question.effort)

    def fix(self, engine: Engine, sql: str, error: str | None = None) -> str:
        """The query as it is if it can be used; else changed as little as possible, by rule, or by the model if set.

        `error` is what the user was told of it. Raises `Refused` for what the guard refuses, `Ambiguous` where repairs
        are equally near, `QueryError` where there is none.
        """
        with self._lock:
            return self._rewriting.fix(engine, self.settings, sql, error)

    def explain(self, engine: Engine, sql: str) -> str:
        """A query in plain language: in the model's words where one is set. Raises `QueryError` for what is none."""
        with self._lock:
            return self._rewriting.explain(engine, self.settings, sql)

    def pin(self, engine: Engine, question: str, sql: str | None) -> str:
        """Keep the query for a question, or the one that answers it now; says what was done.

        Raises `ArgumentError` where their parameters differ, and `QueryError` for a query that may not or cannot run.
        """
        with self._lock:
            model = ""
            if sql is None:
                answer = self.choose(engine, Question(question))[0]
                sql, model = answer.sql, writer(answer.origin, self.settings)
            return self._pinning.pin(engine, self.settings, question, sql, model)

    def pin_all(self, engine: Engine, pins: Iterable[Pin]) -> int:
        """Keep pins that were exported, all of them or none; gives how many. Raises as `pin`, naming the question."""
        with self._lock:
            return self._pinning.pin_all(engine, self.settings, pins)

    def unpin(self, engine: Engine, question: str) -> str:
        """Forget a pin; says what was done. Raises `ArgumentError` where there is none."""
        with self._lock:
            self._memory.unpin(engine, question)
            return f"unpinned {question!r}"

    def pins(self, engine: Engine) -> list[tuple[Pin, str]]:
        """All pins, oldest first, each with what has changed since, `''` for nothing."""
        with self._lock:
            return self._memory.pins(engine, self.catalog(engine))

    def calibrate(self, engine: Engine, made: Iterable[Calibration]) -> None:
        """Keep what the pins have shown of answers; those given here before are found again."""
        with self._lock:
            self._memory.calibrate(engine, made)
            self._finding.found.clear()

    def uncalibrate(self, engine: Engine) -> bool:
        """Forget what the pins have shown; whether anything was known."""
        with self._lock:
            self._finding.found.clear()
            return self._memory.uncalibrate(engine)
