"""Fix and explain a given query, by rule or, where one is set, with the model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager

from askwhere.engine import Engine
from askwhere.errors import Ambiguous, QueryError, Refused, suggestion
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import StepContext
from askwhere.rewrite import by_model, explain, fix
from askwhere.session.database import Database
from askwhere.session.finding import REMEMBERED, Finding, trace_key
from askwhere.session.questions import Cost, Question, turn_of
from askwhere.session.recent import Recent
from askwhere.session.showing import Showing
from askwhere.settings import Settings
from askwhere.sql.dialects import named
from askwhere.sql.lexer import tokens
from askwhere.sql.literals import literal

_NESTED = "a model was asked of a query while a question is being answered; a generated query may not"


class Rewriting:
    """Fixing and explaining queries on one connection; the model's replies are cached.

    `refusing` returns a context in which calls of `ask` by a query are refused, with the message it is given.
    """

    def __init__(
        self,
        database: Database,
        showing: Showing,
        finding: Finding,
        cost: Cost,
        refusing: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        self._database = database
        self._showing = showing
        self._finding = finding
        self._cost = cost
        self._refusing = refusing
        self._written: Recent[Hashable, str] = Recent(REMEMBERED)

    def fix(self, engine: Engine, settings: Settings, sql: str, error: str | None) -> str:
        """Return the query, changed as little as possible if it has an error, as `Session.fix` does."""
        catalog = self._database.catalog(engine, settings)
        try:
            with _advising_ask(engine, sql):
                return fix.fix(sql, engine, catalog, error or "").sql
        except (Ambiguous, QueryError) as exc:
            if isinstance(exc, Refused) or settings["model"] == "reader":
                raise
            failed = exc
        visible = by_model.seen_error(error, catalog, sql, self._database.values_in(engine, settings))
        question = Question(by_model.question(sql), hint=visible)

        def corrected(shown: Linked, context: StepContext) -> str:
            return by_model.corrected(shown, sql, failed, context)

        return self._by_model(engine, settings, sql, question, corrected)

    def explain(self, engine: Engine, settings: Settings, sql: str) -> str:
        """Return a query in plain language, as `Session.explain` does."""
        with _advising_ask(engine, sql):
            parts = explain.explain(sql, self._database.catalog(engine, settings), engine.dialect)
        if settings["model"] == "reader":
            return parts
        question = Question(explain.question(sql))
        return self._by_model(
            engine, settings, sql, question, lambda shown, context: explain.worded(shown, parts, context)
        )

    def _by_model(
        self,
        engine: Engine,
        settings: Settings,
        sql: str,
        question: Question,
        work: Callable[[Linked, StepContext], str],
    ) -> str:
        """Return what `work` writes with the model, within the budget of one question.

        It is cached by the query, the schema version and the settings. `Session.trace` finds the steps by the query's
        text.
        """
        with self._refusing(_NESTED):
            turn, catalog = turn_of(engine, question, settings, self._cost), self._database.catalog(engine, settings)
            key = (question.text, question.hint, catalog.version, *turn.settings.values)
            if key not in self._written:
                try:
                    checking = by_model.checking(engine, catalog, turn.asker)
                    self._written.keep(key, work(*self._showing.context(turn, self._database.linked(turn), checking)))
                finally:
                    self._finding.traces.keep(trace_key((sql,), turn.settings), tuple(turn.asker.trace))
            return self._written[key]


_BEGINNING = 1_000  # characters of a text in which its first word is looked for


@contextmanager
def _advising_ask(engine: Engine, sql: str) -> Iterator[None]:
    """Add to an error how a question is asked, if the text may be one: it begins with no keyword or misspelt SELECT."""
    try:
        yield
    except QueryError as exc:
        first = next((token.word for token in tokens(sql[:_BEGINNING], engine.dialect)), "")
        if not first.isalpha() or first in named(engine.dialect).statements or suggestion(first, ["select"]):
            raise
        raise type(exc)(f"{exc}; if it is a question: SELECT * FROM ask({literal(sql)});", exc.sql) from exc
