"""Define the session of a connection, which SQL functions and bindings call: it holds all that the connection keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from askwhere import settings as settings_
from askwhere.engine import Engine
from askwhere.indexer import keys
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin
from askwhere.memory import changed, without_hidden
from askwhere.pipeline.asking import Asker, Budget
from askwhere.pipeline.facts import Linked, Step
from askwhere.session.answering import Answering
from askwhere.session.database import check_names
from askwhere.session.finding import trace_key
from askwhere.session.questions import Question, Turn, check_texts
from askwhere.sql.identifiers import fold


class Session(Answering):
    """One connection's session. Each method takes the engine to work on: that of a SQL function may be its own."""

    def set(self, name: str, value: Any, source: str = "ask_set") -> str:
        """Change a setting for this connection, and return it as `shown_setting` does. Raise `SettingError`."""
        with self._lock:
            given = self.settings
            from_sql = source == "ask_set"
            self.settings = given.from_sql(name, value) if from_sql else given.with_value(source, name, value)
        return self.shown_setting(name)

    def set_for(self, engine: Engine, name: str, value: Any) -> str:
        """Change a setting as `set` does, unless it names a table, column or function that the database lacks."""
        with self._lock:
            before = self.settings
            done = self.set(name, value)
            try:
                check_names(engine, self.settings, [settings_.named(name).name])
            except BaseException:
                self.settings = before
                raise
        return done

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
            return self._showing.shown(self._unasking(engine, question))

    def prompt(self, engine: Engine, question: Question) -> str:
        """Return the first prompt that a model would be sent for a question. No model is called."""
        with self.steady(engine):
            return self._showing.prompt(self._unasking(engine, question))

    def _unasking(self, engine: Engine, question: Question) -> Turn:
        """Return the turn of a question whose budget is 0, so that no model is called.

        Raise `AskError` where an earlier question was not answered here before and needs a model.
        """
        check_texts(question)
        chosen = self.settings.for_question(model=question.model, effort=question.effort)
        turn = Turn(engine, question, chosen, Asker(Budget(0, 0, 0.0)))
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
        """Keep calibrations. Candidates found before are dropped, so that their confidence is calibrated anew."""
        with self._lock:
            self._memory.calibrate(engine, made)
            self._finding.found.clear()

    def uncalibrate(self, engine: Engine) -> bool:
        """Remove all calibrations. Return whether there was one."""
        with self._lock:
            self._finding.found.clear()
            return self._memory.uncalibrate(engine)
