"""Define the session of a connection, which SQL functions and bindings call: it holds all that the connection keeps.

The work is done in the other modules of this package. Here is one lock, as several threads may use a connection, and
calls of `ask` by a generated query are refused.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from askwhere import settings as settings_
from askwhere.engine import Checked, Engine, Result
from askwhere.errors import AskError
from askwhere.guard.tables import runnable
from askwhere.indexer import calibration, keys
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin
from askwhere.indexer.values import ValueIndex
from askwhere.memory import Memory, changed, without_hidden
from askwhere.models import prices
from askwhere.pipeline.asking import Asker, Budget
from askwhere.pipeline.facts import Candidate, Linked, Step
from askwhere.session import notices, trials
from askwhere.session.database import Database, check_names
from askwhere.session.delivery import Delivery
from askwhere.session.finding import Finding, trace_key
from askwhere.session.questions import Answer, Question, Ranking, Rows, Turn, check_texts, turn_of
from askwhere.sql.identifiers import fold

if TYPE_CHECKING:
    from askwhere.session.rewriting import Rewriting
    from askwhere.session.showing import Showing

# For notes on an answer's rows its query is run again in other forms: only if its trial took no longer than this, and
# all of the forms together for no longer.
SECONDS_TO_NOTICE = 1.0


class Session:
    """One connection's session. Each method takes the engine to work on: that of a SQL function may be its own.

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

    def share(self, other: Session) -> None:
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

    def find(self, engine: Engine, question: Question) -> Ranking:
        """Return the candidates for a question, tried and ranked; found once per connection and schema version.

        Raise `ArgumentError` for a question or hint that is too long, and `AskError` where no candidate is found.
        """
        return self.considered(engine, question)[0]

    def considered(self, engine: Engine, question: Question) -> tuple[Ranking, Candidate | AskError]:
        """Return the candidates as `find` does, with the one that answers, or the error that says why none does.

        The rank `question.choose` also holds when this session is asked the question again without one.
        """
        check_texts(question)
        nested = "ask() was called while a question is being answered; a generated query may not ask"
        with self.steady(engine), self._refusing(nested):
            return self._finding.find(turn_of(engine, question, self.settings, self._cost))

    def choose(self, engine: Engine, question: Question) -> tuple[Candidate, Checked]:
        """Return the candidate that answers the question, and its checked query.

        Raise `Ambiguous` where two candidates are about equally likely.
        """
        return _chosen(*self.considered(engine, question))[1:]

    def runnable(self, engine: Engine, candidate: Candidate) -> str:
        """Return a candidate's SQL as it was written; tables have a path where their name alone would not do."""
        with self._lock:
            return runnable(candidate.sql, engine.dialect, self._database.known(engine, self.settings).grant)

    def answer(self, engine: Engine, question: Question) -> Answer:
        """Return the answer. Its rows are those of its trial, or read from `engine` when they are first used."""
        return self.answered(engine, question, *self.considered(engine, question))

    def answered(self, engine: Engine, question: Question, ranking: Ranking, chosen: Candidate | AskError) -> Answer:
        """Return the answer to a question, given what `considered` returned for it. Raise as `choose`."""
        ranking, chosen, checked = _chosen(ranking, chosen)
        trial = ranking.trials.get(chosen.sql)
        rows, noticed = self._noticed(engine, question, chosen, checked, trial)
        return Answer(
            sql=self.runnable(engine, chosen),
            columns=checked.columns,
            confidence=chosen.confidence,
            notes=(*chosen.notes, *noticed),
            candidates=ranking.candidates,
            usage=ranking.usage,
            types=checked.types if engine.static_types else ("",) * len(checked.columns),
            _read=lambda: self.rows(engine, checked, trial=trial),
            _rows=rows,
            _next=lambda text: self.answer(engine, replace(question, text=text, follows=question.chain, choose=None)),
        )

    def _noticed(
        self, engine: Engine, question: Question, chosen: Candidate, checked: Checked, trial: Result | None
    ) -> tuple[Rows | None, tuple[str, ...]]:
        """Return the rows of an answer, None where they were not read, and notes on them (`notices`).

        There are no notes where the query's trial took longer than `SECONDS_TO_NOTICE`.
        """
        tried = trial or chosen.result
        if tried is None or tried.seconds > SECONDS_TO_NOTICE:
            return None, ()
        if not notices.may_be_noticed(chosen.sql, tried.rows, chosen.n_rows):
            return None, ()
        try:
            rows = self.rows(engine, checked, trial=trial).rows
        except AskError:  # raised again where the rows are used
            return None, ()
        turn, until = turn_of(engine, question, self.settings, self._cost), time.monotonic() + SECONDS_TO_NOTICE
        known = self._database.known(engine, self.settings)

        def run(sql: str, most: int | None) -> Result:
            return trials.runner(turn, known, until - time.monotonic())(sql, most)

        with self._lock:
            return rows, notices.notices(chosen.sql, engine.dialect, rows, run)

    def first_row(self, engine: Engine, question: Question) -> tuple[Any, ...] | None:
        """Return the first row of the answer; None if it has no rows."""
        ranking, chosen, checked = _chosen(*self.considered(engine, question))
        rows = self.rows(engine, checked, 1, ranking.trials.get(chosen.sql)).rows
        return rows[0] if rows else None

    def sql(self, engine: Engine, question: Question, counted: bool = False) -> str:
        """Return the SQL whose rows are the answer: the checked query, or one that reads the isolated process's rows.

        Raise `TooMuch` if the answer takes longer than `query_timeout`, and with `counted` if it has more rows than
        `max_rows`.
        """
        ranking, chosen, checked = _chosen(*self.considered(engine, question))
        with self.delivering(engine):
            trial = ranking.trials.get(chosen.sql)
            return self._delivery.sql(engine, self.settings, chosen, checked, counted, trial)

    def rows(self, engine: Engine, checked: Checked, first: int | None = None, trial: Result | None = None) -> Result:
        """Return all rows of a checked query, or the `first` ones, from a `trial` that was just made if it read enough.

        Raise `TooMuch` if all are more than `max_rows`: rows are never cut silently.
        """
        with self.delivering(engine):
            return self._delivery.rows(engine, self.settings, checked, first, trial)

    def stream(self, engine: Engine, checked: Checked) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a checked query that the isolated process runs. Raise as `rows` does."""
        with self.delivering(engine):
            return self._delivery.stream(engine, self.settings, checked)

    # ----------------------------------------------------------------- settings, index, log, fixing, pins and keys

    def set(self, name: str, value: Any, source: str = "ask_set") -> str:
        """Change a setting for this connection, and return it as `shown_setting` does. Raise `SettingError`."""
        with self._lock:
            before = self.settings
            from_sql = source == "ask_set"
            self.settings = before.from_sql(name, value) if from_sql else before.with_value(source, name, value)
        return self.shown_setting(name)

    def set_for(self, engine: Engine, name: str, value: Any) -> str:
        """Change a setting as `set` does, unless it names a table, column or function that the database lacks."""
        with self._lock:
            before = self.settings
            shown = self.set(name, value)
            try:
                check_names(engine, self.settings, [settings_.named(name).name])
            except BaseException:
                self.settings = before
                raise
        return shown

    def check_names(self, engine: Engine) -> None:
        """Raise `SettingError` where a setting names a table, column or function that does not exist."""
        check_names(engine, self.settings)

    def shown_setting(self, name: str) -> str:
        """Return a setting and its value, as `ask_set` shows them. Raise `SettingError` for an unknown name."""
        name = settings_.named(name).name
        return f"{name} = {settings_.as_text(self.settings[name])}"

    def examples(self, engine: Engine) -> tuple[str, ...]:
        """Return questions about this database that the built-in reader answers, for someone who is new to it."""
        from askwhere.reader.refusing.examples import examples  # takes time to load

        with self.steady(engine) as catalog:
            return examples(catalog, self.values(engine), engine.dialect)

    def index(self, engine: Engine, table: str | None = None) -> str:
        """Index the values of all tables, or of one table again, or drop the index for 'drop'. Return what was done."""
        with self.steady(engine):
            return self._database.index(engine, self.settings, table)

    def trace(self, question: Question) -> tuple[Step, ...]:
        """Return the steps of the last time that a question was asked here; none if it was not asked."""
        with self._lock:
            return self._finding.traces.get(trace_key(question.chain, self.settings), ())

    def log(self, engine: Engine) -> list[Entry]:
        """Return the questions that were answered or failed, oldest first: of this connection, or of the database.

        Entries made before a column was hidden are shown without the parts that name it.
        """
        with self._lock:
            entries = self._memory.log(engine, self.settings["log"] == "database")
            if not self.settings["hide_columns"]:
                return entries
            hidden = {fold(column) for _, column in self.catalog(engine).grant.hidden}
            return without_hidden(entries, hidden)

    def shown(self, engine: Engine, question: Question) -> Linked:
        """Return the question with what a prompt shows of the schema and the values. No model is called."""
        with self.steady(engine):
            return self._showing.shown(self._turn_without_budget(engine, question))

    def prompt(self, engine: Engine, question: Question) -> str:
        """Return the first prompt that a model would be sent for a question. No model is called."""
        with self.steady(engine):
            return self._showing.prompt(self._turn_without_budget(engine, question))

    def _turn_without_budget(self, engine: Engine, question: Question) -> Turn:
        """Return the turn of a question whose budget is 0, so that no model is called.

        Raise `AskError` where an earlier question was not answered here before and needs a model.
        """
        check_texts(question)
        own = self.settings.for_question(model=question.model, effort=question.effort)
        turn = Turn(engine, question, own, Asker(Budget(0, 0, 0.0)))
        return replace(turn, earlier=self._finding.earlier(turn))

    def fix(self, engine: Engine, sql: str, error: str | None = None) -> str:
        """Return the query, changed as little as possible if it has an error: by rule, else by the model if one is set.

        `error` is the message that the user got for it. Raise `Refused` where the guard refuses the query, `Ambiguous`
        where several repairs are equally near, `QueryError` where there is none.
        """
        with self.steady(engine):
            return self._rewriting.fix(engine, self.settings, sql, error)

    def explain(self, engine: Engine, sql: str) -> str:
        """Return a query in plain language, worded by the model if one is set. Raise `QueryError` for another text."""
        with self.steady(engine):
            return self._rewriting.explain(engine, self.settings, sql)

    def pin(self, engine: Engine, question: Question, sql: str | None) -> str:
        """Keep a query for a question, by default the one that answers it now. Return what was done.

        Raise `ArgumentError` where the parameters of question and query differ, and `QueryError` for a query that may
        not or cannot run.
        """
        from askwhere.session import pinning  # takes time to load

        check_texts(question)
        with self.steady(engine) as catalog:
            model = ""
            if sql is None:
                answer = self.choose(engine, question)[0]
                sql, model = answer.sql, pinning.writer(answer.origin, self.settings)
            made = pinning.verified(engine, catalog.grant, self.settings, question.chain, sql, model)
            return pinning.described(made, bool(self._memory.pin(engine, (made,))))

    def pin_all(self, engine: Engine, pins: Iterable[Pin]) -> int:
        """Keep pins that were exported, all or none, and return their number. Raise `AskError`, naming the question."""
        from askwhere.session import pinning  # takes time to load

        with self.steady(engine) as catalog:
            made = [pinning.imported(engine, catalog.grant, self.settings, pin) for pin in pins]
            self._memory.pin(engine, made)
            return len(made)

    def unpin(self, engine: Engine, question: Question) -> str:
        """Remove a pin, and return what was done. Raise `ArgumentError` where there is none."""
        with self._lock:
            self._memory.unpin(engine, question.chain)
            return f"unpinned {question.text!r}"

    def pins(self, engine: Engine) -> list[tuple[Pin, str]]:
        """Return all pins, oldest first, each with what has changed in its tables since, '' for nothing."""
        with self._lock:
            return self._memory.pins(engine, self.catalog(engine))

    def keys(self, engine: Engine) -> list[tuple[str, str, str]]:
        """Return each key as its two sides and its origin: 'database', 'declared' or 'guessed'."""
        with self._lock:
            return list(keys.shown(self.catalog(engine).tables))

    def declare(self, engine: Engine, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """Declare keys, each given by its two sides, or remove them. Return what was done. Raise as `keys.write`."""
        with self._lock:
            tables = self.catalog(engine).tables
            return changed(engine, lambda storage: keys.write(engine, storage, tables, pairs))

    def calibrate(self, engine: Engine, made: Iterable[Calibration]) -> None:
        """Keep calibrations. Cached rankings are dropped, so that their confidence is calibrated anew."""
        with self._lock:
            changed(engine, lambda storage: calibration.save(storage, made))
            self._finding.rankings.clear()

    def uncalibrate(self, engine: Engine) -> bool:
        """Remove all calibrations. Return whether there was one."""
        with self._lock:
            self._finding.rankings.clear()
            return changed(engine, calibration.drop)


def _chosen(ranking: Ranking, chosen: Candidate | AskError) -> tuple[Ranking, Candidate, Checked]:
    """Return the ranking, the candidate that answers, and its checked query. Raise `chosen` where it is an error."""
    if isinstance(chosen, AskError):
        raise chosen
    assert chosen.checked is not None  # a candidate is chosen by its rows, and only a checked one has rows
    return ranking, chosen, chosen.checked
